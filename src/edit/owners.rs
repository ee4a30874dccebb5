//! [`Owners`]: for each line, the innermost heading, block line, label, bullet, fence, slot or front matter that it
//! belongs to.

use std::borrow::Cow;

use crate::document::{Block, Fence, Kind, Label, MemoryDoc, NodeRef, Section, SectionRef, is_key_line, stands_apart};
use crate::text::{Line, Span, is_blank, normal_name};

/// The kind of an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum OwnerKind {
    FrontMatter,
    /// A key of the front matter. Nested lines belong to it.
    Slot,
    Fence,
    Bullet,
    Label,
    Block,
    Section,
}

/// A line that owns others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    pub(crate) kind: OwnerKind,
    /// The index of the line, from 0.
    pub(crate) line: usize,
}

/// One line of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    owner: Option<Owner>,
    /// The kind of owner that begins on the line.
    head: Option<OwnerKind>,
    is_blank: bool,
}

/// The owners of the lines of a document.
///
/// A line that begins a section, a bullet or another owner is a *head*. The owner of a head is the next owner around
/// it. A blank line outside of fences has no owner. Only sections extend beyond the next heading, so the table can be
/// built for some sections only.
#[derive(Clone, Debug)]
pub(crate) struct Owners<'d> {
    pub(super) doc: &'d MemoryDoc,
    // Invariant: ascending, disjoint.
    parts: Vec<TablePart>,
}

/// A part of the table: the lines of whole sections, each up to the next heading.
#[derive(Clone, Debug)]
struct TablePart {
    /// The span of the lines.
    span: Span,
    /// The index of the first line.
    first: usize,
    rows: Vec<Row>,
}

impl<'d> Owners<'d> {
    /// Reads the owners of all lines.
    pub(crate) fn of(doc: &'d MemoryDoc) -> Self {
        Self::around(doc, [doc.span()])
    }

    /// Reads the owners of the lines of all sections that these spans touch, each up to the next heading. The spans are
    /// ascending, and no two touch the same section.
    pub(crate) fn around(doc: &'d MemoryDoc, spans: impl IntoIterator<Item = Span>) -> Self {
        Self { doc, parts: spans.into_iter().map(|span| TablePart::around(doc, span)).collect() }
    }

    /// Returns a section as an owner.
    pub(crate) fn of_section(section: SectionRef<'_>) -> Owner {
        Owner { kind: OwnerKind::Section, line: section.line_index() }
    }

    /// Iterates over the indexes of the lines that were read.
    pub(crate) fn read(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.parts.iter().flat_map(|part| part.first..part.first + part.rows.len())
    }

    /// Iterates over the sections after the first part whose headings were not read.
    pub(crate) fn other_sections(&self) -> impl Iterator<Item = SectionRef<'d>> {
        let ends = self.parts.iter().map(|part| part.span.end());
        let starts = self.parts.iter().skip(1).map(|part| part.span.start()).chain([self.doc.text().len()]);
        ends.zip(starts).flat_map(|(end, start)| NodeRef::within(self.doc, Span::new(end, start)))
    }

    /// Returns the number of lines of the document.
    pub(crate) fn len(&self) -> usize {
        self.doc.lines().len()
    }

    /// Returns the row of a line. If the table lacks the line, its section is read.
    fn row(&self, line: usize) -> Row {
        let part = self.parts.partition_point(|part| part.first <= line).checked_sub(1);
        let row = part.and_then(|part| self.parts.get(part)?.row(line)).or_else(|| {
            let span = self.doc.lines().span(&(line..line + 1));
            (line < self.len()).then(|| TablePart::around(self.doc, span))?.row(line)
        });
        row.unwrap_or(Row { owner: None, head: None, is_blank: true })
    }

    /// Returns the owner of a line.
    pub(crate) fn owner(&self, line: usize) -> Option<Owner> {
        self.row(line).owner
    }

    /// Returns the kind of owner that begins on a line.
    pub(crate) fn head(&self, line: usize) -> Option<OwnerKind> {
        self.row(line).head
    }

    /// Reports whether a line is blank and not in a fence.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        self.row(line).is_blank
    }

    /// Reports whether a line is prose: it is no head, and is not part of a bullet, fence or front matter.
    pub(crate) fn is_prose(&self, line: usize) -> bool {
        let is_inside = |owner: Owner| matches!(owner.kind, OwnerKind::Label | OwnerKind::Block | OwnerKind::Section);
        !self.is_blank(line) && self.head(line).is_none() && self.owner(line).is_none_or(is_inside)
    }

    /// Reports whether a line is text directly below the text of a bullet that does not own it. Markdown shows such a
    /// line as part of the bullet. A label counts only if nothing in it, such as a colon at its end, tells it from text.
    pub(crate) fn is_below_bullet(&self, line: usize) -> bool {
        let is_text = |head| head == OwnerKind::Label && !stands_apart(self.doc.line_text(line));
        let Some(above) = line.checked_sub(1).filter(|_| self.head(line).is_none_or(is_text)) else { return false };
        let begun = self.head(above).map(|kind| Owner { kind, line: above });
        let bullet = begun.or_else(|| self.owner(above)).filter(|owner| owner.kind == OwnerKind::Bullet);
        let is_of_other = bullet.is_some_and(|bullet| self.owner(line).is_none_or(|owner| owner.line != bullet.line));
        is_of_other && !self.is_blank(line) && !is_thematic_break(self.doc.line_text(line))
    }

    /// Returns the owner of an owner. For a fence right after a marker, that is the bullet on the same line.
    pub(crate) fn around_owner(&self, owner: Owner) -> Option<Owner> {
        let is_behind_marker = owner.kind == OwnerKind::Fence && self.head(owner.line) == Some(OwnerKind::Bullet);
        if is_behind_marker { Some(Owner { kind: OwnerKind::Bullet, ..owner }) } else { self.owner(owner.line) }
    }

    /// Iterates over the owner of a line, the owner of that owner, and so on to the top.
    pub(crate) fn chain(&self, line: usize) -> impl Iterator<Item = Owner> + '_ {
        std::iter::successors(self.owner(line), |owner| self.around_owner(*owner))
    }
}

