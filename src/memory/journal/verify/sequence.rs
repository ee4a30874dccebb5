//! Numbers, hashes and links: whether each entry stands where it was sealed.

use super::super::{Entry, EntryHash, Head, Seq, SeqRange};
use super::{Finding, Problem};
use crate::text::Timestamp;

/// Where the verification stands in the journal.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    /// The last entry whose place is known.
    last: Seq,
    /// What the next entry may name as its predecessor: of an entry that was changed, the hash that it claims and the one that
    /// it has, so that an innocent successor is not blamed.
    hashes: [EntryHash; 2],
    time: Timestamp,
    /// How many lines behind `last` have no number that can be believed.
    unplaced: u64,
}

/// What can be said of an entry's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is genuine, and follows what was verified before.
    Next,
    /// It is genuine, and something before it is not there or not genuine.
    AfterGap,
    /// It is not genuine or not at its place: what it says counts for nothing.
    Nowhere,
}

impl Sequence {
    /// Returns the last entry whose place is known.
    pub(super) const fn head(&self) -> Head {
        Head { seq: self.last, hash: self.hashes[0] }
    }

    /// Returns the highest number that an entry before this place may have had.
    pub(super) const fn reach(&self) -> Seq {
        self.last.plus(self.unplaced)
    }

    /// Passes over a line that cannot be read.
    pub(super) const fn skip(&mut self) {
        self.unplaced += 1;
    }

    /// Places `entry`.
    pub(super) fn step(&mut self, entry: &Entry, findings: &mut Vec<Finding>) -> Place {
        let computed = entry.computed_hash();
        if entry.hash() != computed {
            findings.push(Finding::at(entry.seq(), Problem::Tampered));
            if entry.seq() == self.reach().plus(1) {
                self.move_to(entry, computed);
            } else {
                self.skip();
            }
            return Place::Nowhere;
        }
        let expected = self.last.plus(1);
        if entry.seq() < expected {
            findings.push(Finding::at(entry.seq(), Problem::OutOfOrder { expected }));
            return Place::Nowhere;
        }
        let place = self.link(entry, findings);
        if place == Place::Next && entry.time() < self.time {
            findings.push(Finding::at(entry.seq(), Problem::TimeBackwards { before: self.time }));
        }
        self.move_to(entry, computed);
        place
    }

    /// Checks what stands before a genuine entry that is not too early.
    fn link(&self, entry: &Entry, findings: &mut Vec<Finding>) -> Place {
        if entry.seq() == self.last.plus(1) {
            if self.hashes.contains(&entry.previous()) {
                return Place::Next;
            }
            findings.push(Finding::at(entry.seq(), Problem::Unlinked { before: self.last }));
        } else if entry.seq() > self.reach().plus(1) {
            let missing = SeqRange::new(self.last.plus(1), entry.seq().minus(1));
            findings.push(Finding::about(missing, Problem::Missing));
        }
        Place::AfterGap
    }

    const fn move_to(&mut self, entry: &Entry, computed: EntryHash) {
        self.last = entry.seq();
        self.hashes = [entry.hash(), computed];
        self.time = entry.time();
        self.unplaced = 0;
    }
}
