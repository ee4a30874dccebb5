//! Lists: which bullets an index counts, from what, and what is out of range. Nothing else knows.

use super::diagnostic::{Diagnostic, LocateError};
use super::scope::Scope;
use super::target::Target;
use crate::document::{BulletRef, MemoryDoc};

/// Which bullets of a list an index counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Those that are nested in no other.
    TopLevel,
    /// All.
    Nested,
}

/// An index that names no place of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfRange {
    /// It is below the policy's base.
    Below,
    /// It is beyond the last.
    Beyond,
}

/// Returns the bullets that an index in `scope` counts, in order: those of a section's body, or of
/// a block.
pub(crate) fn listed<'a>(doc: &'a MemoryDoc, scope: Scope<'a>, counting: Counting) -> Vec<BulletRef<'a>> {
    let mut listed: Vec<_> = match scope {
        Scope::Section(section) => section.bullets().collect(),
        Scope::Block(block) => block.bullets().collect(),
        _ => doc.bullets_within(scope.span(doc)).collect(),
    };
    listed.retain(|bullet| counting == Counting::Nested || bullet.depth() == 0);
    listed
}

/// Returns the place, from 0, that `index` names among `count` places.
pub(crate) fn place_of(doc: &MemoryDoc, index: i64, count: usize) -> Result<usize, OutOfRange> {
    let first = i64::try_from(doc.policy().index_base.first()).unwrap_or(0);
    let place = index.checked_sub(first).and_then(|place| usize::try_from(place).ok()).ok_or(OutOfRange::Below)?;
    if place < count { Ok(place) } else { Err(OutOfRange::Beyond) }
}

/// Returns what `index` names in a list; `None` if it is out of range.
pub(crate) fn at_index<T: Copy>(doc: &MemoryDoc, list: &[T], index: i64) -> Option<T> {
    list.get(place_of(doc, index, list.len()).ok()?).copied()
}

/// Returns the index of a place that counts from 0.
pub(crate) fn index_of(doc: &MemoryDoc, place: usize) -> i64 {
    i64::try_from(place + doc.policy().index_base.first()).unwrap_or(i64::MAX)
}

/// The error for an index beyond the last.
pub(crate) fn beyond_last(index: i64, count: usize) -> LocateError {
    LocateError::not_found(Target::Index { index, count }, Diagnostic::default())
}
