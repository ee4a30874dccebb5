//! The structure of a document: flat vectors of spans, in document order.

use std::ops::Range;

use crate::text::Span;

/// Names a section of one document: its index in [`Outline::sections`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SectionId(pub(super) usize);

/// Names a block of one document: its index in [`Outline::blocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BlockId(pub(super) usize);

/// Names a bullet of one document: its index in [`Outline::bullets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BulletId(pub(super) usize);

impl SectionId {
    /// Returns the index, from 0, in document order.
    pub const fn index(self) -> usize {
        self.0
    }
}

impl BlockId {
    /// Returns the index, from 0, in document order.
    pub const fn index(self) -> usize {
        self.0
    }
}

impl BulletId {
    /// Returns the index, from 0, in document order.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// An ATX heading and what stands below it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Section {
    /// The heading's line with its ending.
    pub line: Span,
    /// The heading's text without `#`s and ID.
    pub title: Span,
    /// From below the heading to the next heading of any level.
    pub body: Span,
    /// From the heading to the next heading of the same or a higher level.
    pub extent: Span,
    /// The number of `#`s, 1 to 6.
    pub level: u8,
    /// The section that this one is a subsection of.
    pub parent: Option<SectionId>,
    /// The block that this section is, if its heading carries an ID.
    pub block: Option<BlockId>,
    pub(super) bullets: Range<usize>,
}

/// A compound memory: a line with an ID, and the bullets below it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// The header's line with its ending.
    pub line: Span,
    /// The title, without colon.
    pub title: Span,
    /// The ID.
    pub id: Span,
    /// From the header to where the block ends.
    pub extent: Span,
    /// The section whose body holds the header, or whose heading is the header.
    pub section: Option<SectionId>,
    /// Whether the header is a heading.
    pub is_section: bool,
    pub(super) bullets: Range<usize>,
}

/// A list item with all that belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bullet {
    /// The bullet with its continuation lines and children.
    pub extent: Span,
    /// The first line with its ending.
    pub line: Span,
    /// The marker alone: `-`, `*`, `+`, `1.` or `1)`.
    pub marker: Span,
    /// The checkbox, brackets included.
    pub checkbox: Option<Span>,
    /// From the first group of tags to the end of the last; empty, at the content, if there is none.
    pub tags: Span,
    /// Where the content starts.
    pub content_start: usize,
    /// How many bullets this one is nested in.
    pub depth: usize,
    /// The bullet that this one is a child of.
    pub parent: Option<BulletId>,
    /// The section whose body holds the bullet; `None` in the preamble.
    pub section: Option<SectionId>,
    /// The block that the bullet belongs to.
    pub block: Option<BlockId>,
}

impl Bullet {
    /// Returns the white space before the marker.
    pub const fn indentation(&self) -> Span {
        Span::new(self.line.start(), self.marker.start())
    }
}

/// A line `key: value` of the front matter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Slot {
    /// The line with its ending.
    pub line: Span,
    /// The key.
    pub name: Span,
    /// The value, without the white space around it.
    pub value: Span,
}

/// Fenced text, in which nothing is structure.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fence {
    /// From the opening line to the closing line, both included.
    pub extent: Span,
    /// Whether a closing line was found.
    pub is_closed: bool,
}

/// The structure of one text.
///
/// All vectors are in document order, so that everything inside a span is a range of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub(super) front_matter: Option<Span>,
    pub(super) slots: Vec<Slot>,
    pub(super) sections: Vec<Section>,
    pub(super) blocks: Vec<Block>,
    pub(super) bullets: Vec<Bullet>,
    pub(super) fences: Vec<Fence>,
    pub(super) body_start: usize,
}

impl Outline {
    /// Returns the front matter, both `---` lines included.
    pub const fn front_matter(&self) -> Option<Span> {
        self.front_matter
    }

    /// Returns where the text behind BOM and front matter starts.
    pub const fn body_start(&self) -> usize {
        self.body_start
    }

    /// Returns the slots of the front matter.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Returns all sections, subsections included.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Returns all blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Returns all bullets, children included.
    pub fn bullets(&self) -> &[Bullet] {
        &self.bullets
    }

