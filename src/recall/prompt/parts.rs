//! The parts of a prompt with all their items, before the budget is applied.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::document::{Case, MemoryDoc};
use crate::memory::journal::Seq;
use crate::memory::{DocName, Memory, MemoryError, SCRATCHPAD_KEY, SESSION_HANDOFF_KEY};
use crate::recall::pieces::{Item, pieces};
use crate::recall::{Recalled, WhyLeftOut};
use crate::request::NoteEdit;
use crate::text::{Content, Timestamp, hanging, names, normal_name, visible};

names! {
    /// A part of a prompt.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[non_exhaustive]
    pub enum PromptPart {
        /// The handoff note.
        Handoff = "handoff",
        /// The core blocks.
        Core = "core blocks",
        /// The document.
        Document = "document",
        /// The other notes.
        Notes = "notes",
        /// Recalled entries.
        Recalled = "memories",
        /// The scratchpad.
        Scratchpad = "scratchpad",
        /// A part of the host.
        Host = "host",
    }
}

/// A part that a host adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPart {
    /// Its heading, one line.
    pub heading: String,
    /// Its text. A part with a blank text is left out.
    pub text: Content,
}

/// The items under one heading.
pub(super) struct Part {
    pub(super) kind: PromptPart,
    /// The heading.
    pub(super) title: String,
    /// The word after the opening fence: the name of the document, or what else the text is from.
    pub(super) word: String,
    pub(super) items: Vec<Item>,
    /// How many more items there are, for which recall had no room.
    pub(super) left_out: usize,
}

impl Part {
    fn new(kind: PromptPart, title: &str, word: impl ToString) -> Self {
        Self { kind, title: visible(title), word: word.to_string(), items: Vec::new(), left_out: 0 }
    }
}

/// The documents that a prompt is made from.
pub(super) struct Sources {
    pub(super) core: MemoryDoc,
    pub(super) document: MemoryDoc,
    pub(super) notes: MemoryDoc,
}

/// Collects the parts.
pub(super) struct Gathering<'a> {
    pub(super) memory: &'a Memory,
    pub(super) now: Timestamp,
    pub(super) parts: Vec<Part>,
}

impl Gathering<'_> {
    /// Adds a part that consists of one text.
    fn single(&mut self, part: Part, text: &str) {
        let text = self.unexpired(text);
        if !text.trim().is_empty() {
            let items = vec![self.item(text)];
            self.parts.push(Part { items, ..part });
        }
    }

    fn item(&self, text: String) -> Item {
        Item { tokens: self.memory.tokens(&text), text, ..Item::default() }
    }

    /// Returns a text without its expired bullets.
    fn unexpired(&self, text: &str) -> String {
        pieces(&MemoryDoc::parse(text), self.now).into_iter().map(|piece| piece.text).collect()
    }

    /// Adds the note of this key as a part of its own.
    pub(super) fn note(&mut self, kind: PromptPart, title: &str, key: &str, notes: &MemoryDoc) {
        let text = NoteEdit::texts(notes, key, Case::Kept);
        self.single(Part::new(kind, title, DocName::notes()), &text);
    }

    /// Adds the core blocks, each as a part. If several sections have the same label, all are shown.
    pub(super) fn core(&mut self, core: &MemoryDoc) -> Result<(), MemoryError> {
        for label in self.memory.block_labels() {
            let text = NoteEdit::texts(core, label, Case::Folded);
            let is_core = match self.memory.block(label, None) {
                Err(MemoryError::Request { .. }) => true,
                block => block?.is_core,
            };
            if is_core {
                self.single(Part::new(PromptPart::Core, title_of(label), DocName::core()), &text);
            }
        }
        Ok(())
    }

    pub(super) fn document(&mut self, name: &DocName, doc: &MemoryDoc) {
        let items = pieces(doc, self.now).into_iter();
        let items = items.map(|item| Item { tokens: self.memory.tokens(&item.text), ..item });
        self.parts.push(Part { items: items.collect(), ..Part::new(PromptPart::Document, "Memory", name) });
    }

    /// Adds the notes as they are in their document, the last written first. `written` has the last entry that wrote each
    /// note, by its title.
    pub(super) fn notes(&mut self, notes: &MemoryDoc, written: &HashMap<String, Seq>) {
        let is_own_part = |title: &str| [SESSION_HANDOFF_KEY, SCRATCHPAD_KEY].contains(&&*normal_name(title));
        let mut others: Vec<_> = NoteEdit::all(notes).filter(|(section, _)| !is_own_part(section.title())).collect();
        others.sort_by_key(|(section, _)| Reverse(written.get(section.title())));
        let mut items = Vec::new();
        for (section, content) in others {
            let unexpired = self.unexpired(&content);
            // An empty note, or one with only expired bullets, has no text left.
            if !unexpired.trim().is_empty() {
                // The content may be in a fence, where the section has no bullets.
                let whole = section.extent.of(notes.text()).replace("\r\n", "\n");
                let text = self.unexpired(&whole).replacen(&content, unexpired.trim_end_matches('\n'), 1);
                items.push(self.item(text.trim_end().to_owned() + "\n"));
            }
        }
        self.parts.push(Part { items, ..Part::new(PromptPart::Notes, "Notes", DocName::notes()) });
    }

    pub(super) fn recalled(&mut self, recalled: &Recalled) {
        let left_out = recalled.left_out.iter().filter(|row| row.reason == WhyLeftOut::Budget).count();
        let mut items = Vec::new();
        for memory in &recalled.memories {
            let text = self.unexpired(&memory.content);
            if text.trim().is_empty() {
                continue;
            }
            let (seq, date) = (memory.seq, memory.time.date());
            let kind = memory.block_label.clone().unwrap_or_else(|| memory.kind.to_string());
            let line = format!("- entry {seq}, {date}, {kind}: {}\n", hanging(&text));
            items.push(self.item(line));
        }
        self.parts.push(Part { items, left_out, ..Part::new(PromptPart::Recalled, "Memories", "journal") });
    }

    pub(super) fn host(&mut self, parts: &[HostPart]) {
        for part in parts.iter().filter(|part| !part.text.trim().is_empty()) {
            let items = vec![self.item(part.text.to_string())];
            self.parts.push(Part { items, ..Part::new(PromptPart::Host, &part.heading, "host") });
        }
    }
}

fn title_of(label: &str) -> &str {
    match label {
        "persona" => "Who I Am",
        "user_profile" => "About the User",
        "goals" => "Current Goals",
        "knowledge" => "Key Knowledge",
        other => other,
    }
}
