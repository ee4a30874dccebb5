//! [`Journal`]: what can be recalled of a journal, read once and then entry by entry as they come.
//!
//! An entry that cannot be read is passed over by the store, and one whose content was erased says nothing. A redaction has all of it
//! read anew, so that nothing is left of what was erased.

use std::collections::HashMap;

use super::index::Index;
use super::query::RecalledMemory;
use crate::document::MemoryDoc;
use crate::locate::Code;
use crate::memory::journal::{Entry, EntryKind, Head, Record, Seq};
use crate::memory::{CORE_BLOCKS, DocName, EntryQuery, Memory, MemoryError, NewMemory};
use crate::request::NoteEdit;
use crate::text::Content;

/// How many entries are read at once.
const PAGE: usize = 256;

/// What can be recalled of a journal.
#[derive(Debug)]
pub(super) struct Journal {
    /// The last entry that was read.
    read: Head,
    /// The last entry when reading began: what redactions up to it have erased was never seen.
    erased_until: Seq,
    // Invariant: in ascending order of their numbers; the texts of the index in the same order.
    items: Vec<RecalledMemory>,
    index: Index,
    /// The version that each core block is at, as the place of its item.
    blocks: HashMap<String, usize>,
    /// Whether each of them stands in every prompt, those included that say nothing now.
    core: HashMap<String, bool>,
    /// When each note was written last, by its title.
    notes: HashMap<String, Seq>,
}

impl Default for Journal {
    fn default() -> Self {
        Self {
            read: Head::START,
            erased_until: Head::START.seq,
            items: Vec::new(),
            index: Index::default(),
            blocks: HashMap::new(),
            core: HashMap::new(),
            notes: HashMap::new(),
        }
    }
}

impl Journal {
    pub(super) fn items(&self) -> &[RecalledMemory] {
        &self.items
    }

    pub(super) const fn index(&self) -> &Index {
        &self.index
    }

    /// Returns the last entry that is known to have written a note.
    pub(super) fn note_written(&self, title: &str) -> Option<Seq> {
        self.notes.get(title).copied()
    }

    /// Reads what the journal has got since. One that does not go on where this ended is read anew.
    ///
    /// # Errors
    ///
    /// The store cannot be read. What was read is kept, and reading goes on there the next time.
    pub(super) fn follow(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        while !self.go_on(memory)? {
            *self = Self::default();
        }
        Ok(())
    }

    /// Reads what is new; reports whether what was read before still holds.
    fn go_on(&mut self, memory: &Memory) -> Result<bool, MemoryError> {
        let head = memory.head()?;
        if head == self.read {
            return Ok(true);
        }
        if self.read == Head::START {
            self.erased_until = head.seq;
        } else if !self.is_continued(memory)? {
            return Ok(false);
        }
        loop {
            let page = memory.entries(&EntryQuery::From { seq: self.read.seq.plus(1), limit: PAGE })?;
            if page.is_empty() {
                return Ok(true);
            }
            for entry in page {
                if entry.header().kind == EntryKind::Redaction && entry.seq() > self.erased_until {
                    return Ok(false);
                }
                let head = entry.head();
                self.entry(memory, entry)?;
                self.read = head;
            }
        }
    }

    fn is_continued(&self, memory: &Memory) -> Result<bool, MemoryError> {
        let last = memory.entries(&EntryQuery::From { seq: self.read.seq, limit: 1 })?;
        Ok(last.first().is_some_and(|entry| entry.head() == self.read))
    }

