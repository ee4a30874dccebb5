//! The owner of each line: the innermost heading, block line, label, bullet, fence, slot or front matter around it.

use crate::document::{MemoryDoc, Outline, is_key_line};
use crate::text::{Lines, Span, is_blank};

/// What kind of line owns another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum OwnerKind {
    FrontMatter,
    /// A key of the front matter.
    Slot,
    Fence,
    Bullet,
    Label,
    Block,
    Section,
}

/// A line that owns others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner {
    pub(crate) kind: OwnerKind,
    /// The index of the line, from 0.
    pub(crate) line: usize,
}

/// One line in the table.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    owner: Option<Owner>,
    head: Option<OwnerKind>,
    is_blank: bool,
}

/// The owners of all lines of a document.
///
/// A line that begins a section, a bullet or the like is a *head*: its owner is the next one out. A blank line
/// outside of fences has no owner.
#[derive(Clone, Debug)]
pub(crate) struct Owners {
    rows: Vec<Row>,
}

impl Owners {
    /// Reads the owners of all lines, in one pass over the lines and the nodes.
    pub(crate) fn of(doc: &MemoryDoc) -> Self {
        let mut reader = Reader::new(doc.outline());
        let mut rows = Vec::with_capacity(doc.lines().len());
        for (index, line) in Lines::of(doc.text()).enumerate() {
            let full = doc.without_mark(line.full);
            let place = Place { line: full, index };
            rows.push(reader.row(place, doc.without_mark(line.text).of(doc.text())));
        }
        Self { rows }
    }

    /// Returns the number of lines.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the owner of a line.
    pub(crate) fn owner(&self, line: usize) -> Option<Owner> {
        self.rows.get(line)?.owner
    }

    /// Returns what the line begins.
    pub(crate) fn head(&self, line: usize) -> Option<OwnerKind> {
        self.rows.get(line)?.head
    }

    /// Reports whether the line is blank, outside of fences.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        self.rows.get(line).is_none_or(|row| row.is_blank)
    }

    /// Reports whether the line is prose: it begins nothing, and goes on with no bullet, fence or front matter.
    pub(crate) fn is_prose(&self, line: usize) -> bool {
        let is_inside = |owner: Owner| matches!(owner.kind, OwnerKind::Label | OwnerKind::Block | OwnerKind::Section);
        !self.is_blank(line) && self.head(line).is_none() && self.owner(line).is_none_or(is_inside)
    }

    /// Iterates over the owner of a line, the owner of that one, and so on to the top.
    #[allow(dead_code, reason = "the merge of lines compares chains")]
    pub(crate) fn chain(&self, line: usize) -> impl Iterator<Item = Owner> + '_ {
        std::iter::successors(self.owner(line), |owner| self.owner(owner.line))
    }
}

/// A line that is about to be read.
#[derive(Clone, Copy)]
struct Place {
    line: Span,
    index: usize,
}

/// A node that is open at the line which is read: where it ends, and its owner entry.
#[derive(Clone, Copy)]
struct Open {
    end: usize,
    owner: Owner,
}

/// Walks over the nodes of an outline line by line.
struct Reader<'d> {
    outline: &'d Outline,
    /// The last key of the front matter.
    key: Option<Owner>,
    next_fence: usize,
    next_bullet: usize,
    next_label: usize,
    next_block: usize,
    next_section: usize,
    front: Option<Open>,
    fence: Option<Open>,
    bullets: Vec<Open>,
    /// The label or block that the line stands below.
    group: Option<Open>,
    /// The sections that the line stands in, innermost last, each with its level.
    sections: Vec<(u8, Owner)>,
}

impl<'d> Reader<'d> {
    const fn new(outline: &'d Outline) -> Self {
        Self {
            outline,
            key: None,
            next_fence: 0,
            next_bullet: 0,
            next_label: 0,
            next_block: 0,
            next_section: 0,
            front: None,
            fence: None,
            bullets: Vec::new(),
            group: None,
            sections: Vec::new(),
        }
    }

    /// Returns the row of the next line.
    fn row(&mut self, place: Place, text: &str) -> Row {
        let at = place.line.start();
        if let Some(row) = self.front_matter(place, text) {
            return row;
        }
        if let Some(fence) = self.fence.filter(|fence| at < fence.end) {
            return Row { owner: Some(fence.owner), head: None, is_blank: false };
        }
        self.fence = None;
        while self.bullets.last().is_some_and(|bullet| bullet.end <= at) {
            self.bullets.pop();
        }
        if self.group.is_some_and(|group| group.end <= at) {
            self.group = None;
        }
        if is_blank(text) {
            return Row { owner: None, head: None, is_blank: true };
        }
        let head = self.section(place).or_else(|| self.group(place)).or_else(|| self.bullet(place));
        let fence = self.fence(place);
        head.or(fence).unwrap_or_else(|| Row { owner: self.around(), head: None, is_blank: false })
    }

    /// Returns the innermost bullet, label, block or section that is open.
    fn around(&self) -> Option<Owner> {
        let open = self.bullets.last().copied().or(self.group);
        open.map(|open| open.owner).or_else(|| self.sections.last().map(|(_, owner)| *owner))
    }

