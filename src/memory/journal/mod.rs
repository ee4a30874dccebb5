//! The journal of a memory: entries, each bound to the one before it by a hash. To commit is to append an entry.
//!
//! Pure values: nothing here reads a file, a clock or a source of randomness. [`prepare`] makes an entry that a store
//! then [seals](Sealer::seal) under its lock; [`Entry::to_line`] and [`Entry::parse`] are lossless; a [`Verifier`] finds
//! what was changed or lost; [`text_before`] computes the texts of the past; a [`Redactor`] finds what to erase;
//! [`Supersessions`] know which entry supersedes which.
//!
//! # The format, byte for byte
//!
#![doc = include_str!("format.md")]

mod body;
#[cfg(test)]
#[path = "../../../tests/journal/mod.rs"]
mod checks;
mod entry;
mod format_1;
mod ids;
mod line;
mod redaction;
mod seal;
#[cfg(feature = "signing")]
mod signing;
mod splice;
mod supersession;
mod verify;

pub use body::{
    BlockVersion, Body, DocumentLink, EntryKind, Erased, Genesis, Header, Json, LinkKind, Record, Remembered, Tier,
    Withheld, WithheldEdit,
};
pub use entry::Entry;
pub use ids::{Attempt, Commitment, EntryHash, MemoryId, Runs, Salt, Seq, SeqRange};
pub use line::LineError;
pub use redaction::{Redaction, Redactor};
pub use seal::{Checkpoint, Head, Prepared, Sealer, prepare};
#[cfg(feature = "signing")]
pub use signing::{Signatures, SigningKey, Unsigned, VerifyingKey};
pub use splice::{ReplayError, Splice, inverse, text_after, text_before};
pub use supersession::Supersessions;
pub use verify::{Finding, Problem, Verification, Verifier};
