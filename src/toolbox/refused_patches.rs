//! What a model is told whose patches are refused: the call of `replace_in_memory` that makes the edit.

use std::ops::Range;

use serde_json::{Value, json};

use super::Reply;
use super::answer::{PartName, Refused};
use super::definition::{Action, Call, Requested};
use super::desk::Desk;
use super::phrase::HINT;
use super::repeat::RefusedPatches;
use super::search_blocks::SearchBlocks;
use crate::document::{MemoryDoc, bullet_start, checkbox, tag_groups};
use crate::edit::Authority;
use crate::locate::{Code, behind_space, is_ordered};
use crate::memory::DocName;
use crate::request::View;
use crate::request::patch::{Anchor, Hunk, LineOp, Patch, PatchPart};
use crate::text::{Ending, Line, Span, Timestamp, escaped};

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
    let section = section_of(hunk)?;
    let offered = meant(hunk, doc)?;
    let arguments = |[old, new]: [String; 2]| {
        let mut arguments = json!({"old_string": old, "new_string": new});
        if let Some(section) = section {
            arguments["section"] = section.into();
        }
        arguments
    };
    let mut found = offered.ways.into_iter().map(arguments).filter(|way| comes_to(call, way, doc, &offered.text));
    let mut arguments = with_target(call, found.next()?);
    if name != DocName::memory() {
        arguments["document"] = name.as_str().into();
    }
    let then = if only.parts.len() > 1 { ", then make the other edits one by one" } else { "" };
    Some(format!("call replace_in_memory with {arguments}{then}"))
}

/// Returns the section that a hunk is held to, if any; `None` under more than a section, or at the end: a replacement cannot be held
/// to that.
fn section_of(hunk: &Hunk) -> Option<Option<&str>> {
    let is_plain = !hunk.is_at_end_of_file && hunk.shown_above.is_none();
    match hunk.anchors.as_slice() {
        [] if is_plain => Some(None),
        [Anchor::Section(name)] if is_plain => Some(Some(name.as_str())),
        _ => None,
    }
}

/// What a hunk means.
struct Meant {
    /// The texts, old and new, that may say it.
    ways: Vec<[String; 2]>,
    /// The document as it is to read.
    text: String,
}

impl Meant {
    /// The lines of `span`, without their last ending, are these instead; without any, they go.
    fn lines(doc: &MemoryDoc, span: Span, new: &[String]) -> Self {
        let last = Line::holding(doc.text(), span.end());
        let span = if new.is_empty() { Span::new(span.start(), last.full.end()) } else { span };
        let ending = if last.ending() == Ending::CrLf { "\r\n" } else { "\n" };
        let new = new.join(ending);
        let before = Span::new(0, span.start()).of(doc.text());
        let behind = Span::new(span.end(), doc.text().len()).of(doc.text());
        Self { text: [before, &new, behind].concat(), ways: vec![[span.of(doc.text()).to_owned(), new]] }
    }
}

