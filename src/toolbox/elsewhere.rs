//! Hints that name a call of another tool, where it is offered: what the tool that was called cannot do.

use serde_json::{Value, json};

use super::answer::Refused;
use super::definition::Call;
use super::phrase::HINT;
use crate::locate::{LocateError, Target};
use crate::memory::{DocName, MemoryError};
use crate::request::patch::{LineOp, Patch, PatchPart};
use crate::request::{Argument, Failure, Refusal};
use crate::text::escaped;

/// A call that was refused, for the hints of other tools.
pub(super) struct RefusedCall<'a> {
    pub(super) call: &'a Call<'a>,
    pub(super) error: &'a MemoryError,
}

impl RefusedCall<'_> {
    /// Gives the refusal a hint that names another call, if one does what was meant.
    pub(super) fn hinted(&self, mut refused: Box<Refused>) -> Box<Refused> {
        let MemoryError::Request { document, error, .. } = self.error else { return refused };
        let Some(first) = error.failures().first() else { return refused };
        let hint = self.first_section(document, first).or_else(|| self.at_bullet(first)).or_else(|| {
            let whole = self.whole_section(document, first)?;
            Some(format!("{}; {whole}", refused.hint))
        });
        if let Some(hint) = hint.map(|hint| escaped(&hint)).filter(|hint| hint.chars().count() <= HINT) {
            refused.hint = hint;
        }
        refused
    }

    /// Words the call that makes the section which was sought in a document that has none.
    fn first_section(&self, document: &DocName, failure: &Failure) -> Option<String> {
        let Refusal::Locate(LocateError::NotFound { what: Target::Section(name), help }) = &failure.refusal else {
            return None;
        };
        let is_title = !name.trim().is_empty() && !name.contains(['\n', '\r', '#', '>']);
        let is_title = is_title && help.known.is_empty() && help.fix.is_none();
        if !is_title || !self.call.offers("patch_memory") {
            return None;
        }
        if self.call.tool.name == "patch_memory" {
            if !self.adds_only(failure.part) {
                return None;
            }
            return Some(format!("write \"*** Add Section: {name}\" in place of \"@@ section: {name}\""));
        }
        let edits = self.call.arguments["edits"].as_array()?;
        let edit = edits.get(failure.part).filter(|edit| edit["op"] == "insert" || edit["op"] == "upsert")?;
        let text = edit["text"].as_str().filter(|text| edits.len() == 1 && is_plain(text) && edit["tags"].is_null());
        let bullet = text.map(|text| format!("+- {text}\n")).unwrap_or_default();
        let patch = format!("*** Begin Patch\n*** Update Memory\n*** Add Section: {name}\n{bullet}*** End Patch");
        let call = format!("call patch_memory with {}", self.with_target(json!({"patch": patch}), document));
        Some(if bullet.is_empty() { format!("{call}, then send the same call again") } else { call })
    }

    /// Reports whether this part of the patch that was sent is a hunk of `+` lines: what becomes the text of a new section.
    fn adds_only(&self, part: usize) -> bool {
        let patch = self.call.arguments["patch"].as_str().and_then(|patch| patch.parse::<Patch>().ok());
        let mut parts = patch.into_iter().flat_map(|patch| patch.documents).flat_map(|document| document.parts);
        let Some(PatchPart::Hunk(hunk)) = parts.nth(part) else { return false };
        hunk.lines.iter().all(|line| line.op == LineOp::Add)
    }

    /// Words the call that inserts below the bullet which an insertion names in the place of its list, or behind it.
    fn at_bullet(&self, failure: &Failure) -> Option<String> {
        let is_of_list = matches!(failure.refusal, Refusal::InvalidArgument { argument: Argument::List, .. });
        let mut call = self.call.arguments.clone().into_owned();
        let edit = call["edits"].get_mut(failure.part)?.as_object_mut().filter(|_| is_of_list)?;
        let target = edit.remove("target").filter(|_| !edit.contains_key("to"))?;
        edit.insert("to".to_owned(), json!({"under": target}));
        Some(format!(
            "to nest it in that bullet, send {call}; to put it behind that bullet, write \"after\" in place of \"under\""
        ))
    }

    /// Words the call that deletes, or moves below another one, the section which an edit of bullets names and nothing else.
    fn whole_section(&self, document: &DocName, failure: &Failure) -> Option<String> {
        let edit = self.call.arguments["edits"].as_array()?.get(failure.part)?;
        let section = only_section(&edit["target"])?;
        let is_lost = matches!(
            &failure.refusal,
            Refusal::Locate(
                LocateError::NotFound { what: Target::Section(_), .. }
                    | LocateError::Ambiguous { what: Target::Section(_), .. }
            )
        );
        let patch =
            |lines: &str| json!({"patch": format!("*** Begin Patch\n*** Update Memory\n{lines}\n*** End Patch")});
        let (what, tool, arguments) = match edit["op"].as_str()? {
            "delete" if self.call.offers("delete_section") => ("delete", "delete_section", json!({"section": section})),
            "delete" => ("delete", "patch_memory", patch(&format!("*** Delete Section: {section}"))),
            "reorder" | "move" => {
                let parent = only_section(&edit["to"])?;
                ("move", "patch_memory", patch(&format!("*** Move Section: {section}\n*** Under: {parent}")))
            }
            _ => return None,
        };
        let call = (!is_lost && self.call.offers(tool)).then(|| self.with_target(arguments, document))?;
        Some(format!("to {what} the whole section instead, call {tool} with {call}"))
    }

    /// Adds the document and the base that the refused call named.
    fn with_target(&self, mut call: Value, document: &DocName) -> Value {
        if *document != DocName::memory() {
            call["document"] = document.as_str().into();
        }
        if let Some(base) = self.call.arguments["base_revision"].as_str() {
            call["base_revision"] = base.into();
        }
        call
    }
}

/// Returns the section that is named, if nothing else is.
fn only_section(named: &Value) -> Option<&str> {
    let members = named.as_object().filter(|members| members.len() == 1)?;
    members.get("section")?.as_str().filter(|section| !section.contains(['\n', '\r']))
}

/// Reports whether a text can stand behind the marker of a bullet as it is.
fn is_plain(text: &str) -> bool {
    !text.contains(['\n', '\r']) && !text.trim().is_empty() && text.starts_with(char::is_alphanumeric)
}
