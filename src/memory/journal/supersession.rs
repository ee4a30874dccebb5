//! [`Supersessions`]: which entries supersede others.

use litemap::LiteMap;

use super::{Entry, EntryKind, Record, Runs, Seq};
use crate::locate::Code;
use crate::memory::{CORE_BLOCKS, MemoryError};
use crate::text::Digest;

/// Which entry supersedes which. Computed from the journal, entry by entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supersessions {
    supersedable: Runs,
    by: LiteMap<Seq, Seq>,
    /// The versions of each block, by its label.
    versions: LiteMap<Box<str>, Vec<VersionRow>>,
}

/// A version of a core block, as its entry records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VersionRow {
    pub(crate) seq: Seq,
    /// Which version it is, from 1.
    pub(crate) number: u64,
    /// Whether it stands in every prompt; if that was erased, the value of the version before.
    pub(crate) is_core: bool,
    /// The digest of its text; `None` if that was erased.
    pub(crate) text: Option<Digest>,
}

impl Supersessions {
    /// Takes the next entry of the journal. If several entries supersede the same one, the first of them counts. A
    /// version of a block supersedes the one before it, and its undo supersedes the version. A block that stands in
    /// every prompt cannot be superseded by other entries.
    pub fn entry(&mut self, entry: &Entry) {
        for &seq in entry.header().supersedes.iter().chain(&entry.header().undoes) {
            self.by.entry(seq).or_insert_with(|| entry.seq());
        }
        let version = if let Some(Record::Block(version)) = entry.record() { Some(version) } else { None };
        let is_supersedable = match entry.header().kind {
            EntryKind::Memory | EntryKind::Decision | EntryKind::Consolidation => true,
            EntryKind::Block => version.is_some_and(|version| !version.is_core),
            _ => false,
        };
        if is_supersedable {
            self.supersedable.insert(entry.seq());
        }
        let label = entry.header().block.clone().or_else(|| version.map(|version| version.label.as_str().into()));
        let Some(label) = label else { return };
        let is_core_at_first = CORE_BLOCKS.contains(&&*label);
        let rows = self.versions.entry(label).or_default();
        let (older, seq) = (rows.last().copied(), entry.seq());
        if let Some(older) = older {
            self.by.entry(older.seq).or_insert(seq);
        }
        let is_core_else = older.map_or(is_core_at_first, |older| older.is_core);
        let is_core = version.map_or(is_core_else, |version| version.is_core);
        let text = version.map(|version| Digest::of(version.text.trim().as_bytes()));
        rows.push(VersionRow { seq, number: older.map_or(1, |older| older.number + 1), is_core, text });
    }

    /// Returns the versions of a core block: the first of them is version 1.
    pub(crate) fn versions(&self, label: &str) -> &[VersionRow] {
        self.versions.get(label).map_or(&[], Vec::as_slice)
    }

    /// Checks what a new entry is to supersede.
    ///
    /// # Errors
    ///
    /// One of the entries does not exist, cannot be superseded or is superseded already.
    pub fn check(&self, supersedes: &[Seq]) -> Result<(), MemoryError> {
        for &entry in supersedes {
            if let Some(by) = self.superseded_by(entry) {
                let why = format!("entry {entry} is superseded by entry {by} already");
                return Err(MemoryError::refused(Code::Superseded, why));
            }
            if !self.supersedable.contains(entry) {
                let why = format!("entry {entry} is no memory, decision, consolidation or block outside the prompt");
                return Err(MemoryError::refused(Code::UnknownEntry, why));
            }
        }
        Ok(())
    }

    /// Returns the entry that supersedes `seq`.
    pub fn superseded_by(&self, seq: Seq) -> Option<Seq> {
        self.by.get(&seq).copied()
    }
}
