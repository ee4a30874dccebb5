//! [`Table`]: the last entry of each document, as far as the journal has been read.
//!
//! A handle keeps one in memory and reads what has been appended since its last look. To open needs no more than the last
//! segment: what stood before it is written beside it when it is begun (see `tips`).

use std::collections::BTreeMap;

use super::super::journal::{Entry, Head};
use super::super::{DocName, StoreError, Tip, Version};
use super::disk::{Access, Disk};
use super::layout::segment;
use super::segments::Position;
use crate::text::Revision;

/// How much of the end of a line is compared: it holds the entry's hash.
const COMPARED: usize = 96;

/// The documents of a journal that has been read up to a place.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Where what has been read ends.
    pub(super) end: Position,
    /// The last entry that could be read.
    pub(super) head: Head,
    pub(super) rows: BTreeMap<DocName, Row>,
    last: Option<Last>,
}

/// What a document is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) tip: Tip,
    pub(super) made: Made,
}

/// What the last entry of a document made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Nothing,
    Text(Revision),
    /// A text of which the revision was erased.
    Erased,
}

/// The last line that could be read: by its end, it is known again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Last {
    /// Where the next one stands.
    after: Position,
    end: Vec<u8>,
}

impl Default for Table {
    fn default() -> Self {
        Self { end: Position::default(), head: Head::START, rows: BTreeMap::new(), last: None }
    }
}

impl Row {
    /// Returns the version of the document; with `revision` where that was erased.
    pub(super) const fn version(&self, revision: Option<Revision>) -> Version {
        Version::new(revision, Some(self.tip))
    }
}

impl Table {
    /// Creates the table of a journal of which nothing has been read but where it ends.
    pub(super) fn behind(head: Head) -> Self {
        Self { head, ..Self::default() }
    }

    /// Reports whether a document is not known to be deleted.
    pub(super) fn exists(&self, name: &DocName) -> bool {
        self.rows.get(name).is_some_and(|row| row.made != Made::Nothing)
    }

    /// Takes the lines that stand from `from` on. Lines that cannot be read are passed over.
    pub(super) fn absorb(&mut self, bytes: &[u8], from: Position) {
        let mut at = from;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            at = at.after(line.len());
            if let Some(entry) = line.strip_suffix(b"\n").and_then(|line| Entry::parse(line).ok()) {
                self.take(&entry);
                let end = line.get(line.len().saturating_sub(COMPARED)..).unwrap_or_default().to_vec();
                self.last = Some(Last { after: at, end });
            }
        }
        self.end = at;
    }

    fn take(&mut self, entry: &Entry) {
        self.head = entry.head();
        for link in &entry.header().documents {
            let made = match entry.state(&link.name) {
                _ if link.new.is_absent() => Made::Nothing,
                Some(state) => state.new.map_or(Made::Erased, Made::Text),
                None => Made::Erased,
            };
            let tip = Tip { seq: entry.seq(), since_keyframe: link.since_keyframe };
            self.rows.insert(link.name.clone(), Row { tip, made });
        }
    }

    /// Reports whether the last line that was read stands where it stood.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn stands<D: Disk>(&self, disk: &D) -> Result<bool, StoreError> {
        let Some(last) = &self.last else { return Ok(self.end == Position::default()) };
        let Some(file) = disk.open(&segment(last.after.segment), Access::Read)? else { return Ok(false) };
        let length = u64::try_from(last.end.len()).unwrap_or(u64::MAX);
        let from = last.after.offset.saturating_sub(length);
        Ok(disk.read_at(&file, from, last.end.len())? == last.end)
    }
}
