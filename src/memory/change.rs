//! [`Change`]: what a store is asked to commit, and what became of it.

use super::journal::{Attempt, Erased, Prepared, Seq};
use super::{DocName, RequestId, StoreError, Version};
use crate::text::{Revision, SharedText, Timestamp};

/// A commit: an entry, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Change {
    /// The ID of the request. The same request may land again.
    pub request: RequestId,
    /// This try of it, which is made once.
    pub attempt: Attempt,
    /// The last entry among which the request was looked for. If it has landed since, it is not to be made again.
    pub looked_to: Seq,
    /// The last entry that there must be, where it was made for all of the journal up to it, and not for its documents alone.
    pub expected_head: Option<Seq>,
    /// When it is made, by the host's clock.
    pub time: Timestamp,
    /// The documents that change, each once, sorted by name.
    pub documents: Vec<DocumentChange>,
    /// The entry, which says the same, and more.
    pub entry: Prepared,
    /// The parts of earlier entries that go for good.
    pub erase: Erased,
}

impl Change {
    /// Creates the commit of an entry.
    pub fn new(request: RequestId, attempt: Attempt, entry: Prepared) -> Self {
        Self {
            request,
            attempt,
            looked_to: Seq::default(),
            expected_head: None,
            time: Timestamp::default(),
            documents: Vec::new(),
            entry,
            erase: Erased::default(),
        }
    }

    /// Sets the documents that change.
    pub fn with_documents(self, mut documents: Vec<DocumentChange>) -> Self {
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        Self { documents, ..self }
    }

    /// Sets when it is made.
    pub fn at(self, time: Timestamp) -> Self {
        Self { time, ..self }
    }

    /// Sets the last entry among which the request was looked for.
    pub fn looked_to(self, looked_to: Seq) -> Self {
        Self { looked_to, ..self }
    }

    /// Sets the last entry that there must be.
    pub fn on_head(self, head: Seq) -> Self {
        Self { expected_head: Some(head), ..self }
    }

    /// Sets what goes for good.
    pub fn erasing(self, erase: Erased) -> Self {
        Self { erase, ..self }
    }
}

/// What becomes of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentChange {
    /// Its name.
    pub name: DocName,
    /// What it must be at.
    pub expected: Version,
    /// Its next text; `None` if it is deleted.
    pub text: Option<SharedText>,
    /// The revision of that.
    pub revision: Option<Revision>,
}

impl DocumentChange {
    /// Replaces a document, or creates it.
    pub const fn new(name: DocName, expected: Version, text: SharedText, revision: Revision) -> Self {
        Self { name, expected, text: Some(text), revision: Some(revision) }
    }

    /// Deletes a document.
    pub const fn deletion(name: DocName, expected: Version) -> Self {
        Self { name, expected, text: None, revision: None }
    }
}

/// What became of a commit.
#[derive(Debug)]
pub enum Outcome {
    /// It was made, and is durable. Its entry has this number.
    Committed(Seq),
    /// The request has landed in another attempt, with the entry of this number. Nothing was changed.
    Repeated(Seq),
    /// A document is not at the version that was expected. Nothing was changed.
    Conflict {
        /// The document.
        document: DocName,
        /// What was expected.
        expected: Version,
        /// What was found.
        found: Version,
    },
    /// The last entry is this one, and not the one that was expected. Nothing was changed.
    HeadMoved(Seq),
    /// The answer was lost: [`Store::landed`](super::Store::landed) tells whether it was made.
    Indeterminate(StoreError),
}

/// What is known of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landed {
    /// It was made; its entry has this number.
    At(Seq),
    /// It was not made, and never will be.
    Not,
    /// The store cannot tell.
    Unknown,
}
