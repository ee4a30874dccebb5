//! Merging: what stands below one heading is written below another, in its order and as it is.

use std::collections::BTreeSet;

use super::super::{Edit, EditBuilder, Promise, made};
use super::append::end_of_content;
use super::lines::{before_trailing_blanks, is_rule};
use super::{Written, arrange_sections, with_headings_deeper};
use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef, bullet_start};
use crate::locate::is_ordered;
use crate::text::{Line, Lines, Span, is_blank};

/// Two sections, of which the source goes into the target.
pub(crate) struct Merge<'a> {
    pub(crate) source: SectionRef<'a>,
    /// Not inside the source.
    pub(crate) target: SectionRef<'a>,
    /// Top-level bullets of the source's body that are not written.
    pub(crate) dropped: BTreeSet<BulletRef<'a>>,
}

/// Why two sections cannot be merged, with the numbers of a line of the source and of one of the target.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MergeFlaw {
    /// The line would belong to the block, label, bullet or fence on the other one.
    TakenIn { line: usize, of: usize },
    /// Both lists have numbers.
    TwoOrderedLists { line: usize, other: usize },
}

impl<'a> Merge<'a> {
    /// Writes the merge.
    ///
    /// # Errors
    ///
    /// A line would mean something else behind the target.
    pub(crate) fn edit(&self) -> Result<Edit, MergeFlaw> {
        let doc = self.source.doc();
        let (point, lines) = (end_of_content(doc, self.target.body), self.lines());
        if let Some(first) = lines.iter().find(|line| !is_blank(line.text.of(doc.text()))) {
            self.check_end(point, *first)?;
            self.check_numbers()?;
        }
        let mut edit = EditBuilder::new(doc);
        let written = self.written(point, &lines);
        if !written.is_empty() {
            edit.for_part(0).insert_lines(doc, point, &written, Promise::Lines);
        }
        let subsections = Span::new(self.source.body.end(), self.source.extent.end());
        let deeper = self.deeper();
        let end = before_trailing_blanks(doc, subsections);
        let lines_below = with_headings_deeper(doc, Span::new(subsections.start(), end), deeper);
        let mut sections = Vec::new();
        if !lines_below.is_empty() {
            sections.push(Written {
                part: 0,
                at: self.target.extent.end(),
                lines: lines_below,
                promise: Promise::Lines,
            });
        }
        arrange_sections(doc, &[(0, self.source)], sections, &mut edit);
        let taken_in = |line: Line| MergeFlaw::TakenIn {
            line: doc.line_number(line.full.start()),
            of: doc.line_number(point.saturating_sub(1)),
        };
        let heading = Line::holding(doc.text(), self.source.line.start());
        let edit = edit.finish().map_err(|_| taken_in(heading))?;
        match self.changed_role(&edit, point, &lines) {
            Some(line) => Err(taken_in(line)),
            None => Ok(edit),
        }
    }

    /// Returns by how many levels the headings of the source's subsections are deeper below the target.
    pub(crate) fn deeper(&self) -> i16 {
        let (source, target) = (subsections(self.source), subsections(self.target));
        let first = source.first().map_or(self.source.level + 1, |first| first.level);
        let last = target.iter().rev().find(|last| **last != self.source);
        i16::from(last.map_or(self.target.level + 1, |last| last.level)) - i16::from(first)
    }

    /// Refuses a target whose body ends in a block or a label.
    fn check_end(&self, point: usize, first: Line) -> Result<(), MergeFlaw> {
        let doc = self.source.doc();
        let last = point.checked_sub(1).filter(|_| point > self.target.body.start());
        let block = last.and_then(|last| doc.block_at(last)).filter(|block| !block.is_section);
        let label = last.and_then(|last| doc.label_at(last));
        match block.map(BlockRef::line_number).or(label.map(LabelRef::line_number)) {
            Some(of) => Err(MergeFlaw::TakenIn { line: doc.line_number(first.full.start()), of }),
            None => Ok(()),
        }
    }

    /// Refuses ordered lists in both: the numbers of the one would go on from those of the other, or repeat them.
    fn check_numbers(&self) -> Result<(), MergeFlaw> {
        let ordered = |bullet: &BulletRef<'a>| is_ordered(bullet.marker());
        let source = loose_bullets(self.source).filter(|bullet| !self.dropped.contains(bullet)).find(ordered);
        match source.zip(loose_bullets(self.target).find(ordered)) {
            Some((source, target)) => {
                Err(MergeFlaw::TwoOrderedLists { line: source.line_number(), other: target.line_number() })
            }
            None => Ok(()),
        }
    }

