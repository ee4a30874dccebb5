//! Refusals for what the agent has not seen: they show it, so that a retry is one call.

use super::explain::MAX_CHARS;
use super::phrase;
use super::reply::Reply;
use crate::document::MemoryDoc;
use crate::edit::Comparison;
use crate::memory::DocName;
use crate::request::Known;
use crate::text::Lines;

/// How many lines of a difference are shown.
const MAX_LINES: usize = 40;
/// How many sections are named, where the difference is longer.
const MAX_SECTIONS: usize = 12;

/// Says what to do where the change cannot be shown.
pub(super) fn reread(document: &str) -> String {
    format!("{}, look at what has changed, then send the edit again if it is still right", phrase::read(document))
}

/// What an agent has not seen of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unseen<'a> {
    pub(super) document: &'a DocName,
    pub(super) known: &'a Known,
    pub(super) current: &'a MemoryDoc,
    /// Whether the call named its base.
    pub(super) names_base: bool,
}

/// Adds to a refusal what has changed in a document since the text that the agent saw: as `changes` the whole difference, or, if
/// it is too long, the sections that changed.
pub(super) fn with_changes(reply: Reply, unseen: Unseen<'_>) -> Reply {
    let Unseen { document, known, current, names_base } = unseen;
    let comparison = Comparison::between(known.believed(), current);
    let base = match names_base {
        true => format!(", with \"base_revision\" set to \"{}\"", current.revision().short()),
        false => String::new(),
    };
    let hint = match reply.code() {
        Some("conflict") => format!("look at `changes`, then send an edit of the text as it now stands{base}"),
        _ => format!("look at `changes`, then send the same call again{base} if it is still right"),
    };
    let diff = comparison.unified(document.as_str());
    if Lines::of(&diff).count() <= MAX_LINES {
        let shown = reply.clone().with("changes", diff).with("hint", hint);
        if shown.is_within(MAX_CHARS) {
            return shown;
        }
    }
    let sections: Vec<_> = comparison.sections().into_iter().take(MAX_SECTIONS).collect();
    let named = reply.clone().with("stale_sections", sections).with("hint", reread(document.as_str()));
    if named.is_within(MAX_CHARS) { named } else { reply }
}
