//! What a model is told whose patches are refused: the call of `replace_in_memory` that makes the edit.

use serde_json::{Value, json};

use super::Reply;
use super::answer::{PartName, Refused};
use super::definition::{Action, Call, Requested};
use super::desk::Desk;
use super::hints::HINT;
use super::repeat::RefusedPatches;
use super::search_blocks::SearchBlocks;
use crate::document::{MemoryDoc, bullet_start};
use crate::edit::Authority;
use crate::locate::Code;
use crate::memory::DocName;
use crate::request::View;
use crate::request::patch::{Anchor, Hunk, LineOp, Patch, PatchPart};
use crate::text::{Timestamp, escaped};

/// After how many refused patches in a row another tool is named.
const PATIENCE: usize = 2;

/// Gives the refusal of a patch a hint that names another call, if one does what was meant. An edit that was made begins anew.
pub(super) fn told(
    desk: &mut Desk,
    call: &Call<'_>,
    answer: Result<Reply, Box<Refused>>,
) -> Result<Reply, Box<Refused>> {
    if answer.is_ok() {
        desk.refused_patches = RefusedPatches::default();
    }
    answer.map_err(|mut refused| {
        let is_misplaced =
            matches!(refused.code, Code::InvalidPatch | Code::NotFound | Code::Ambiguous | Code::NeedsAnchor);
        if call.tool.name == "patch_memory" && is_misplaced && refused.changes.is_none() {
            let document = call.arguments["document"].as_str().unwrap_or("memory");
            let is_enough = desk.refused_patches.count(document) >= PATIENCE;
            let hint = of_blocks(call).or_else(|| if is_enough { of_hunk(desk, call, &refused) } else { None });
            if let Some(hint) = hint.map(|hint| escaped(&hint)).filter(|hint| hint.chars().count() <= HINT) {
                refused.hint = hint;
            }
        }
        refused.fitted()
    })
}

/// Words the calls that make the edits of blocks of search and replace. Beside anything else, it says how to write them instead.
fn of_blocks(call: &Call<'_>) -> Option<String> {
    let found = SearchBlocks::read(call.arguments["patch"].as_str()?)?;
    let patch = || format!("send {}", with_target(call, json!({"patch": found.to_patch()})));
    let hint = found.is_alone.then(|| match found.replacement().filter(|_| call.offers("replace_in_memory")) {
        Some(arguments) => {
            let replacement = format!("call replace_in_memory with {}", with_target(call, arguments));
            let both = format!("{replacement}; or {}", patch());
            if both.chars().count() <= HINT { both } else { replacement }
        }
        None => patch(),
    });
    let in_words = "send the lines between `<<<<<<< SEARCH` and `=======` each behind `-`, those below each behind `+`, under \
                    `*** Begin Patch` and `@@`, with `*** End Patch` as the last line";
    Some(hint.filter(|hint| hint.chars().count() <= HINT).unwrap_or_else(|| in_words.to_owned()))
}

/// Words the call that makes the edit of the hunk which was refused, if there is one that finds its place.
fn of_hunk(desk: &Desk, call: &Call<'_>, refused: &Refused) -> Option<String> {
    let patch: Patch = call.arguments["patch"].as_str()?.parse().ok()?;
    let [only] = patch.documents.as_slice() else { return None };
    let part = refused.failures.as_ref()?.first()?.part;
    let PartName::Number(number) = part else { return None };
    let PatchPart::Hunk(hunk) = only.parts.get(number.checked_sub(1)?)? else { return None };
    let name = only.document.as_deref().or(call.arguments["document"].as_str()).unwrap_or("memory");
    let name: DocName = name.parse().ok()?;
    let doc = desk.known.latest(&name)?.believed();
    let mut found = replacements(hunk).into_iter().filter(|arguments| is_found(call, arguments, doc));
    let mut arguments = with_target(call, found.next()?);
    if name != DocName::memory() {
        arguments["document"] = name.as_str().into();
    }
    let then = if only.parts.len() > 1 { ", then make the other edits one by one" } else { "" };
    Some(format!("call replace_in_memory with {arguments}{then}"))
}