    /// Returns the lines of the source's body that are kept, from the first to the last that is no blank line or rule.
    fn lines(&self) -> Vec<Line> {
        let doc = self.source.doc();
        let text = doc.text();
        let is_dropped = |line: &Line| {
            let bullet = doc.bullet_at(line.full.start());
            bullet.is_some_and(|bullet| self.dropped.contains(&bullet.outermost()))
        };
        let separates = |line: &Line| is_blank(line.text.of(text)) || is_rule(line.text.of(text));
        let (mut lines, mut has_dropped): (Vec<Line>, _) = (Vec::new(), false);
        for line in Lines::within(text, self.source.body) {
            let is_gap = is_blank(line.text.of(text));
            if is_dropped(&line) {
                has_dropped = true;
            } else if !is_gap || !(lines.is_empty() || has_dropped && lines.last().is_some_and(separates)) {
                // What is dropped leaves no second gap.
                lines.push(line);
            }
        }
        let is_code = |line: &Line| doc.outline().is_fenced(line.full.start());
        while lines.pop_if(|line| separates(line) && !is_code(line)).is_some() {}
        lines
    }

    /// Returns the lines as they are written, set apart from the target's body unless a list goes on.
    fn written(&self, point: usize, lines: &[Line]) -> Vec<&'a str> {
        let doc = self.source.doc();
        let mut written: Vec<&str> = lines.iter().map(|line| line.text.of(doc.text())).collect();
        let begins_with_bullet = written.first().is_some_and(|first| bullet_start(first).is_some());
        let last = point.checked_sub(1).and_then(|last| doc.bullet_at(last));
        let goes_on = begins_with_bullet && last.is_some_and(|last| last.extent.end() == point);
        if point > self.target.body.start() && !goes_on && !written.is_empty() {
            written.insert(0, "");
        }
        written
    }

    /// Returns the first line that is something else, or belongs to something else, where it is written at `point`; the heading,
    /// if a subsection is lost.
    fn changed_role(&self, edit: &Edit, point: usize, lines: &[Line]) -> Option<Line> {
        let doc = self.source.doc();
        let new = made(doc, edit);
        let spans = edit.splices().iter().zip(edit.result_spans());
        let written = spans.into_iter().find(|(splice, _)| splice.span == Span::at(point)).map(|(_, written)| written);
        let says = |doc: &MemoryDoc, line: &Line| !is_blank(line.text.of(doc.text()));
        let there = Lines::within(new.text(), written.unwrap_or_default()).filter(|line| says(&new, line));
        let mut moved = lines.iter().filter(|line| says(doc, line)).zip(there);
        let changed = moved.find(|(old, new_line)| role(doc, **old) != role(&new, *new_line)).map(|(old, _)| *old);
        let within_source = doc.sections().filter(|section| self.source.extent.contains(section.line.start())).count();
        let before = if self.source < self.target { within_source } else { 0 };
        let target = new.section(self.target.index().saturating_sub(before));
        let is_child = subsections(self.target).contains(&self.source);
        let come = subsections(self.source).len() + subsections(self.target).len() - usize::from(is_child);
        let is_complete = new.sections().count() + 1 == doc.sections().count()
            && target.is_some_and(|target| subsections(target).len() == come);
        changed.or_else(|| (!is_complete).then(|| Line::holding(doc.text(), self.source.line.start())))
    }
}

/// Returns the sections directly below one.
fn subsections(parent: SectionRef<'_>) -> Vec<SectionRef<'_>> {
    let all = parent.doc().sections().skip(parent.index() + 1);
    all.take_while(|section| parent.extent.contains(section.line.start()))
        .filter(|section| section.parent() == Some(parent))
        .collect()
}

/// Returns what a line is: how deep in bullets, whether it begins one, whether it is code, and in which block and label.
fn role(doc: &MemoryDoc, line: Line) -> (Option<usize>, bool, bool, [Option<&str>; 2]) {
    let at = line.full.start();
    let bullet = doc.bullet_at(at);
    let begins = bullet.is_some_and(|bullet| bullet.line.start() == at);
    let block = doc.block_at(at).filter(|block| !block.is_section);
    let owners = [block.map(|block| block.id()), doc.label_at(at).map(|label| label.name())];
    (bullet.map(|bullet| bullet.depth()), begins, doc.outline().is_fenced(at), owners)
}

/// Returns the bullets of a section's body that belong to no other and to no block in it.
pub(crate) fn loose_bullets(section: SectionRef<'_>) -> impl Iterator<Item = BulletRef<'_>> {
    section.bullets().filter(move |bullet| bullet.depth() == 0 && bullet.block() == section.block())
}
