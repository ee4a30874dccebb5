//! Refusals for what the agent has not seen: they show it, so that a retry is one call.

use super::explain::MAX_CHARS;
use super::phrase;
use super::reply::Reply;
use crate::locate::Code;
use crate::memory::{DocName, Drift};
use crate::text::Lines;

/// How many lines of a difference are shown.
const MAX_LINES: usize = 40;
/// How many sections are named, where the difference is longer.
const MAX_SECTIONS: usize = 12;

/// Says what to do where the change cannot be shown.
pub(super) fn reread(document: &str) -> String {
    format!("{}, look at what has changed, then send the edit again if it is still right", phrase::read(document))
}

/// Adds to a refusal what has changed in a document since the text that the agent saw: as `changes` the whole difference, or, if
/// it is too long, the sections that changed. `names_base` says whether the call named its base.
pub(super) fn with_changes(reply: Reply, (document, drift): (&DocName, &Drift), names_base: bool) -> Reply {
    let comparison = drift.comparison();
    let base = match names_base {
        true => format!(", with \"base_revision\" set to \"{}\"", drift.current.revision().short()),
        false => String::new(),
    };
    let hint = match reply.code() {
        Some(Code::Conflict) => format!("look at `changes`, then send an edit of the text as it now stands{base}"),
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
