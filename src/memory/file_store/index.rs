//! [`Index`]: what follows from the journal: where entries stand, and what each document is at.
//!
//! A handle keeps one in memory and reads on what has been appended since its last look. One is written down now and then,
//! so that a handle that is new need not read the whole journal. It is a cache: one that is missing or damaged, or does not
//! fit the journal, is made anew by one pass.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::super::journal::{Entry, EntryHash, Head, Seq};
use super::super::{DocName, StoreError, Tip, Version};
use super::disk::{Disk, read};
use super::layout::{self, INDEX, NEW_INDEX};
use crate::text::{Digest, Revision};

/// How far apart the entries are of which the offset is kept.
const STRIDE: u64 = 16;
/// How many bytes before the end tell whether the journal is the one that was indexed.
pub(super) const COMPARED: u64 = 256;
/// An index is not larger.
const LARGEST: u64 = 256 << 20;
/// How many entries there may be whose texts stand in their files without the directories being synced.
pub(super) const UNSETTLED: u64 = 32;

/// The journal up to a place.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// Where what has been read ends.
    pub(super) end: u64,
    /// Where the last group of entries begins.
    pub(super) last: u64,
    /// The last entry that could be read.
    pub(super) head: Head,
    pub(super) rows: BTreeMap<DocName, Row>,
    /// The texts of entries up to this one are in their files, durably, or were replaced since.
    pub(super) settled: Seq,
    /// The run of the system in which all that is not settled was placed; `None` if that is not known.
    pub(super) boot: Option<Box<str>>,
    /// The last entry that erases parts of others, until it is known that it has.
    pub(super) redaction: Option<Seq>,
    /// The last entry of which it was noticed that it is not in the journal any more, until the host acknowledges it.
    pub(super) lost: Option<Head>,
    /// Where some of the entries begin, in order.
    marks: Vec<Mark>,
}

/// What a document is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) tip: Tip,
    pub(super) made: Made,
    /// The mark of the last entry.
    pub(super) mark: layout::Mark,
}

/// What the last entry of a document made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    Nothing,
    Text(Revision),
    /// A text of which the revision was erased.
    Erased,
}

/// Where an entry begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    seq: Seq,
    offset: u64,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            end: 0,
            last: 0,
            head: Head::START,
            rows: BTreeMap::new(),
            settled: Seq::default(),
            boot: None,
            redaction: None,
            lost: None,
            marks: Vec::new(),
        }
    }
}

impl Row {
    /// Returns the version of the document; with `revision` where that was erased.
    pub(super) const fn version(&self, revision: Option<Revision>) -> Version {
        Version::new(revision, Some(self.tip))
    }
}

impl Index {
    /// Returns an index of a journal that is to be read anew, with what does not follow from it.
    pub(super) fn unread(&self) -> Self {
        Self { settled: self.settled, boot: self.boot.clone(), lost: self.lost, ..Self::default() }
    }

    /// Returns an index of which nothing is known but what the host has not acknowledged.
    pub(super) fn unacknowledged(&self) -> Self {
        Self { lost: self.lost, ..Self::default() }
    }

    /// Reports whether a document is not known to be deleted.
    pub(super) fn exists(&self, name: &DocName) -> bool {
        self.rows.get(name).is_some_and(|row| row.made != Made::Nothing)
    }

    /// Returns the documents that entries behind the settled ones changed.
    pub(super) fn unsettled(&self) -> Vec<DocName> {
        let rows = self.rows.iter().filter(|(_, row)| row.tip.seq > self.settled);
        rows.map(|(name, _)| name.clone()).collect()
    }

    /// Takes the bytes that stand behind what has been read. Lines that cannot be read are passed over; what an interrupted
    /// append has left at the end is not taken.
    pub(super) fn absorb(&mut self, bytes: &[u8]) {
        let mut at = self.end;
        let mut group: Vec<(Entry, u64)> = Vec::new();
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let offset = at;
            at = at.saturating_add(length(line));
            let Some(entry) = line.strip_suffix(b"\n").and_then(|line| Entry::parse(line).ok()) else {
                group.clear();
                continue;
            };
            if !group.last().is_some_and(|(before, _)| is_next(before, &entry)) {
                group.clear();
                if entry.seq() != entry.group().first() {
                    continue;
                }
            }
            let is_last = entry.seq() == entry.group().last();
            group.push((entry, offset));
            if is_last {
                self.take(&group, at);
                group.clear();
            }
        }
        let rest = usize::try_from(at.saturating_sub(self.end)).unwrap_or(usize::MAX);
        self.pass_damage(bytes.get(bytes.len().saturating_sub(rest)..).unwrap_or_default());
    }

    /// Passes over whole lines that cannot be read. They were not left by an append that was interrupted: such a line has no
    /// end, or zeros in the place of what was not written.
    fn pass_damage(&mut self, rest: &[u8]) {
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            let is_damaged =
                line.strip_suffix(b"\n").is_some_and(|line| !line.contains(&0) && Entry::parse(line).is_err());
            if !is_damaged {
                return;
            }
            self.end = self.end.saturating_add(length(line));
        }
    }

    /// Takes a group of entries, each with its offset, that ends at `end`.
    pub(super) fn take(&mut self, group: &[(Entry, u64)], end: u64) {
        for (entry, offset) in group {
            self.head = entry.head();
            if !entry.header().erased.is_empty() {
                self.redaction = Some(entry.seq());
            }
            if self.marks.last().is_none_or(|mark| entry.seq() >= mark.seq.plus(STRIDE)) {
                self.marks.push(Mark { seq: entry.seq(), offset: *offset });
            }
            for link in &entry.header().documents {
                let made = match entry.state(&link.name) {
                    _ if link.new.is_absent() => Made::Nothing,
                    Some(state) => state.new.map_or(Made::Erased, Made::Text),
                    None => Made::Erased,
                };
                let tip = Tip { seq: entry.seq(), since_keyframe: link.since_keyframe };
                self.rows.insert(link.name.clone(), Row { tip, made, mark: layout::Mark::of(entry) });
            }
        }
        self.last = group.first().map_or(self.end, |(_, offset)| *offset);
        self.end = end;
    }

    /// Returns where to look for an entry: the offset at which it may begin, and that behind which it does not.
    pub(super) fn range_of(&self, seq: Seq) -> (u64, u64) {
        let behind = self.marks.partition_point(|mark| mark.seq <= seq);
        let from = behind.checked_sub(1).and_then(|at| self.marks.get(at)).map_or(0, |mark| mark.offset);
        let to = self.marks.get(behind).map_or(self.end, |mark| mark.offset);
        (from, to)
    }
}

