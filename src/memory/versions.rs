//! The versions of core blocks: each entry that changes their document says which versions they are at after it. Where one does not,
//! as one that came from outside, what it changed is told by comparing the texts.

use super::history::{entry_of, text_after};
use super::journal::{BlockRow, BlockTable, Entry, Record, Seq, text_before};
use super::labels::is_core_by_default;
use super::operation::Remark;
use super::plan::{Alteration, Share};
use super::{AppliedStatus, DocName, EntryQuery, MemoryError, Operation, Snapshot, Store};
use crate::document::MemoryDoc;
use crate::request::NoteEdit;

/// How many entries of the document are read at once: the first one mostly tells.
const PAGE: usize = 4;

/// Finds and counts versions.
#[derive(Clone, Copy)]
pub(super) struct Versions<'a> {
    pub(super) store: &'a dyn Store,
    /// The labels of all blocks.
    pub(super) labels: &'a [String],
}

impl<'a> Versions<'a> {
    /// Returns the versions after the entry `tip`, the last one that changed the document; `None` if none ever did.
    pub(super) fn at(&self, tip: Option<Seq>) -> Result<BlockTable, MemoryError> {
        let (core, mut next) = (DocName::core(), tip);
        let (mut table, mut silent) = (BlockTable::default(), Vec::new());
        while let Some(seq) = next {
            let page = self.store.entries(&EntryQuery::OfDocument { document: &core, seq, limit: PAGE })?;
            next = page.last().and_then(|last| last.previous_of(last.link(&core)?));
            for entry in page {
                if let Some(known) = &entry.header().blocks {
                    (table, next) = (known.of_entry(entry.seq()), None);
                    break;
                }
                silent.push(entry);
            }
        }
        for entry in silent.into_iter().rev() {
            let seq = entry.seq();
            // What was erased of an entry made no version that anybody could ask for.
            if let Some((before, after)) = self.texts(entry)? {
                self.advance(&mut table, &before, &after, &Remark::default());
                table = table.of_entry(seq);
            }
        }
        Ok(table)
    }

    /// Returns the document before and after an entry; `None` if that was erased.
    fn texts(&self, entry: Entry) -> Result<Option<(MemoryDoc, MemoryDoc)>, MemoryError> {
        let core = DocName::core();
        let after = match text_after(self.store, &core, entry.clone()) {
            Err(MemoryError::Erased { .. }) => return Ok(None),
            after => after?,
        };
        let Ok(before) = text_before(&entry, &core, after.as_deref()) else { return Ok(None) };
        let parsed = |text: Option<String>| MemoryDoc::parse(text.unwrap_or_default());
        Ok(Some((parsed(before), parsed(after))))
    }

    /// Counts a version of each block whose text is another, and one of the block that is recorded, whatever its text.
    fn advance(&self, table: &mut BlockTable, before: &MemoryDoc, after: &MemoryDoc, remark: &Remark) {
        for label in self.labels {
            let (old, new) = (NoteEdit::read(before, label), NoteEdit::read(after, label));
            let is_set = matches!(&remark.record, Some(Record::Block(block)) if block.label.as_str() == label);
            if old == new && !is_set {
                continue;
            }
            let row = table.row(label);
            let version = row.map_or_else(|| u64::from(old.is_some()), |row| row.version) + 1;
            let said = remark.is_core.filter(|_| is_set);
            let is_core = said.or(row.map(|row| row.is_core)).unwrap_or_else(|| is_core_by_default(label));
            table.set(BlockRow { label: label.as_str().into(), version, seq: None, is_core });
        }
    }

    /// Returns the versions before a commit, if it may change any.
    pub(super) fn before(
        self,
        shares: &[Share],
        operations: &[Operation<'_>],
        snapshot: &Snapshot,
    ) -> Result<Option<VersionsBefore<'a>>, MemoryError> {
        let core = DocName::core();
        let is_of_core = |share: &Share| share.changes.iter().any(|change| change.name == core);
        let sets_block = |operation: &Operation<'_>| matches!(operation.remark.record, Some(Record::Block(_)));
        if !shares.iter().any(is_of_core) && !operations.iter().any(sets_block) {
            return Ok(None);
        }
        let tip = snapshot.of(&core).and_then(|stored| stored.version.tip);
        Ok(Some(VersionsBefore { table: self.at(tip.map(|tip| tip.seq))?, versions: self }))
    }

    /// Returns the entry that made a version of a block; `None` if there is none that can be told.
    pub(super) fn find(&self, tip: Option<Seq>, label: &str, version: u64) -> Result<Option<Entry>, MemoryError> {
        let (core, mut tip) = (DocName::core(), tip);
        let mut above = u64::MAX;
        loop {
            let table = self.at(tip)?;
            let row = table.row(label).filter(|row| row.version >= version && row.version < above);
            let Some((row, seq)) = row.and_then(|row| Some((row, row.seq?))) else { return Ok(None) };
            let entry = match entry_of(self.store, seq) {
                Err(MemoryError::UnknownEntry { .. }) => return Ok(None),
                entry => entry?,
            };
            if row.version == version {
                return Ok(Some(entry));
            }
            above = row.version;
            tip = entry.link(&core).and_then(|link| entry.previous_of(link));
        }
    }
}

/// The versions before a commit.
pub(super) struct VersionsBefore<'a> {
    versions: Versions<'a>,
    pub(super) table: BlockTable,
}

impl VersionsBefore<'_> {
    /// Returns the versions after a change of the document.
    pub(super) fn after(&self, change: &Alteration, remark: &Remark) -> BlockTable {
        let (mut table, none) = (self.table.clone(), MemoryDoc::parse(""));
        let [old, new] = [&change.base, &change.new].map(|doc| doc.as_ref().unwrap_or(&none));
        self.versions.advance(&mut table, old, new, remark);
        table
    }

    /// Has a block that keeps its text recorded all the same where it is to stand in every prompt, or no longer.
    pub(super) fn mark_moved(&self, shares: &mut [Share], operations: &[Operation<'_>]) {
        for (share, operation) in shares.iter_mut().zip(operations).filter(|(share, _)| share.changes.is_empty()) {
            let Some(Record::Block(block)) = &operation.remark.record else { continue };
            let row = self.table.row(&block.label);
            if operation.remark.is_core.is_some_and(|is_core| row.is_some_and(|row| row.is_core != is_core)) {
                let (name, doc) = (operation.document.clone(), Some(share.before.clone()));
                share.changes.push(Alteration { name, base: doc.clone(), new: doc, splices: Vec::new() });
                share.applied.status = AppliedStatus::Committed;
            }
        }
    }
}