    /// Returns all fences.
    pub fn fences(&self) -> &[Fence] {
        &self.fences
    }

    /// Iterates over the names of the sections.
    pub fn section_ids(&self) -> impl DoubleEndedIterator<Item = SectionId> + use<> {
        (0..self.sections.len()).map(SectionId)
    }

    /// Iterates over the names of the blocks.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.blocks.len()).map(BlockId)
    }

    /// Iterates over the names of all bullets that start inside `span`.
    pub fn bullets_within(&self, span: Span) -> impl DoubleEndedIterator<Item = BulletId> + use<> {
        let first = self.bullets.partition_point(|bullet| bullet.line.start() < span.start());
        let end = self.bullets.partition_point(|bullet| bullet.line.start() < span.end());
        (first..end.max(first)).map(BulletId)
    }

    /// Iterates over the names of the bullets of a section's body, children included.
    pub fn bullets_of_section(&self, section: SectionId) -> impl DoubleEndedIterator<Item = BulletId> + use<> {
        self.sections.get(section.0).map_or(0..0, |section| section.bullets.clone()).map(BulletId)
    }

    /// Iterates over the names of a block's bullets, children included.
    pub fn bullets_of_block(&self, block: BlockId) -> impl DoubleEndedIterator<Item = BulletId> + use<> {
        self.blocks.get(block.0).map_or(0..0, |block| block.bullets.clone()).map(BulletId)
    }

    /// Iterates over the direct children of a bullet.
    pub fn children(&self, bullet: BulletId) -> impl Iterator<Item = BulletId> + '_ {
        let extent = self.bullets.get(bullet.0).map_or(Span::at(0), |bullet| bullet.extent);
        let inside = (bullet.0 + 1..self.bullets.len()).map(BulletId);
        inside
            .take_while(move |child| self.bullet(*child).is_some_and(|child| extent.contains(child.line.start())))
            .filter(move |child| self.bullet(*child).is_some_and(|child| child.parent == Some(bullet)))
    }

    /// Returns the section whose body, or heading, holds the byte at `offset`; `None` in the preamble.
    pub fn section_at(&self, offset: usize) -> Option<SectionId> {
        self.sections.partition_point(|section| section.line.start() <= offset).checked_sub(1).map(SectionId)
    }

    /// Returns the innermost bullet whose extent holds the byte at `offset`.
    pub fn bullet_at(&self, offset: usize) -> Option<BulletId> {
        let mut candidate =
            self.bullets.partition_point(|bullet| bullet.line.start() <= offset).checked_sub(1).map(BulletId);
        while let Some(bullet) = candidate.and_then(|id| self.bullet(id)) {
            if bullet.extent.contains(offset) {
                break;
            }
            candidate = bullet.parent;
        }
        candidate
    }

    /// Returns the block whose extent holds the byte at `offset`.
    pub fn block_at(&self, offset: usize) -> Option<BlockId> {
        let index = self.blocks.partition_point(|block| block.line.start() <= offset).checked_sub(1)?;
        self.blocks.get(index).is_some_and(|block| block.extent.contains(offset)).then_some(BlockId(index))
    }

    /// Reports whether the byte at `offset` lies in a fence.
    pub fn is_fenced(&self, offset: usize) -> bool {
        let index = self.fences.partition_point(|fence| fence.extent.start() <= offset).checked_sub(1);
        index.and_then(|index| self.fences.get(index)).is_some_and(|fence| fence.extent.contains(offset))
    }

    /// Returns a section by its name; `None` for a name of another document.
    pub fn section(&self, id: SectionId) -> Option<&Section> {
        self.sections.get(id.0)
    }

    /// Returns a block by its name; `None` for a name of another document.
    pub fn block(&self, id: BlockId) -> Option<&Block> {
        self.blocks.get(id.0)
    }

    /// Returns a bullet by its name; `None` for a name of another document.
    pub fn bullet(&self, id: BulletId) -> Option<&Bullet> {
        self.bullets.get(id.0)
    }

    /// Iterates over a section and its ancestors, innermost first.
    pub fn ancestors(&self, section: SectionId) -> impl Iterator<Item = SectionId> + '_ {
        std::iter::successors(Some(section), |id| self.section(*id).and_then(|section| section.parent))
    }
}
