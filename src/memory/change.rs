//! [`Change`]: what a store is asked to commit, and what became of it; and the entries that stores make themselves.

use super::journal::{
    Attempt, DocumentDraft, Draft, Erased, Genesis, EntryKind, Header, LinkKind, Prepared, Seq, Splice, prepare,
};
use super::{Actor, DocName, RequestId, StoreError, Version, random};
use crate::text::{Digest, Revision, SharedText, Timestamp};

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
    /// Creates the commit of an entry that records these changes, in an attempt of its own unless the draft names one.
    ///
    /// # Errors
    ///
    /// The system has no random bytes; the entry cannot be written as JSON.
    pub fn new(request: RequestId, mut draft: Draft, mut documents: Vec<DocumentChange>) -> Result<Self, StoreError> {
        let attempt = draft.header.attempt.map_or_else(random::attempt, Ok)?;
        (draft.header.attempt, draft.request) = (Some(attempt), Some(request));
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            request,
            attempt,
            looked_to: Seq::default(),
            expected_head: None,
            time: Timestamp::default(),
            documents,
            erase: draft.header.erased.clone(),
            entry: prepare(draft)?,
        })
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
    /// Gives a document this text, whose revision is known; `None` deletes it.
    pub fn new(name: DocName, expected: Version, new: Option<(SharedText, Revision)>) -> Self {
        let (text, revision) = new.unzip();
        Self { name, expected, text, revision }
    }

    /// Records the change by these splices, which lead from the one text to the other.
    pub fn by(&self, splices: Vec<Splice>) -> DocumentDraft {
        DocumentDraft {
            name: self.name.clone(),
            previous: self.expected.tip,
            kind: LinkKind::between(self.expected.revision.is_some(), self.revision.is_some()),
            new: self.revision,
            splices: Some(splices),
            text: None,
        }
    }

    /// Records the change by the least that leads from `base`, the text before, to the new text.
    pub fn by_difference(&self, base: Option<&str>) -> DocumentDraft {
        let new = self.text.as_deref().unwrap_or_default();
        self.by(Splice::between(base.unwrap_or_default(), new).into_iter().collect())
    }

    /// Records the whole text after the change, and nothing of the one before.
    pub(super) fn by_text(&self) -> DocumentDraft {
        DocumentDraft { splices: None, text: self.text.as_deref().map(Into::into), ..self.by(Vec::new()) }
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

/// Makes the entry of a change that came from outside.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn external(change: DocumentDraft) -> Result<Prepared, StoreError> {
    own_entry(Header::new(EntryKind::External, Actor::outside()), vec![change])
}

/// Makes the entry that begins the journal of a new memory, to be sealed behind [`Head::START`](super::journal::Head::START).
///
/// # Errors
///
/// The system has no random bytes.
pub fn genesis(policy: &Digest) -> Result<Prepared, StoreError> {
    beginning(Some(policy), Vec::new())
}

/// Makes the entry that begins a journal, with the documents that stand there already.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn beginning(policy: Option<&Digest>, documents: Vec<DocumentDraft>) -> Result<Prepared, StoreError> {
    let policy = policy.map(|digest| digest.to_string().into_boxed_str());
    let genesis = Genesis { format: Genesis::FORMAT, memory: random::memory_id()?, policy };
    own_entry(Header { genesis: Some(genesis), ..Header::new(EntryKind::Genesis, Actor::host()) }, documents)
}

/// Makes an entry of the store's own.
fn own_entry(header: Header, documents: Vec<DocumentDraft>) -> Result<Prepared, StoreError> {
    prepare(Draft { documents, ..Draft::new(header, random::salt()?) })
}
