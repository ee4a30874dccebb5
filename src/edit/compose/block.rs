//! Blocks: how a new one is written.

use super::super::{EditBuilder, Promise};
use super::Item;
use super::prefix::Prefix;
use crate::document::{BlockRef, MemoryDoc};
use crate::text::{Line, is_blank};

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
        let is_header = !self.header().contains(['\n', '\r']) && read.outline().sections().is_empty();
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
    let mut needs_blank = last.is_some_and(|line| !is_blank(line)) && end > doc.outline().body_start();
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
