//! [`Seq`]: the number of an entry; and sets of numbers, kept as runs, so that a long stretch costs no more than one number.

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

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<SeqRange>")]
pub struct Runs(
    // Invariant: ascending; between two runs at least one number is missing.
    Vec<SeqRange>,
);

impl Runs {
    /// The empty set.
    pub const EMPTY: Self = Self(Vec::new());

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
        // Those that overlap or touch it become one with it.
        let from = self.0.partition_point(|other| other.last().plus(1) < run.first());
        let to = self.0.partition_point(|other| other.first() <= run.last().plus(1));
        let joined = self.0.get(from..to).unwrap_or_default();
        let first = joined.first().map_or(run.first(), |other| other.first().min(run.first()));
        let last = joined.last().map_or(run.last(), |other| other.last().max(run.last()));
        self.0.splice(from..to.max(from), [SeqRange::new(first, last)]);
    }

    /// Returns the numbers that are in this set and not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        let mut left = Vec::new();
        for run in self.iter() {
            let mut from = run.first();
            let start = other.0.partition_point(|gone| gone.last() < run.first());
            for gone in other.0.iter().skip(start).take_while(|gone| gone.first() <= run.last()) {
                if from < gone.first() {
                    left.push(SeqRange::new(from, gone.first().minus(1)));
                }
                from = gone.last().plus(1);
            }
            if from <= run.last() {
                left.push(SeqRange::new(from, run.last()));
            }
        }
        Self(left)
    }
}

impl From<Vec<SeqRange>> for Runs {
    /// Takes runs in any order, overlapping or not.
    fn from(mut runs: Vec<SeqRange>) -> Self {
        runs.sort();
        let mut set = Self::default();
        runs.into_iter().for_each(|run| set.insert_run(run));
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
            let left = runs.without(&b.into_iter().map(Seq::new).collect());
            prop_assert_eq!(numbers(&left), set.difference(&other).copied().collect::<BTreeSet<_>>());
        }
    }
}
