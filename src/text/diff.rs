//! Where two texts or two sequences differ, in bounded time.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::span::{Span, narrow};

/// Returns the ranges of items in which `old` and `new` differ, in order.
///
/// Myers' algorithm, as `similar` has it, gives up the shortest answer where that takes too long,
/// as Git does. It is called by its name: a choice among algorithms would compile them all.
pub(crate) fn differing(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut hook, old, 0..old.len(), new, 0..new.len());
    let ops = hook.into_inner().into_inner().into_ops();
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    differing.map(|op| (op.old_range(), op.new_range())).collect()
}

/// Returns the longest subsequence of `pairs` whose second members increase.
pub(crate) fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length the index of the pair that the best subsequence of that length ends with.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    let second = |index: &usize| pairs.get(*index).map_or(0, |pair| pair.1);
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| second(end) < pair.1);
        before.push(length.checked_sub(1).and_then(|last| ends.get(last).copied()));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut found = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        found.extend(pairs.get(index).copied());
        next = before.get(index).copied().flatten();
    }
    found.reverse();
    found
}

/// A part of a text and what stands in its place in another. Beside it the texts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) old: Span,
    pub(crate) new: Span,
}

impl Difference {
    /// Creates the difference of a part of the old text and one of the new text.
    pub(crate) const fn new(old: Span, new: Span) -> Self {
        Self { old, new }
    }

    /// Creates the first difference, at `start`, that ends at these offsets of the one text and of
    /// the other.
    pub(crate) const fn at(start: usize, old_end: usize, new_end: usize) -> Self {
        Self::new(Span::new(start, old_end), Span::new(start, new_end))
    }

    /// Returns the difference between texts of these lengths of which nothing is known to be the
    /// same.
    pub(crate) const fn whole(old: &str, new: &str) -> Self {
        Self::at(0, old.len(), new.len())
    }

    /// Returns it with what follows up to the end of a later one.
    pub(crate) const fn until(self, last: Self) -> Self {
        Self::new(Span::new(self.old.start(), last.old.end()), Span::new(self.new.start(), last.new.end()))
    }

    /// Returns it with what stands beside it, to the bounds of `span` of the old text, in which no
    /// other difference is.
    pub(crate) const fn grown(self, span: Span) -> Self {
        let start = self.new.start() - (self.old.start() - span.start());
        Self::new(span, Span::new(start, self.behind(span.end())))
    }

    /// Returns where an offset of the old text that is not before the end of its part stands in the
    /// new one, if no other difference is between.
    pub(crate) const fn behind(self, offset: usize) -> usize {
        offset - self.old.end() + self.new.end()
    }

    /// Returns how far what stands behind its part has moved, as [`Span::moved`] takes it.
    pub(crate) const fn distance(self) -> u32 {
        narrow(self.new.end()).wrapping_sub(narrow(self.old.end()))
    }
}

/// How often each of some things is there.
#[derive(Clone, Debug)]
pub(crate) struct Tally<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Tally<T> {
    /// Takes one out that equals `thing`; `false` if none is left.
    pub(crate) fn take<Q: Eq + Hash + ?Sized>(&mut self, thing: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let count = self.0.get_mut(thing).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

impl<T: Eq + Hash> FromIterator<T> for Tally<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut counts = HashMap::new();
        things.into_iter().for_each(|thing| *counts.entry(thing).or_default() += 1);
        Self(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sequences_differ_only_where_they_do() {
        let numbers: Vec<String> = (0..10_000).map(|number| number.to_string()).collect();
        let old: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let mut new = old.clone();
        (new[0], new[9_999]) = ("one", "other");
        assert_eq!(differing(&old, &new), [(0..1, 0..1), (9_999..10_000, 9_999..10_000)]);
        new.remove(5_000);
        assert_eq!(differing(&old, &new).len(), 3);
        assert_eq!(differing(&["1"; 4_000], &["2"; 3]), [(0..4_000, 0..3)]);
    }
}
