//! How many parts a request may have, and how many of those that fail are helped: each may look at every bullet, so that their
//! product is bounded.

use super::{Failure, Refusal, RequestError};
use crate::document::MemoryDoc;
use crate::locate::HELPED;

/// How many bullets all parts of a request may look at together.
const LOOKS: usize = 1_000_000;

/// Refuses a request of so many parts that looking for them would take too long in a document of this size.
pub(super) fn check_parts(parts: usize, doc: &MemoryDoc) -> Result<(), RequestError> {
    let bullets = doc.outline().bullets().len();
    // Parts are compared with one another, too.
    match parts.saturating_mul(bullets.max(parts)) <= LOOKS {
        true => Ok(()),
        false => Err(RequestError::of(0, Refusal::TooManyParts { parts, bullets })),
    }
}

/// Helps the first failing parts for which nothing was found, or too much; `again` looks for what a part names once more.
pub(super) fn help_first(failures: &mut [Failure], mut again: impl FnMut(usize) -> Option<Refusal>) {
    for failure in failures.iter_mut().take(HELPED) {
        if let (Refusal::Locate(_), Some(helped @ Refusal::Locate(_))) = (&failure.refusal, again(failure.part)) {
            failure.refusal = helped;
        }
    }
}
