//! Refusals for what the agent has not seen: they show it, so that a retry is one call.

use super::advice;
use super::answer::Refused;
use crate::document::MemoryDoc;
use crate::edit::{Comparison, Edit, carried};
use crate::locate::Code;
use crate::memory::DocName;
use crate::request::{Basis, Known, Request, View};
use crate::text::{Lines, Timestamp, excerpt, on_one_line, printable};

/// How many lines of a difference are shown.
const MAX_LINES: usize = 40;
/// How many sections are named, where the difference is longer.
const MAX_SECTIONS: usize = 12;

/// What an agent has not seen of a document.
pub(super) struct Unseen<'a> {
    pub(super) document: &'a DocName,
    pub(super) known: &'a Known,
    pub(super) current: &'a MemoryDoc,
}

impl Unseen<'_> {
    /// Adds to a refusal what has changed: as `changes` the whole difference, or, if it is too long, the sections that changed.
    pub(super) fn told(&self, refused: Box<Refused>) -> Box<Refused> {
        let comparison = Comparison::between(self.known.believed(), self.current);
        let diff = comparison.unified(self.document.as_str());
        if Lines::of(&diff).count() <= MAX_LINES {
            let mut shown = Refused { changes: Some(printable(&diff)), closest: Vec::new(), ..*refused.clone() };
            shown.hint = advice::ON_CHANGES.to_owned();
            if shown.is_within_bound() {
                shown.hint.clear();
                return Box::new(shown);
            }
        }
        let all = comparison.sections();
        let sections = all.iter().take(MAX_SECTIONS).map(|name| excerpt(&on_one_line(name), 80));
        Box::new(Refused { stale_sections: Some(sections.collect()), ..*refused })
    }
}

/// Refuses a request that names something by its place, where its editor was `shown` another text last than the one that it is planned
/// on, and it means another thing in that.
pub(super) fn check_shown(
    request: &dyn Request,
    known: &Known,
    shown: Option<&Known>,
    now: Timestamp,
) -> Result<(), Box<Refused>> {
    let is_another = |shown: &&Known| shown.believed().revision() != known.believed().revision();
    let Some(shown) = shown.filter(is_another) else { return Ok(()) };
    let on = |known: &Known| request.plan(&View::new(known.believed(), &Basis::Known(known), now));
    let is_same = match (on(known), on(shown)) {
        // What is refused on both is refused for what it says.
        (Err(_), Err(_)) => true,
        (Ok(planned), Ok(on_shown)) => {
            let statuses = |edit: &Edit| edit.parts().iter().map(|part| part.status).collect::<Vec<_>>();
            let carried = carried(shown.believed(), &on_shown, known.believed()).ok();
            let makes = |edit: &Edit| edit.apply_to(known.believed().text());
            carried.is_some_and(|carried| makes(&carried) == makes(&planned))
                && statuses(&on_shown) == statuses(&planned)
        }
        _ => false,
    };
    if is_same {
        return Ok(());
    }
    let why = "what the edit names by its place is another thing in the text that it is made on than in the one that was shown last";
    Err(Refused::plain(Code::StaleRevision, why))
}
