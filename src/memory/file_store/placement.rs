//! [`Placement`]: what the files need to know of a line of the journal.

use super::super::DocName;
use super::super::journal::Erased;
use crate::text::{Revision, SharedText};

/// Reads lines of the journal as far as documents go.
pub(super) trait Placement {
    /// Reads a line, without its end; `None` if it cannot be read, as one that was written in part only.
    fn read(&self, line: &[u8]) -> Option<Line>;

    /// Returns the number that a line has if it can be read, at little cost.
    fn seq(&self, line: &[u8]) -> Option<u64>;

    /// Returns the text that the line's change of this document makes of `base`, the text of the revision that the line
    /// names, or `None` where it names none; `None` if the line does not say.
    fn text(&self, line: &[u8], document: &DocName, base: Option<&str>) -> Option<SharedText>;

    /// Returns what a line says is to be erased of lines before it.
    fn erased(&self, line: &[u8]) -> Erased;

    /// Returns a line without what is erased of it; `None` if there is nothing to erase.
    fn without(&self, line: &[u8], erased: &Erased) -> Option<Vec<u8>>;
}

/// A line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) seq: u64,
    /// The lines that were appended together with it.
    pub(super) group: Group,
    /// The documents that it changes and tells the revisions of: a redacted line has none.
    pub(super) documents: Vec<Step>,
}

/// Consecutive lines that were appended at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) first: u64,
    pub(super) last: u64,
}

/// A change of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: DocName,
    /// The revision that it was made on; `None` if there was no document.
    pub(super) base: Option<Revision>,
    /// The revision that it made; `None` if it deleted the document.
    pub(super) new: Option<Revision>,
    /// The line before that changes the same document, where only that tells what this one was made on.
    pub(super) withheld: Option<u64>,
}

/// What the store's steps work on, under the lock.
pub(super) struct Site<'a, D, P> {
    pub(super) disk: &'a D,
    pub(super) placement: &'a P,
    pub(super) custody: &'a dyn Custody,
    pub(super) limits: Limits,
}

/// The lock, as the steps see it.
pub(super) trait Custody {
    /// Reports whether the lock is still the one that others take: its file may have been removed or replaced.
    fn is_current(&self) -> bool;
}

/// How large files may be, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// A document that is larger is not read.
    pub(super) document: u64,
    /// A segment of this size or more is followed by the next one.
    pub(super) segment: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { document: 16 << 20, segment: 1 << 20 }
    }
}
