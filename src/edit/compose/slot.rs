//! Slots and blocks: how a slot is written into the front matter, changed and removed, and how a new
//! block is written.

use super::super::{EditBuilder, PartEdit, Promise};
use super::prefix::Prefix;
use super::{Item, last_ending_before};
use crate::document::{BlockRef, MemoryDoc, Slot};
use crate::text::{Line, Lines, Span, is_blank};

/// A slot that is to be written.
#[derive(Clone, Copy)]
pub(crate) struct NewSlot<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl NewSlot<'_> {
    /// Reports whether its line reads back as this name and this value.
    pub(crate) fn is_readable(&self) -> bool {
        let is_line = !self.name.contains(['\n', '\r']) && !self.value.contains(['\n', '\r']);
        let read = MemoryDoc::parse(format!("---\n{}\n---\n", self.line()));
        let is_same = |slot: &Slot| slot.name.of(read.text()) == self.name && slot.value.of(read.text()) == self.value;
        is_line && read.outline().slots.first().is_some_and(is_same)
    }

    fn line(&self) -> String {
        let space = if self.value.is_empty() { "" } else { " " };
        format!("{}:{space}{}", self.name, self.value)
    }

    /// Writes it at the end of the front matter; where there is none, into a new one at the top.
    pub(crate) fn add(&self, doc: &MemoryDoc, mut edit: PartEdit<'_>) {
        let text = doc.text();
        if let Some(front) = doc.outline().front_matter {
            let closing = Lines::within(text, front).last().map_or(front.end(), |line| line.full.start());
            edit.insert_lines(doc, closing, &[self.line()], Promise::Lines);
            return;
        }
        // Behind a byte order mark no line is to be completed.
        let top = doc.outline().body_start;
        let ending = last_ending_before(doc, top);
        let written: String = ["---", &self.line(), "---"].iter().flat_map(|line| [line, ending]).collect();
        edit.replace(Span::at(top), written, Promise::Lines);
    }
}

/// Gives a slot another value; the rest of its line stays.
pub(crate) fn set_slot(doc: &MemoryDoc, slot: &Slot, value: &str, mut edit: PartEdit<'_>) {
    let colon = Span::new(slot.name.end(), slot.value.start()).of(doc.text());
    let space = if colon.ends_with(':') && !value.is_empty() { " " } else { "" };
    edit.replace(slot.value, [space, value].concat(), Promise::Inline);
}

/// Removes the line of a slot; front matter in which nothing is left goes too.
pub(crate) fn remove_slot(doc: &MemoryDoc, slot: &Slot, mut edit: PartEdit<'_>) {
    let text = doc.text();
    let front = doc.outline().front_matter.unwrap_or(slot.line);
    let count = Lines::within(text, front).count();
    let inner = Lines::within(text, front).skip(1).take(count.saturating_sub(2));
    let is_alone = inner.filter(|line| line.full != slot.line).all(|line| is_blank(line.text.of(text)));
    edit.replace(if is_alone { front } else { slot.line }, "", Promise::Lines);
}

/// A block that is to be written at the end of a document.
#[derive(Clone, Debug)]
pub(crate) struct NewBlock {
    /// The part of the request that makes it.
    pub(crate) part: usize,
    pub(crate) title: String,
    pub(crate) id: String,
    pub(crate) items: Vec<Item>,
}

impl NewBlock {
    /// Reports whether its header reads back as its title and ID.
    pub(crate) fn is_readable(&self) -> bool {
        let read = MemoryDoc::parse(self.header());
        let is_same = |block: BlockRef<'_>| block.title() == self.title && block.id() == self.id;
        let is_header = !self.header().contains(['\n', '\r']) && read.outline().sections.is_empty();
        is_header && read.blocks().next().is_some_and(is_same)
    }

    fn header(&self) -> String {
        format!("{}: (ID: {})", self.title, self.id)
    }
}

/// Writes blocks at the end of a document, each set apart by one blank line.
pub(crate) fn add_blocks(doc: &MemoryDoc, blocks: &[NewBlock], edit: &mut EditBuilder) {
    let end = doc.text().len();
    let last = end.checked_sub(1).map(|at| Line::holding(doc.text(), at).text.of(doc.text()));
    let mut needs_blank = last.is_some_and(|line| !is_blank(line)) && end > doc.outline().body_start;
    for block in blocks {
        let mut lines = Vec::new();
        if needs_blank {
            lines.push(String::new());
        }
        lines.push(block.header());
        lines.extend(block.items.iter().flat_map(|item| item.bullet_lines(&Prefix::plain())));
        edit.for_part(block.part).insert_lines(doc, end, &lines, Promise::Lines);
        needs_blank = true;
    }
}
