//! A commit: what a request asks to record, and the journal entry of it.

use crate::memory::journal::{Body, Entry, EntryKind, Header, Record, Salt, Seq};
use crate::memory::{
    Applied, Change, DocName, Landed, Memory, MemoryError, Origin, Outcome, RequestId, Store, StoreError, random,
};
use crate::text::Content;

/// An entry that was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// Its number.
    pub seq: Seq,
    /// Whether the same request had recorded it before, and nothing was written now.
    pub is_repeated: bool,
    /// How many entries it supersedes.
    pub superseded: usize,
}

impl Recorded {
    /// Returns what a request recorded that was committed before, with this entry.
    pub(super) fn before(entry: &Entry) -> Self {
        Self { seq: entry.seq(), is_repeated: true, superseded: entry.header().supersedes.len() }
    }
}

/// An order to commit something: by whom, and what must hold.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub(super) origin: &'a Origin,
    pub(super) request: RequestId,
    /// The entry that must still be the last one, if the request depends on more than its documents and their bases.
    pub(super) expected_head: Option<Seq>,
    /// Whether the write policy is not asked: for what the host releases, and for the entry that keeps what the policy
    /// withholds. Such a request has the ID `request`; any other one has an ID made of this, its bases and its editor.
    pub(super) skips_policy: bool,
    /// Whether an entry is made even if no document changes.
    pub(super) stands_alone: bool,
    /// What the entry says beside the changes of documents; `None`: only that it is an edit.
    pub(super) remark: Option<&'a Remark>,
}

impl<'a> Order<'a> {
    pub(super) const fn new(origin: &'a Origin, request: RequestId) -> Self {
        Self { origin, request, expected_head: None, skips_policy: false, stands_alone: false, remark: None }
    }

    pub(super) fn remark(&self) -> Remark {
        self.remark.cloned().unwrap_or_default()
    }
}

/// What an entry says beside the changes of documents. By default, only that it is an edit.
#[derive(Clone, Debug, Default)]
pub(super) struct Remark {
    /// The kind of entry.
    pub(super) kind: EntryKind,
    /// What it records beside the changes of documents.
    pub(super) record: Option<Record>,
    /// The older entries that it supersedes.
    pub(super) supersedes: Vec<Seq>,
    /// For a version of a block, the entry of the version before it; for a released write, the entry that kept it.
    pub(super) replaces: Option<Seq>,
    /// The entry that it undoes.
    pub(super) undoes: Option<Seq>,
}

impl Remark {
    /// Says what kind of entry it is, and nothing else.
    pub(super) fn of(kind: EntryKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Says what kind of entry it is, and what it records.
    pub(super) fn recording(kind: EntryKind, record: Record) -> Self {
        Self { record: Some(record), ..Self::of(kind) }
    }
}

/// What became of a request.
pub(super) struct Response {
    /// What became of each operation, in their order.
    pub(super) applied: Vec<Applied>,
    /// The entry that records the request; `None` if there was nothing to record.
    pub(super) entry: Option<Recorded>,
}

impl Memory {
    /// Returns the change that a store commits, with one entry for all operations. The changes of documents are moved
    /// out of `planned` into it.
    ///
    /// # Errors
    ///
    /// The system has no random bytes.
    pub(super) fn change(&self, planned: &mut [Applied], head: Seq, order: &Order<'_>) -> Result<Change, StoreError> {
        let (header, mut body) = draft(order.remark(), order.origin)?;
        // An entry of edits alone depends on the versions of their documents, which the store compares.
        let expected_head = order.expected_head.filter(|_| body.record.is_some());
        // The sections and counts are those of the operations that were asked for, without the line in `activity`.
        for applied in planned.iter().filter(|applied| !applied.accompanies) {
            let Some(commit) = &applied.commit else { continue };
            body.sections.extend(commit.receipt.changed_sections.iter().map(Content::from));
            let bullets = commit.receipt.bullets;
            let counts = [
                ("bullets_added", bullets.added),
                ("bullets_removed", bullets.removed),
                ("bullets_changed", bullets.changed),
                ("bullets_moved", bullets.moved),
            ];
            for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
                *body.counts.entry(name.into()).or_default() += u64::try_from(count).unwrap_or(u64::MAX);
            }
        }
        let changes = planned.iter_mut().flat_map(|applied| std::mem::take(&mut applied.changes)).collect();
        let change = Change::new(order.request, header, body, changes)?.at(self.now()).looked_to(head);
        Ok(Change { expected_head, ..change })
    }
}

/// Returns the header and body of an entry: what `remark` says, who makes it, and why.
pub(super) fn draft(remark: Remark, origin: &Origin) -> Result<(Header, Body), StoreError> {
    let Remark { kind, record, supersedes, replaces, undoes } = remark;
    let (tool, source) = (Some(origin.tool.as_str().into()), origin.source.as_deref().map(Into::into));
    let block = if let Some(Record::Block(version)) = &record { Some(version.label.as_str().into()) } else { None };
    let own = Header::new(kind, origin.actor.clone());
    let (reason, arguments) = (origin.reason.clone(), origin.arguments.clone());
    let body = Body { record, reason, arguments, ..Body::new(Salt::new(random::bytes()?)) };
    Ok((Header { tool, source, supersedes, undoes, replaces, block, ..own }, body))
}

/// Commits a change that was planned when entry `last` was the last one. If the answer is lost, asks the store
/// whether it was made.
///
/// # Errors
///
/// `Contended`: a document or the journal has changed since, and the change must be planned again. The store failed,
/// or cannot tell.
pub(super) fn commit(store: &dyn Store, change: &Change, last: Seq) -> Result<Recorded, MemoryError> {
    let superseded = change.entry.header().supersedes.len();
    let recorded = |seq, is_repeated| Ok(Recorded { seq, is_repeated, superseded });
    match store.commit(change)? {
        Outcome::Committed(seq) => recorded(seq, false),
        Outcome::Repeated(seq) => recorded(seq, true),
        Outcome::Conflict { document, .. } => Err(MemoryError::Contended(document)),
        Outcome::HeadMoved(_) => Err(MemoryError::Contended(DocName::memory())),
        Outcome::Indeterminate(lost) => match store.landed(change.attempt, last) {
            Ok(Landed::At(seq)) => recorded(seq, false),
            Ok(Landed::Not) => Err(MemoryError::Store(lost)),
            Ok(Landed::Unknown) | Err(_) => Err(MemoryError::Indeterminate(lost)),
        },
    }
}
