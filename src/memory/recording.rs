//! Entries as stores make them themselves: the beginning of a journal, and what came from outside; and the change of a document,
//! as every entry records it.

use super::journal::{
    DocumentDraft, Draft, EntryKind, Genesis, Header, LinkKind, PrepareError, Prepared, Splice, prepare,
};
use super::{Actor, DocName, StoreError, Version, random};
use crate::text::{Digest, Revision};

/// A document before and after a change.
#[derive(Clone, Copy)]
pub(crate) struct TextChange<'a> {
    pub(crate) name: &'a DocName,
    /// What it is at before.
    pub(crate) version: &'a Version,
    /// Its text before; `None` if it does not exist.
    pub(crate) base: Option<&'a str>,
    /// Its text after; `None` if it is deleted.
    pub(crate) new: Option<NewText<'a>>,
}

/// A text that a change makes.
#[derive(Clone, Copy)]
pub(crate) struct NewText<'a> {
    pub(crate) text: &'a str,
    pub(crate) revision: Revision,
}

impl TextChange<'_> {
    /// Records the change by these splices, which lead from the one text to the other.
    pub(super) fn by(&self, splices: Vec<Splice>) -> DocumentDraft {
        DocumentDraft {
            name: self.name.clone(),
            previous: self.version.tip,
            kind: LinkKind::between(self.version.revision.is_some(), self.new.is_some()),
            new: self.new.map(|made| made.revision),
            splices: Some(splices),
            text: None,
        }
    }

    /// Records the change by the least that leads from the one text to the other.
    pub(crate) fn by_difference(&self) -> DocumentDraft {
        let new = self.new.map_or("", |made| made.text);
        self.by(Splice::between(self.base.unwrap_or_default(), new).into_iter().collect())
    }

    /// Records the whole text after the change, and nothing of the one before.
    pub(super) fn by_text(&self) -> DocumentDraft {
        DocumentDraft { splices: None, text: self.new.map(|made| made.text.into()), ..self.by(Vec::new()) }
    }
}

/// Makes the entry of a change that came from outside.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn external(change: DocumentDraft) -> Result<Prepared, StoreError> {
    entry(Header::new(EntryKind::External, Actor::outside()), vec![change])
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
    entry(Header { genesis: Some(genesis), ..Header::new(EntryKind::Genesis, Actor::host()) }, documents)
}

fn entry(header: Header, documents: Vec<DocumentDraft>) -> Result<Prepared, StoreError> {
    Ok(prepare(Draft { documents, ..Draft::new(header, random::salt()?) })?)
}

impl From<PrepareError> for StoreError {
    fn from(error: PrepareError) -> Self {
        Self::Other(Box::new(error))
    }
}