impl TablePart {
    /// Reads the lines of the sections that a span touches, in one pass over lines and nodes.
    fn around(doc: &MemoryDoc, span: Span) -> Self {
        let (text, lines) = (doc.text(), doc.lines());
        let section = doc.section_at(span.start());
        let start = section.map_or(0, |section| section.line.start());
        let behind = Section::before(doc.outline(), span.end().max(start + 1));
        let last = doc.outline().sections.get(behind).map_or(lines.len(), |next| lines.index_at(next.line.start()));
        let first = lines.index_at(start);
        let span = Span::new(start, lines.start(last).max(start));
        let mut nodes = nodes_within(doc, span).into_iter().peekable();
        // The owners around the current line, innermost last, each with the offset at which it ends.
        let around = section.into_iter().flat_map(|section| section.ancestors().skip(1));
        let mut open: Vec<(usize, Owner)> =
            around.map(|section| (section.extent.end(), Owners::of_section(section))).collect();
        open.reverse();
        // The last key of the front matter.
        let mut key = None;
        let after_bom = doc.without_bom(doc.span()).start();
        let mut rows = Vec::with_capacity(last.saturating_sub(first));
        for index in first..last {
            let (at, line_end) = (lines.start(index).max(after_bom), lines.start(index + 1));
            while open.pop_if(|(end, _)| *end <= at).is_some() {}
            let (end, owner) = open.last().copied().unzip();
            let kind = owner.map(|owner| owner.kind);
            let line = text.get(at..line_end).unwrap_or_default();
            let is_blank = is_blank(line) && kind != Some(OwnerKind::Fence);
            let mut row = Row { owner: owner.filter(|_| !is_blank), head: None, is_blank };
            if kind == Some(OwnerKind::FrontMatter) && !is_blank {
                let line = Line::of(text, Span::new(at, line_end)).text.of(text);
                if is_key_line(line) {
                    row.head = Some(OwnerKind::Slot);
                    key = Some(Owner { kind: OwnerKind::Slot, line: index });
                } else if line.starts_with([' ', '\t', '-']) && end != Some(line_end) {
                    row.owner = key.or(owner);
                }
            }
            while let Some((kind, extent)) = nodes.next_if(|(_, extent)| extent.start() == at) {
                row.head.get_or_insert(kind);
                open.push((extent.end(), Owner { kind, line: index }));
            }
            rows.push(row);
        }
        Self { span, first, rows }
    }

    fn row(&self, line: usize) -> Option<Row> {
        self.rows.get(line.checked_sub(self.first)?).copied()
    }
}

impl Owner {
    /// Returns the name of an owner: a section's title, a block's ID (also of a section with an ID), a bullet's
    /// content, a label's name or a slot's key. A fence and front matter have the empty name.
    pub(crate) fn name(self, doc: &MemoryDoc) -> Cow<'_, str> {
        let at = doc.line_start(self.line);
        let name = match self.kind {
            OwnerKind::Section => doc.section_at(at).map(|section| match section.block() {
                Some(block) => block.id().into(),
                None => normal_name(section.title()).into(),
            }),
            OwnerKind::Block => doc.block_at(at).map(|block| block.id().into()),
            OwnerKind::Bullet => doc.bullet_at(at).map(|bullet| bullet.folded_content()),
            OwnerKind::Label => doc.label_at(at).map(|label| normal_name(label.name()).into()),
            OwnerKind::Slot => doc.line_text(self.line).split(':').next().map(|key| normal_name(key).into()),
            OwnerKind::Fence | OwnerKind::FrontMatter => None,
        };
        name.unwrap_or_default()
    }
}

