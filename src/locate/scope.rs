//! Scopes: the part of a document that a request is limited to.

use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef};
use crate::text::Span;

/// The part of a document in which something is looked for. It begins at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope<'a> {
    /// The whole document.
    Document,
    /// A section's extent, subsections included.
    Section(SectionRef<'a>),
    /// A block, header included.
    Block(BlockRef<'a>),
    /// A label with what it owns.
    Label(LabelRef<'a>),
    /// A bullet with its children.
    Bullet(BulletRef<'a>),
    /// From a line of prose to the end of its section's body.
    From(Span),
    /// The front matter.
    FrontMatter(Span),
    /// The line of a slot.
    Slot(Span),
}

impl<'a> Scope<'a> {
    /// Returns the bytes of the scope.
    pub(crate) fn span(self, doc: &MemoryDoc) -> Span {
        match self {
            Self::Document => doc.span(),
            Self::Section(section) => section.extent,
            Self::Block(block) => block.extent,
            Self::Label(label) => label.extent,
            Self::Bullet(bullet) => bullet.extent,
            Self::From(span) | Self::FrontMatter(span) | Self::Slot(span) => span,
        }
    }

    /// Returns the scope that the line at `start` names: the node that it begins, or all from it to
    /// the end of its section.
    pub(crate) fn of_line(doc: &'a MemoryDoc, start: usize) -> Self {
        if let Some(front) = doc.outline().front_matter().filter(|front| front.contains(start)) {
            let slot = doc.outline().slots().iter().find(|slot| slot.line.start() == start);
            return slot.map_or(Self::FrontMatter(front), |slot| Self::Slot(slot.line));
        }
        let section = doc.section_at(start);
        if let Some(section) = section.filter(|section| section.line.start() == start) {
            return Self::Section(section);
        }
        if let Some(block) = doc.block_at(start).filter(|block| block.line.start() == start) {
            return Self::Block(block);
        }
        if let Some(label) = doc.label_at(start).filter(|label| label.line.start() == start) {
            return Self::Label(label);
        }
        if let Some(bullet) = doc.bullet_at(start).filter(|bullet| bullet.line.start() == start) {
            return Self::Bullet(bullet);
        }
        // The preamble ends where the first section begins.
        let preamble_end = || doc.sections().next().map_or(doc.text().len(), |section| section.line.start());
        Self::From(Span::new(start, section.map_or_else(preamble_end, |section| section.body.end())))
    }
}
