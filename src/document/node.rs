//! Handles of nodes: a section, block, bullet or label, joined with its document.
//!
//! Only a document creates handles of its nodes, and a handle borrows from its document, so that its node always
//! exists. A handle is `Copy`, like a reference.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};

use super::doc::MemoryDoc;
use super::outline::{Block, Bullet, Fence, Label, Outline, Section};
use crate::text::{Line, Span};

/// A node of a document.
///
/// It dereferences to the node, a [`Section`], [`Block`], [`Bullet`] or [`Label`], whose fields are spans. Its methods
/// return texts and other nodes. Two handles are equal if they are the same node of the same document. Handles of one
/// document are ordered by position.
///
/// # Examples
///
/// ```
/// use memdoc::MemoryDoc;
///
/// let doc = MemoryDoc::parse("## Facts\n- [work] Lives in Denver\n  - since 2019\n### Pets\n- A cat\n");
/// let facts = doc.sections().next().unwrap();
/// assert_eq!((facts.title(), facts.level, facts.line_number()), ("Facts", 2, 1));
///
/// let home = facts.bullets().next().unwrap();
/// assert_eq!((home.content().as_ref(), home.marker()), ("Lives in Denver", "-"));
/// assert_eq!(home.extent.of(doc.text()), "- [work] Lives in Denver\n  - since 2019\n");
/// assert_eq!(home.children().next().and_then(|child| child.parent()), Some(home));
///
/// let cat = doc.bullets().last().unwrap();
/// assert_eq!(cat.section().map(|section| section.path()).as_deref(), Some("Facts > Pets"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'a, N> {
    doc: &'a MemoryDoc,
    // Invariant: the node with this index in the outline of `doc`.
    node: &'a N,
    index: usize,
}

/// A section of a document.
pub type SectionRef<'a> = NodeRef<'a, Section>;
/// A block of a document.
pub type BlockRef<'a> = NodeRef<'a, Block>;
/// A bullet of a document.
pub type BulletRef<'a> = NodeRef<'a, Bullet>;
/// A label of a document.
pub type LabelRef<'a> = NodeRef<'a, Label>;

/// A kind of node: which vector of the outline holds it, and its spans.
pub trait Kind: Copy + 'static {
    /// Returns all nodes of this kind, in document order.
    fn all(outline: &Outline) -> &[Self];
    /// Returns the line that the node starts with; for a fence, its whole extent.
    fn line(&self) -> Span;
    /// Returns the node moved by `by` bytes, as [`Span::moved`] does it.
    #[must_use]
    fn moved(&self, by: u32) -> Self;

    /// Returns how many nodes of this kind start before `offset`.
    fn before(outline: &Outline, offset: usize) -> usize {
        Self::all(outline).partition_point(|node| node.line().start() < offset)
    }

    /// Returns the nodes of this kind that start inside `span`.
    fn within(outline: &Outline, span: Span) -> &[Self] {
        let range = Self::before(outline, span.start())..Self::before(outline, span.end());
        Self::all(outline).get(range).unwrap_or_default()
    }
}

/// Implements [`Kind`]: for each kind of node, the vector of the outline, then the fields that are spans, the line
/// first.
macro_rules! kinds {
    ($($node:ident: $all:ident, $line:ident $($span:ident)*;)+) => {$(
        impl Kind for $node {
            fn all(outline: &Outline) -> &[Self] {
                &outline.$all
            }

            fn line(&self) -> Span {
                self.$line
            }

            fn moved(&self, by: u32) -> Self {
                Self { $line: self.$line.moved(by), $($span: self.$span.moved(by),)* ..*self }
            }
        }
    )+};
}

kinds! {
    Section: sections, line title body extent;
    Block: blocks, line title id extent;
    Bullet: bullets, line marker extent;
    Label: labels, line name extent;
    Fence: fences, extent;
}

impl<'a, N: Kind> NodeRef<'a, N> {
    /// Returns the node with this index in the outline of a document.
    pub(super) fn at(doc: &'a MemoryDoc, index: usize) -> Option<Self> {
        N::all(doc.outline()).get(index).map(|node| Self { doc, node, index })
    }

