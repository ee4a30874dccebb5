//! The lines that a commit wrote, as they read now: what an editor would otherwise read the document again for.

use super::commit::Commit;
use super::preview::{Change, changes};
use crate::document::MemoryDoc;
use crate::text::{Span, Tally, is_blank};

/// What a commit did to lines that are not blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// The lines of the new text that were written or moved, in its order.
    pub lines: Vec<WrittenLine>,
    /// How many lines are gone, with none in their place.
    pub removed: usize,
}

/// A line that was written or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenLine {
    /// Its number in the new text, from 1.
    pub number: usize,
    /// Its text, without the ending.
    pub text: Span,
}

impl Commit {
    /// Returns the lines that were written or moved, told from the splices. A line that a splice writes as it was is none of
    /// them; one whose number was changed, because it stands behind another of an ordered list, is.
    pub fn written(&self) -> Written {
        let removed = self.inverse.result_spans();
        let spans = removed.into_iter().zip(self.inverse.splices().iter().map(|splice| splice.span));
        let mut changes = changes(&self.base, &self.doc, spans);
        changes.iter_mut().for_each(|change| self.trim(change));
        let new = changes.iter().flat_map(|change| change.new.clone());
        let lines = new.map(|index| WrittenLine { number: index + 1, text: line(&self.doc, index) });
        let lines = lines.filter(|line| !is_blank(line.text.of(self.doc.text()))).collect();
        Written { lines, removed: self.gone(&changes) }
    }

    /// Drops the lines at both ends of a change that differ by their ending alone.
    fn trim(&self, change: &mut Change) {
        let same = |old: usize, new: usize| {
            line(&self.base, old).of(self.base.text()) == line(&self.doc, new).of(self.doc.text())
        };
        while !change.old.is_empty() && !change.new.is_empty() && same(change.old.start, change.new.start) {
            (change.old.start, change.new.start) = (change.old.start + 1, change.new.start + 1);
        }
        while !change.old.is_empty() && !change.new.is_empty() && same(change.old.end - 1, change.new.end - 1) {
            (change.old.end, change.new.end) = (change.old.end - 1, change.new.end - 1);
        }
    }

    /// Counts the lines that are gone: those that stand nowhere else now, and in whose place no other was written.
    fn gone(&self, changes: &[Change]) -> usize {
        let written = changes.iter().flat_map(|change| change.new.clone());
        let mut come: Tally<&str> = written.map(|index| line(&self.doc, index).of(self.doc.text())).collect();
        let mut kept: Tally<&str> = Tally::default();
        let mut lost = Vec::with_capacity(changes.len());
        for change in changes {
            let mut is_lost = |index: &usize| {
                let text = line(&self.base, *index).of(self.base.text());
                let has_come = come.take(text);
                if has_come {
                    kept.add(text);
                }
                !has_come && !is_blank(text)
            };
            lost.push(change.old.clone().filter(&mut is_lost).count());
        }
        let mut is_new = |index: &usize| {
            let text = line(&self.doc, *index).of(self.doc.text());
            !kept.take(text) && !is_blank(text)
        };
        let counts = changes.iter().zip(lost);
        counts.map(|(change, lost)| lost.saturating_sub(change.new.clone().filter(&mut is_new).count())).sum()
    }
}

fn line(doc: &MemoryDoc, index: usize) -> Span {
    doc.lines().line(doc.text(), index).text
}
