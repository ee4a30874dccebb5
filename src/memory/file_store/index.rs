//! [`Index`]: a summary of the journal: the offsets of entries, and the last entry and revision of each document.
//!
//! A handle keeps an index in memory, and adds what was appended to the journal since its last look. Now and then the
//! index is written to a file, so that a new handle need not read the whole journal. The file is a cache: if it is
//! missing or damaged, or does not fit the journal, one pass over the journal makes it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::disk::{Disk, Rename, length_of, read, write_new};
use super::journal::entry_of;
use super::layout::{INDEX, Mark, NEW_INDEX};
use crate::memory::journal::{Entry, Head, Seq};
use crate::memory::{DocName, StoreError};
use crate::text::{Digest, Revision};

/// The offset of every 16th entry is kept.
const STRIDE: u64 = 16;
/// The most bytes that an index file has.
const LARGEST: u64 = 256 << 20;

/// What is known of the journal up to the offset `end`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Index {
    /// The offset up to which the journal was read.
    pub(super) end: u64,
    /// The offset of the last entry.
    pub(super) last: u64,
    /// The last entry that could be read.
    pub(super) head: Head,
    pub(super) rows: BTreeMap<DocName, DocumentRow>,
    /// The texts of entries up to this one are in their files, durably, or were replaced since.
    #[serde(rename = "settled")]
    pub(super) synced: Seq,
    /// The boot ID of the system when the files of the entries after `synced` were placed; `None` if that is not
    /// known.
    pub(super) boot: Option<Box<str>>,
    /// The last redaction, until all that it names is erased.
    pub(super) redaction: Option<Seq>,
    /// The last entry that the journal once had and now lacks, until the host acknowledges the loss.
    pub(super) lost: Option<Head>,
    /// The numbers of every 16th entry or so, each with the offset at which the entry begins, in order.
    offsets: Vec<(Seq, u64)>,
}

/// The last change of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DocumentRow {
    /// The last entry that changed it.
    pub(super) seq: Seq,
    pub(super) mark: Mark,
    /// Whether that entry deleted it.
    pub(super) is_deleted: bool,
    /// The revision that it made, unless it was erased.
    pub(super) revision: Option<Revision>,
}

impl Index {
    /// Returns an index with which the journal is read again from its beginning. It keeps only what the journal does
    /// not record.
    pub(super) fn unread(&self) -> Self {
        Self { synced: self.synced, boot: self.boot.clone(), lost: self.lost, ..Self::default() }
    }

    /// Reports whether a document is not known to be deleted.
    pub(super) fn exists(&self, name: &DocName) -> bool {
        self.rows.get(name).is_some_and(|row| !row.is_deleted)
    }

    /// Iterates over the documents that are not known to be deleted.
    pub(super) fn existing(&self) -> impl Iterator<Item = &DocName> {
        self.rows.iter().filter(|(_, row)| !row.is_deleted).map(|(name, _)| name)
    }

    /// Returns how many entries there are after `synced`.
    pub(super) fn unsynced_entries(&self) -> u64 {
        self.head.seq.get().saturating_sub(self.synced.get())
    }

    /// Returns the documents that entries after `synced` changed.
    pub(super) fn unsynced(&self) -> Vec<DocName> {
        let rows = self.rows.iter().filter(|(_, row)| row.seq > self.synced);
        rows.map(|(name, _)| name.clone()).collect()
    }

    /// Adds the bytes that follow in the journal. Returns true if the last entry has no line feed. Lines that cannot be
    /// read are skipped; the rest of an interrupted append does not count as read.
    pub(super) fn absorb(&mut self, bytes: &[u8]) -> bool {
        let (mut offset, mut lacks_end) = (self.end, false);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let is_ended = line.ends_with(b"\n");
            let end = offset.saturating_add(length_of(line));
            let text = entry_of(line);
            match Entry::parse(text) {
                Ok(entry) => {
                    self.take(&entry, offset, offset.saturating_add(length_of(text)).saturating_add(1));
                    lacks_end = !is_ended;
                }
                // A whole line that cannot be read is damage; it was not left by an append that was interrupted.
                Err(_) if is_ended && self.end == offset => self.end = end,
                Err(_) => {}
            }
            offset = end;
        }
        lacks_end
    }

    /// Adds an entry that stands between two offsets.
    pub(super) fn take(&mut self, entry: &Entry, offset: u64, end: u64) {
        self.head = entry.head();
        if !entry.header().erased.is_empty() {
            self.redaction = Some(entry.seq());
        }
        if self.offsets.last().is_none_or(|(seq, _)| entry.seq() >= seq.plus(STRIDE)) {
            self.offsets.push((entry.seq(), offset));
        }
        let (seq, mark) = (entry.seq(), Mark::of(entry));
        for link in &entry.header().documents {
            let row = DocumentRow { seq, mark, is_deleted: link.is_deletion(), revision: entry.revision(&link.name) };
            self.rows.insert(link.name.clone(), row);
        }
        (self.last, self.end) = (offset, end);
    }

    /// Returns two offsets between which an entry stands, if the journal has it.
    pub(super) fn range_of(&self, seq: Seq) -> (u64, u64) {
        let next = self.offsets.partition_point(|(other, _)| *other <= seq);
        let from = next.checked_sub(1).and_then(|at| self.offsets.get(at)).map_or(0, |(_, offset)| *offset);
        (from, self.offsets.get(next).map_or(self.end, |(_, offset)| *offset))
    }
}

/// Reads the index; `None` if there is none, or it is damaged.
///
/// # Errors
///
/// The system refuses.
pub(super) fn load<D: Disk>(disk: &D) -> Result<Option<Index>, StoreError> {
    let bytes = match read(disk, INDEX, LARGEST) {
        Ok(Some((bytes, _))) => bytes,
        Ok(None) | Err(StoreError::Unusable { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let text = std::str::from_utf8(&bytes).ok().and_then(|text| text.split_once('\n'));
    let json = text.filter(|(digest, json)| Digest::of(json.as_bytes()).to_string() == *digest);
    Ok(json.and_then(|(_, json)| serde_json::from_str(json).ok()))
}

/// Writes the index file without a sync: a crash leaves the old one, the new one, or a damaged one.
///
/// # Errors
///
/// The system refuses.
pub(super) fn write<D: Disk>(disk: &D, index: &Index) -> Result<(), StoreError> {
    let json = serde_json::to_string(index).map_err(|error| StoreError::Other(Box::new(error)))?;
    write_new(disk, NEW_INDEX, None, format!("{}\n{json}", Digest::of(json.as_bytes())).as_bytes())?;
    disk.rename(NEW_INDEX, INDEX, Rename::Over).map(drop)
}
