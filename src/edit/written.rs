//! [`Written`]: the lines that a commit wrote, so that an editor need not read the document again.

use std::collections::HashMap;
use std::ops::Range;

use super::compose::{Lists, Numbers, extent_without_blanks};
use super::line_map::LineMap;
use super::{Commit, Draft};
use crate::document::{MemoryDoc, NodeRef, SectionRef, bullet_line, heading};
use crate::text::{ChangedRange, Content, Span, Tally, is_blank};

/// The lines that a commit wrote and removed. Blank lines do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The lines of the new text that were written or moved, in document order; of a section that was moved as a whole,
    /// only its heading.
    pub lines: Vec<WrittenLine>,
    /// The sections that were moved as a whole, in document order.
    pub moved: Vec<MovedSection>,
    /// How many lines were removed without a line in their place.
    pub removed: usize,
    /// The lines of the old text that were removed or rewritten. Lines that were moved, and lines of which only the
    /// number in a list or the level of a heading changed, do not count.
    pub gone: Vec<WrittenLine>,
}

/// A line that was written, moved or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenLine {
    /// Its number, from 1.
    pub number: usize,
    /// Its text, without the ending.
    pub text: Span,
}

/// A section that was moved with all that is below its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MovedSection {
    /// The indexes of its lines now.
    pub lines: Range<usize>,
    /// Its path before; if that is the same now, the number of its line.
    pub from: Content,
    /// Its path now, or the number of its line.
    pub to: Content,
}

impl Commit {
    /// Returns the document before the commit, whose lines [`Written::gone`] are.
    pub const fn base(&self) -> &MemoryDoc {
        &self.base
    }

    /// Returns the lines that were written or moved. A line that a splice writes unchanged does not count, unless its
    /// heading was replaced, so that it is in another section now. A line of which only the number in a list changed
    /// counts.
    pub fn written(&self) -> Written {
        let (changes, lists) = (self.changes(), [&self.base, &self.doc].map(Lists::new));
        let moved = self.moved(&changes, &lists);
        let is_inside = |index: &usize| moved.iter().any(|own| own.lines.contains(index) && own.lines.start < *index);
        let new = changes.iter().flat_map(|change| change.new.clone()).filter(|index| !is_inside(index));
        let lines = new.map(|index| WrittenLine { number: index + 1, text: self.doc.line_span(index) });
        let lines = lines.filter(|line| !is_blank(line.text.of(self.doc.text()))).collect();
        let (removed, gone) = self.gone(&changes, &lists);
        Written { lines, moved, removed, gone }
    }

    /// Finds the sections that one change removes and another one writes.
    fn moved(&self, changes: &[ChangedRange], [before, after]: &[Lists<'_>; 2]) -> Vec<MovedSection> {
        let left = changes.iter().filter(|change| change.new.is_empty());
        let mut left: HashMap<_, _> = left.filter_map(|change| section_of(before, &change.old)).collect();
        let moved = |change: &ChangedRange| {
            let (texts, new) = section_of(after, &change.new)?;
            let places = [left.remove(&texts)?, new];
            let [from, to] = places.map(SectionRef::path);
            let [from, to] =
                if from == to { places.map(|at| format!("line {}", at.line_number())) } else { [from, to] };
            let lines = self.doc.line_range(extent_without_blanks(new));
            Some(MovedSection { lines, from: from.into(), to: to.into() })
        };
        changes.iter().filter(|change| change.old.is_empty()).filter_map(moved).collect()
    }

    /// Returns the lines that the commit changes. At both ends of a change, lines that differ only in their ending are
    /// left out.
    fn changes(&self) -> Vec<ChangedRange> {
        let (old, new) = (&self.base, &self.doc);
        // The inverse leads from the new text to the old one.
        let back = Draft::between(new, &self.inverse, old.clone());
        // A line is moved if its old heading was replaced and its new heading was not written together with it.
        let is_moved = |touched: &ChangedRange, to: usize, from: usize| {
            heading_of(old, from).is_some_and(|heading| touched.new.contains(&heading))
                && heading_of(new, to).is_none_or(|heading| !touched.old.contains(&heading))
        };
        let is_same = |to, from| old.line_text(from) == new.line_text(to);
        let stays = |touched: &ChangedRange, to, from| is_same(to, from) && !is_moved(touched, to, from);
        let changes = LineMap::of(&back).changes(new, stays).into_iter();
        changes.map(|ChangedRange { old, new }| ChangedRange { old: new, new: old }).collect()
    }

    /// Returns [`Written::removed`] and [`Written::gone`]. A removed line that was written again elsewhere does not
    /// count.
    fn gone(&self, changes: &[ChangedRange], [before, after]: &[Lists<'_>; 2]) -> (usize, Vec<WrittenLine>) {
        let old = |change: &ChangedRange| change.old.clone().map(|index| recognized_part(before, index));
        let new = |change: &ChangedRange| change.new.clone().map(|index| recognized_part(after, index));
        let (mut written, mut removed): (Tally<&str>, Tally<&str>) =
            (changes.iter().flat_map(new).collect(), changes.iter().flat_map(old).collect());
        let (mut count, mut gone) = (0, Vec::new());
        for change in changes {
            let lost = unmatched(old(change), &mut written);
            let gained = unmatched(new(change), &mut removed).count();
            let lost: Vec<_> = lost.map(|nth| change.old.start + nth).collect();
            count += lost.len().saturating_sub(gained);
            gone.extend(lost.iter().map(|at| WrittenLine { number: at + 1, text: self.base.line_span(*at) }));
        }
        (count, gone)
    }
}

/// Returns the parts by which these lines are recognized, and the section that begins on the first that is not blank;
/// `None` if none does.
fn section_of<'a>(lists: &Lists<'a>, lines: &Range<usize>) -> Option<(Vec<&'a str>, SectionRef<'a>)> {
    let mut full = lines.clone().filter(|line| !is_blank(lists.doc.line_text(*line))).peekable();
    let section = lists.doc.starting_at(lists.doc.line_start(*full.peek()?))?;
    Some((full.map(|line| recognized_part(lists, line)).collect(), section))
}

/// Returns the part of a line by which a moved line is recognized: a heading without its level, an item without its
/// indentation, and without its number if its list counts.
fn recognized_part<'a>(lists: &Lists<'a>, index: usize) -> &'a str {
    let (line, bullet) = (lists.doc.line_text(index), lists.doc.starting_at(lists.doc.line_start(index)));
    match bullet_line(line).filter(|_| bullet.is_some_and(|bullet| lists.numbers(bullet) == Numbers::Counted)) {
        Some(item) => item.rest,
        None => line.trim_start_matches(|c: char| c.is_whitespace() || (c == '#' && heading(line).is_some())),
    }
}

/// Iterates over the indexes of the texts that are not blank and not in `others`. Each text in `others` matches once.
fn unmatched<'t>(texts: impl Iterator<Item = &'t str>, others: &mut Tally<&'t str>) -> impl Iterator<Item = usize> {
    texts.enumerate().filter(|(_, text)| !others.take(text) && !is_blank(text)).map(|(nth, _)| nth)
}

/// Returns the index of the line of the last heading above a line, or of the line itself if it is a heading.
fn heading_of(doc: &MemoryDoc, index: usize) -> Option<usize> {
    doc.section_at(doc.line_span(index).start()).map(NodeRef::line_index)
}
