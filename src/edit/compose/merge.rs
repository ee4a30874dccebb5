//! Merging: how what stands below one heading is written below another.
//!
//! The source's lines go behind the target's body, its subsections behind the target's own. Of a target that ends in a block, what
//! stands before the source's blocks goes before the first block line. They are text that is moved: each
//! must be read as what it was, or nothing is written. Bullets that the target has already are left out, unless that alone
//! would make something else of the others.

use std::collections::{HashMap, HashSet};

use super::super::{Edit, EditBuilder, Promise, made};
use super::lines::before_trailing_blanks;
use super::numbering::{Numbering, number_of};
use super::reading::{Numbers, Reading, readings};
use super::{
    Written, append_point, are_siblings, delete_sections, extent_without_blanks, with_headings_deeper, write_sections,
};
use crate::document::{BulletRef, MemoryDoc, SectionRef, bullet_start};
use crate::locate::Scope;
use crate::text::{Line, Lines, Span, Tally, is_blank};

/// Two sections, of which the one goes into the other.
pub(crate) struct Merge<'a> {
    doc: &'a MemoryDoc,
    source: SectionRef<'a>,
    target: SectionRef<'a>,
    /// Top-level bullets of the source's body that are not written.
    dropped: HashSet<BulletRef<'a>>,
}

/// A merge that is written.
pub(crate) struct Merged<'a> {
    pub(crate) edit: Edit,
    /// The bullets that are not written, in order.
    pub(crate) dropped: Vec<BulletRef<'a>>,
}

/// The numbers of a line that would be part of something which the target ends in, and of the line on which that stands.
#[derive(Clone, Copy)]
pub(crate) struct TakenIn {
    pub(crate) line: usize,
    pub(crate) of: usize,
}

impl<'a> Merge<'a> {
    /// Merges `source` into `target`, which is not inside it.
    pub(crate) fn new(source: SectionRef<'a>, target: SectionRef<'a>) -> Self {
        Self { doc: source.doc(), source, target, dropped: HashSet::new() }
    }

