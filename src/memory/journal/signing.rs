//! Signatures of entries, feature `signing`: without the key nobody can forge an entry, not even by rewriting the whole
//! journal.

pub use ed25519_dalek::{SigningKey, VerifyingKey};

use ed25519_dalek::{Signature, Signer as _};

use super::{Entry, EntryHash};
use crate::text::Hex;

/// Comes before the hash in the signed message, so that the signature of an entry cannot serve for anything else.
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

/// The keys whose signatures count, and how an entry without one is judged.
#[derive(Clone, Debug)]
pub struct Signatures {
    /// The keys.
    pub keys: Vec<VerifyingKey>,
    /// How an entry without a signature is judged.
    pub unsigned: Unsigned,
}

/// How an entry without a signature is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsigned {
    /// It is in order: signing may have begun later.
    Allowed,
    /// It is a finding.
    Refused,
}

impl Signatures {
    /// Reports whether a genuine entry is signed as it should be.
    pub(super) fn hold(&self, entry: &Entry) -> bool {
        let Some(signature) = entry.signature else { return self.unsigned == Unsigned::Allowed };
        let (message, signature) = (message(entry.hash()), Signature::from_bytes(&signature.0));
        self.keys.iter().any(|key| key.verify_strict(&message, &signature).is_ok())
    }
}