/// Reports whether a line of prose is a thematic break of CommonMark, which ends the paragraph above it.
fn is_thematic_break(line: &str) -> bool {
    let line = line.trim_end();
    line.len() >= 3 && ['-', '*', '_'].into_iter().any(|sign| line.chars().all(|c| c == sign))
}

/// Returns the kinds and extents of the nodes that start inside a span, in document order. If two start on one line,
/// the outer one comes first. Nodes nest properly.
fn nodes_within(doc: &MemoryDoc, span: Span) -> Vec<(OwnerKind, Span)> {
    let outline = doc.outline();
    let front_matter = outline.front_matter.filter(|front| span.contains(front.start()));
    let mut nodes: Vec<_> = front_matter.map(|extent| (OwnerKind::FrontMatter, extent)).into_iter().collect();
    nodes.extend(Section::within(outline, span).iter().map(|section| (OwnerKind::Section, section.extent)));
    // A heading with an ID is also a block, but its lines belong to the section.
    let blocks = Block::within(outline, span).iter().filter(|block| !block.is_section);
    nodes.extend(blocks.map(|block| (OwnerKind::Block, block.extent)));
    nodes.extend(Label::within(outline, span).iter().map(|label| (OwnerKind::Label, label.extent)));
    nodes.extend(doc.bullets_within(span).map(|bullet| (OwnerKind::Bullet, bullet.extent)));
    // Fences come last: if one begins after a marker, its line is the head of the bullet.
    nodes.extend(Fence::within(outline, span).iter().map(|fence| (OwnerKind::Fence, fence.extent)));
    nodes.sort_by_key(|(_, extent)| extent.start());
    nodes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    const LINES: [&str; 20] = [
        "# A",
        "## B",
        "### C (ID: c)",
        "M: (ID: m)",
        "Anna:",
        "Bob",
        "  indented",
        "- a",
        "  - b",
        "    - c",
        "- ```",
        "  goes on",
        "1. one",
        "",
        "```",
        "  ```",
        "<!-- note",
        "-->",
        "---",
        "key: v",
    ];

    /// Looks the owner of a line up, node by node.
    fn looked_up(doc: &MemoryDoc, line: usize) -> Option<Owner> {
        let (at, index_at) = (doc.line_start(line), |at: usize| doc.line_index(at));
        let outline = doc.outline();
        let is_inside_fence = outline.fence_at(at).is_some_and(|fence| fence.extent.start() < at);
        if is_blank(doc.line(line).text.of(doc.text())) && !is_inside_fence {
            return None;
        }
        if let Some(front) = outline.front_matter.filter(|front| front.contains(at)) {
            let text = |line: usize| doc.line_text(line);
            let is_nested = text(line).starts_with([' ', '-']) && index_at(front.end() - 1) != line;
            let key = (0..line).rev().find(|line| is_key_line(text(*line))).filter(|_| is_nested);
            let slot = key.map(|line| Owner { kind: OwnerKind::Slot, line });
            return (line > 0).then(|| slot.unwrap_or(Owner { kind: OwnerKind::FrontMatter, line: 0 }));
        }
        if let Some(fence) = outline.fence_at(at).filter(|fence| fence.extent.start() < at) {
            return Some(Owner { kind: OwnerKind::Fence, line: index_at(fence.extent.start()) });
        }
        let section = doc.sections().filter(|node| node.extent.contains(at) && node.line.start() != at);
        let block = doc.blocks().filter(|node| node.extent.contains(at) && node.line.start() != at && !node.is_section);
        let label = doc.labels().filter(|node| node.extent.contains(at) && node.line.start() != at);
        let bullet = doc.bullets().filter(|node| node.extent.contains(at) && node.line.start() != at);
        let starts = [
            (OwnerKind::Section, section.map(|node| node.line.start()).next_back()),
            (OwnerKind::Block, block.map(|node| node.line.start()).next_back()),
            (OwnerKind::Label, label.map(|node| node.line.start()).next_back()),
            (OwnerKind::Bullet, bullet.map(|node| node.line.start()).next_back()),
        ];
        let begins = |kind: OwnerKind| Owners::of(doc).head(line) == Some(kind);
        let is_outer =
            |kind: &OwnerKind| !((begins(OwnerKind::Block) || begins(OwnerKind::Label)) && *kind != OwnerKind::Section);
        let owners = starts.into_iter().filter(|(kind, _)| is_outer(kind));
        let owners = owners.filter_map(|(kind, start)| Some(Owner { kind, line: index_at(start?) }));
        owners.max_by_key(|owner| owner.line)
    }

    proptest! {
        #[test]
        fn the_table_says_of_each_line_what_is_looked_up(
            lines in prop::collection::vec(select(&LINES[..]), 0..14),
            mark in select(vec!["", "\u{FEFF}"]),
        ) {
            let doc = MemoryDoc::parse([mark, &lines.join("\n")].concat());
            let owners = Owners::of(&doc);
            for line in 0..owners.len() {
                prop_assert_eq!(owners.owner(line), looked_up(&doc, line), "line {} of {:?}", line + 1, doc.text());
            }
        }
    }
}
