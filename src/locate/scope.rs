//! Scopes: the part of a document that a request is limited to.

use crate::document::{BlockId, MemoryDoc, SectionId};
use crate::text::Span;

/// The part of a document in which something is looked for. It begins at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The whole document.
    Document,
    /// A section's extent, subsections included.
    Section(SectionId),
    /// A block, header included.
    Block(BlockId),
}

impl Scope {
    /// Returns the bytes of the scope.
    pub(crate) fn span(self, doc: &MemoryDoc) -> Span {
        let outline = doc.outline();
        let extent = match self {
            Self::Document => None,
            Self::Section(id) => outline.section(id).map(|section| section.extent),
            Self::Block(id) => outline.block(id).map(|block| block.extent),
        };
        extent.unwrap_or(doc.span())
    }
}
