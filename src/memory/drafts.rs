//! Drafts: what a commit says in the journal.

use super::append::header_of;
use super::journal::{DocumentDraft, Draft, EntryKind, Record, prepare};
use super::operation::Remark;
use super::plan::{Alteration, Share};
use super::recording::{NewText, TextChange};
use super::{Change, DocumentChange, MemoryError, Operation, Origin, RequestId, Snapshot, StoreError, random};
use crate::edit::Receipt;
use crate::text::{Content, Timestamp};

/// What is asked for, by whom, and when.
#[derive(Clone, Copy)]
pub(super) struct Request<'a> {
    pub(super) id: RequestId,
    pub(super) operations: &'a [Operation<'a>],
    pub(super) origin: &'a Origin,
    pub(super) now: Timestamp,
}

/// Makes the commit of what changes, whose one entry says it of all operations. The splices are moved into it.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn change(shares: &mut [Share], snapshot: &Snapshot, request: &Request<'_>) -> Result<Change, MemoryError> {
    let attempt = random::attempt()?;
    let remark = remark(shares, request.operations);
    let mut draft = draft(shares, snapshot, request)?;
    draft.header.attempt = Some(attempt);
    draft.header.block = remark.record.as_ref().and_then(Record::block_label);
    let Remark { kind, record, replaces, undoes } = remark;
    (draft.header.kind, draft.header.replaces, draft.header.undoes) = (kind, replaces, undoes);
    draft.body.record = record;
    let documents = shares.iter().flat_map(|share| &share.changes).map(|change| document(change, snapshot));
    Ok(Change::new(request.id, attempt, prepare(draft).map_err(StoreError::from)?)
        .at(request.now)
        .looked_to(snapshot.head.seq)
        .with_documents(documents.collect()))
}

/// Returns what the entry says beside the changes: what the operation says that has most to say.
pub(super) fn remark(shares: &[Share], operations: &[Operation<'_>]) -> Remark {
    let changed = shares.iter().zip(operations).filter(|(share, _)| !share.changes.is_empty());
    let remarks: Vec<_> = changed.map(|(_, operation)| &operation.remark).collect();
    let told = remarks.iter().find(|remark| remark.record.is_some()).or(remarks.first());
    told.map_or_else(Remark::default, |remark| (*remark).clone())
}

fn draft(shares: &mut [Share], snapshot: &Snapshot, request: &Request<'_>) -> Result<Draft, StoreError> {
    let Request { id, origin, operations, .. } = *request;
    let mut draft = Draft::new(header_of(EntryKind::Edit, origin), random::salt()?);
    draft.documents =
        shares.iter_mut().flat_map(|share| &mut share.changes).map(|change| recorded(change, snapshot)).collect();
    draft.request = Some(id);
    draft.body.reason.clone_from(&origin.reason);
    draft.body.arguments.clone_from(&origin.arguments);
    // What only accompanies a change is not told.
    for (share, _) in shares.iter().zip(operations).filter(|(_, operation)| !operation.accompanies) {
        let Some(commit) = &share.applied.commit else { continue };
        draft.body.sections.extend(commit.receipt.changed_sections.iter().map(Content::from));
        for (name, count) in counts(&commit.receipt) {
            *draft.body.counts.entry(name).or_default() += count;
        }
    }
    Ok(draft)
}

fn recorded(change: &mut Alteration, snapshot: &Snapshot) -> DocumentDraft {
    let new = change.new.as_ref().map(|doc| NewText { text: doc.text(), revision: doc.revision() });
    let base = change.base.as_ref().map(|doc| doc.text());
    let splices = std::mem::take(&mut change.splices);
    TextChange { name: &change.name, version: &snapshot.version(&change.name), base, new }.by(splices)
}

fn document(change: &Alteration, snapshot: &Snapshot) -> DocumentChange {
    let expected = snapshot.version(&change.name);
    match &change.new {
        Some(doc) => DocumentChange::new(change.name.clone(), expected, doc.shared_text().clone(), doc.revision()),
        None => DocumentChange::deletion(change.name.clone(), expected),
    }
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