/// Returns the replacements that a hunk may come to: its lines as they are, or what its only line that goes says. Under more than
/// a section, or at the end, there are none: a replacement cannot be held to that.
fn replacements(hunk: &Hunk) -> Vec<Value> {
    let section = match hunk.anchors.as_slice() {
        [] => None,
        [Anchor::Section(name)] => Some(name.as_str()),
        _ => return Vec::new(),
    };
    if hunk.is_at_end_of_file || hunk.shown_above.is_some() {
        return Vec::new();
    }
    let texts =
        |without: LineOp| hunk.lines.iter().filter(move |line| line.op != without).map(|line| line.text.as_str());
    let whole = [LineOp::Add, LineOp::Delete].map(|without| texts(without).collect::<Vec<_>>().join("\n"));
    let lines = |op: LineOp| hunk.lines.iter().filter(move |line| line.op == op).map(|line| said(&line.text));
    let said = match [LineOp::Delete, LineOp::Add].map(|op| lines(op).collect::<Vec<_>>()) {
        [old, new] if old.len() == 1 && new.len() == 1 => Some([old.concat(), new.concat()]),
        _ => None,
    };
    let texts = [Some(whole), said].into_iter().flatten().filter(|[old, new]| !old.is_empty() && old != new);
    texts
        .map(|[old, new]| {
            let mut arguments = json!({"old_string": old, "new_string": new});
            if let Some(section) = section {
                arguments["section"] = section.into();
            }
            arguments
        })
        .collect()
}

/// Returns what a line says behind the marker that it begins with.
fn said(line: &str) -> &str {
    let behind = bullet_start(line).and_then(|start| line.get(start.marker.end..));
    behind.unwrap_or(line).trim()
}

/// Reports whether a call of `replace_in_memory` finds whole lines, or all that a bullet says, once and nowhere else, and makes an
/// edit of them that would be committed.
fn is_found(call: &Call<'_>, arguments: &Value, doc: &MemoryDoc) -> bool {
    let tool = call.offered.iter().find(|tool| tool.name == "replace_in_memory");
    let Some(Action::Edit { ask, .. }) = tool.map(|tool| &tool.action) else { return false };
    let (Ok(asked), Some(old)) = (ask(arguments), arguments["old_string"].as_str()) else { return false };
    let [Requested::Edit(request)] = &asked.iter().map(|asked| &asked.request).collect::<Vec<_>>()[..] else {
        return false;
    };
    let planned = request.plan(&View::current(doc, Timestamp::default()));
    is_whole(doc, old)
        && planned.is_ok_and(|edit| !edit.splices().is_empty() && doc.draft(&edit, Authority::Agent).is_ok())
}

/// Reports whether a text stands in the document once, as whole lines or as all that a bullet says.
fn is_whole(doc: &MemoryDoc, text: &str) -> bool {
    let mut found = doc.text().match_indices(text);
    let (Some((start, _)), None) = (found.next(), found.next()) else { return false };
    let (above, below) = doc.text().split_at(start);
    let behind = below.get(text.len()..).unwrap_or_default();
    let is_lines = above.is_empty() || above.ends_with('\n');
    let ends = behind.is_empty() || behind.starts_with('\n') || behind.starts_with("\r\n");
    (is_lines && ends) || doc.bullet_at(start).is_some_and(|bullet| bullet.content() == text)
}

/// Adds the document and the base that the refused call named.
fn with_target(call: &Call<'_>, mut arguments: Value) -> Value {
    for name in ["document", "base_revision"] {
        let is_named = arguments.get(name).is_some();
        if let Some(value) = call.arguments.get(name).filter(|value| value.is_string() && !is_named) {
            arguments[name] = value.clone();
        }
    }
    arguments
}