    /// Writes the merge without the bullets `duplicates`, if that can be, else with them.
    ///
    /// # Errors
    ///
    /// What moves would mean something else behind the target.
    pub(crate) fn write(mut self, duplicates: Vec<BulletRef<'a>>) -> Result<Merged<'a>, TakenIn> {
        self.dropped = duplicates.iter().copied().collect();
        match self.written() {
            Ok(edit) => Ok(Merged { edit, dropped: duplicates }),
            Err(taken_in) if duplicates.is_empty() => Err(taken_in),
            Err(_) => Self { dropped: HashSet::new(), ..self }.write(Vec::new()),
        }
    }

    fn written(&self) -> Result<Edit, TakenIn> {
        let doc = self.doc;
        let mut edit = EditBuilder::new(doc);
        self.compose(&mut edit);
        let edit = edit.finish().map_err(|_| self.taken_in(self.source.line))?;
        let new = made(doc, &edit);
        let mut numbers = Numbers::default();
        let mut there: Tally<Reading<'_>> = readings(&new, None, &mut numbers).map(|(_, reading)| reading).collect();
        let is_source = |line: &Line| self.source.extent.contains(line.full.start());
        let (source, others): (Vec<_>, Vec<_>) =
            readings(doc, Some((self.source, self.target)), &mut numbers).partition(|(line, _)| is_source(line));
        // What becomes of the others, the guard sees.
        for (_, reading) in &others {
            there.take(reading);
        }
        let mut moved = source.iter().skip(1).filter(|(line, _)| !self.is_dropped(*line));
        moved.find(|(_, reading)| !there.take(reading)).map_or(Ok(edit), |(line, _)| Err(self.taken_in(line.text)))
    }

    fn taken_in(&self, line: Span) -> TakenIn {
        let doc = self.doc;
        let last = match self.source.body.contains(line.start()) {
            true => self.last_of_target().map_or(self.point().saturating_sub(1), |last| last.line.start()),
            false => {
                let end = extent_without_blanks(self.target).end().saturating_sub(1);
                doc.section_at(end).map_or(end, |last| last.line.start())
            }
        };
        TakenIn { line: doc.line_number(line.start()), of: doc.line_number(last) }
    }

    fn compose(&self, edit: &mut EditBuilder) {
        let markers = self.markers();
        for (piece, point) in self.pieces() {
            let mut written = self.lines_of(piece, &markers);
            if !written.is_empty() && self.needs_blank(point, &written) {
                written.insert(0, String::new());
            }
            if !written.is_empty() {
                edit.for_part(0).insert_lines(self.doc, point, &written, Promise::Lines);
            }
        }
        let (source, target) = (self.source.extent, self.target.extent);
        let subsections = Span::new(self.source.body.end(), source.end());
        let deeper = i16::from(self.target.level) - i16::from(self.source.level);
        if !subsections.is_empty() && target.covers(source) && target.end() == source.end() {
            // They end the target already, with what separates them from what follows.
            let lines = with_headings_deeper(self.doc, subsections, deeper);
            let text: String = lines.iter().flat_map(|(line, ending)| [line.as_str(), ending.as_str()]).collect();
            edit.for_part(0).replace(source, text, Promise::Lines);
            return;
        }
        let removed = delete_sections(&[(0, self.source)], edit);
        let end = before_trailing_blanks(self.doc, subsections);
        let lines = with_headings_deeper(self.doc, Span::new(subsections.start(), end), deeper);
        let lines: Vec<_> = lines.into_iter().map(|(line, _)| line).collect();
        if !lines.is_empty() {
            let at = extent_without_blanks(self.target).end();
            write_sections(self.doc, vec![Written { part: 0, at, lines }], &removed, edit);
        }
    }

    /// Returns the source's body without the blank lines around it.
    fn body(&self) -> Span {
        let (text, body) = (self.doc.text(), self.source.body);
        let end = before_trailing_blanks(self.doc, body);
        let first = Lines::within(text, Span::new(body.start(), end)).find(|line| !is_blank(line.text.of(text)));
        Span::new(first.map_or(end, |line| line.full.start()), end)
    }

    /// Returns where the source's body goes, up to its first block at least.
    fn point(&self) -> usize {
        let end = before_trailing_blanks(self.doc, self.target.body);
        let last = end.checked_sub(1).and_then(|last| self.doc.block_at(last));
        match last.is_some_and(|block| !block.is_section) {
            true => append_point(self.doc, Scope::Section(self.target)),
            false => end,
        }
    }

    /// Returns the pieces of the body, each with where it goes.
    fn pieces(&self) -> [(Span, usize); 2] {
        let (body, point) = (self.body(), self.point());
        let end = before_trailing_blanks(self.doc, self.target.body);
        let first = self.doc.blocks_within(body).next().filter(|_| point < end);
        let middle = first.map_or(body.end(), |block| block.line.start());
        [(Span::new(body.start(), middle), point), (Span::new(middle, body.end()), end)]
    }

    /// Returns the lines of a piece of the body as they are written.
    fn lines_of(&self, piece: Span, markers: &HashMap<usize, (Span, String)>) -> Vec<String> {
        let text = self.doc.text();
        let mut written: Vec<String> = Vec::new();
        let mut has_dropped = false;
        for line in Lines::within(text, piece) {
            if self.is_dropped(line) {
                has_dropped = true;
                continue;
            }
            let content = line.text.of(text);
            // What is not written leaves no second gap.
            let is_gap = has_dropped && is_blank(content) && written.last().is_none_or(|last| is_blank(last));
            match markers.get(&line.full.start()) {
                _ if is_gap => {}
                Some((marker, new)) => {
                    let before = Span::new(line.text.start(), marker.start()).of(text);
                    written.push([before, new, Span::new(marker.end(), line.text.end()).of(text)].concat());
                }
                None => written.push(content.to_owned()),
            }
        }
        while written.last().is_some_and(|line| is_blank(line)) {
            written.pop();
        }
        written
    }

    /// Returns the markers of ordered bullets whose number is another now, by the start of their lines: they count on from
    /// the list that they join, and over what is dropped.
    fn markers(&self) -> HashMap<usize, (Span, String)> {
        let top: Vec<_> = loose_bullets(self.source).collect();
        let mut kept = top.iter().copied().filter(|bullet| !self.dropped.contains(bullet)).peekable();
        let mut numbering = Numbering::new(&top);
        if let (Some(first), Some(last)) = (kept.peek().copied(), self.last_of_target())
            && self.is_first(first)
        {
            let siblings: Vec<_> = self.target.bullets().filter(|bullet| are_siblings(*bullet, last)).collect();
            numbering.count_on(first, &Numbering::new(&siblings), last);
        }
        let mut markers = HashMap::new();
        for bullet in kept.filter(|bullet| number_of(*bullet).is_some()) {
            let Some(marker) = numbering.next_like(bullet) else { continue };
            if bullet.marker().trim_start_matches('0') != marker {
                markers.insert(bullet.line.start(), (bullet.marker, marker));
            }
        }
        markers
    }

    /// Reports whether nothing but dropped bullets and blank lines stands before a bullet of the source.
    fn is_first(&self, bullet: BulletRef<'a>) -> bool {
        let text = self.doc.text();
        let mut before = Lines::within(text, Span::new(self.body().start(), bullet.extent.start()));
        before.all(|line| is_blank(line.text.of(text)) || self.is_dropped(line))
    }

    fn is_dropped(&self, line: Line) -> bool {
        let bullet = self.doc.bullet_at(line.full.start());
        bullet.is_some_and(|bullet| self.dropped.contains(&bullet.outermost()))
    }

    /// Returns the outermost bullet of the target right behind which the source's body goes.
    fn last_of_target(&self) -> Option<BulletRef<'a>> {
        let point = self.point();
        let last = self.doc.bullet_at(point.checked_sub(1)?)?.outermost();
        (last.extent.end() == point).then_some(last)
    }

    /// Reports whether the lines are set apart from the target's body: all but a list that goes on.
    fn needs_blank(&self, point: usize, written: &[String]) -> bool {
        let begins_in_list = written.first().is_some_and(|first| bullet_start(first).is_some());
        let goes_on = self.last_of_target().is_some() && begins_in_list;
        point > self.target.body.start() && !goes_on
    }
}

/// Returns the bullets of a section's body that belong to no other and to no block in it.
pub(crate) fn loose_bullets(section: SectionRef<'_>) -> impl Iterator<Item = BulletRef<'_>> {
    section.bullets().filter(move |bullet| bullet.depth() == 0 && bullet.block() == section.block())
}
