//! Sections: how one is written, removed, renamed and moved (SPEC § 7.5).
//!
//! Sections are set apart by one blank line. The blank lines behind a section are separators: they stay where they are when
//! a section moves, and those of a reserved section belong to it.

use super::super::{EditBuilder, Promise};
use super::ending::last_ending_before;
use super::lines::{before_trailing_blanks, insert_lines};
use crate::document::{MemoryDoc, SectionId};
use crate::text::{Lines, Span, is_blank};

/// A place among the sections of one parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before this section.
    Before(SectionId),
    /// After this section, with its subsections.
    After(SectionId),
    /// Where new sections go.
    End,
}

/// Returns the level and the parent that a new section at `place` has.
///
/// At the end that is the level of the last section right below a lone level-1 heading, else of the last top-level section,
/// else 2.
pub(crate) fn level_at(doc: &MemoryDoc, place: Place) -> (u8, Option<SectionId>) {
    let outline = doc.outline();
    let like = |id: SectionId| outline.section(id).map(|section| (section.level, section.parent));
    if let Place::Before(id) | Place::After(id) = place {
        return like(id).unwrap_or((2, None));
    }
    let top: Vec<_> =
        outline.section_ids().filter(|id| like(*id).is_some_and(|(_, parent)| parent.is_none())).collect();
    match top.as_slice() {
        [] => (2, None),
        [title] if like(*title).is_some_and(|(level, _)| level == 1) => {
            let below = outline.section_ids().rfind(|id| like(*id).is_some_and(|(_, parent)| parent == Some(*title)));
            below.and_then(like).unwrap_or((2, Some(*title)))
        }
        [.., last] => like(*last).unwrap_or((2, None)),
    }
}

/// Writes a new section with its heading and `lines`.
pub(crate) fn add_section(
    doc: &MemoryDoc,
    title: &str,
    lines: &[String],
    (place, level): (Place, u8),
    (edit, part): (&mut EditBuilder, usize),
) {
    let at = match place {
        Place::Before(id) => doc.outline().section(id).map_or(0, |section| section.extent.start()),
        Place::After(id) => doc.outline().section(id).map_or(0, |section| section.extent.end()),
        Place::End => doc.text().len(),
    };
    let mut written: Vec<String> = Vec::new();
    if needs_blank_before(doc, at) {
        written.push(String::new());
    }
    written.push(format!("{} {title}", "#".repeat(level.into())));
    written.extend(lines.iter().cloned());
    let ends_blank = lines.last().is_some_and(|line| is_blank(line));
    if at < doc.text().len() && !ends_blank {
        written.push(String::new());
    }
    insert_lines(edit, part, (doc.text(), at), &written, Promise::Lines);
}

/// Removes sections with their subsections, each on behalf of its part, and the blank lines behind them; of the last, those
/// before it. Sections in a row go as one.
pub(crate) fn delete_sections(doc: &MemoryDoc, sections: &[(usize, SectionId)], edit: &mut EditBuilder) {
    let extents = sections.iter().filter_map(|(part, id)| Some((doc.outline().section(*id)?.extent, *part)));
    let mut extents: Vec<_> = extents.collect();
    extents.sort_unstable_by_key(|(extent, _)| extent.start());
    for row in extents.chunk_by(|(a, _), (b, _)| a.end() == b.start()) {
        let (Some((first, part)), Some((last, _))) = (row.first(), row.last()) else { continue };
        let is_last = last.end() == doc.text().len();
        let start = if is_last { before_blanks_above(doc, first.start()) } else { first.start() };
        edit.replace_for(*part, Span::new(start, last.end()), "", Promise::Lines);
    }
}

/// Gives a section another title.
pub(crate) fn rename_section(doc: &MemoryDoc, id: SectionId, title: &str, (edit, part): (&mut EditBuilder, usize)) {
    let Some(section) = doc.outline().section(id) else { return };
    // A heading without a title may have no space for one, before it or behind it.
    let before = Span::new(section.line.start(), section.title.start()).of(doc.text());
    let behind = Span::new(section.title.end(), section.line.end()).of(doc.text());
    let space = if before.ends_with('#') { " " } else { "" };
    let closing = if section.title.is_empty() && behind.starts_with(['#', '(']) { " " } else { "" };
    edit.replace_for(part, section.title, [space, title, closing].concat(), Promise::Inline);
}

