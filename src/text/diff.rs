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
/// This is Myers' algorithm of `similar`. Where the shortest diff would take too long, it settles for a longer one,
/// as Git does. It is called directly, because a choice among algorithms would compile all of them.
pub(crate) fn differing(old: &[&str], new: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let Ok(()) = myers::diff(&mut hook, old, 0..old.len(), new, 0..new.len());
    let ops = hook.into_inner().into_inner().into_ops();
    let differing = ops.iter().filter(|op| !matches!(op, DiffOp::Equal { .. }));
    differing.map(|op| (op.old_range(), op.new_range())).collect()
}

/// The changed part of a text: its span in the old text, and the span that replaces it in the new text. Before and
/// after it, both texts are the same; of several, up to the one before and the one after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) old: Span,
    pub(crate) new: Span,
}

impl Difference {
    /// Returns the difference between two texts of which nothing is known to be the same.
    pub(crate) const fn whole(old: &str, new: &str) -> Self {
        Self { old: Span::new(0, old.len()), new: Span::new(0, new.len()) }
    }

    /// Maps an offset of the old text, at the end of the changed part or after it, to the new text.
    pub(crate) const fn behind(self, offset: usize) -> usize {
        offset - self.old.end() + self.new.end()
    }

    /// Returns by how many bytes the text after the changed part has moved, as [`Span::moved`] takes it.
    pub(crate) const fn distance(self) -> u32 {
        narrow(self.new.end()).wrapping_sub(narrow(self.old.end()))
    }
}

/// A multiset: how many there are of each item.
#[derive(Clone, Debug)]
pub(crate) struct Tally<T>(HashMap<T, usize>);

impl<T: Eq + Hash> Tally<T> {
    /// Removes one item that equals `thing`; returns false if none is left.
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
