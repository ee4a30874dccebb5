//! Sections: how one is written, removed, moved and renamed, and how headings change their levels.
//!
//! A section goes with the blank lines behind it, but for one where none stood before it; the last
//! of its parent, and of the document, with those before it. Where one comes, a blank line is added
//! on each side that has none.

use std::cmp::Reverse;
use std::ops::Range;

use super::super::{EditBuilder, PartEdit, Promise};
use super::lines::before_trailing_blanks;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// A section that is written on behalf of a part of a request.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) part: usize,
    /// Where: the start of a line, or the end of the text.
    pub(crate) at: usize,
    /// Its heading and what stands below it, without blank lines at the end.
    pub(crate) lines: Vec<String>,
    /// What it promises: a note may hold any Markdown.
    pub(crate) promise: Promise,
}

impl Written {
    /// Returns the level of its heading.
    fn level(&self) -> usize {
        self.lines.first().map_or(0, |heading| heading.bytes().take_while(|byte| *byte == b'#').count())
    }
}

/// Removes sections with their subsections and writes others; one that moves is among both. Those
/// that are written at one place stand there the deepest first, else in their order.
pub(crate) fn arrange_sections(
    doc: &MemoryDoc,
    removed: &[(usize, SectionRef<'_>)],
    written: Vec<Written>,
    edit: &mut EditBuilder,
) {
    let mut arrangement = Arrangement { doc, gone: Vec::new(), written: Vec::new() };
    for (part, section) in removed {
        let level = section.level;
        arrangement.gone.push(Removed { part: *part, level, lines: doc.line_range(extent_without_blanks(*section)) });
    }
    arrangement.gone.sort_by_key(|gone| (gone.lines.start, Reverse(gone.lines.end)));
    let line_at = |at: usize| if at >= doc.text().len() { doc.lines().len() } else { doc.lines().index_at(at) };
    arrangement.written.extend(written.into_iter().map(|written| (line_at(written.at), written)));
    arrangement.written.sort_by_key(|(line, written)| (*line, Reverse(written.level())));
    for seam in arrangement.seams() {
        arrangement.write(&seam, edit);
    }
}

/// Sections that go and come in one document.
struct Arrangement<'a> {
    doc: &'a MemoryDoc,
    /// In document order.
    gone: Vec<Removed>,
    /// With the index of the line that each is written before, in that order.
    written: Vec<(usize, Written)>,
}

/// A section that goes, without the blank lines behind it.
struct Removed {
    part: usize,
    level: u8,
    lines: Range<usize>,
}

impl Arrangement<'_> {
    /// Returns the runs of lines, blank or of sections that go, in which something goes or comes.
    fn seams(&self) -> Vec<Range<usize>> {
        let gone = self.gone.iter().map(|gone| gone.lines.clone());
        let mut places: Vec<_> = gone.chain(self.written.iter().map(|(line, _)| *line..*line)).collect();
        places.sort_by_key(|place| (place.start, Reverse(place.end)));
        let mut seams: Vec<Range<usize>> = Vec::new();
        for place in places {
            if let Some(last) = seams.last_mut().filter(|last| place.start <= last.end) {
                last.end = self.end_of_blanks(last.end.max(place.end));
            } else {
                seams.push(self.start_of_blanks(place.start)..self.end_of_blanks(place.end));
            }
        }
        seams
    }

    fn is_blank(&self, line: usize) -> bool {
        let is_code = || self.doc.outline().is_fenced(self.doc.line_start(line));
        line < self.doc.lines().len() && is_blank(self.doc.line_text(line)) && !is_code()
    }

    fn start_of_blanks(&self, line: usize) -> usize {
        (0..line).rev().take_while(|above| self.is_blank(*above)).last().unwrap_or(line)
    }

    fn end_of_blanks(&self, line: usize) -> usize {
        (line..).find(|below| !self.is_blank(*below)).unwrap_or(line)
    }

    /// Writes what comes at a seam, with the blank lines that are kept before and behind it.
    fn write(&self, seam: &Range<usize>, edit: &mut EditBuilder) {
        let first_gone = self.gone.partition_point(|gone| gone.lines.start < seam.start);
        let first_come = self.written.partition_point(|(line, _)| *line < seam.start);
        let gone = self.gone.iter().skip(first_gone).take_while(|gone| gone.lines.start < seam.end);
        let come = self.written.iter().skip(first_come).take_while(|(line, _)| *line <= seam.end);
        let gone: Vec<&Removed> = gone.collect();
        let come: Vec<&Written> = come.map(|(_, written)| written).collect();
        let before = gone.first().map_or(seam.end, |first| first.lines.start) - seam.start;
        let behind = seam.end - gone.iter().map(|gone| gone.lines.end).max().unwrap_or(seam.end);
        let count = self.doc.lines().len();
        let is_last_of_parent = || {
            let below = self.doc.section_at(self.doc.line_start(seam.end));
            below.zip(gone.first()).is_some_and(|(below, gone)| below.level < gone.level)
        };
        let kept = match (gone.is_empty(), come.is_empty()) {
            _ if seam.start == 0 && gone.is_empty() => before,
            _ if seam.start == 0 => 0,
            (_, false) => before.max(1),
            _ if seam.end == count => 0,
            _ if is_last_of_parent() => behind,
            _ if self.is_heading(seam.start) => before,
            _ => before.max(behind.min(1)),
        };
        let removed = Span::new(self.offset(seam.start + kept.min(before)), self.offset(seam.end));
        if let Some(first) = gone.first() {
            edit.for_part(first.part).replace(removed, "", Promise::Lines);
        }
        let at = self.offset(seam.end);
        let first = come.first().map(|written| written.part).or(gone.first().map(|gone| gone.part)).unwrap_or_default();
        let mut blanks = vec![""; kept.saturating_sub(before)];
        if come.is_empty() && !blanks.is_empty() {
            edit.for_part(first).insert_lines(self.doc, at, &blanks, Promise::Lines);
        }
        let mut come = come.into_iter().peekable();
        while let Some(written) = come.next() {
            let needs_blank = come.peek().is_some() || seam.end < count;
            let mut lines = std::mem::take(&mut blanks);
            lines.extend(written.lines.iter().map(String::as_str).chain(needs_blank.then_some("")));
            edit.for_part(written.part).insert_lines(self.doc, at, &lines, written.promise);
        }
    }

    /// Returns true if a heading stands right above a line: what is below it need not be set apart.
    fn is_heading(&self, line: usize) -> bool {
        let above = self.offset(line).checked_sub(1);
        above
            .and_then(|above| self.doc.section_at(above))
            .is_some_and(|section| section.line.end() == self.offset(line))
    }

    fn offset(&self, line: usize) -> usize {
        if line < self.doc.lines().len() { self.doc.line_start(line) } else { self.doc.text().len() }
    }
}

