//! Which items of two sequences differ, in bounded time.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

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
