//! `validate_memory`: what is wrong with a document as it stands, and what puts it right.
//!
//! A repair is offered only if it has been tried: it can be made under the document's policy, and takes its violation away.
//! Nothing is offered that would change a reserved section or take a pinned bullet. Bullets of different
//! blocks are no duplicates, and of the children of different bullets none is offered to be deleted.

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
const TRIALS: usize = 2 * 1024 * 1024;

/// Returns every violation at the time `now`, kind by kind, in the order of [`ViolationKind`]; at most 50 of a kind.
///
/// Each fix is tried, and as many are as a bounded amount of text allows: some two hundred in a document of 10 KiB.
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    let mut trials = TRIALS;
    let mut all = Vec::new();
    for check in checks::ALL {
        let found = check(doc, now);
        let count = found.len();
        for finding in found.into_iter().take(checks::MAX_PER_KIND) {
            let mut violation = finding.told(doc);
            violation.fix = violation.fix.filter(|fix| {
                let Some(left) = trials.checked_sub(doc.text().len()) else { return false };
                trials = left;
                works(doc, now, fix, |doc| check(doc, now).len() < count)
            });
            all.push(violation);
        }
    }
    all
}

/// Reports whether a repair can be made, and does what is expected of it.
fn works(doc: &MemoryDoc, now: Timestamp, repair: &Repair, does: impl FnOnce(&MemoryDoc) -> bool) -> bool {
    let edit = repair.as_called().and_then(|request| request.plan(&View::current(doc, now)).ok());
    let commit = edit.and_then(|edit| doc.commit(&edit, Authority::Agent).ok());
    commit.is_some_and(|commit| does(&commit.doc))
}
