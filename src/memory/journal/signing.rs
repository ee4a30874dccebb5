//! Signatures of entries, feature `signing`: who holds no key forges no entry, even one who writes the whole journal anew.

pub use ed25519_dalek::{SigningKey, VerifyingKey};

use ed25519_dalek::{Signature, Signer as _};

use super::ids::Hex;
use super::{Entry, EntryHash};

/// What is put before the hash, so that a signature of an entry is one of nothing else.
const LABEL: &[u8] = b"memdoc journal signature 1";

fn message(hash: EntryHash) -> Vec<u8> {
    [LABEL, hash.as_bytes()].concat()
}

impl Entry {
    /// Signs a sealed entry: the Ed25519 signature of `memdoc journal signature 1` and the 32 bytes of its hash.
    #[must_use]
    pub fn signed(mut self, key: &SigningKey) -> Self {
        self.signature = Some(Hex(key.sign(&message(self.hash)).to_bytes()));
        self
    }
}

/// What a signature is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It holds, or is not asked for.
    Fine,
    /// It should be there.
    Missing,
    /// It is of another key, or of another entry.
    Wrong,
}

/// The keys whose signatures count, and what an entry without one is.
#[derive(Clone, Debug)]
pub struct Signatures {
    keys: Vec<VerifyingKey>,
    unsigned: Unsigned,
}

/// What an entry without a signature is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// Nothing to speak of: signing may have begun later.
    Allowed,
    /// A problem.
    Refused,
}

impl Signatures {
    /// Creates the expectation that signatures are of one of `keys`.
    pub const fn new(keys: Vec<VerifyingKey>, unsigned: Unsigned) -> Self {
        Self { keys, unsigned }
    }

    /// Says what the signature of a genuine entry is worth.
    pub(super) fn check(&self, entry: &Entry) -> Verdict {
        let Some(signature) = entry.signature else {
            return if self.unsigned == Unsigned::Refused { Verdict::Missing } else { Verdict::Fine };
        };
        let (message, signature) = (message(entry.hash()), Signature::from_bytes(&signature.0));
        let holds = self.keys.iter().any(|key| key.verify_strict(&message, &signature).is_ok());
        if holds { Verdict::Fine } else { Verdict::Wrong }
    }
}
