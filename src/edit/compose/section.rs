//! How sections, slots and blocks are written, changed and removed.
//!
//! If a section is removed, the blank lines after it are removed, too; one of them stays if there is none before the
//! section. If it is the last section of its parent or of the document, the blank lines before it are removed instead.
//! A new section gets a blank line on each side that has none.

use std::cmp::Reverse;
use std::ops::Range;

use super::{Item, Prefix, before_trailing_blanks, last_ending_before};
use crate::document::{BlockRef, DEEPEST_LEVEL, Kind, MemoryDoc, Section, SectionRef, Slot, heading};
use crate::edit::{EditBuilder, Promise};
use crate::locate::DocLines;
use crate::text::{Line, Span, is_blank};

/// A section to write.
#[derive(Clone, Debug)]
pub(crate) struct NewSection {
    /// The part of the request that writes it.
    pub(crate) part: usize,
    /// Where it is written: the start of a line, or the end of the text.
    pub(crate) at: usize,
    /// Its heading and the lines below it, without blank lines at the end.
    pub(crate) lines: Vec<String>,
    /// The promise of its splice: a note may hold any Markdown.
    pub(crate) promise: Promise,
}

/// Removes sections, with their subsections, and writes others. A section that moves is in both lists. If several
/// sections are written at one place, deeper ones come first, and those of one level keep their order.
pub(crate) fn arrange_sections(
    doc: &MemoryDoc,
    removed: &[(usize, SectionRef<'_>)],
    written: Vec<NewSection>,
    edit: &mut EditBuilder,
) {
    let removals = removed.iter().map(|(part, section)| {
        let lines = doc.line_range(extent_without_blanks(*section));
        SectionChange { part: *part, level: section.level.into(), lines, written: None }
    });
    let additions = written.into_iter().map(|written| {
        let at = doc.line_range(Span::new(0, written.at)).end;
        let level = written.lines.first().map_or(0, |heading| heading.bytes().take_while(|byte| *byte == b'#').count());
        SectionChange { part: written.part, level, lines: at..at, written: Some(written) }
    });
    let mut changes: Vec<SectionChange> = removals.chain(additions).collect();
    changes.sort_by_key(|change| (change.lines.start, Reverse(change.lines.end), Reverse(change.level)));
    let (lines, mut seams): (_, Vec<Seam<'_>>) = (DocLines::new(doc), Vec::new());
    for change in changes {
        match seams.last_mut().filter(|seam| change.lines.start <= seam.lines.end) {
            Some(seam) => {
                seam.lines.end = end_of_blanks(&lines, seam.lines.end.max(change.lines.end));
                seam.changes.push(change);
            }
            None => {
                let lines = lines.before_blanks(0, change.lines.start)..end_of_blanks(&lines, change.lines.end);
                seams.push(Seam { doc, lines, changes: vec![change] });
            }
        }
    }
    seams.iter().for_each(|seam| seam.write(edit));
}

/// A section that is removed or written.
struct SectionChange {
    part: usize,
    level: usize,
    /// The lines of a removed section, without the blank lines after it; the empty range at the place of a written one.
    lines: Range<usize>,
    /// `None` if the section is removed.
    written: Option<NewSection>,
}

/// A run of blank lines and removed sections, and the changes in it. Blank lines are decided for the whole run.
struct Seam<'a> {
    doc: &'a MemoryDoc,
    lines: Range<usize>,
    changes: Vec<SectionChange>,
}

impl Seam<'_> {
    /// Removes and writes the sections, with the right number of blank lines above and below them.
    fn write(&self, edit: &mut EditBuilder) {
        let (doc, Range { start, end }) = (self.doc, self.lines.clone());
        let at = doc.line_start(end);
        let written: Vec<&NewSection> = self.changes.iter().filter_map(|change| change.written.as_ref()).collect();
        let (first_removed, last) = (self.removed().next(), self.removed().map(|removed| removed.lines.end).max());
        // The blank lines above the first removed section, and those below the last one.
        let [above, below] = [first_removed.map_or(end, |first| first.lines.start) - start, end - last.unwrap_or(end)];
        let wanted = self.blanks_above(above, below);
        let mut missing = vec![""; wanted.saturating_sub(above)];
        if let Some(first) = first_removed {
            let span = Span::new(doc.line_start(start + wanted.min(above)), at);
            edit.for_part(first.part).replace(span, "", Promise::Lines);
            if written.is_empty() && !missing.is_empty() {
                edit.insert_lines(doc, at, &missing, Promise::Lines);
            }
        }
        for (nth, section) in written.iter().enumerate() {
            let needs_blank = nth + 1 < written.len() || end < doc.lines().len();
            let mut lines = std::mem::take(&mut missing);
            lines.extend(section.lines.iter().map(String::as_str).chain(needs_blank.then_some("")));
            edit.for_part(section.part).insert_lines(doc, at, &lines, section.promise);
        }
    }

    fn removed(&self) -> impl Iterator<Item = &SectionChange> {
        self.changes.iter().filter(|change| change.written.is_none())
    }

    /// Returns how many blank lines come, in the result, above the written sections or, if none is written, above what
    /// follows the removed ones. There are `above` before the first removed section and `below` after the last one.
    fn blanks_above(&self, above: usize, below: usize) -> usize {
        let (doc, Range { start, end }) = (self.doc, self.lines.clone());
        let is_last_of_parent = |removed: &SectionChange| {
            let next = doc.section_at(doc.line_start(end));
            next.is_some_and(|next| usize::from(next.level) < removed.level)
        };
        match self.removed().next() {
            None if start == 0 => above,
            Some(_) if start == 0 => 0,
            _ if self.changes.iter().any(|change| change.written.is_some()) => above.max(1),
            _ if end == doc.lines().len() => 0,
            Some(removed) if is_last_of_parent(removed) => below,
            // Right below a heading, no blank line is needed.
            _ if heading(doc.line_text(start - 1)).is_some() => above,
            _ => above.max(below.min(1)),
        }
    }
}

/// Returns the index of the first line, from `line` on, that is not blank.
fn end_of_blanks(lines: &DocLines<'_>, line: usize) -> usize {
    (line..lines.len()).find(|below| !lines.is_blank(*below)).unwrap_or(lines.len().max(line))
}

/// Gives a section another title.
pub(crate) fn rename_section(section: SectionRef<'_>, title: &str, edit: &mut EditBuilder) {
    let text = section.doc().text();
    // A heading without a title may lack the space before or after the place of the title.
    let before = Span::new(section.line.start(), section.title.start()).of(text);
    let behind = Span::new(section.title.end(), section.line.end()).of(text);
    let space = if before.ends_with('#') { " " } else { "" };
    let closing = if section.title.is_empty() && behind.starts_with(['#', '(']) { " " } else { "" };
    edit.replace(section.title, [space, title, closing].concat(), Promise::Text);
}

/// Returns a section's extent without the blank lines at its end.
pub(crate) fn extent_without_blanks(section: SectionRef<'_>) -> Span {
    Span::new(section.extent.start(), before_trailing_blanks(section.doc(), section.extent))
}

/// Returns the number, from 1, of the line of the first heading in `span` that would be too deep if all headings were
/// shifted `by` levels.
pub(crate) fn too_deep(doc: &MemoryDoc, span: Span, by: i16) -> Option<usize> {
    let is_too_deep = |section: &&Section| i16::from(section.level) + by > i16::from(DEEPEST_LEVEL);
    let first = Section::within(doc.outline(), span).iter().find(is_too_deep);
    first.map(|section| doc.line_number(section.line.start()))
}

/// Returns the lines of `span`, with headings that are `by` levels deeper.
pub(crate) fn with_headings_deeper(doc: &MemoryDoc, span: Span, by: i16) -> Vec<String> {
    let text = doc.text();
    let mut headings = Section::within(doc.outline(), span).iter().peekable();
    let line = |line: Line| {
        let content = line.text.of(text);
        let Some(section) = headings.next_if(|section| section.line.start() == line.full.start()) else {
            return content.to_owned();
        };
        let hashes = content.trim_start_matches(' ');
        let indentation = content.strip_suffix(hashes).unwrap_or_default();
        let rest = hashes.get(section.level.into()..).unwrap_or_default();
        let level = usize::try_from(i16::from(section.level) + by).unwrap_or(1);
        [indentation, &"#".repeat(level), rest].concat()
    };
    Line::all_within(text, span).map(line).collect()
}

/// A slot to write.
#[derive(Clone, Copy)]
pub(crate) struct NewSlot<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl NewSlot<'_> {
    /// Reports whether its line would be parsed as this name and this value.
    pub(crate) fn is_readable(&self) -> bool {
        let is_line = !self.name.contains(['\n', '\r']) && !self.value.contains(['\n', '\r']);
        let read = MemoryDoc::parse(format!("---\n{}\n---\n", self.line()));
        let is_same = |slot: &Slot| slot.name.of(read.text()) == self.name && slot.value.of(read.text()) == self.value;
        is_line && read.outline().slots.first().is_some_and(is_same)
    }

    fn line(&self) -> String {
        let space = if self.value.is_empty() { "" } else { " " };
        format!("{}:{space}{}", self.name, self.value)
    }

    /// Writes the slot at the end of the front matter. If there is none, creates it at the top.
    pub(crate) fn add(&self, doc: &MemoryDoc, edit: &mut EditBuilder) {
        let text = doc.text();
        if let Some(front) = doc.outline().front_matter {
            let closing = Line::all_within(text, front).last().map_or(front.end(), |line| line.full.start());
            edit.insert_lines(doc, closing, &[self.line()], Promise::Lines);
            return;
        }
        // Not `insert_lines`: after a BOM, it would complete the line before.
        let top = doc.outline().body_start;
        let ending = last_ending_before(doc, top);
        let written: String = ["---", &self.line(), "---"].iter().flat_map(|line| [line, ending]).collect();
        edit.replace(Span::at(top), written, Promise::Lines);
    }
}

