//! How many parts a request may have: each may look at every bullet, so that their product is bounded.

use super::{Refusal, RequestError};
use crate::document::MemoryDoc;

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
