//! The structure of a document: flat vectors of spans, in document order.

use crate::text::Span;

/// An ATX heading and what stands below it.
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
    /// How many bytes behind the start of the line the content starts. Checkbox and tags, between the marker and it,
    /// are parsed when they are asked for.
    pub(super) content_offset: u32,
    /// How many bullets this one is nested in.
    pub(super) depth: u32,
    /// How many bullets before this one the bullet starts that it is a child of; 0 if there is none.
    pub(super) parent_distance: u32,
}

impl Bullet {
    /// Returns where the content starts.
    pub(super) const fn content_start(&self) -> usize {
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

/// Text in which nothing is structure: code between fences, or an HTML comment that begins a line.
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
/// All vectors are in document order, so that everything inside a span is a range of each.
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
    /// Where the text behind BOM and front matter starts.
    pub body_start: usize,
}

impl Outline {
    /// Returns the fence or comment that the byte at `offset` lies in, the lines that open and
    /// close it included.
    pub fn fence_at(&self, offset: usize) -> Option<&Fence> {
        let next = self.fences.partition_point(|fence| fence.extent.end() <= offset);
        self.fences.get(next).filter(|fence| fence.extent.contains(offset))
    }

    /// Reports whether the byte at `offset` lies between fences of code, not in a comment.
    pub(crate) fn is_code(&self, offset: usize) -> bool {
        self.fence_at(offset).is_some_and(|fence| !fence.is_comment)
    }

    /// Reports whether the byte at `offset` lies in a fence or a comment.
    pub fn is_fenced(&self, offset: usize) -> bool {
        self.fence_at(offset).is_some()
    }
}