/// Gives a slot another value; the rest of its line stays.
pub(crate) fn set_slot(doc: &MemoryDoc, slot: &Slot, value: &str, edit: &mut EditBuilder) {
    let colon = Span::new(slot.name.end(), slot.value.start()).of(doc.text());
    let space = if colon.ends_with(':') && !value.is_empty() { " " } else { "" };
    edit.replace(slot.value, [space, value].concat(), Promise::Text);
}

/// Removes the line of a slot. If it is the only line of the front matter, removes the front matter.
pub(crate) fn remove_slot(doc: &MemoryDoc, slot: &Slot, edit: &mut EditBuilder) {
    let front = doc.outline().front_matter.unwrap_or(slot.line);
    let mut inner = doc.line_range(front).skip(1).rev().skip(1);
    let is_alone = inner.all(|line| is_blank(doc.line_text(line)) || doc.line(line).full == slot.line);
    edit.replace(if is_alone { front } else { slot.line }, "", Promise::Lines);
}

/// A block to write at the end of a document.
#[derive(Clone, Debug)]
pub(crate) struct NewBlock {
    /// The part of the request that creates it.
    pub(crate) part: usize,
    pub(crate) title: String,
    pub(crate) id: String,
    pub(crate) items: Vec<Item>,
}

impl NewBlock {
    /// Reports whether its header would be parsed as this title and ID. A title that brings an ID of its own is none, nor is
    /// an ID with `ID:` before it.
    pub(crate) fn is_readable(&self) -> bool {
        let read = MemoryDoc::parse(self.header());
        let is_same = |block: BlockRef<'_>| block.title() == self.title && block.id() == self.id;
        let is_header = !self.header().contains(['\n', '\r']) && read.outline().sections.is_empty();
        let is_bare = MemoryDoc::parse(&*self.title).blocks().count() == 0 && !self.id.contains("ID:");
        is_header && is_bare && read.blocks().next().is_some_and(is_same)
    }

    fn header(&self) -> String {
        format!("{}: (ID: {})", self.title, self.id)
    }
}

/// Writes blocks at the end of a document, each after a blank line.
pub(crate) fn add_blocks(doc: &MemoryDoc, blocks: &[NewBlock], edit: &mut EditBuilder) {
    let end = doc.text().len();
    let last = end.checked_sub(1).map(|at| Line::holding(doc.text(), at).text.of(doc.text()));
    let mut needs_blank = last.is_some_and(|line| !is_blank(line)) && end > doc.outline().body_start;
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
