//! [`Head`]: where a journal ends, and the hash of an entry, which makes it so.

use super::ids::Hex;
use super::{EntryHash, Seq};
use crate::text::{Digest, Hasher, Timestamp};

/// The end of a journal: the number and hash of its last entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// The number of the last entry, which is how many there are; 0 of a journal that has none.
    pub seq: Seq,
    /// Its hash.
    pub hash: EntryHash,
}

impl Head {
    /// The end of a journal that has no entry.
    pub const START: Self = Self { seq: Seq::new(0), hash: EntryHash::NONE };
}

/// Returns the hash of an entry of which `header` is the digest of the header's text.
pub(super) fn entry_hash(seq: Seq, time: Timestamp, previous: EntryHash, header: Digest) -> EntryHash {
    let mut hasher = Hasher::default();
    hasher.field(b"memdoc journal entry 1");
    hasher.field(&seq.get().to_be_bytes());
    hasher.field(time.to_string().as_bytes());
    hasher.field(previous.as_bytes());
    hasher.field(header.as_bytes());
    EntryHash(Hex(*hasher.finish().as_bytes()))
}
