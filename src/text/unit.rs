//! [`Unit`] and [`Excess`]: what the size of a text is counted in, and a limit that it is over.

use super::names;

names! {
    /// What is counted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Unit {
        /// Bytes of UTF-8.
        Bytes = "bytes",
        /// Tokens, as the document's counter counts them.
        Tokens = "tokens",
    }
}

/// A limit that a text is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// What is counted.
    pub unit: Unit,
    /// How much is used.
    pub used: usize,
    /// The limit.
    pub limit: usize,
}

impl Excess {
    pub(crate) const fn new(unit: Unit, used: usize, limit: usize) -> Self {
        Self { unit, used, limit }
    }
}
