//! Numbers of entries, one by one and in runs; and the values that are written as lower-case hexadecimal digits: hashes,
//! salts, IDs, and commitments. In JSON, each is written as the number or text that it holds.
//!
//! A commitment lets a header vouch for a body without revealing it. A plain digest would reveal a short text to
//! anybody who tries all short texts: a reason that is a PIN, for example. So a commitment is a digest over the text
//! and 16 random bytes, the salt. The salt is kept in the body. Once the body is erased, nobody can test a guess
//! against the commitment.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::text::{Digest, Hex, display_inner, parse_inner};

display_inner!(EntryHash, MemoryId, Attempt, Commitment, Seq);
not_shown!(Salt);
parse_inner!(EntryHash, MemoryId);

impl Digest {
    /// Hashes a sequence of fields, each with its length before it, so that no two sequences share a preimage.
    pub(crate) fn of_fields(fields: &[impl AsRef<[u8]>]) -> Self {
        let mut hash = Sha256::default();
        for field in fields.iter().map(AsRef::as_ref) {
            hash.update(u64::try_from(field.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(field);
        }
        Self(hash.finalize().into())
    }
}

/// The hash of an entry, which the next entry repeats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct EntryHash(pub(super) Digest);

impl Default for EntryHash {
    fn default() -> Self {
        Self::NONE
    }
}

impl EntryHash {
    /// The hash that the first entry names as its predecessor's: 32 bytes of zero.
    pub const NONE: Self = Self(Hex([0; 32]));

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

/// The ID of a memory, drawn at random when the memory is made: no two journals share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct MemoryId(pub(super) Hex<16>);

impl MemoryId {
    /// Creates the ID of 16 random bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

/// The ID of one attempt at a commit, drawn at random. After a lost answer, a store is asked about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Attempt(Hex<16>);

impl Attempt {
    /// Creates the attempt of 16 random bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

/// 16 random bytes from the operating system, drawn anew for each entry.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Salt(Hex<16>);

impl Salt {
    /// Creates the salt of 16 random bytes. They must be random: a salt that can be guessed hides nothing.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

/// A digest over a text that holds a salt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
pub struct Commitment(Digest);

impl Commitment {
    /// Commits to a body by its text.
    pub(super) fn to_body(text: &str) -> Self {
        Self::to("memdoc journal body 2", text)
    }

    /// Commits to a text under a label.
    pub(super) fn to(label: &str, text: &str) -> Self {
        Self(Digest::of_fields(&[label, text]))
    }
}

/// The number of an entry in its journal. The first entry, the genesis, has number 1; 0 is before all entries.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct Seq(u64);

impl Seq {
    /// The number of the first entry.
    pub const FIRST: Self = Self(1);

    /// Creates the number `number`.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns the number.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the number that is `count` higher.
    #[must_use]
    pub const fn plus(self, count: u64) -> Self {
        Self(self.0.saturating_add(count))
    }

    /// Returns the number that is `count` lower, at least 0, which no entry has.
    #[must_use]
    pub const fn minus(self, count: u64) -> Self {
        Self(self.0.saturating_sub(count))
    }
}

/// A run of numbers, both ends included: the entries of one group, or entries that share a problem.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Debug)]
pub struct SeqRange(
    // Invariant: the first is not above the last.
    Seq,
    Seq,
);

impl SeqRange {
    /// Creates the run between two numbers, given in either order.
    pub fn new(a: Seq, b: Seq) -> Self {
        Self(a.min(b), a.max(b))
    }

    /// Creates the run of one number.
    pub const fn one(seq: Seq) -> Self {
        Self(seq, seq)
    }

    /// Returns the lowest number.
    pub const fn first(self) -> Seq {
        self.0
    }

    /// Returns the highest number.
    pub const fn last(self) -> Seq {
        self.1
    }

    /// Iterates over the numbers, ascending.
    pub fn numbers(self) -> impl Iterator<Item = Seq> {
        (self.0.0..=self.1.0).map(Seq)
    }

    /// Reports whether `seq` lies inside.
    pub fn contains(self, seq: Seq) -> bool {
        self.0 <= seq && seq <= self.1
    }
}

impl fmt::Display for SeqRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { write!(f, "{}", self.0) } else { write!(f, "{}-{}", self.0, self.1) }
    }
}

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(Seq, Seq)>")]
pub struct Runs(
    // Invariant: ascending; between two runs at least one number is missing.
    Vec<SeqRange>,
);

impl Runs {
    /// Reports whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Iterates over the runs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = SeqRange> + '_ {
        self.0.iter().copied()
    }

    /// Reports whether `seq` is in the set.
    pub fn contains(&self, seq: Seq) -> bool {
        let at = self.0.partition_point(|run| run.last() < seq);
        self.0.get(at).is_some_and(|run| run.contains(seq))
    }

    /// Adds one number.
    pub fn insert(&mut self, seq: Seq) {
        self.insert_run(SeqRange::one(seq));
    }

    /// Adds a run, which may overlap others.
    pub fn insert_run(&mut self, run: SeqRange) {
        // Runs that overlap or touch it become one run with it.
        let from = self.0.partition_point(|other| other.last().plus(1) < run.first());
        let to = self.0.partition_point(|other| other.first() <= run.last().plus(1));
        let joined = self.0.get(from..to).unwrap_or_default();
        let first = joined.first().map_or(run.first(), |other| other.first().min(run.first()));
        let last = joined.last().map_or(run.last(), |other| other.last().max(run.last()));
        self.0.splice(from..to.max(from), [SeqRange::new(first, last)]);
    }

    /// Returns the numbers for which `is_wanted` is true. It is called for each number.
    #[must_use]
    pub fn filtered(&self, is_wanted: impl Fn(Seq) -> bool) -> Self {
        self.iter().flat_map(SeqRange::numbers).filter(|seq| is_wanted(*seq)).collect()
    }
}

impl From<Vec<(Seq, Seq)>> for Runs {
    /// Takes runs in any order, overlapping or not.
    fn from(runs: Vec<(Seq, Seq)>) -> Self {
        let mut set = Self::default();
        runs.into_iter().for_each(|(a, b)| set.insert_run(SeqRange::new(a, b)));
        set
    }
}

impl FromIterator<Seq> for Runs {
    fn from_iter<I: IntoIterator<Item = Seq>>(numbers: I) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|seq| set.insert(seq));
        set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn numbers(set: &Runs) -> BTreeSet<u64> {
        set.iter().flat_map(|run| run.first().get()..=run.last().get()).collect()
    }

    proptest! {
        #[test]
        fn runs_hold_what_a_set_holds(a in prop::collection::vec((0_u64..40, 0_u64..6), 0..12), b in prop::collection::vec(0_u64..40, 0..20)) {
            let mut runs = Runs::default();
            let mut set = BTreeSet::new();
            for (first, length) in a {
                runs.insert_run(SeqRange::new(Seq::new(first), Seq::new(first + length)));
                set.extend(first..=first + length);
            }
            prop_assert_eq!(numbers(&runs), set.clone());
            prop_assert!(runs.0.windows(2).all(|pair| pair[0].last().plus(1) < pair[1].first()));
            prop_assert!((0..50).all(|n| runs.contains(Seq::new(n)) == set.contains(&n)));
            let other: BTreeSet<u64> = b.iter().copied().collect();
            let b: Runs = b.into_iter().map(Seq::new).collect();
            let left = runs.filtered(|seq| !b.contains(seq));
            prop_assert_eq!(numbers(&left), set.difference(&other).copied().collect::<BTreeSet<_>>());
        }
    }
}
