//! Entries as stores make them themselves: the beginning of a journal, and what came from outside; and the change of a document,
//! as every entry records it.

use super::journal::{Before, DocumentDraft, Draft, EntryKind, Genesis, Header, Prepared, Previous, Splice, prepare};
use super::{Actor, DocName, StoreError, Version, random};
use crate::text::{Digest, Revision};

/// A document before and after a change.
#[derive(Clone, Copy)]
pub(super) struct Recorded<'a> {
    pub(super) name: &'a DocName,
    /// What it is at before.
    pub(super) version: &'a Version,
    /// Its text before; `None` if it does not exist.
    pub(super) base: Option<&'a str>,
    /// Its text after; `None` if it is deleted.
    pub(super) new: Option<Made<'a>>,
}

/// A text that a change makes.
#[derive(Clone, Copy)]
pub(super) struct Made<'a> {
    pub(super) text: &'a str,
    pub(super) revision: Revision,
}

impl Recorded<'_> {
    /// Records the change by these splices, which lead from the one text to the other.
    pub(super) fn by(&self, splices: Vec<Splice>) -> DocumentDraft {
        let tip = self.version.tip;
        let draft = DocumentDraft {
            name: self.name.clone(),
            previous: tip.map(|tip| Previous::Entry(tip.seq)),
            base: self.version.revision.map_or(Before::Absent, Before::At),
            new: self.new.map(|made| made.revision),
            splices: Some(splices),
            keyframe: None,
            since_keyframe: 0,
        };
        draft.measured(tip.map_or(0, |tip| tip.since_keyframe), self.new.map(|made| made.text))
    }

    /// Records the change by the least that leads from the one text to the other.
    pub(super) fn whole(&self) -> DocumentDraft {
        let new = self.new.map_or("", |made| made.text);
        self.by(Splice::between(self.base.unwrap_or_default(), new).into_iter().collect())
    }
}

/// Makes the entry of a change that came from outside.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn external(change: &Recorded<'_>) -> Result<Vec<Prepared>, StoreError> {
    entry(Header::new(EntryKind::External, Actor::outside()), vec![change.whole()])
}

/// Makes the entry of a change that came from outside, of which what it replaced cannot be told.
///
/// # Errors
///
/// The system has no random bytes.
#[cfg(unix)]
pub(super) fn replacing(change: &Recorded<'_>) -> Result<Vec<Prepared>, StoreError> {
    let mut draft = change.by(Vec::new());
    draft.splices = None;
    draft.keyframe = change.new.map(|made| made.text.into());
    draft.since_keyframe = 0;
    entry(Header::new(EntryKind::External, Actor::outside()), vec![draft])
}

/// Makes the entry that begins the journal of a new memory, to be sealed behind [`Head::START`](super::journal::Head::START).
///
/// # Errors
///
/// The system has no random bytes.
pub fn genesis(policy: &Digest) -> Result<Vec<Prepared>, StoreError> {
    beginning(Some(policy), Vec::new())
}

/// Makes the entry that begins a journal, with the documents that stand there already.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn beginning(policy: Option<&Digest>, documents: Vec<DocumentDraft>) -> Result<Vec<Prepared>, StoreError> {
    let policy = policy.map(|digest| digest.to_string().into_boxed_str());
    let genesis = Genesis { format: Genesis::FORMAT, memory: random::memory_id()?, policy };
    entry(Header { genesis: Some(genesis), ..Header::new(EntryKind::Genesis, Actor::host()) }, documents)
}

fn entry(header: Header, documents: Vec<DocumentDraft>) -> Result<Vec<Prepared>, StoreError> {
    let draft = Draft { documents, ..Draft::new(header, random::salts()?) };
    prepare(vec![draft]).map_err(|error| StoreError::Other(Box::new(error)))
}
