//! [`Sealer`]: what a store seals entries with: with feature `signing`, a key that signs them.

use std::fmt;

use super::head::entry_hash;
#[cfg(feature = "signing")]
use super::signing::SigningKey;
use super::{Entry, Head, Prepared};
use crate::text::Timestamp;

/// Seals entries, and signs them if it has a key.
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

    /// Gives an entry its number, time and predecessor behind `head`. Costs a hash of some hundred bytes.
    pub fn seal(&self, prepared: Prepared, head: Head, time: Timestamp) -> Entry {
        let Prepared { header, digest, body, lookup } = prepared;
        let (seq, previous) = (head.seq.plus(1), head.hash);
        let hash = entry_hash(seq, time, previous, digest);
        let entry = Entry { seq, time, previous, header, body: Some(body), lookup, old: None, hash, signature: None };
        #[cfg(feature = "signing")]
        if let Some(key) = &self.key {
            return entry.signed(key);
        }
        entry
    }
}
