//! The versions of core blocks: each entry that changes their document says which versions they are at after it, but for one that
//! came from outside, which makes none.

use super::history::entry_of;
use super::journal::{BlockRow, BlockTable, Entry, Record, Seq};
use super::operation::Remark;
use super::plan::{Alteration, Share};
use super::{AppliedStatus, DocName, EntryQuery, MemoryError, Operation, Snapshot, Store};

/// How many entries of the document are read at once: the first one mostly tells.
const PAGE: usize = 4;

/// Returns the versions after the entry `tip`, the last one that changed the document; none, if none ever did.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn versions_at(store: &dyn Store, tip: Option<Seq>) -> Result<BlockTable, MemoryError> {
    let (core, mut next) = (DocName::core(), tip);
    while let Some(seq) = next {
        let page = store.entries(&EntryQuery::OfDocument { document: &core, seq, limit: PAGE })?;
        let of = |entry: &Entry| Some(entry.header().blocks.as_ref()?.of_entry(entry.seq()));
        if let Some(table) = page.iter().find_map(of) {
            return Ok(table);
        }
        next = page.last().and_then(|last| last.previous_of(&core));
    }
    Ok(BlockTable::default())
}

/// Returns the versions before a commit, if it changes the document or sets a block.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn versions_before(
    store: &dyn Store,
    shares: &[Share],
    operations: &[Operation<'_>],
    snapshot: &Snapshot,
) -> Result<Option<BlockTable>, MemoryError> {
    let core = DocName::core();
    let is_of_core = |share: &Share| share.changes.iter().any(|change| change.name == core);
    let sets_block = |operation: &Operation<'_>| matches!(operation.remark.record, Some(Record::Block(_)));
    if !shares.iter().any(is_of_core) && !operations.iter().any(sets_block) {
        return Ok(None);
    }
    let tip = snapshot.of(&core).and_then(|stored| stored.version.tip);
    versions_at(store, tip).map(Some)
}

/// Returns the entry that made a version of a block; `None` if there is none that can be told.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn version_of(
    store: &dyn Store,
    tip: Option<Seq>,
    label: &str,
    version: u64,
) -> Result<Option<Entry>, MemoryError> {
    let (core, mut tip) = (DocName::core(), tip);
    let mut above = u64::MAX;
    loop {
        let table = versions_at(store, tip)?;
        let row = table.row(label).filter(|row| row.version >= version && row.version < above);
        let Some((row, seq)) = row.and_then(|row| Some((row, row.seq?))) else { return Ok(None) };
        let entry = match entry_of(store, seq) {
            Err(MemoryError::UnknownEntry { .. }) => return Ok(None),
            entry => entry?,
        };
        if row.version == version {
            return Ok(Some(entry));
        }
        above = row.version;
        tip = entry.previous_of(&core);
    }
}

/// Counts the version that an entry records, if it records one. Returns the versions after it, and the entry of the one before.
pub(super) fn counted(before: &BlockTable, record: &mut Option<Record>, remark: &Remark) -> (BlockTable, Option<Seq>) {
    let mut table = before.clone();
    let Some(Record::Block(block)) = record else { return (table, None) };
    let row = before.row(&block.label);
    block.version = row.map_or(0, |row| row.version).saturating_add(1);
    block.is_core = remark.is_core.or(row.map(|row| row.is_core)).unwrap_or(block.is_core);
    let label = block.label.as_str().into();
    table.set(BlockRow { label, version: block.version, seq: None, is_core: block.is_core });
    (table, row.and_then(|row| row.seq))
}

/// Has a block that keeps its text recorded all the same where it is to stand in every prompt, or no longer.
pub(super) fn mark_moved(before: &BlockTable, shares: &mut [Share], operations: &[Operation<'_>]) {
    for (share, operation) in shares.iter_mut().zip(operations).filter(|(share, _)| share.changes.is_empty()) {
        let Some(Record::Block(block)) = &operation.remark.record else { continue };
        let row = before.row(&block.label);
        if operation.remark.is_core.is_some_and(|is_core| row.is_some_and(|row| row.is_core != is_core)) {
            let (name, doc) = (operation.document.clone(), Some(share.before.clone()));
            share.changes.push(Alteration { name, base: doc.clone(), new: doc, splices: Vec::new() });
            share.applied.status = AppliedStatus::Committed;
        }
    }
}
