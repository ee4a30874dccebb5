//! [`Finding`]s: what is wrong with a journal, and where.

use std::fmt;

use thiserror::Error;

use super::super::super::DocName;
use super::super::{MemoryId, Seq, SeqRange};

/// Something that a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The line at which it was noticed, from 1; `None` if it was noticed at the end.
    pub line: Option<u64>,
    /// The entries that it is about; `None` if they have no number that can be trusted.
    pub entries: Option<SeqRange>,
    /// What is wrong.
    pub problem: Problem,
}

impl Finding {
    /// Creates a finding about these entries.
    pub(super) const fn about(entries: SeqRange, problem: Problem) -> Self {
        Self { line: None, entries: Some(entries), problem }
    }

    /// Creates a finding about no entry.
    pub(crate) const fn beside(problem: Problem) -> Self {
        Self { line: None, entries: None, problem }
    }

    /// Creates a finding about this entry.
    pub(super) const fn at(seq: Seq, problem: Problem) -> Self {
        Self::about(SeqRange::one(seq), problem)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.entries, self.line) {
            (Some(entries), _) => write!(f, "entry {entries}: {}", self.problem),
            (None, Some(line)) => write!(f, "line {line}: {}", self.problem),
            (None, None) => write!(f, "journal: {}", self.problem),
        }
    }
}

/// What is wrong. None of it reveals what the memory holds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A line is no entry. It is skipped; the others are verified.
    #[error("cannot be read as an entry")]
    Unreadable,
    /// Entries are missing between two others.
    #[error("is missing")]
    Missing,
    /// An entry comes after one with the same number or a higher one: it was moved, repeated, or comes from elsewhere.
    #[error("stands where an entry {0} belongs")]
    OutOfOrder(Seq),
    /// A hashed part of an entry was changed: number, time, predecessor, header, or the hash itself.
    #[error("was changed: its hash is another")]
    Tampered,
    /// An entry names another predecessor than the entry before it: one of the two was forged or comes from elsewhere.
    #[error("does not follow entry {0}, which stands before it: one of them was replaced")]
    Unlinked(Seq),
    /// The first entry is no genesis, or a later entry is one.
    #[error("is not the beginning of this journal")]
    Beginning,
    /// The journal is written in a format that this version does not know. What it knows is verified.
    #[error("has format {0}, which is not known")]
    UnknownFormat(u32),
    /// The journal belongs to another memory than it should.
    #[error("belongs to memory {found}, not {expected}")]
    OtherMemory {
        /// The memory that is in the checkpoint.
        expected: MemoryId,
        /// The memory that the journal names.
        found: MemoryId,
    },
    /// The body is not the one that the header commits to.
    #[error("has another body than it had")]
    BodyTampered,
    /// The body is missing, and no redaction erased it.
    #[error("lacks its body, which no redaction erased")]
    BodyMissing,
    /// A redaction erased the body, and it is still there: the redaction was not finished, or was undone.
    #[error("has a body that a redaction erased")]
    NotErased,
    /// An entry does not continue the history of a document. It names another entry as the one before it, its splices do
    /// not fit the text that that one made, or it names another revision than that of its own text.
    #[error("does not continue the history of `{0}`")]
    Document(DocName),
    /// A document has another revision now than its last entry made.
    #[error("did not make `{0}` as it is now")]
    DocumentNow(DocName),
    /// A document was changed from outside, and the journal does not record that, because the store cannot be written.
    #[error("`{0}` was changed from outside, which could not be recorded")]
    Unrecorded(DocName),
    /// A document cannot be read, so that it was not compared with what its last entry made. This is no fault of the
    /// journal: [`unusable`](super::super::super::Memory::unusable) lists what is wrong with the file.
    #[error("`{0}` cannot be used, and was not compared")]
    Unusable(DocName),
    /// The journal has another entry than the checkpoint or the store knows by this number: history was rewritten.
    #[error("is not the entry that was known by this number")]
    Diverged,
    /// The journal ends before a known entry: its tail was cut, or it was rolled back.
    #[error("is known, but the journal ends with entry {0}")]
    CutShort(Seq),
    /// An entry that should be signed is not, or not by one of the keys.
    #[error("is not signed as it should be")]
    Signature,
}

impl Problem {
    /// Returns true for a notice: it is worth knowing, but by itself no sign of harm.
    pub const fn is_notice(&self) -> bool {
        matches!(self, Self::NotErased | Self::UnknownFormat { .. } | Self::Unrecorded { .. } | Self::Unusable { .. })
    }
}
