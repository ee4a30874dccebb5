//! Drafts: what a commit says in the journal, be it of documents or of what stands beside them.

use super::apply::Task;
use super::journal::{Draft, EntryKind, Header, Record, Seq};
use super::operation::Remark;
use super::plan::Share;
use super::tries::{Made, commit};
use super::{Change, Memory, MemoryError, Operation, Origin, RequestId, Snapshot, Store, StoreError, random};
use crate::edit::Receipt;
use crate::text::Content;

/// An entry that was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recorded {
    /// Its number.
    pub seq: Seq,
    /// Whether the same request had recorded it before, and nothing was written now.
    pub is_repeated: bool,
    /// How many entries it stands in the place of.
    pub superseded: usize,
}

/// An entry to be recorded.
#[derive(Clone)]
pub(super) struct NewEntry {
    pub(super) kind: EntryKind,
    pub(super) record: Record,
    pub(super) supersedes: Vec<Seq>,
    /// The entry that it does away with.
    pub(super) replaces: Option<Seq>,
}

/// What is asked for, by whom, and of which store.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) store: &'a dyn Store,
    pub(super) origin: &'a Origin,
    pub(super) request: RequestId,
    /// The last entry, where what is asked for depends on all before it.
    pub(super) expected_head: Option<Seq>,
}

impl Memory {
    /// Appends an entry that changes no document.
    pub(super) fn append(&self, entry: NewEntry, judged: &Asked<'_>) -> Result<Recorded, MemoryError> {
        let NewEntry { kind, record, supersedes, replaces } = entry;
        let Asked { store, origin, request, expected_head } = *judged;
        let superseded = supersedes.len();
        let mut draft = draft(origin)?;
        draft.header.block = record.block_label();
        (draft.header.kind, draft.header.supersedes, draft.header.replaces) = (kind, supersedes, replaces);
        draft.body.record = Some(record);
        // What was recorded since the editor looked may be this: the head may be behind it.
        let last = origin.since.map_or_else(|| store.head().map(|head| head.seq), Ok)?;
        let mut change = Change::new(request, draft, Vec::new())?.at(self.now()).looked_to(last);
        change.expected_head = expected_head;
        let Made { seq, is_repeated } = commit(store, &change, last)?;
        Ok(Recorded { seq, is_repeated, superseded })
    }

    /// Makes the commit of what changes, whose one entry says it of all operations. The drafts are moved into it.
    ///
    /// # Errors
    ///
    /// The system has no random bytes.
    pub(super) fn change(
        &self,
        shares: &mut [Share],
        snapshot: &Snapshot,
        task: &Task<'_>,
        request: RequestId,
    ) -> Result<Change, StoreError> {
        let Remark { kind, record, replaces, undoes } = remark(shares, task.operations);
        let mut draft = draft(task.origin)?;
        draft.header.block = record.as_ref().and_then(Record::block_label);
        (draft.header.kind, draft.header.replaces, draft.header.undoes) = (kind, replaces, undoes);
        draft.body.record = record;
        // What only accompanies a change is not told.
        for (share, _) in shares.iter().zip(task.operations).filter(|(_, operation)| !operation.accompanies) {
            let Some(commit) = &share.applied.commit else { continue };
            draft.body.sections.extend(commit.receipt.changed_sections.iter().map(Content::from));
            for (name, count) in counts(&commit.receipt) {
                *draft.body.counts.entry(name).or_default() += count;
            }
        }
        draft.documents = shares.iter_mut().flat_map(|share| std::mem::take(&mut share.drafts)).collect();
        let documents = shares.iter().flat_map(|share| share.changes.clone()).collect();
        Ok(Change::new(request, draft, documents)?.at(self.now()).looked_to(snapshot.head.seq))
    }
}

/// Begins the draft of an entry: who makes it, and why.
fn draft(origin: &Origin) -> Result<Draft, StoreError> {
    let (tool, source) = (Some(origin.tool.as_str().into()), origin.source.as_deref().map(Into::into));
    let header = Header { tool, source, ..Header::new(EntryKind::Edit, origin.actor.clone()) };
    let mut draft = Draft::new(header, random::salt()?);
    draft.body.reason.clone_from(&origin.reason);
    draft.body.arguments.clone_from(&origin.arguments);
    Ok(draft)
}

/// Returns what the entry says beside the changes: what the operation says that has most to say.
pub(super) fn remark(shares: &[Share], operations: &[Operation<'_>]) -> Remark {
    let changed = shares.iter().zip(operations).filter(|(share, _)| !share.changes.is_empty());
    let remarks: Vec<_> = changed.map(|(_, operation)| &operation.remark).collect();
    let told = remarks.iter().find(|remark| remark.record.is_some()).or(remarks.first());
    told.map_or_else(Remark::default, |remark| (*remark).clone())
}

/// Counts what became of bullets.
fn counts(receipt: &Receipt) -> impl Iterator<Item = (Box<str>, u64)> {
    let bullets = receipt.bullets;
    let counts = [
        ("bullets_added", bullets.added),
        ("bullets_removed", bullets.removed),
        ("bullets_changed", bullets.changed),
        ("bullets_moved", bullets.moved),
    ];
    let told = counts.into_iter().filter(|(_, count)| *count > 0);
    told.map(|(name, count)| (name.into(), u64::try_from(count).unwrap_or(u64::MAX)))
}