/// Returns what a hunk means whose lines stand in the document once, or whose only line that stays or goes does under other marks.
fn meant(hunk: &Hunk, doc: &MemoryDoc) -> Option<Meant> {
    let texts =
        |without: LineOp| hunk.lines.iter().filter(move |line| line.op != without).map(|line| line.text.as_str());
    let (old, new): (Vec<_>, Vec<_>) = (texts(LineOp::Add).collect(), texts(LineOp::Delete).collect());
    if old == new {
        return None;
    }
    if let Some(span) = lines_once(doc, &old.join("\n")) {
        return Some(Meant::lines(doc, span, &new.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    }
    match hunk.lines.iter().filter(|line| line.op != LineOp::Add).collect::<Vec<_>>()[..] {
        [only] if only.op == LineOp::Delete => said_under_marks(said(&only.text), &new, doc),
        _ => None,
    }
}

/// Returns what it means that a line goes which says `old`, and these come: the only line or bullet that says so keeps its marks
/// unless one that comes has some.
fn said_under_marks(old: &str, new: &[&str], doc: &MemoryDoc) -> Option<Meant> {
    let mut bullets = doc.bullets().filter(|bullet| bullet.content() == old);
    let (bullet, line) = match (bullets.next(), lines_once(doc, old)) {
        (Some(bullet), None) => (Some(bullet), Line::holding(doc.text(), bullet.line.start()).text),
        // One whose number is no count says all of its line.
        (bullet, Some(line)) if bullet.is_none_or(|bullet| bullet.line.start() == line.start()) => (None, line),
        _ => return None,
    };
    if bullets.next().is_some() || old.is_empty() {
        return None;
    }
    let line_text = line.of(doc.text());
    let Some(bullet) = bullet else {
        // Its marker was none of the line's. What begins a bullet of a kind of its own stays one, and of several lines nobody knows.
        let new: Vec<_> = new.iter().map(|new| said(new).to_owned()).collect();
        let is_bullet = doc.bullet_at(line.start()).is_some_and(|bullet| bullet.line.start() == line.start());
        let is_kept = new.iter().all(|new| !is_bullet || bullet_start(new).is_some());
        return (new.len() <= 1 && is_kept).then(|| Meant::lines(doc, line, &new));
    };
    if !line_text.ends_with(old) {
        return None;
    }
    let own = bullet_start(line_text)?;
    let has_marks = |text: &str| checkbox(text).is_some() || tag_groups(text).1 > 0;
    let brings_marks = new.iter().any(|new| has_marks(said(new)));
    let keeps_marks = has_marks(line_text.get(own.rest..)?) && !brings_marks;
    let head = |end: usize| line_text.get(..end).unwrap_or_default();
    // A number, of an item or a year, is no marker that another takes the place of.
    let is_number = |text: &str, marker: &Range<usize>| text.get(marker.clone()).is_some_and(is_ordered);
    let keeps_number = |new: &str, marker: &Range<usize>| is_number(line_text, &own.marker) && !is_number(new, marker);
    let written = |new: &&str| match bullet_start(new) {
        _ if keeps_marks => [head(line_text.len() - old.len()), said(new)].concat(),
        Some(start) if keeps_number(new, &start.marker) => [head(own.rest), said(new)].concat(),
        Some(_) => [head(own.marker.start), behind_space(new).unwrap_or(new)].concat(),
        None => [head(own.rest), new.trim()].concat(),
    };
    match new {
        [] if bullet.extent != bullet.line => None,
        [_, _, ..] if keeps_marks => None,
        new => {
            let mut meant = Meant::lines(doc, line, &new.iter().map(written).collect::<Vec<_>>());
            if let ([only], false) = (new, brings_marks) {
                meant.ways.insert(0, [old.to_owned(), said(only).to_owned()]);
            }
            Some(meant)
        }
    }
}

/// Returns what a line says behind the marker that it begins with.
fn said(line: &str) -> &str {
    let behind = bullet_start(line).and_then(|start| line.get(start.marker.end..));
    behind.unwrap_or(line).trim()
}

/// Returns where a text stands as whole lines, without the last ending, if that is once.
fn lines_once(doc: &MemoryDoc, text: &str) -> Option<Span> {
    let is_lines = |(start, found): &(usize, &str)| {
        let (above, below) = doc.text().split_at(*start);
        let behind = below.get(found.len()..).unwrap_or_default();
        let ends = behind.is_empty() || behind.starts_with('\n') || behind.starts_with("\r\n");
        (above.is_empty() || above.ends_with('\n')) && ends
    };
    let mut found = doc.text().match_indices(text).filter(is_lines);
    let (Some(only), None) = (found.next(), found.next()) else { return None };
    let (start, found) = only;
    Some(Span::new(start, start + found.len())).filter(|_| !text.is_empty())
}

/// Reports whether a call of `replace_in_memory` makes an edit that would be committed, and after which the document reads so.
fn comes_to(call: &Call<'_>, arguments: &Value, doc: &MemoryDoc, text: &str) -> bool {
    let tool = call.offered.iter().find(|tool| tool.name == "replace_in_memory");
    let Some(Action::Edit { ask, .. }) = tool.map(|tool| &tool.action) else { return false };
    let Ok(asked) = ask(arguments) else { return false };
    let [Requested::Edit(request)] = &asked.iter().map(|asked| &asked.request).collect::<Vec<_>>()[..] else {
        return false;
    };
    let planned = request.plan(&View::current(doc, Timestamp::default()));
    planned.is_ok_and(|edit| {
        let is_meant = !edit.splices().is_empty() && edit.apply_to(doc.text()) == text;
        is_meant && doc.draft(&edit, Authority::Agent).is_ok()
    })
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
