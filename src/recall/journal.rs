//! [`Journal`]: the records of a memory's journal, ready to be recalled. The journal is read once, then each new entry.
//!
//! The store skips entries that cannot be read. An entry whose content was erased has no text. After a redaction all
//! entries are read again, so that the index keeps no erased text.

use std::collections::HashMap;

use super::index::Index;
use super::query::RecalledMemory;
use crate::document::{Case, MemoryDoc};
use crate::memory::journal::{DocumentLink, Entry, EntryKind, Record, Seq, text_after};
use crate::memory::{CORE_BLOCKS, DocName, Memory, NewMemory};
use crate::request::NoteEdit;
use crate::text::Content;

/// The records of a journal.
#[derive(Default)]
pub(super) struct Journal {
    // Invariant: in ascending order of their entries; the texts of the index are in the same order.
    pub(super) items: Vec<RecalledMemory>,
    pub(super) index: Index,
    /// The latest version of each core block, as the index of its item.
    latest: HashMap<String, usize>,
    /// The text of the document `core` after the last entry that was read; `None` if it is unknown.
    core_text: Option<String>,
    /// For each block that was ever updated, whether it is in every prompt.
    is_core: HashMap<String, bool>,
    /// The last entry that wrote each note, by the title of the note.
    pub(super) notes: HashMap<String, Seq>,
}

impl Journal {
    /// Adds the next entry of the journal.
    pub(super) fn entry(&mut self, memory: &Memory, entry: &Entry) {
        if entry.link(&DocName::core()).is_some() || entry.header().block.is_some() {
            self.update_blocks(memory, entry);
        }
        for &seq in entry.header().supersedes.iter().filter(|seq| **seq < entry.seq()) {
            self.supersede(seq, entry.seq());
        }
        if let Some(item) = RecalledMemory::remembered(entry) {
            self.add(memory, item);
        }
        if entry.link(&DocName::notes()).is_some() {
            let titles = entry.body().into_iter().flat_map(|body| &body.sections);
            self.notes.extend(titles.map(|title| (title.to_string(), entry.seq())));
        }
    }

    fn add(&mut self, memory: &Memory, item: RecalledMemory) {
        if item.content.trim().is_empty() {
            return;
        }
        self.index.add(&item.content);
        self.items.push(RecalledMemory { tokens: memory.tokens(&item.content), ..item });
    }

    fn supersede(&mut self, seq: Seq, by: Seq) {
        let first = self.items.partition_point(|item| item.seq < seq);
        for item in self.items.iter_mut().skip(first).take_while(|item| item.seq == seq) {
            item.superseded_by.get_or_insert(by);
        }
    }

    /// Updates the texts of core blocks after an entry that changed them: a new version of a block, or an edit of the
    /// document `core` by another tool or by hand.
    fn update_blocks(&mut self, memory: &Memory, entry: &Entry) {
        // After an entry whose content was erased, the text is unknown until an entry has the whole text.
        if entry.link(&DocName::core()).is_some() {
            self.core_text = text_after(entry, &DocName::core(), self.core_text.as_deref()).ok().flatten();
        }
        if let Some(Record::Block(version)) = entry.record() {
            self.is_core.insert(version.label.to_string(), version.is_core);
            self.add_version(memory, entry, &version.label, version.text.clone());
            return;
        }
        if let Some(label) = &entry.header().block {
            // The text of this version was erased.
            self.add_version(memory, entry, label, Content::default());
            return;
        }
        let is_deleted = entry.link(&DocName::core()).is_some_and(DocumentLink::is_deletion);
        let Some(text) = self.core_text.clone().or_else(|| is_deleted.then(String::new)) else { return };
        let doc = MemoryDoc::parse(text);
        for label in memory.block_labels() {
            let text = NoteEdit::texts(&doc, label, Case::Folded);
            let before = self.latest.get(label).and_then(|at| self.items.get(*at));
            if before.map_or("", |item| item.content.as_str()) != text {
                self.add_version(memory, entry, label, text.into());
            }
        }
    }

    /// Adds a version of a block, which supersedes the one before. An empty text is no version.
    fn add_version(&mut self, memory: &Memory, entry: &Entry, label: &str, text: Content) {
        if let Some(item) = self.latest.remove(label).and_then(|at| self.items.get_mut(at)) {
            item.superseded_by.get_or_insert(entry.seq());
        }
        if !text.trim().is_empty() {
            self.latest.insert(label.to_owned(), self.items.len());
            // An edit or an undo that brings back the text of a version brings back that version.
            let is_version =
                |item: &&RecalledMemory| item.block_label.as_deref() == Some(label) && item.content == text;
            let version = self.items.iter().rfind(is_version).filter(|_| entry.header().kind != EntryKind::Block);
            let is_core = version.and_then(|version| version.is_core).or_else(|| self.is_core.get(label).copied());
            let is_core = is_core.unwrap_or_else(|| CORE_BLOCKS.contains(&label));
            let (block_label, is_core) = (Some(label.to_owned()), Some(is_core));
            let own = RecalledMemory::of(entry, text);
            self.add(memory, RecalledMemory { kind: EntryKind::Block, block_label, is_core, ..own });
        }
    }
}

impl RecalledMemory {
    /// Returns the record of an entry that is a memory, decision or consolidation. `None` for other entries, and for
    /// entries whose content was erased.
    fn remembered(entry: &Entry) -> Option<Self> {
        match (&entry.header().kind, entry.record()?) {
            (EntryKind::Memory | EntryKind::Decision, Record::Memory(made)) => {
                let (tier, importance) = (Some(made.tier), made.importance.clamp(1, 10));
                Some(Self { tier, importance, ..Self::of(entry, made.text.clone()) })
            }
            (EntryKind::Consolidation, Record::Consolidation(text)) => Some(Self::of(entry, text.clone())),
            _ => None,
        }
    }

    fn of(entry: &Entry, content: Content) -> Self {
        Self {
            seq: entry.seq(),
            content,
            kind: entry.header().kind.clone(),
            tier: None,
            importance: NewMemory::IMPORTANCE,
            time: entry.time(),
            score: 0.0,
            tokens: 0,
            superseded_by: None,
            block_label: None,
            is_core: None,
        }
    }
}
