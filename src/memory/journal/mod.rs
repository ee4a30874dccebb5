//! The journal of a memory: entries, each bound to the one before it by a hash. Appending to it is what a commit is.
//!
//! Pure values: nothing here reads a file, a clock or a source of randomness. [`prepare`] makes of a draft what a store
//! [seals](Sealer::seal) under its lock; [`Entry::to_line`] and [`Entry::parse`] are lossless; a [`Verifier`] names what is not what
//! it was; [`text_before`] leads to the texts of the past; a [`Redactor`] finds what to erase; [`Supersessions`] tell what stands in the
//! place of what.
//!
//! # The format, byte for byte
//!
#![doc = include_str!("format.md")]

mod blocks;
mod body;
mod checkpoint;
#[cfg(test)]
#[path = "../../../tests/journal/mod.rs"]
mod checks;
mod commitment;
mod draft;
mod entry;
mod format_1;
mod head;
mod header;
mod ids;
mod kind;
mod line;
mod link;
mod needles;
mod redaction;
mod replay;
mod runs;
mod sealer;
mod seq;
#[cfg(feature = "signing")]
mod signing;
mod splice;
mod supersession;
mod verify;
mod written;

pub use blocks::{BlockRow, BlockTable};
pub use body::{BlockVersion, Body, Noted, Record, Remembered, Tier, Withheld, WithheldEdit, WithheldEntry};
pub use checkpoint::{Checkpoint, InvalidCheckpoint};
pub use commitment::{Commitment, Part, Salt};
pub use draft::{DocumentDraft, Draft, PrepareError, Prepared, prepare};
pub use entry::Entry;
pub use head::Head;
pub use header::{Erased, Genesis, Header};
pub use ids::{Attempt, EntryHash, InvalidHex, MemoryId};
pub use kind::EntryKind;
pub use line::LineError;
pub use link::{DocumentLink, LinkKind};
pub use redaction::{Redaction, Redactor};
pub use replay::{ReplayError, text_after, text_before};
pub use runs::Runs;
pub use sealer::Sealer;
pub use seq::{Seq, SeqRange};
#[cfg(feature = "signing")]
pub use signing::{Signatures, SigningKey, Unsigned, VerifyingKey};
pub use splice::{Splice, inverse};
pub use supersession::{SupersessionError, Supersessions};
pub use verify::{Finding, Problem, Verified, Verifier};
