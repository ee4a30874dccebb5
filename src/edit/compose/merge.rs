//! Merging: how what stands below one heading is written below another.
//!
//! The source's lines go behind the target's body, its subsections behind the target's own. They are text that is moved:
//! where the target ends in something that would take them in, they would mean something else, and are not written.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::super::{EditBuilder, PartEdit, Promise};
use super::lines::before_trailing_blanks;
use super::numbering::{Numbering, number_of};
use super::renumber::are_siblings;
use super::section::{Written, delete_sections, extent_without_blanks, write_sections};
use super::section_level::{too_deep, with_headings_deeper};
use crate::document::{BulletRef, MemoryDoc, SectionRef, bullet_start};
use crate::text::{Lines, Span, is_blank};

/// Why one section cannot be merged into another. Lines count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MergeFlaw {
    /// The first line that moves would become part of the last bullet, block or fence of the target.
    #[error("line {line} would become part of a bullet, a block or a code fence that the target ends in")]
    TakenIn {
        /// The line.
        line: usize,
    },
    /// A subsection that moves would become one of a subsection of the target.
    #[error("the subsection on line {line} would become part of the one on line {of}")]
    Nested {
        /// The line of its heading.
        line: usize,
        /// The line of the other's heading.
        of: usize,
    },
    /// A heading that moves would have more than six levels.
    #[error("the heading on line {line} would stand deeper than six levels")]
    TooDeep {
        /// The line of its heading.
        line: usize,
    },
}

/// Two sections, of which the one goes into the other.
#[derive(Debug)]
pub(crate) struct Merge<'a> {
    doc: &'a MemoryDoc,
    source: SectionRef<'a>,
    target: SectionRef<'a>,
    /// Top-level bullets of the source's body that are not written.
    dropped: HashSet<BulletRef<'a>>,
}

impl<'a> Merge<'a> {
    /// Merges `source` into `target`, which is not inside it, without the bullets `dropped`.
    pub(crate) fn new(
        source: SectionRef<'a>,
        target: SectionRef<'a>,
        dropped: impl IntoIterator<Item = BulletRef<'a>>,
    ) -> Self {
        let mut merge = Self { doc: source.doc(), source, target, dropped: dropped.into_iter().collect() };
        // Without what stood between them, lines may mean something else.
        if !merge.dropped.is_empty() && !merge.is_read_back() {
            merge.dropped.clear();
        }
        merge
    }