    /// Iterates over the nodes with these indexes.
    pub(super) fn range(doc: &'a MemoryDoc, range: Range<usize>) -> impl DoubleEndedIterator<Item = Self> + Clone {
        let first = range.start;
        let nodes = N::all(doc.outline()).get(range).unwrap_or_default();
        nodes.iter().enumerate().map(move |(nth, node)| Self { doc, index: first + nth, node })
    }

    /// Iterates over the nodes that start inside `span`.
    pub(crate) fn within(doc: &'a MemoryDoc, span: Span) -> impl DoubleEndedIterator<Item = Self> + Clone {
        Self::range(doc, N::before(doc.outline(), span.start())..N::before(doc.outline(), span.end()))
    }

    /// Returns the last node whose line starts at `offset` or before it.
    fn last_until(doc: &'a MemoryDoc, offset: usize) -> Option<Self> {
        Self::at(doc, N::before(doc.outline(), offset + 1).checked_sub(1)?)
    }

    /// Returns the document of the node.
    pub const fn doc(self) -> &'a MemoryDoc {
        self.doc
    }

    /// Returns the index, from 0, among the document's nodes of this kind.
    pub const fn index(self) -> usize {
        self.index
    }

    /// Returns the number, from 1, of the line that the node starts with.
    pub fn line_number(self) -> usize {
        self.line_index() + 1
    }

    /// Returns the index, from 0, of the line that the node starts with.
    pub(crate) fn line_index(self) -> usize {
        self.doc.line_index(self.node.line().start())
    }

    /// Returns the section whose body holds the node, or whose heading it is; `None` in the preamble.
    pub fn section(self) -> Option<SectionRef<'a>> {
        self.doc.section_at(self.node.line().start())
    }

    /// Returns the line that the node starts with, without its ending.
    pub fn line_text(self) -> &'a str {
        Line::of(self.doc.text(), self.node.line()).text.of(self.doc.text())
    }
}

impl MemoryDoc {
    /// Iterates over all sections, subsections included.
    pub fn sections(&self) -> impl DoubleEndedIterator<Item = SectionRef<'_>> + Clone {
        NodeRef::range(self, 0..self.outline().sections.len())
    }

    /// Returns the text before the first heading.
    pub(crate) fn preamble(&self) -> Span {
        Span::new(0, self.sections().next().map_or(self.text().len(), |first| first.line.start()))
    }

    /// Iterates over all blocks.
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = BlockRef<'_>> + Clone {
        NodeRef::range(self, 0..self.outline().blocks.len())
    }

    /// Iterates over all bullets, children included.
    pub fn bullets(&self) -> impl DoubleEndedIterator<Item = BulletRef<'_>> + Clone {
        NodeRef::range(self, 0..self.outline().bullets.len())
    }

    /// Iterates over all labels.
    pub fn labels(&self) -> impl DoubleEndedIterator<Item = LabelRef<'_>> + Clone {
        NodeRef::range(self, 0..self.outline().labels.len())
    }

    /// Iterates over all bullets that start inside `span`.
    pub fn bullets_within(&self, span: Span) -> impl DoubleEndedIterator<Item = BulletRef<'_>> + Clone {
        NodeRef::within(self, span)
    }

    /// Returns the node of this kind whose first line starts at `start`.
    pub(crate) fn starting_at<N: Kind>(&self, start: usize) -> Option<NodeRef<'_, N>> {
        NodeRef::last_until(self, start).filter(|node: &NodeRef<'_, N>| node.node.line().start() == start)
    }

    /// Returns the section whose body, or heading, holds the byte at `offset`; `None` in the
    /// preamble.
    pub fn section_at(&self, offset: usize) -> Option<SectionRef<'_>> {
        NodeRef::last_until(self, offset)
    }

    /// Returns the block whose extent holds the byte at `offset`.
    pub fn block_at(&self, offset: usize) -> Option<BlockRef<'_>> {
        NodeRef::last_until(self, offset).filter(|block: &BlockRef<'_>| block.extent.contains(offset))
    }

    /// Returns the label whose extent holds the byte at `offset`.
    pub fn label_at(&self, offset: usize) -> Option<LabelRef<'_>> {
        NodeRef::last_until(self, offset).filter(|label: &LabelRef<'_>| label.extent.contains(offset))
    }

    /// Returns the innermost bullet whose extent holds the byte at `offset`.
    pub fn bullet_at(&self, offset: usize) -> Option<BulletRef<'_>> {
        let last: BulletRef<'_> = NodeRef::last_until(self, offset)?;
        last.ancestors().find(|bullet| bullet.extent.contains(offset))
    }
}

