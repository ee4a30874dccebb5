//! Sections: how one is written, removed and renamed.
//!
//! Sections are set apart by one blank line. A section that goes takes the blank lines behind it; the last of its parent, those
//! before it. Blank lines of a reserved section belong to it.

use std::cmp::Reverse;

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
}

impl Written {
    /// Returns the level of its heading.
    fn level(&self) -> usize {
        self.lines.first().map_or(0, |heading| heading.bytes().take_while(|byte| *byte == b'#').count())
    }
}

/// Writes sections, those at one place the deeper first and else in their order, and one blank line between neighbors; what stands in
/// `removed`, spans in order, is gone.
pub(crate) fn write_sections(doc: &MemoryDoc, mut sections: Vec<Written>, removed: &[Span], edit: &mut EditBuilder) {
    for section in &mut sections {
        let around = removed.iter().find(|span| span.start() < section.at && section.at < span.end());
        section.at = around.map_or(section.at, |span| span.end());
    }
    sections.sort_by_key(|section| (section.at, Reverse(section.level())));
    for row in sections.chunk_by(|a, b| a.at == b.at) {
        let mut needs_blank = row.first().is_some_and(|first| needs_blank_before(doc, above(removed, first.at)));
        for (nth, section) in row.iter().enumerate() {
            let mut lines = Vec::new();
            if needs_blank {
                lines.push(String::new());
            }
            lines.extend(section.lines.iter().cloned());
            if nth + 1 == row.len() && needs_blank_behind(doc, below(removed, section.at)) {
                lines.push(String::new());
            }
            edit.rank(section.part, section.at, section.level());
            edit.for_part(section.part).insert_lines(doc, section.at, &lines, Promise::Lines);
            needs_blank = true;
        }
    }
}

/// Removes sections with their subsections, each on behalf of its part, and the blank lines that go with them; those in a row
/// as one. Returns what is removed, in order.
pub(crate) fn delete_sections(sections: &[(usize, SectionRef<'_>)], edit: &mut EditBuilder) -> Vec<Span> {
    let mut sections = sections.to_vec();
    sections.sort_unstable_by_key(|(_, section)| *section);
    let mut removed = Vec::new();
    for row in sections.chunk_by(|(_, a), (_, b)| a.extent.end() == b.extent.start()) {
        let (Some((part, first)), Some((_, last))) = (row.first(), row.last()) else { continue };
        let (doc, start, end) = (first.doc(), first.extent.start(), last.extent.end());
        let gone = if end == doc.text().len() {
            Span::new(before_blanks_above(doc, start), end)
        } else if last.parent().is_some_and(|parent| parent.extent.end() == end) && !is_behind_reserved(doc, start) {
            Span::new(before_blanks_above(doc, start), extent_without_blanks(*last).end())
        } else {
            Span::new(start, end)
        };
        edit.for_part(*part).replace(gone, "", Promise::Lines);
        removed.push(gone);
    }
    removed
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

/// Returns a section's extent without the blank lines behind it; a reserved section keeps them.
pub(crate) fn extent_without_blanks(section: SectionRef<'_>) -> Span {
    let (doc, extent) = (section.doc(), section.extent);
    match doc.reserved_section_at(extent.end().saturating_sub(1)) {
        Some(_) => extent,
        None => Span::new(extent.start(), before_trailing_blanks(doc, extent)),
    }
}

/// Reports whether what stands above the line at `at` is reserved, the blank lines too: none may be taken from there, or left.
fn is_behind_reserved(doc: &MemoryDoc, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|above| doc.reserved_section_at(above).is_some())
}

/// Returns where the blank lines above the line at `at` begin, if they belong to no reserved section.
fn before_blanks_above(doc: &MemoryDoc, at: usize) -> usize {
    match is_behind_reserved(doc, at) {
        true => at,
        false => before_trailing_blanks(doc, Span::new(doc.outline().body_start().min(at), at)),
    }
}

/// Returns where what stands above `at` ends, and is not removed.
fn above(removed: &[Span], at: usize) -> usize {
    removed
        .iter()
        .rev()
        .filter(|span| !span.is_empty())
        .fold(at, |at, span| if span.end() == at { span.start() } else { at })
}

/// Returns where what stands below `at` begins, and is not removed.
fn below(removed: &[Span], at: usize) -> usize {
    removed.iter().filter(|span| !span.is_empty()).fold(at, |at, span| if span.start() == at { span.end() } else { at })
}

/// Reports whether a section written before what stands at `at` needs a blank line behind it.
fn needs_blank_behind(doc: &MemoryDoc, at: usize) -> bool {
    at < doc.text().len() && !is_blank(Line::holding(doc.text(), at).text.of(doc.text()))
}

/// Reports whether a section written at `at` needs a blank line before it. One behind a reserved section would change that.
fn needs_blank_before(doc: &MemoryDoc, at: usize) -> bool {
    let Some(above) = at.checked_sub(1).filter(|_| at > doc.outline().body_start()) else { return false };
    let line = Line::holding(doc.text(), above);
    !is_blank(line.text.of(doc.text())) && doc.reserved_section_at(above).is_none()
}

/// Returns the lines below a section's heading, without the blank lines at their end.
pub(crate) fn body_lines(section: SectionRef<'_>) -> impl Iterator<Item = &str> {
    let doc = section.doc();
    let end = before_trailing_blanks(doc, Span::new(section.body.start(), section.extent.end()));
    Lines::within(doc.text(), Span::new(section.body.start(), end)).map(|line| line.text.of(doc.text()))
}