    /// Returns the bullets that are not written, in order.
    pub(crate) fn dropped(&self) -> Vec<BulletRef<'a>> {
        let mut dropped: Vec<_> = self.dropped.iter().copied().collect();
        dropped.sort_unstable();
        dropped
    }

    /// Writes the merge on behalf of `part`.
    ///
    /// # Errors
    ///
    /// What moves would mean something else behind the target.
    pub(crate) fn compose(&self, edit: &mut EditBuilder, part: usize) -> Result<(), MergeFlaw> {
        let body_point = before_trailing_blanks(self.doc, self.target.body);
        let mut written = self.body_lines();
        self.check_body(body_point, &written)?;
        if !written.is_empty() && self.needs_blank(body_point, &written) {
            written.insert(0, String::new());
        }
        if !self.has_subsections() {
            self.insert(body_point, &written, edit.for_part(part));
            delete_sections(&[(part, self.source)], edit);
            return Ok(());
        }
        let (source, target) = (self.source.extent, self.target.extent);
        let stays = target.covers(source) && target.end() == source.end();
        let point = if stays { source.start() } else { extent_without_blanks(self.target).end() };
        self.check_subsections(point)?;
        let subsections = Span::new(self.source.body.end(), source.end());
        if stays {
            // They end the target already, with what separates them from what follows.
            let lines = with_headings_deeper(self.doc, subsections, self.deeper());
            let text: String = lines.iter().flat_map(|(line, ending)| [line.as_str(), ending.as_str()]).collect();
            self.insert(body_point, &written, edit.for_part(part));
            edit.for_part(part).replace(source, text, Promise::Lines);
            return Ok(());
        }
        let end = before_trailing_blanks(self.doc, subsections);
        let lines = with_headings_deeper(self.doc, Span::new(subsections.start(), end), self.deeper());
        let lines = lines.into_iter().map(|(line, _)| line).collect();
        self.insert(body_point, &written, edit.for_part(part));
        let removed = delete_sections(&[(part, self.source)], edit);
        write_sections(self.doc, vec![Written { part, at: point, lines }], &removed, edit);
        Ok(())
    }

    fn insert(&self, at: usize, lines: &[String], mut edit: PartEdit<'_>) {
        if !lines.is_empty() {
            edit.insert_lines(self.doc.text(), at, lines, Promise::Lines);
        }
    }

    fn has_subsections(&self) -> bool {
        self.source.body.end() < self.source.extent.end()
    }

    /// Returns the source's body without the blank lines around it.
    fn body(&self) -> Span {
        let (text, body) = (self.doc.text(), self.source.body);
        let end = before_trailing_blanks(self.doc, body);
        let first = Lines::within(text, Span::new(body.start(), end)).find(|line| !is_blank(line.text.of(text)));
        Span::new(first.map_or(end, |line| line.full.start()), end)
    }

    /// Returns the lines of the body as they are written.
    fn body_lines(&self) -> Vec<String> {
        let text = self.doc.text();
        let mut gone = self.dropped().into_iter().peekable();
        let markers = self.markers();
        let mut written: Vec<String> = Vec::new();
        let mut gone_to = 0;
        for line in Lines::within(text, self.body()) {
            while let Some(bullet) = gone.next_if(|bullet| bullet.extent.start() <= line.full.start()) {
                gone_to = bullet.extent.end();
            }
            if line.full.start() < gone_to {
                continue;
            }
            let content = line.text.of(text);
            // What is not written leaves no second gap.
            let is_gap = gone_to > 0 && is_blank(content) && written.last().is_none_or(|last| is_blank(last));
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
        let mut at = self.body().start();
        for gone in self.dropped() {
            if gone.extent.start() < bullet.extent.start()
                && is_blank_lines(Span::new(at, gone.extent.start()).of(text))
            {
                at = gone.extent.end();
            }
        }
        at <= bullet.extent.start() && is_blank_lines(Span::new(at, bullet.extent.start()).of(text))
    }

    /// Returns the outermost bullet that the target's body ends in.
    fn last_of_target(&self) -> Option<BulletRef<'a>> {
        let point = before_trailing_blanks(self.doc, self.target.body);
        let last = self.doc.bullet_at(point.checked_sub(1)?)?.outermost();
        (last.extent.end() == point).then_some(last)
    }

    /// Reports whether the lines are set apart from the target's body: all but a list that goes on.
    fn needs_blank(&self, point: usize, written: &[String]) -> bool {
        let begins_in_list = written.first().is_some_and(|first| bullet_start(first).is_some());
        let goes_on = self.last_of_target().is_some() && begins_in_list;
        point > self.target.body.start() && !goes_on
    }

    /// Reports whether what is left of the body without the dropped bullets reads as before.
    fn is_read_back(&self) -> bool {
        let read = MemoryDoc::parse(["#\n", &self.body_lines().join("\n")].concat());
        let reading = |bullet: BulletRef<'_>| (bullet.depth, bullet.folded_content().into_owned());
        let kept = self.source.bullets().filter(|bullet| !self.dropped.contains(&bullet.outermost()));
        kept.map(reading).eq(read.bullets().map(reading))
    }

    /// Refuses lines that the end of the target's body would take in.
    fn check_body(&self, point: usize, written: &[String]) -> Result<(), MergeFlaw> {
        let before = Span::new(self.target.extent.start(), point).of(self.doc.text());
        let is_taken_in = !written.is_empty() && takes_in(before, &written.join("\n"));
        let line = self.doc.line_number(self.body().start());
        if is_taken_in { Err(MergeFlaw::TakenIn { line }) } else { Ok(()) }
    }

    /// Refuses subsections that would not be the target's own.
    fn check_subsections(&self, point: usize) -> Result<(), MergeFlaw> {
        let doc = self.doc;
        let subsections = Span::new(self.source.body.end(), self.source.extent.end());
        let mut moved = doc.sections().filter(|section| subsections.contains(section.line.start()));
        if let Some(line) = too_deep(doc, subsections, self.deeper()) {
            return Err(MergeFlaw::TooDeep { line });
        }
        let Some(first) = moved.next() else { return Ok(()) };
        let above = point.checked_sub(1).and_then(|at| doc.section_at(at));
        let mut open = above.into_iter().flat_map(SectionRef::ancestors).take_while(|open| *open != self.target);
        if let Some(holder) = open.find(|open| i16::from(open.level) < i16::from(first.level) + self.deeper()) {
            return Err(MergeFlaw::Nested { line: first.line_number(), of: holder.line_number() });
        }
        let before = Span::new(self.target.extent.start(), point).of(doc.text());
        let heading = first.line.of(doc.text());
        if takes_in(before, heading) { Err(MergeFlaw::TakenIn { line: first.line_number() }) } else { Ok(()) }
    }

    /// Returns by how many levels the headings of subsections go deeper.
    fn deeper(&self) -> i16 {
        i16::from(self.target.level) - i16::from(self.source.level)
    }
}

/// Returns the bullets of a section's body that belong to no other and to no block in it.
pub(crate) fn loose_bullets(section: SectionRef<'_>) -> impl Iterator<Item = BulletRef<'_>> {
    section.bullets().filter(move |bullet| bullet.depth == 0 && bullet.block() == section.block())
}

/// Reports whether a bullet, a block or a fence of `before`, which begins with a heading, would go on in `moved`.
fn takes_in(before: &str, moved: &str) -> bool {
    let completion = if before.ends_with('\n') { "" } else { "\n" };
    let seam = before.len() + completion.len();
    let read = MemoryDoc::parse([before, completion, moved].concat());
    let goes_on = |span: Span| span.start() < seam && span.end() > seam;
    let outline = read.outline();
    outline.bullets().iter().any(|bullet| goes_on(bullet.extent))
        || outline.fences().iter().any(|fence| goes_on(fence.extent))
        || outline.blocks().iter().any(|block| !block.is_section && goes_on(block.extent))
}

fn is_blank_lines(text: &str) -> bool {
    Lines::of(text).all(|line| is_blank(line.text.of(text)))
}