impl<'a> BulletRef<'a> {
    /// Returns the bullet that this one is a child of.
    pub fn parent(self) -> Option<Self> {
        let distance = self.node.parent_distance as usize;
        if distance > 0 { Self::at(self.doc, self.index.checked_sub(distance)?) } else { None }
    }

    /// Returns the block that the bullet belongs to.
    pub fn block(self) -> Option<BlockRef<'a>> {
        self.doc.block_at(self.node.line.start())
    }

    /// Returns the label that owns the bullet.
    pub fn label(self) -> Option<LabelRef<'a>> {
        self.doc.label_at(self.node.line.start())
    }

    /// Iterates over the bullet and the bullets that it is nested in, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(Some(self), |bullet| bullet.parent())
    }

    /// Returns the top-level bullet that this one is nested in; this one if it is at the top level.
    pub(crate) fn outermost(self) -> Self {
        self.ancestors().last().unwrap_or(self)
    }

    /// Iterates over the direct children.
    pub fn children(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        self.doc.bullets_within(self.node.extent).filter(move |child| child.parent() == Some(self))
    }
}

impl<'a> BlockRef<'a> {
    /// Returns the title, without colon.
    pub fn title(self) -> &'a str {
        self.node.title.of(self.doc.text())
    }

    /// Returns the ID.
    pub fn id(self) -> &'a str {
        self.node.id.of(self.doc.text())
    }

    /// Iterates over the bullets, children included.
    pub fn bullets(self) -> impl DoubleEndedIterator<Item = BulletRef<'a>> + Clone {
        self.doc.bullets_within(self.node.extent)
    }
}

impl<'a> LabelRef<'a> {
    /// Returns the name, without colon and bold marks.
    pub fn name(self) -> &'a str {
        self.node.name.of(self.doc.text())
    }

    /// Iterates over the bullets, children included.
    pub fn bullets(self) -> impl DoubleEndedIterator<Item = BulletRef<'a>> + Clone {
        self.doc.bullets_within(self.node.extent)
    }
}

impl<'a> SectionRef<'a> {
    /// Returns the title.
    pub fn title(self) -> &'a str {
        self.node.title.of(self.doc.text())
    }

    /// Returns the section that this one is a subsection of.
    pub fn parent(self) -> Option<Self> {
        self.node.parent.and_then(|index| Self::at(self.doc, index))
    }

    /// Iterates over the section and its ancestors, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> + Clone {
        std::iter::successors(Some(self), |section| section.parent())
    }

    /// Returns the section as a block, if its heading has an ID.
    pub fn block(self) -> Option<BlockRef<'a>> {
        self.doc.starting_at(self.node.line.start())
    }

    /// Iterates over the bullets of the body, children included.
    pub fn bullets(self) -> impl DoubleEndedIterator<Item = BulletRef<'a>> + Clone {
        self.doc.bullets_within(self.node.body)
    }
}

impl<N> Deref for NodeRef<'_, N> {
    type Target = N;

    fn deref(&self) -> &N {
        self.node
    }
}

// All nodes of one kind of one document are in one vector. So equal addresses mean the same node, and the order of
// addresses is document order.

impl<N> PartialEq for NodeRef<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.node, other.node)
    }
}

impl<N> Eq for NodeRef<'_, N> {}

impl<N> PartialOrd for NodeRef<'_, N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N> Ord for NodeRef<'_, N> {
    fn cmp(&self, other: &Self) -> Ordering {
        std::ptr::from_ref(self.node).cmp(&std::ptr::from_ref(other.node))
    }
}

impl<N> Hash for NodeRef<'_, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.node, state);
    }
}