    /// Reads a line of the front matter: a key owns what is indented below it, and the items of its list.
    fn front_matter(&mut self, place: Place, text: &str) -> Option<Row> {
        if place.index == 0 {
            let owner = Owner { kind: OwnerKind::FrontMatter, line: 0 };
            self.front = self.outline.front_matter().map(|front| Open { end: front.end(), owner });
            return self.front.map(|_| Row { owner: None, head: Some(OwnerKind::FrontMatter), is_blank: false });
        }
        let front = self.front.filter(|front| place.line.start() < front.end)?;
        if is_key_line(text) {
            self.key = Some(Owner { kind: OwnerKind::Slot, line: place.index });
            return Some(Row { owner: Some(front.owner), head: Some(OwnerKind::Slot), is_blank: false });
        }
        let is_nested = text.starts_with([' ', '\t', '-']) && place.line.end() != front.end && !is_blank(text);
        let owner = self.key.filter(|_| is_nested).unwrap_or(front.owner);
        Some(Row { owner: Some(owner), head: None, is_blank: is_blank(text) })
    }

    fn section(&mut self, place: Place) -> Option<Row> {
        let section = self.outline.sections().get(self.next_section)?;
        if section.line.start() != place.line.start() {
            return None;
        }
        self.next_section += 1;
        // A heading with an ID is a block, too: the section owns its lines.
        if self.outline.blocks().get(self.next_block).is_some_and(|block| block.line.start() == place.line.start()) {
            self.next_block += 1;
        }
        while self.sections.last().is_some_and(|(level, _)| *level >= section.level) {
            self.sections.pop();
        }
        let owner = self.sections.last().map(|(_, owner)| *owner);
        self.sections.push((section.level, Owner { kind: OwnerKind::Section, line: place.index }));
        self.group = None;
        self.bullets.clear();
        Some(Row { owner, head: Some(OwnerKind::Section), is_blank: false })
    }

    /// Reads a block line or a label.
    fn group(&mut self, place: Place) -> Option<Row> {
        let starts = |span: Span| span.start() == place.line.start();
        let block = self.outline.blocks().get(self.next_block).filter(|block| starts(block.line));
        let label = self.outline.labels().get(self.next_label).filter(|label| starts(label.line));
        let (kind, end) = match (block, label) {
            (Some(block), _) => (OwnerKind::Block, block.extent.end()),
            (None, Some(label)) => (OwnerKind::Label, label.extent.end()),
            (None, None) => return None,
        };
        match kind {
            OwnerKind::Block => self.next_block += 1,
            _ => self.next_label += 1,
        }
        self.bullets.clear();
        self.group = Some(Open { end, owner: Owner { kind, line: place.index } });
        let owner = self.sections.last().map(|(_, owner)| *owner);
        Some(Row { owner, head: Some(kind), is_blank: false })
    }

    fn bullet(&mut self, place: Place) -> Option<Row> {
        let bullet = self.outline.bullets().get(self.next_bullet)?;
        if bullet.line.start() != place.line.start() {
            return None;
        }
        self.next_bullet += 1;
        let owner = self.around();
        let own = Owner { kind: OwnerKind::Bullet, line: place.index };
        self.bullets.push(Open { end: bullet.extent.end(), owner: own });
        Some(Row { owner, head: Some(OwnerKind::Bullet), is_blank: false })
    }

    /// Opens the fence that begins on the line, and returns the row of its first line.
    fn fence(&mut self, place: Place) -> Option<Row> {
        let fence = self.outline.fences().get(self.next_fence)?;
        if fence.extent.start() != place.line.start() {
            return None;
        }
        self.next_fence += 1;
        // Behind a marker, the line that begins the fence is the bullet's.
        let owner = Owner { kind: OwnerKind::Fence, line: place.index };
        self.fence = Some(Open { end: fence.extent.end(), owner });
        Some(Row { owner: self.around(), head: Some(OwnerKind::Fence), is_blank: false })
    }
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
        let (at, index_at) = (doc.line_start(line), |at: usize| doc.lines().index_at(at));
        let outline = doc.outline();
        if let Some(front) = outline.front_matter().filter(|front| front.contains(at)) {
            let text = |line: usize| doc.without_mark(doc.lines().line(doc.text(), line).text).of(doc.text());
            let is_nested = text(line).starts_with([' ', '-']) && index_at(front.end() - 1) != line;
            let key = (0..line).rev().find(|line| is_key_line(text(*line))).filter(|_| is_nested);
            let slot = key.map(|line| Owner { kind: OwnerKind::Slot, line });
            return (line > 0).then(|| slot.unwrap_or(Owner { kind: OwnerKind::FrontMatter, line: 0 }));
        }
        if let Some(fence) = outline.fence_at(at).filter(|fence| fence.extent.start() < at) {
            return Some(Owner { kind: OwnerKind::Fence, line: index_at(fence.extent.start()) });
        }
        if is_blank(doc.lines().line(doc.text(), line).text.of(doc.text())) {
            return None;
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
