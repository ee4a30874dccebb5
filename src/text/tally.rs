//! [`Tally`]: how often each of some texts occurs.

use std::collections::HashMap;

/// How often each of some texts occurs.
#[derive(Debug, Default)]
pub(crate) struct Tally<'t>(HashMap<&'t str, usize>);

impl<'t> Tally<'t> {
    /// Adds an occurrence.
    pub(crate) fn add(&mut self, text: &'t str) {
        *self.0.entry(text).or_default() += 1;
    }

    /// Takes an occurrence away; `false` if there is none.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let count = self.0.get_mut(text).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    }
}

impl<'t> FromIterator<&'t str> for Tally<'t> {
    fn from_iter<I: IntoIterator<Item = &'t str>>(texts: I) -> Self {
        let mut tally = Self::default();
        texts.into_iter().for_each(|text| tally.add(text));
        tally
    }
}
