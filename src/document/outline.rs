//! The structure of a document: flat vectors of spans, in document order.

use crate::text::Span;

/// An ATX heading and the lines below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The index of the section that this one is a subsection of.
    pub(super) parent: Option<usize>,
}

/// A compound memory: a line with an ID, and the bullets below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// Whether the header is a heading.
    pub is_section: bool,
}

/// A list item with all that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bullet {
    /// The bullet with its continuation lines and children.
    pub extent: Span,
    /// The first line with its ending.
    pub line: Span,
    /// The marker alone: `-`, `*`, `+`, `1.` or `1)`.
    pub marker: Span,
    /// The offset of the content from the start of the line, in bytes. Checkbox and tags, which are between the marker
    /// and the content, are parsed on use.
    pub(super) content_offset: u32,
    /// How many bullets this one is nested in.
    pub(super) depth: u32,
    /// The index of this bullet minus the index of its parent; 0 if it has no parent. Being relative, it stays valid
    /// when bullets are inserted before both.
    pub(super) parent_distance: u32,
}

impl Bullet {
    /// Returns where the content starts.
    pub(crate) const fn content_start(&self) -> usize {
        self.line.start() + self.content_offset as usize
    }

    /// Returns how many bullets this one is nested in.
    pub const fn depth(&self) -> usize {
        self.depth as usize
    }

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

/// A line of prose that names the list below it: `Anna:` above `- vegan`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The line with its ending.
    pub line: Span,
    /// The name: the line without the bold marks and the colon around it.
    pub name: Span,
    /// From the line to the next unindented prose, heading or block line.
    pub extent: Span,
}

/// Lines that are not parsed as structure: code between fences, or an HTML comment that begins a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fence {
    /// From the opening line to the closing line, both included.
    pub extent: Span,
    /// Whether a closing line was found.
    pub is_closed: bool,
    /// Whether it is an HTML comment.
    pub is_comment: bool,
}

/// The structure of one text.
///
/// All vectors are in document order, so that the nodes inside a span are a contiguous range of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outline {
    /// The front matter, both `---` lines included.
    pub front_matter: Option<Span>,
    /// The slots of the front matter.
    pub slots: Vec<Slot>,
    /// All sections, subsections included.
    pub sections: Vec<Section>,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// All bullets, children included.
    pub bullets: Vec<Bullet>,
    /// All labels.
    pub labels: Vec<Label>,
    /// All fences and comments.
    pub fences: Vec<Fence>,
    /// The offset after BOM and front matter.
    pub body_start: usize,
}

impl Outline {
    /// Returns the fence or comment that holds the byte at `offset`, also on the lines that open and close it.
    pub fn fence_at(&self, offset: usize) -> Option<&Fence> {
        let next = self.fences.partition_point(|fence| fence.extent.end() <= offset);
        self.fences.get(next).filter(|fence| fence.extent.contains(offset))
    }

    /// Reports whether the byte at `offset` lies in a code fence, not in a comment.
    pub(crate) fn is_code(&self, offset: usize) -> bool {
        self.fence_at(offset).is_some_and(|fence| !fence.is_comment)
    }

    /// Reports whether the byte at `offset` lies in a fence or a comment.
    pub fn is_fenced(&self, offset: usize) -> bool {
        self.fence_at(offset).is_some()
    }
}