fn is_next(before: &Entry, entry: &Entry) -> bool {
    before.group() == entry.group() && before.seq().plus(1) == entry.seq()
}

/// Returns a length as an offset.
pub(super) fn length(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

/// An index as it is written down.
#[derive(Serialize, Deserialize)]
struct Stored {
    end: u64,
    last: u64,
    seq: Seq,
    hash: EntryHash,
    /// The digest of the bytes before the end.
    before: String,
    settled: Seq,
    boot: Option<Box<str>>,
    redaction: Option<Seq>,
    #[serde(default)]
    lost: Option<(Seq, EntryHash)>,
    marks: Vec<Mark>,
    rows: Vec<StoredRow>,
}

#[derive(Serialize, Deserialize)]
struct StoredRow {
    name: DocName,
    seq: Seq,
    since_keyframe: u64,
    mark: layout::Mark,
    is_erased: bool,
    revision: Option<Revision>,
}

/// An index that was read, and what tells whether it is one of this journal.
pub(super) struct Loaded {
    pub(super) index: Index,
    /// The digest of the last bytes before its end.
    pub(super) before: String,
}

/// Reads the index; `None` if there is none, or it is damaged.
///
/// # Errors
///
/// The system refuses.
pub(super) fn load<D: Disk>(disk: &D) -> Result<Option<Loaded>, StoreError> {
    match read(disk, INDEX, LARGEST) {
        Ok(reading) => Ok(reading.and_then(|reading| parsed(&reading.bytes))),
        Err(StoreError::Unusable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn parsed(bytes: &[u8]) -> Option<Loaded> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (digest, json) = text.split_once('\n')?;
    if Digest::of(json.as_bytes()).to_string() != digest {
        return None;
    }
    let stored: Stored = serde_json::from_str(json).ok()?;
    let mut rows = BTreeMap::new();
    for row in stored.rows {
        let made = if row.is_erased { Made::Erased } else { row.revision.map_or(Made::Nothing, Made::Text) };
        let tip = Tip { seq: row.seq, since_keyframe: row.since_keyframe };
        rows.insert(row.name, Row { tip, made, mark: row.mark });
    }
    let index = Index {
        end: stored.end,
        last: stored.last,
        head: Head { seq: stored.seq, hash: stored.hash },
        rows,
        settled: stored.settled,
        boot: stored.boot,
        redaction: stored.redaction,
        lost: stored.lost.map(|(seq, hash)| Head { seq, hash }),
        marks: stored.marks,
    };
    Some(Loaded { index, before: stored.before })
}

/// Writes the index down, unsynced: a crash leaves the old one, the new one, or one that is damaged.
///
/// # Errors
///
/// The system refuses.
pub(super) fn write<D: Disk>(disk: &D, index: &Index, before: String) -> Result<(), StoreError> {
    let row = |(name, row): (&DocName, &Row)| StoredRow {
        name: name.clone(),
        seq: row.tip.seq,
        since_keyframe: row.tip.since_keyframe,
        mark: row.mark,
        is_erased: row.made == Made::Erased,
        revision: if let Made::Text(revision) = row.made { Some(revision) } else { None },
    };
    let stored = Stored {
        end: index.end,
        last: index.last,
        seq: index.head.seq,
        hash: index.head.hash,
        before,
        settled: index.settled,
        boot: index.boot.clone(),
        redaction: index.redaction,
        lost: index.lost.map(|head| (head.seq, head.hash)),
        marks: index.marks.clone(),
        rows: index.rows.iter().map(row).collect(),
    };
    let json = serde_json::to_string(&stored).map_err(|error| StoreError::Other(Box::new(error)))?;
    disk.remove(NEW_INDEX)?;
    let file = disk.create(NEW_INDEX, None)?;
    disk.write_at(&file, 0, format!("{}\n{json}", Digest::of(json.as_bytes())).as_bytes())?;
    disk.replace(NEW_INDEX, INDEX).map(drop)
}