/// Moves a section to the index `to`, from 0, among `siblings`, the sections of its parent in order.
///
/// The separators keep their places; only what stands between them changes it. A reserved section keeps its own.
pub(crate) fn move_section(
    doc: &MemoryDoc,
    siblings: &[SectionId],
    (from, to): (usize, usize),
    (edit, part): (&mut EditBuilder, usize),
) {
    // Only what stands between the two places changes.
    let (first, last) = (from.min(to), from.max(to));
    let Some(siblings) = siblings.get(first..=last) else { return };
    let range = Moved { doc, siblings, from: from - first, to: to - first };
    if siblings.iter().any(|id| is_reserved(doc, *id)) {
        range.around_reserved(edit, part);
    } else {
        range.plain(edit, part);
    }
}

/// Reports whether a section is reserved, or ends in one that is.
fn is_reserved(doc: &MemoryDoc, id: SectionId) -> bool {
    let end = doc.outline().section(id).map_or(0, |section| section.extent.end());
    doc.reserved_section_at(end.saturating_sub(1)).is_some()
}

/// A section that moves from the one end of `siblings` to the other.
struct Moved<'a> {
    doc: &'a MemoryDoc,
    siblings: &'a [SectionId],
    from: usize,
    to: usize,
}

impl Moved<'_> {
    /// Moves the section past others that are not reserved.
    fn plain(&self, edit: &mut EditBuilder, part: usize) {
        let text = self.doc.text();
        let cores: Vec<Span> = self.siblings.iter().map(|id| core(self.doc, *id)).collect();
        let gap = |after: usize| match (cores.get(after), cores.get(after + 1)) {
            (Some(before), Some(next)) => Span::new(before.end(), next.start()).of(text),
            _ => "",
        };
        let (from, to) = (self.from, self.to);
        let (Some(moved), Some(target)) = (cores.get(from), cores.get(to)) else { return };
        let ending = last_ending_before(text, moved.end()).as_str();
        let completion = if moved.of(text).ends_with('\n') { "" } else { ending };
        let body = [moved.of(text), completion].concat();
        if to < from {
            let Some(before) = from.checked_sub(1).and_then(|before| cores.get(before)) else { return };
            edit.replace_for(part, Span::at(target.start()), [&*body, gap(to)].concat(), Promise::Lines);
            (to..from - 1).for_each(|place| respace(&cores, place, (gap(place + 1), gap(place)), (edit, part)));
            edit.replace_for(part, Span::new(before.end(), moved.end()), "", Promise::Lines);
        } else {
            let Some(next) = cores.get(from + 1) else { return };
            edit.replace_for(part, Span::new(moved.start(), next.start()), "", Promise::Lines);
            (from + 1..to).for_each(|place| respace(&cores, place, (gap(place - 1), gap(place)), (edit, part)));
            let written = [gap(to - 1), &*body].concat();
            write_behind(self.doc, target.end(), (ending, &written), (edit, part));
        }
    }

    /// Moves the section past reserved ones: the others take the separators that are not theirs, in order.
    fn around_reserved(&self, edit: &mut EditBuilder, part: usize) {
        let text = self.doc.text();
        let cores: Vec<Span> = self.siblings.iter().map(|id| core(self.doc, *id)).collect();
        let extent = |id: SectionId| self.doc.outline().section(id).map_or(Span::at(0), |section| section.extent);
        let gaps: Vec<Span> =
            self.siblings.iter().zip(&cores).map(|(id, core)| Span::new(core.end(), extent(*id).end())).collect();
        let is_free = |index: &usize| self.siblings.get(*index).is_some_and(|id| !is_reserved(self.doc, *id));
        let mut order: Vec<usize> = (0..self.siblings.len()).collect();
        order.remove(self.from);
        order.insert(self.to, self.from);
        let (Some(moved), Some(own_gap)) = (cores.get(self.from), gaps.get(self.from)) else { return };
        let ending = last_ending_before(text, moved.end()).as_str();
        let mut separators = (0..self.siblings.len()).filter(is_free).filter_map(|index| gaps.get(index));
        let mut moved_separator = "";
        for index in order.into_iter().filter(is_free) {
            let (Some(core), Some(gap)) = (cores.get(index), gaps.get(index)) else { return };
            let wanted = separators.next().map_or("", |gap| gap.of(text));
            if index == self.from {
                moved_separator = wanted;
            } else if !core.of(text).ends_with('\n') {
                edit.append_for(part, gap.start(), ending, wanted, Promise::Lines);
            } else if gap.of(text) != wanted {
                edit.replace_for(part, *gap, wanted, Promise::Lines);
            }
        }
        let completion = if moved.of(text).ends_with('\n') { "" } else { ending };
        let body = [moved.of(text), completion, moved_separator].concat();
        edit.replace_for(part, Span::new(moved.start(), own_gap.end()), "", Promise::Lines);
        let upwards = cores.get(self.to).map(|core| core.start()).filter(|_| self.to < self.from);
        if let Some(place) = upwards.or_else(|| gaps.get(self.to).map(|gap| gap.end())) {
            write_behind(self.doc, place, (ending, &body), (edit, part));
        }
    }
}

