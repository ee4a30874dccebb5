//! Refusals for what the agent has not seen: they show it, so that a retry is one call.

use super::answer::Refused;
use super::phrase;
use crate::document::MemoryDoc;
use crate::edit::Comparison;
use crate::locate::Code;
use crate::memory::DocName;
use crate::request::{Basis, Known, Request, View, rebase};
use crate::text::{Lines, Timestamp, on_one_line, printable};

/// How many lines of a difference are shown.
const MAX_LINES: usize = 40;
/// How many sections are named, where the difference is longer.
const MAX_SECTIONS: usize = 12;

/// What an agent has not seen of a document.
pub(super) struct Unseen<'a> {
    pub(super) document: &'a DocName,
    pub(super) known: &'a Known,
    pub(super) current: &'a MemoryDoc,
    /// If the call named its base, what to name now.
    pub(super) base: Option<String>,
}

impl Unseen<'_> {
    /// Adds to a refusal what has changed: as `changes` the whole difference, or, if it is too long, the sections that changed.
    pub(super) fn told(&self, refused: Box<Refused>) -> Box<Refused> {
        let comparison = Comparison::between(self.known.believed(), self.current);
        let diff = comparison.unified(self.document.as_str());
        if Lines::of(&diff).count() <= MAX_LINES {
            let hint = self.retry(refused.code);
            let mut shown = refused.clone();
            (shown.changes, shown.hint) = (Some(printable(&diff)), hint);
            if shown.is_within_bound() {
                return shown;
            }
        }
        let sections = comparison.sections().iter().take(MAX_SECTIONS).map(|name| on_one_line(name)).collect();
        let hint = phrase::reread(self.document.as_str());
        let mut named = refused.clone();
        (named.stale_sections, named.hint) = (Some(sections), hint);
        if named.is_within_bound() { named } else { refused }
    }

    /// Says what to send once the change has been looked at.
    fn retry(&self, code: Code) -> String {
        let base = self.base.as_ref().map_or_else(String::new, |base| format!(", with {base}"));
        match code {
            Code::Conflict => format!("look at `changes`, then send an edit of the text as it now stands{base}"),
            _ => format!("look at `changes`, then send the same call again{base} if it is still right, else adapt it"),
        }
    }
}

/// Reports whether a request means the same, made anew by one who has been shown the current text, as it does where it is carried over to
/// that: what is named by its place may be another thing there, and is not to be sent again unread.
pub(super) fn may_be_sent_again(request: &dyn Request, known: &Known, current: &MemoryDoc, now: Timestamp) -> bool {
    if !request.depends_on_places() {
        return true;
    }
    let anew = Known::of(current);
    let again = request.plan(&View::new(current, &Basis::Known(&anew), now));
    let carried = rebase(request, &View::new(current, &Basis::Known(known), now));
    again.ok().zip(carried.ok()).is_some_and(|(again, carried)| again.is_same_change(&carried.current))
}
