//! [`Seq`]: the number of an entry, and runs of numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::displayed_as_held;

/// The number of an entry in its journal. The first entry, the genesis, has number 1; 0 is before all.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct Seq(u64);

displayed_as_held!(Seq);

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(from = "(Seq, Seq)")]
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

impl From<(Seq, Seq)> for SeqRange {
    fn from((a, b): (Seq, Seq)) -> Self {
        Self::new(a, b)
    }
}

impl fmt::Display for SeqRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { write!(f, "{}", self.0) } else { write!(f, "{}-{}", self.0, self.1) }
    }
}
