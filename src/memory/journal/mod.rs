//! The journal of a memory: entries, each bound to the one before it by a hash. Appending to it is what a commit is.
//!
//! Pure values: nothing here reads a file, a clock or a source of randomness. [`prepare`] makes of drafts what a store
//! [`seal`]s under its lock; [`Entry::to_line`] and [`Entry::parse`] are lossless; a [`Verifier`] names what is not what it was;
//! a [`Replay`] gives the texts of the past; a [`Redactor`] finds what to erase; [`Supersessions`] tell what stands in the
//! place of what.
//!
//! # The format, byte for byte
//!
#![doc = include_str!("format.md")]

mod blocks;
mod chain;
mod checkpoint;
#[cfg(test)]
#[path = "../../../tests/journal/mod.rs"]
mod checks;
mod commitment;
mod content;
mod draft;
mod entry;
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
pub use chain::seal;
pub use checkpoint::{Checkpoint, InvalidCheckpoint};
pub use commitment::{Commitment, Part, Salt};
pub use content::{
    BlockVersion, DocumentState, EntryContent, Noted, Record, Remembered, States, Tier, Withheld, WithheldEdit,
    WithheldEntry,
};
pub use draft::{Before, DocumentDraft, Draft, PrepareError, Prepared, Salts, prepare};
pub use entry::Entry;
pub use head::Head;
pub use header::{Erased, Genesis, Header};
pub use ids::{Attempt, EntryHash, InvalidHex, MemoryId};
pub use kind::EntryKind;
pub use line::LineError;
pub use link::{DocumentLink, Member, Previous, Side};
pub use redaction::{Redaction, Redactor};
pub use replay::{Replay, ReplayError, Step, text_after, text_before};
pub use runs::Runs;
pub use sealer::Sealer;
pub use seq::{Seq, SeqRange};
#[cfg(feature = "signing")]
pub use signing::{Signatures, SigningKey, Unsigned, VerifyingKey};
pub use splice::{Splice, inverse, is_keyframe_due, recorded_size};
pub use supersession::{SupersessionError, Supersessions};
pub use verify::{Finding, Problem, Verified, Verifier};
