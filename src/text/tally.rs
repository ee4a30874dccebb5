//! Equal things, of which one at a time is taken out.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// How often each of some things is there.
#[derive(Clone, Debug)]
pub(crate) struct Tally<T>(HashMap<T, usize>);

impl<T> Default for Tally<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + Hash> Tally<T> {
    /// Adds one.
    pub(crate) fn add(&mut self, thing: T) {
        *self.0.entry(thing).or_default() += 1;
    }

    /// Takes one out that equals `thing`; `false` if none is left.
    pub(crate) fn take<Q: Eq + Hash + ?Sized>(&mut self, thing: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        match self.0.get_mut(thing).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                true
            }
            None => false,
        }
    }

    /// Returns how many are left.
    pub(crate) fn len(&self) -> usize {
        self.0.values().sum()
    }
}

impl<T: Eq + Hash> FromIterator<T> for Tally<T> {
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut tally = Self::default();
        things.into_iter().for_each(|thing| tally.add(thing));
        tally
    }
}
