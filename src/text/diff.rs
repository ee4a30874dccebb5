//! Which items of two sequences differ, in bounded time.

use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Sequences that differ in more items than this, in all, are compared at their ends only: Myers' algorithm is quadratic
/// in the number of differences.
const DIFFED: usize = 2_000;

/// Returns the ranges of items in which `old` and `new` differ, in order.
pub(crate) fn differing<T: Eq + Hash + Ord>(old: &[T], new: &[T]) -> Vec<(Range<usize>, Range<usize>)> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let suffix = old.iter().skip(prefix).rev().zip(new.iter().skip(prefix).rev()).take_while(|(a, b)| a == b).count();
    let (old_middle, new_middle) = (prefix..old.len() - suffix, prefix..new.len() - suffix);
    if old_middle.is_empty() && new_middle.is_empty() {
        return Vec::new();
    }
    if old_middle.len() + new_middle.len() > DIFFED {
        return vec![(old_middle, new_middle)];
    }
    let (old, new) = (old.get(old_middle).unwrap_or_default(), new.get(new_middle).unwrap_or_default());
    let shifted = |range: Range<usize>| range.start + prefix..range.end + prefix;
    let ops = capture_diff_slices(Algorithm::Myers, old, new);
    let changes = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changes.map(|op| (shifted(op.old_range()), shifted(op.new_range()))).collect()
}
