//! `validate_memory`: what is wrong with a document as it stands, and what puts it right.
//!
//! A repair is offered only where one is sure: it loses nothing that holds, and deletes no bullet that is pinned or has children.

mod checks;
mod violation;

use crate::document::MemoryDoc;
use crate::text::Timestamp;

pub use violation::{Repair, Violation, ViolationKind};

/// Returns every violation at the time `now`, kind by kind, in the order of [`ViolationKind`].
///
/// A fix takes its violation away. Like any edit, it may be refused: in a reserved section, or where it makes the text too large.
pub fn validate(doc: &MemoryDoc, now: Timestamp) -> Vec<Violation> {
    checks::ALL.iter().flat_map(|check| check(doc, now)).collect()
}