    fn entry(&mut self, memory: &Memory, entry: Entry) -> Result<(), MemoryError> {
        // Before anything is kept: what fails is tried again with the next question.
        let versions = match entry.link(&DocName::core()) {
            Some(_) => self.versions(memory, &entry)?,
            None => Vec::new(),
        };
        for &seq in entry.header().supersedes.iter().filter(|seq| **seq < entry.seq()) {
            self.supersede(seq, entry.seq());
        }
        if let Some(item) = RecalledMemory::remembered(&entry) {
            self.add(memory, item);
        }
        for version in versions {
            self.version(memory, &entry, version);
        }
        if entry.link(&DocName::notes()).is_some() {
            for path in entry.content().into_iter().flat_map(|content| &content.sections) {
                // A title may hold what joins titles.
                let names = [path.as_str(), path.rsplit(" > ").next().unwrap_or_default()];
                self.notes.extend(names.map(|name| (name.to_owned(), entry.seq())));
            }
        }
        Ok(())
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

    /// Puts a version of a block in the place of the one before it.
    fn version(&mut self, memory: &Memory, entry: &Entry, version: Version) {
        if let Some(item) = self.blocks.remove(&version.label).and_then(|at| self.items.get_mut(at)) {
            item.superseded_by.get_or_insert(entry.seq());
        }
        self.core.insert(version.label.clone(), version.is_core);
        let Some(text) = version.text.filter(|text| !text.trim().is_empty()) else { return };
        self.blocks.insert(version.label.clone(), self.items.len());
        let (block_label, is_core) = (Some(version.label), Some(version.is_core));
        let own = RecalledMemory::of(entry, text.into());
        self.add(memory, RecalledMemory { kind: EntryKind::Block, block_label, is_core, ..own });
    }

    /// Returns the versions of core blocks that an entry made, whichever tool or hand it was.
    fn versions(&self, memory: &Memory, entry: &Entry) -> Result<Vec<Version>, MemoryError> {
        let record = entry.content().and_then(|content| content.record.as_ref());
        let set = match record {
            Some(Record::Block(block)) => Some(block),
            _ => None,
        };
        let (mut read, mut versions) = (None, Vec::new());
        for label in memory.block_labels() {
            let row = entry.header().blocks.as_ref().map(|table| table.row(label));
            let is_told = matches!(row, Some(Some(row)) if row.seq.is_none());
            if row.is_some() && !is_told {
                continue;
            }
            let text = match set.filter(|block| block.label.as_str() == label) {
                Some(block) => Some(block.text.to_string()),
                None => {
                    let doc = match read.take() {
                        Some(doc) => doc,
                        None => after(memory, entry)?,
                    };
                    let text = doc.as_ref().map(|doc| NoteEdit::read(doc, label));
                    read = Some(doc);
                    match text {
                        None if !is_told => continue,
                        text => text.flatten(),
                    }
                }
            };
            let current = self.blocks.get(label).and_then(|at| self.items.get(*at));
            if !is_told && current.map(|item| item.content.as_str()) == text.as_deref() {
                continue;
            }
            let before = self.core.get(label).copied();
            let is_core = row
                .flatten()
                .map(|row| row.is_core)
                .or(before)
                .unwrap_or_else(|| CORE_BLOCKS.contains(&label.as_str()));
            versions.push(Version { label: label.clone(), is_core, text });
        }
        Ok(versions)
    }
}

/// A version of a core block; without a text, if it was emptied or what it said was erased.
struct Version {
    label: String,
    is_core: bool,
    text: Option<String>,
}

/// Returns the document of core blocks after an entry; `None` if what it takes was erased.
fn after(memory: &Memory, entry: &Entry) -> Result<Option<MemoryDoc>, MemoryError> {
    match memory.text_after(&DocName::core(), entry.clone()) {
        Ok(text) => Ok(Some(MemoryDoc::parse(text.unwrap_or_default()))),
        Err(error) if error.code() == Code::Redacted => Ok(None),
        Err(error) => Err(error),
    }
}

impl RecalledMemory {
    /// Returns what a memory, a decision or a consolidation says; `None` of any other entry, and of one whose content was erased.
    fn remembered(entry: &Entry) -> Option<Self> {
        match (&entry.header().kind, entry.content()?.record.as_ref()?) {
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
