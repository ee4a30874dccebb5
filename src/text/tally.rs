//! [`Tally`]: how often each of some things is there.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

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
