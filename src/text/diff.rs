//! Where two texts or two sequences differ, in bounded time.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::span::{Span, narrow};

/// Stretches in which two sequences differ that have more items than this, in all, are not compared
/// item by item: Myers' algorithm is quadratic in the number of differences.
const DIFFED: usize = 2_000;

/// A range of the old sequence, and the range of the new one that stands in its place.
type Change = (Range<usize>, Range<usize>);

/// Returns the ranges of items in which `old` and `new` differ, in order.
///
/// Long sequences are first divided where an item stands once in both, as in patience sorting, so
/// that the cost stays nearly linear; what has no such item, and is long, differs as a whole.
pub(crate) fn differing<T: Eq + Hash + AsRef<str>>(old: &[T], new: &[T]) -> Vec<Change> {
    let mut changes = Vec::new();
    let (whole_old, whole_new) = trimmed(old, new, (0..old.len(), 0..new.len()));
    if whole_old.len() + whole_new.len() <= DIFFED {
        compare(old, new, (whole_old, whole_new), &mut changes);
        return changes;
    }
    let (mut old_at, mut new_at) = (whole_old.start, whole_new.start);
    for (old_anchor, new_anchor) in anchors(old, new, &whole_old, &whole_new) {
        compare(old, new, (old_at..old_anchor, new_at..new_anchor), &mut changes);
        (old_at, new_at) = (old_anchor + 1, new_anchor + 1);
    }
    compare(old, new, (old_at..whole_old.end, new_at..whole_new.end), &mut changes);
    changes
}

/// Drops what two ranges have in common at both ends.
fn trimmed<T: Eq>(old: &[T], new: &[T], (old_range, new_range): Change) -> Change {
    let (olds, news) = (slice(old, &old_range), slice(new, &new_range));
    let prefix = olds.iter().zip(news).take_while(|(a, b)| a == b).count();
    let rests = olds.iter().skip(prefix).rev().zip(news.iter().skip(prefix).rev());
    let suffix = rests.take_while(|(a, b)| a == b).count();
    (old_range.start + prefix..old_range.end - suffix, new_range.start + prefix..new_range.end - suffix)
}

fn compare<T: Eq + AsRef<str>>(old: &[T], new: &[T], ranges: Change, changes: &mut Vec<Change>) {
    let (old_range, new_range) = trimmed(old, new, ranges);
    if old_range.is_empty() && new_range.is_empty() {
        return;
    }
    // Where nothing stands on one side, or one item on both, there is nothing to compare.
    let is_plain = old_range.len().min(new_range.len()) == 0 || old_range.len() + new_range.len() == 2;
    if is_plain || old_range.len() + new_range.len() > DIFFED {
        changes.push((old_range, new_range));
        return;
    }
    fn texts<'a, T: AsRef<str>>(items: &'a [T], range: &Range<usize>) -> Vec<&'a str> {
        slice(items, range).iter().map(AsRef::as_ref).collect()
    }
    let shifted = |range: Range<usize>, by: usize| range.start + by..range.end + by;
    let ops = edits(&texts(old, &old_range), &texts(new, &new_range));
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changes.extend(
        differing.map(|op| (shifted(op.old_range(), old_range.start), shifted(op.new_range(), new_range.start))),
    );
}

/// Compares texts by Myers' algorithm. Called by its name, for one type: a choice among the
/// algorithms by a value would compile them all, for each type.
fn edits(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut hook, old, 0..old.len(), new, 0..new.len());
    hook.into_inner().into_inner().into_ops()
}

/// Returns the longest series of items that stand once in each range, in the same order in both.
fn anchors<T: Eq + Hash>(
    old: &[T],
    new: &[T],
    old_range: &Range<usize>,
    new_range: &Range<usize>,
) -> Vec<(usize, usize)> {
    let mut places: HashMap<&T, (usize, usize, usize, usize)> = HashMap::with_capacity(old_range.len());
    for (item, at) in slice(old, old_range).iter().zip(old_range.clone()) {
        let place = places.entry(item).or_default();
        (place.0, place.1) = (place.0 + 1, at);
    }
    for (item, at) in slice(new, new_range).iter().zip(new_range.clone()) {
        if let Some(place) = places.get_mut(item) {
            (place.2, place.3) = (place.2 + 1, at);
        }
    }
    let once = places.into_values().filter(|place| place.0 == 1 && place.2 == 1);
    let mut pairs: Vec<(usize, usize)> = once.map(|place| (place.1, place.3)).collect();
    pairs.sort_unstable();
    longest_increasing(&pairs)
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

fn slice<'a, T>(items: &'a [T], range: &Range<usize>) -> &'a [T] {
    items.get(range.clone()).unwrap_or_default()
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
        let old: Vec<String> = (0..10_000).map(|number| number.to_string()).collect();
        let mut new = old.clone();
        (new[0], new[9_999]) = ("one".to_owned(), "other".to_owned());
        assert_eq!(differing(&old, &new), [(0..1, 0..1), (9_999..10_000, 9_999..10_000)]);
        new.remove(5_000);
        assert_eq!(differing(&old, &new).len(), 3);
        assert_eq!(differing(&["1"; 4_000], &["2"; 3]), [(0..4_000, 0..3)]);
    }
}
