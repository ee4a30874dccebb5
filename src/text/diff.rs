//! Where two texts or two sequences differ, in bounded time.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

use super::span::{Span, narrow};

/// A range of lines, or other items, that changed, and the range that replaces it in the other sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChangedRange {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Returns the ranges of items in which `old` and `new` differ, in order.
///
/// The algorithm is Myers', from the crate `similar`. Where the shortest diff would take too long, it returns a longer
/// one, as Git does. It is called directly: the function of `similar` that takes the algorithm as an argument would
/// compile all of them.
pub(crate) fn diff_ranges(old: &[&str], new: &[&str]) -> Vec<ChangedRange> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut hook, old, 0..old.len(), new, 0..new.len());
    let ops = hook.into_inner().into_inner().into_ops();
    let changed = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    changed.map(|op| ChangedRange { old: op.old_range(), new: op.new_range() }).collect()
}

/// A part of a text that changed: its span in the old text, and the span that replaces it in the new text. If this is
/// the only difference, both texts are equal before and after it. If there are several, they are equal between each
/// difference and the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) old: Span,
    pub(crate) new: Span,
}

impl Difference {
    /// Returns a difference that spans both texts, for texts that may have nothing in common.
    pub(crate) const fn whole(old: &str, new: &str) -> Self {
        Self { old: Span::new(0, old.len()), new: Span::new(0, new.len()) }
    }

    /// Maps an offset of the old text, at the end of the changed part or after it, to the new text.
    pub(crate) const fn map_after(self, offset: usize) -> usize {
        offset - self.old.end() + self.new.end()
    }

    /// Returns by how many bytes the text after the changed part moves: the argument for [`Span::moved`].
    pub(crate) const fn distance(self) -> u32 {
        narrow(self.new.end()).wrapping_sub(narrow(self.old.end()))
    }
}

/// A multiset: each item with how often it occurs.
#[derive(Clone, Debug)]
pub(crate) struct Tally<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Tally<T> {
    /// Removes one item that equals `item`; returns false if there is none.
    pub(crate) fn take<Q: Eq + Hash + ?Sized>(&mut self, item: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let count = self.0.get_mut(item).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

impl<T: Eq + Hash> FromIterator<T> for Tally<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut counts = HashMap::new();
        items.into_iter().for_each(|item| *counts.entry(item).or_default() += 1);
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
        let changed = |old, new| ChangedRange { old, new };
        assert_eq!(diff_ranges(&old, &new), [changed(0..1, 0..1), changed(9_999..10_000, 9_999..10_000)]);
        new.remove(5_000);
        assert_eq!(diff_ranges(&old, &new).len(), 3);
        assert_eq!(diff_ranges(&["1"; 4_000], &["2"; 3]), [changed(0..4_000, 0..3)]);
    }
}
