//! [`Head`]: where a journal ends. [`Checkpoint`]: what a host keeps of it elsewhere, by which a journal that was cut, rolled back or
//! exchanged is told.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::ids::Hex;
use super::{EntryHash, MemoryId, Seq};
use crate::text::{Digest, Hasher, Timestamp};

/// How far a journal had come. It says nothing of what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Checkpoint {
    /// Its last entry; the number of that is how many there were.
    pub head: Head,
    /// The memory that it belongs to.
    pub memory: MemoryId,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "memdoc-checkpoint-1 {} {} {}", self.head.seq, self.head.hash, self.memory)
    }
}

impl Checkpoint {
    /// Returns how many entries there were.
    pub const fn count(&self) -> u64 {
        self.head.seq.get()
    }
}

/// A text that is no checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a checkpoint such as `memdoc-checkpoint-1 COUNT HASH MEMORY`, found something else")]
pub struct InvalidCheckpoint;

impl FromStr for Checkpoint {
    type Err = InvalidCheckpoint;

    fn from_str(text: &str) -> Result<Self, InvalidCheckpoint> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let ["memdoc-checkpoint-1" | "memdoc-anchor-1", count, hash, memory] = fields.as_slice() else {
            return Err(InvalidCheckpoint);
        };
        Ok(Self {
            head: Head {
                seq: Seq::new(count.parse().map_err(|_| InvalidCheckpoint)?),
                hash: hash.parse().map_err(|_| InvalidCheckpoint)?,
            },
            memory: memory.parse().map_err(|_| InvalidCheckpoint)?,
        })
    }
}

/// The end of a journal: the number and hash of its last entry.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
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
