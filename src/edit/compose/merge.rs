//! Merging: how what stands below one heading is written below another.
//!
//! The source's lines go behind the target's body, its subsections behind the target's own. They are text that is moved:
//! where the target ends in something that would take them in, they would mean something else, and are not written.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::super::{EditBuilder, Promise};
use super::lines::{before_trailing_blanks, insert_lines};
use super::numbering::{Numbering, number_of};
use super::section::{Written, delete_sections, extent_without_blanks, write_sections};
use super::section_level::{too_deep, with_headings_deeper};
use crate::document::{BulletId, MemoryDoc, Section, SectionId, bullet_start};
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
    source: (SectionId, &'a Section),
    target: (SectionId, &'a Section),
    /// Top-level bullets of the source's body that are not written.
    dropped: HashSet<BulletId>,
}

impl<'a> Merge<'a> {
    /// Merges `source` into `target`, which is not inside it, without the bullets `dropped`. `None` for names of another
    /// document.
    pub(crate) fn new(
        doc: &'a MemoryDoc,
        source: SectionId,
        target: SectionId,
        dropped: impl IntoIterator<Item = BulletId>,
    ) -> Option<Self> {
        let section = |id| doc.outline().section(id).map(|section| (id, section));
        let mut merge =
            Self { doc, source: section(source)?, target: section(target)?, dropped: dropped.into_iter().collect() };
        // Without what stood between them, lines may mean something else.
        if !merge.dropped.is_empty() && !merge.is_read_back() {
            merge.dropped.clear();
        }
        Some(merge)
    }

    /// Returns the bullets that are not written, in order.
    pub(crate) fn dropped(&self) -> Vec<BulletId> {
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
        let body_point = before_trailing_blanks(self.doc, self.target.1.body);
        let mut written = self.body_lines();
        self.check_body(body_point, &written)?;
        if !written.is_empty() && self.needs_blank(body_point, &written) {
            written.insert(0, String::new());
        }
        if !self.has_subsections() {
            self.insert(body_point, &written, (edit, part));
            delete_sections(self.doc, &[(part, self.source.0)], edit);
            return Ok(());
        }
        let (source, target) = (self.source.1.extent, self.target.1.extent);
        let stays = target.covers(source) && target.end() == source.end();
        let point = if stays { source.start() } else { extent_without_blanks(self.doc, self.target.0).end() };
        self.check_subsections(point)?;
        let subsections = Span::new(self.source.1.body.end(), source.end());
        if stays {
            // They end the target already, with what separates them from what follows.
            let lines = with_headings_deeper(self.doc, subsections, self.deeper());
            let text: String = lines.iter().flat_map(|(line, ending)| [line.as_str(), ending.as_str()]).collect();
            self.insert(body_point, &written, (edit, part));
            edit.replace_for(part, source, text, Promise::Lines);
            return Ok(());
        }
        let end = before_trailing_blanks(self.doc, subsections);
        let lines = with_headings_deeper(self.doc, Span::new(subsections.start(), end), self.deeper());
        let lines = lines.into_iter().map(|(line, _)| line).collect();
        self.insert(body_point, &written, (edit, part));
        let removed = delete_sections(self.doc, &[(part, self.source.0)], edit);
        write_sections(self.doc, vec![Written { part, at: point, lines }], &removed, edit);
        Ok(())
    }

    fn insert(&self, at: usize, lines: &[String], (edit, part): (&mut EditBuilder, usize)) {
        if !lines.is_empty() {
            insert_lines(edit, part, (self.doc.text(), at), lines, Promise::Lines);
        }
    }

    fn has_subsections(&self) -> bool {
        self.source.1.body.end() < self.source.1.extent.end()
    }

    /// Returns the source's body without the blank lines around it.
    fn body(&self) -> Span {
        let (text, body) = (self.doc.text(), self.source.1.body);
        let end = before_trailing_blanks(self.doc, body);
        let first = Lines::within(text, Span::new(body.start(), end)).find(|line| !is_blank(line.text.of(text)));
        Span::new(first.map_or(end, |line| line.full.start()), end)
    }

    /// Returns the bullets of the source's body that belong to no other and to no block in it.
    fn top_level(&self) -> Vec<BulletId> {
        loose_bullets(self.doc, self.source.0)
    }

    /// Returns the lines of the body as they are written.
    fn body_lines(&self) -> Vec<String> {
        let (text, outline) = (self.doc.text(), self.doc.outline());
        let mut gone = self.dropped().into_iter().filter_map(|id| outline.bullet(id)).peekable();
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
        let (doc, top) = (self.doc, self.top_level());
        let mut kept = top.iter().copied().filter(|id| !self.dropped.contains(id)).peekable();
        let mut numbering = Numbering::new(doc, &top);
        if let (Some(first), Some(last)) = (kept.peek().copied(), self.last_of_target())
            && self.is_first(first)
        {
            let list = |id: BulletId| doc.outline().bullet(id).map(|bullet| (bullet.parent, bullet.block));
            let siblings = doc.outline().bullets_of_section(self.target.0).filter(|id| list(*id) == list(last));
            let before = Numbering::new(doc, &siblings.collect::<Vec<_>>());
            numbering.count_on(doc, first, (&before, last));
        }
        let mut markers = HashMap::new();
        for id in kept.filter(|id| number_of(doc, *id).is_some()) {
            let (Some(marker), Some(bullet)) = (numbering.next_like(id), doc.outline().bullet(id)) else { continue };
            if bullet.marker.of(doc.text()).trim_start_matches('0') != marker {
                markers.insert(bullet.line.start(), (bullet.marker, marker));
            }
        }
        markers
    }

    /// Reports whether nothing but dropped bullets and blank lines stands before a bullet of the source.
    fn is_first(&self, id: BulletId) -> bool {
        let (text, outline) = (self.doc.text(), self.doc.outline());
        let Some(bullet) = outline.bullet(id) else { return false };
        let mut at = self.body().start();
        for gone in self.dropped().into_iter().filter_map(|id| outline.bullet(id)) {
            if gone.extent.start() < bullet.extent.start()
                && is_blank_lines(Span::new(at, gone.extent.start()).of(text))
            {
                at = gone.extent.end();
            }
        }
        at <= bullet.extent.start() && is_blank_lines(Span::new(at, bullet.extent.start()).of(text))
    }

    /// Returns the outermost bullet that the target's body ends in.
    fn last_of_target(&self) -> Option<BulletId> {
        let outline = self.doc.outline();
        let point = before_trailing_blanks(self.doc, self.target.1.body);
        let mut last = outline.bullet_at(point.checked_sub(1)?)?;
        while let Some(parent) = outline.bullet(last)?.parent {
            last = parent;
        }
        outline.bullet(last).filter(|bullet| bullet.extent.end() == point).map(|_| last)
    }

    /// Reports whether the lines are set apart from the target's body: all but a list that goes on.
    fn needs_blank(&self, point: usize, written: &[String]) -> bool {
        let begins_in_list = written.first().is_some_and(|first| bullet_start(first).is_some());
        let goes_on = self.last_of_target().is_some() && begins_in_list;
        point > self.target.1.body.start() && !goes_on
    }

    /// Reports whether what is left of the body without the dropped bullets reads as before.
    fn is_read_back(&self) -> bool {
        let read = MemoryDoc::parse(["#\n", &self.body_lines().join("\n")].concat());
        let reading = |doc: &MemoryDoc, id: BulletId| {
            let depth = doc.outline().bullet(id).map(|bullet| bullet.depth);
            (depth, doc.folded_content(id).into_owned())
        };
        let outline = self.doc.outline();
        let is_dropped = |id: &BulletId| {
            let mut root = *id;
            while let Some(parent) = outline.bullet(root).and_then(|bullet| bullet.parent) {
                root = parent;
            }
            self.dropped.contains(&root)
        };
        let kept = outline.bullets_of_section(self.source.0).filter(|id| !is_dropped(id));
        kept.map(|id| reading(self.doc, id)).eq(read.outline().bullets_within(read.span()).map(|id| reading(&read, id)))
    }

    /// Refuses lines that the end of the target's body would take in.
    fn check_body(&self, point: usize, written: &[String]) -> Result<(), MergeFlaw> {
        let before = Span::new(self.target.1.extent.start(), point).of(self.doc.text());
        let is_taken_in = !written.is_empty() && takes_in(before, &written.join("\n"));
        let line = self.doc.line_number(self.body().start());
        if is_taken_in { Err(MergeFlaw::TakenIn { line }) } else { Ok(()) }
    }

    /// Refuses subsections that would not be the target's own.
    fn check_subsections(&self, point: usize) -> Result<(), MergeFlaw> {
        let (doc, outline) = (self.doc, self.doc.outline());
        let line = |section: &Section| doc.line_number(section.line.start());
        let subsections = Span::new(self.source.1.body.end(), self.source.1.extent.end());
        let mut moved = outline.sections().iter().filter(|section| subsections.contains(section.line.start()));
        if let Some(line) = too_deep(doc, subsections, self.deeper()) {
            return Err(MergeFlaw::TooDeep { line });
        }
        let Some(first) = moved.next() else { return Ok(()) };
        let above = point.checked_sub(1).and_then(|at| outline.section_at(at));
        let open = above.into_iter().flat_map(|above| outline.ancestors(above)).take_while(|id| *id != self.target.0);
        if let Some(holder) = open
            .filter_map(|id| outline.section(id))
            .find(|section| i16::from(section.level) < i16::from(first.level) + self.deeper())
        {
            return Err(MergeFlaw::Nested { line: line(first), of: line(holder) });
        }
        let before = Span::new(self.target.1.extent.start(), point).of(doc.text());
        let heading = first.line.of(doc.text());
        if takes_in(before, heading) { Err(MergeFlaw::TakenIn { line: line(first) }) } else { Ok(()) }
    }

    /// Returns by how many levels the headings of subsections go deeper.
    fn deeper(&self) -> i16 {
        i16::from(self.target.1.level) - i16::from(self.source.1.level)
    }
}

/// Returns the bullets of a section's body that belong to no other and to no block in it.
pub(crate) fn loose_bullets(doc: &MemoryDoc, id: SectionId) -> Vec<BulletId> {
    let own = doc.outline().section(id).and_then(|section| section.block);
    let is_loose =
        |id: &BulletId| doc.outline().bullet(*id).is_some_and(|bullet| bullet.parent.is_none() && bullet.block == own);
    doc.outline().bullets_of_section(id).filter(is_loose).collect()
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