/// Gives a section another title.
pub(crate) fn rename_section(section: SectionRef<'_>, title: &str, mut edit: PartEdit<'_>) {
    let text = section.doc().text();
    // A heading without a title may have no space for one, before it or behind it.
    let before = Span::new(section.line.start(), section.title.start()).of(text);
    let behind = Span::new(section.title.end(), section.line.end()).of(text);
    let space = if before.ends_with('#') { " " } else { "" };
    let closing = if section.title.is_empty() && behind.starts_with(['#', '(']) { " " } else { "" };
    edit.replace(section.title, [space, title, closing].concat(), Promise::Inline);
}

/// Returns a section's extent without the blank lines behind it.
pub(crate) fn extent_without_blanks(section: SectionRef<'_>) -> Span {
    Span::new(section.extent.start(), before_trailing_blanks(section.doc(), section.extent))
}

/// Returns the lines below a section's heading, without the blank lines at their end.
pub(crate) fn body_lines(section: SectionRef<'_>) -> impl Iterator<Item = &str> {
    let doc = section.doc();
    let end = before_trailing_blanks(doc, Span::new(section.body.start(), section.extent.end()));
    Lines::within(doc.text(), Span::new(section.body.start(), end)).map(|line| line.text.of(doc.text()))
}

/// The deepest level of a heading.
const DEEPEST: i16 = 6;

/// Returns the line, from 1, of the first heading in `span` that would be too deep if all were `by`
/// levels deeper.
pub(crate) fn too_deep(doc: &MemoryDoc, span: Span, by: i16) -> Option<usize> {
    let mut deep = doc.outline().headings_within(span).filter(|section| i16::from(section.level) + by > DEEPEST);
    deep.next().map(|section| doc.line_number(section.line.start()))
}

/// Returns the lines of `span`, headings `by` levels deeper.
pub(crate) fn with_headings_deeper(doc: &MemoryDoc, span: Span, by: i16) -> Vec<String> {
    let text = doc.text();
    let mut headings = doc.outline().headings_within(span).peekable();
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
    Lines::within(text, span).map(line).collect()
}
