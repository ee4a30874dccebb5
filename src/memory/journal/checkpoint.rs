//! [`Checkpoint`]: what a host keeps elsewhere, by which a journal that was cut, rolled back or exchanged is told.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Head, MemoryId, Seq};

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
