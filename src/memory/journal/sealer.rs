//! [`Sealer`]: what a store seals entries with: with feature `signing`, a key that signs them.

use std::fmt;

#[cfg(feature = "signing")]
use super::signing::SigningKey;
use super::{Entry, Head, Prepared, seal};
use crate::text::Timestamp;

/// Seals groups of entries, and signs them if it has a key.
#[derive(Clone, Default)]
pub struct Sealer {
    #[cfg(feature = "signing")]
    key: Option<SigningKey>,
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealer(..)")
    }
}

impl Sealer {
    /// Creates a sealer that signs nothing.
    pub const fn new() -> Self {
        Self {
            #[cfg(feature = "signing")]
            key: None,
        }
    }

    /// Creates a sealer that signs what it seals.
    #[cfg(feature = "signing")]
    pub const fn signing(key: SigningKey) -> Self {
        Self { key: Some(key) }
    }

    /// Gives the entries of a group their numbers, time and predecessors behind `head`.
    pub fn seal(&self, group: Vec<Prepared>, head: Head, time: Timestamp) -> Vec<Entry> {
        let entries = seal(group, head, time);
        #[cfg(feature = "signing")]
        if let Some(key) = &self.key {
            return entries.into_iter().map(|entry| entry.signed(key)).collect();
        }
        entries
    }
}