/// Inserts whole lines at `at`, and completes the line before where that has no ending.
fn write_behind(doc: &MemoryDoc, at: usize, (ending, written): (&str, &str), (edit, part): (&mut EditBuilder, usize)) {
    if at > 0 && doc.text().as_bytes().get(at - 1) != Some(&b'\n') {
        edit.append_for(part, at, ending, written, Promise::Lines);
    } else {
        edit.replace_for(part, Span::at(at), written, Promise::Lines);
    }
}

/// Puts the separator `wanted` behind the sibling at `place`, where `there` stands.
fn respace(cores: &[Span], place: usize, (wanted, there): (&str, &str), (edit, part): (&mut EditBuilder, usize)) {
    if let (true, Some(before), Some(next)) = (wanted != there, cores.get(place), cores.get(place + 1)) {
        edit.replace_for(part, Span::new(before.end(), next.start()), wanted, Promise::Lines);
    }
}

/// Returns a section's extent without the blank lines behind it; a reserved section keeps them.
pub(super) fn core(doc: &MemoryDoc, id: SectionId) -> Span {
    let extent = doc.outline().section(id).map_or(Span::at(0), |section| section.extent);
    match doc.reserved_section_at(extent.end().saturating_sub(1)) {
        Some(_) => extent,
        None => Span::new(extent.start(), before_trailing_blanks(doc, extent)),
    }
}

/// Returns where the blank lines above the line at `at` begin, if they belong to no reserved section.
fn before_blanks_above(doc: &MemoryDoc, at: usize) -> usize {
    match at.checked_sub(1).and_then(|above| doc.reserved_section_at(above)) {
        Some(_) => at,
        None => before_trailing_blanks(doc, Span::new(doc.outline().body_start().min(at), at)),
    }
}

/// Reports whether a section written at `at` needs a blank line before it. One behind a reserved section would change that.
pub(super) fn needs_blank_before(doc: &MemoryDoc, at: usize) -> bool {
    let Some(above) = at.checked_sub(1).filter(|_| at > doc.outline().body_start()) else { return false };
    let line = crate::text::Line::holding(doc.text(), above);
    !is_blank(line.text.of(doc.text())) && doc.reserved_section_at(above).is_none()
}

/// Returns the lines below a section's heading, without the blank lines at their end.
pub(crate) fn body_lines(doc: &MemoryDoc, id: SectionId) -> Vec<&str> {
    let Some(section) = doc.outline().section(id) else { return Vec::new() };
    let end = before_trailing_blanks(doc, Span::new(section.body.start(), section.extent.end()));
    Lines::within(doc.text(), Span::new(section.body.start(), end)).map(|line| line.text.of(doc.text())).collect()
}
