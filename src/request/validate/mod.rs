//! `validate_memory`: what is wrong with a document as it stands, and what puts it right.
//!
//! A repair is offered only if it has been tried: it can be made under the document's policy, and takes its violation away.
//! Nothing is offered that would change a reserved section or take a pinned bullet. Bullets of different
//! blocks are no duplicates, nor are children of different bullets, bullets between which prose stands, and items of ordered lists.

mod checks;
mod repair;
mod violation;

use super::View;
use crate::document::MemoryDoc;
use crate::edit::Authority;
use crate::text::Timestamp;

pub use repair::Repair;
pub use violation::{Violation, ViolationKind};

/// How many bytes of text the trials of all repairs may read together.
const TRIALS: usize = 3 * 512 * 1024;
/// How many of them a place that a repair changes takes: one that renumbers a list changes many, and each is checked by itself.
const PLACE: usize = 512;

/// Returns every violation at the time `now`, kind by kind, in the order of [`ViolationKind`]; at most 50 of a kind.
///
/// Each fix is tried, and as many are as a bounded amount of text allows: some hundred and fifty in a document of 10 KiB.
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    Validation::of(doc, now).violations
}

/// What is wrong with a document.
pub(crate) struct Validation {
    /// Every violation, but of each kind no more than the first 50.
    pub(crate) violations: Vec<Violation>,
    /// How many there are beside them.
    pub(crate) more: usize,
}

impl Validation {
    /// Finds every violation at the time `now`.
    pub(crate) fn of(doc: &MemoryDoc, now: Timestamp) -> Self {
        let mut trials = Trials { doc, now, left: TRIALS };
        let mut all = Self { violations: Vec::new(), more: 0 };
        for check in checks::ALL {
            let found = check(doc, now);
            let count = found.len();
            all.more += count.saturating_sub(checks::MAX_PER_KIND);
            for finding in found.into_iter().take(checks::MAX_PER_KIND) {
                let mut violation = finding.told(doc);
                let helps = |doc: &MemoryDoc| check(doc, now).len() < count;
                violation.fix = violation.fix.filter(|fix| trials.succeed(fix, helps));
                all.violations.push(violation);
            }
        }
        all
    }
}

/// The trials of repairs of a document, and how much they may still read.
struct Trials<'a> {
    doc: &'a MemoryDoc,
    now: Timestamp,
    left: usize,
}

impl Trials<'_> {
    /// Reports whether a repair can be made, and helps.
    fn succeed(&mut self, repair: &Repair, helps: impl FnOnce(&MemoryDoc) -> bool) -> bool {
        self.try_out(repair).is_some_and(|doc| helps(&doc))
    }

    /// Makes a repair; `None` if it cannot be made, or nothing is left to be read.
    fn try_out(&mut self, repair: &Repair) -> Option<MemoryDoc> {
        self.left = self.left.checked_sub(self.doc.text().len())?;
        let edit = repair.as_called()?.plan(&View::current(self.doc, self.now)).ok()?;
        let places = PLACE * edit.splices().len();
        let is_within = places <= self.left;
        self.left = self.left.saturating_sub(places);
        if !is_within {
            return None;
        }
        Some(self.doc.commit(&edit, Authority::Agent).ok()?.doc)
    }
}
