//! [`Anchor`]: what a host keeps elsewhere, by which a journal that was cut, rolled back or exchanged is told.

use std::str::FromStr;

use thiserror::Error;

use super::{Head, MemoryId, Seq};

/// How far a journal had come. It says nothing of what stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, derive_more::Display)]
#[display("memdoc-anchor-1 {} {} {memory}", head.seq, head.hash)]
pub struct Anchor {
    /// Its last entry; the number of that is how many there were.
    pub head: Head,
    /// The memory that it belongs to.
    pub memory: MemoryId,
}

impl Anchor {
    /// Returns how many entries there were.
    pub const fn count(&self) -> u64 {
        self.head.seq.get()
    }
}

/// A text that is no anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected an anchor such as `memdoc-anchor-1 COUNT HASH MEMORY`, found something else")]
pub struct InvalidAnchor;

impl FromStr for Anchor {
    type Err = InvalidAnchor;

    fn from_str(text: &str) -> Result<Self, InvalidAnchor> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let ["memdoc-anchor-1", count, hash, memory] = fields.as_slice() else { return Err(InvalidAnchor) };
        Ok(Self {
            head: Head {
                seq: Seq::new(count.parse().map_err(|_| InvalidAnchor)?),
                hash: hash.parse().map_err(|_| InvalidAnchor)?,
            },
            memory: memory.parse().map_err(|_| InvalidAnchor)?,
        })
    }
}
