//! Scopes: the part of a document that a request is limited to.

use crate::document::{BlockId, BulletId, MemoryDoc, SectionId};
use crate::text::Span;

/// The part of a document in which something is looked for. It begins at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    /// The whole document.
    Document,
    /// A section's extent, subsections included.
    Section(SectionId),
    /// A block, header included.
    Block(BlockId),
    /// A bullet with its children.
    Bullet(BulletId),
    /// The line of a slot.
    Slot(Span),
    /// The front matter, both `---` lines included.
    FrontMatter(Span),
    /// From a line of prose to the end of its section's body.
    From(Span),
}

impl Scope {
    /// Returns the bytes of the scope.
    pub(crate) fn span(self, doc: &MemoryDoc) -> Span {
        let outline = doc.outline();
        let extent = match self {
            Self::Document => None,
            Self::Section(id) => outline.section(id).map(|section| section.extent),
            Self::Block(id) => outline.block(id).map(|block| block.extent),
            Self::Bullet(id) => outline.bullet(id).map(|bullet| bullet.extent),
            Self::Slot(span) | Self::FrontMatter(span) | Self::From(span) => Some(span),
        };
        extent.unwrap_or(doc.span())
    }

    /// Returns the part of the scope that lies in `within`, in which it starts.
    pub(crate) fn clipped(self, doc: &MemoryDoc, within: Span) -> Self {
        let span = self.span(doc);
        if within.covers(span) { self } else { Self::From(Span::new(span.start(), span.end().min(within.end()))) }
    }

    /// Returns the scope that the line at `start` names: the node that it begins, or all from it to the end of its section.
    pub(crate) fn of_line(doc: &MemoryDoc, start: usize) -> Self {
        let outline = doc.outline();
        let section = outline.section_at(start);
        if let Some((id, _)) =
            section.and_then(|id| Some((id, outline.section(id)?))).filter(|(_, s)| s.line.start() == start)
        {
            return Self::Section(id);
        }
        if let Some(id) =
            outline.block_at(start).filter(|id| outline.block(*id).is_some_and(|b| b.line.start() == start))
        {
            return Self::Block(id);
        }
        if let Some(id) =
            outline.bullet_at(start).filter(|id| outline.bullet(*id).is_some_and(|b| b.line.start() == start))
        {
            return Self::Bullet(id);
        }
        // The preamble ends where the first section begins.
        let preamble_end = || outline.sections().first().map_or(doc.text().len(), |section| section.line.start());
        let end = section.and_then(|id| outline.section(id)).map_or_else(preamble_end, |section| section.body.end());
        Self::From(Span::new(start, end))
    }
}
