//! The lines that a commit wrote, as they read now: what an editor would otherwise read the
//! document again for.

use std::ops::Range;

use super::line_map::LineMap;
use super::{Commit, Draft};
use crate::document::{MemoryDoc, bullet_start, heading};
use crate::text::{ChangedLines, Span, Tally, is_blank};

/// What a commit did to lines that are not blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The lines of the new text that were written or moved, in its order.
    pub lines: Vec<WrittenLine>,
    /// How many lines are gone, with none in their place.
    pub removed: usize,
    /// Those of them, in the old text, where nothing else was written.
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

impl Commit {
    /// Returns the document before the commit, whose lines [`Written::gone`] are.
    pub const fn base(&self) -> &MemoryDoc {
        &self.base
    }

    /// Returns the lines that were written or moved, told from the splices. A line that a splice
    /// writes as it was is none of them, unless it has lost its heading and stands in another
    /// section; one whose number was changed, because it stands behind another of an ordered list,
    /// is.
    pub fn written(&self) -> Written {
        let changes = self.changes();
        let new = changes.iter().flat_map(|change| change.new.clone());
        let lines = new.map(|index| WrittenLine { number: index + 1, text: self.doc.line_span(index) });
        let lines = lines.filter(|line| !is_blank(line.text.of(self.doc.text()))).collect();
        let (removed, gone) = self.gone(&changes);
        Written { lines, removed, gone }
    }

    /// Returns the lines that the commit changes; those at both ends of a change stay that differ by their ending at most.
    fn changes(&self) -> Vec<ChangedLines> {
        let (old, new) = (&self.base, &self.doc);
        // The inverse leads from the new text to the old one.
        let back = Draft::between(new, &self.inverse, old.clone());
        // Below a heading that was replaced along with them, they stay.
        let is_moved = |touched: &ChangedLines, to: usize, from: usize| {
            heading_of(old, from).is_some_and(|heading| touched.new.contains(&heading))
                && heading_of(new, to).is_none_or(|heading| !touched.old.contains(&heading))
        };
        let is_same = |to, from| old.line_text(from) == new.line_text(to);
        let stays = |touched: &ChangedLines, to, from| is_same(to, from) && !is_moved(touched, to, from);
        let changes = LineMap::of(&back).changes(new, stays).into_iter();
        changes.map(|ChangedLines { old, new }| ChangedLines { old: new, new: old }).collect()
    }

    /// Counts the lines that are gone: those that stand nowhere else now, and in whose place no
    /// other was written. Returns those too of changes that have written nothing.
    fn gone(&self, changes: &[ChangedLines]) -> (usize, Vec<WrittenLine>) {
        fn texts(doc: &MemoryDoc, lines: Range<usize>) -> impl Iterator<Item = Text<'_>> {
            lines.map(|index| Text::of(doc.line_span(index).of(doc.text())))
        }
        let old = |change: &ChangedLines| texts(&self.base, change.old.clone());
        let new = |change: &ChangedLines| texts(&self.doc, change.new.clone());
        let (mut come, mut went): (Tally<Text<'_>>, Tally<Text<'_>>) =
            (changes.iter().flat_map(new).collect(), changes.iter().flat_map(old).collect());
        let (mut count, mut gone) = (0, Vec::new());
        for change in changes {
            let lost = unmatched(old(change), &mut come);
            let made = unmatched(new(change), &mut went).count();
            let lost: Vec<_> = lost.map(|nth| change.old.start + nth).collect();
            count += lost.len().saturating_sub(made);
            let lost = lost.into_iter().filter(|_| made == 0);
            gone.extend(lost.map(|index| WrittenLine { number: index + 1, text: self.base.line_span(index) }));
        }
        (count, gone)
    }
}

/// A line as it is told apart from others: a heading that has another level now is the same, and so
/// is an item that has another number or indentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Text<'t> {
    Heading(&'t str),
    Numbered(&'t str),
    Other(&'t str),
}

impl<'t> Text<'t> {
    fn of(line: &'t str) -> Self {
        if heading(line).is_some() {
            return Self::Heading(line.trim_start_matches([' ', '#']));
        }
        let item =
            bullet_start(line).filter(|start| line.get(start.marker.clone()).is_some_and(|marker| marker.len() > 1));
        item.and_then(|start| line.get(start.rest..)).map_or(Self::Other(line.trim_start()), Self::Numbered)
    }

    fn is_blank(self) -> bool {
        matches!(self, Self::Other(text) if is_blank(text))
    }
}

/// Iterates over the indices of the texts that are not blank and cannot be taken from `others`.
fn unmatched<'t>(texts: impl Iterator<Item = Text<'t>>, others: &mut Tally<Text<'t>>) -> impl Iterator<Item = usize> {
    texts.enumerate().filter(|(_, text)| !others.take(text) && !text.is_blank()).map(|(nth, _)| nth)
}

/// Returns the index of the heading that a line stands below, or is.
fn heading_of(doc: &MemoryDoc, index: usize) -> Option<usize> {
    let section = doc.section_at(doc.line_span(index).start())?;
    Some(doc.lines().index_at(section.line.start()))
}
