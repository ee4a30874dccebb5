//! [`Unit`] and [`Excess`]: what the size of a text is counted in, and a limit that it is over.

use serde::{Deserialize, Serialize};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, derive_more::Display)]
#[display(rename_all = "lowercase")]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Tokens, as the document's counter counts them.
    Tokens,
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
