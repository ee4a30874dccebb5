//! Whole lines: where a run of lines stands in a document, in time linear in both.
//!
//! Lines are looked up as they stand, and where they stand nowhere, by what all their readings have in common. A run is looked
//! for where its rarest line stands, and compared there; the number of comparisons is bounded for a whole plan, so that no
//! input makes it quadratic.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

use super::diagnostic::LocateError;
use super::folded_lines::FoldedLines;
use super::ladder::Rungs;
use super::line_form::{LineForm, TargetLine};
use super::marker::{BulletLine, LineLabel, begin_with_alike_dashes};
use super::matches::COUNTED;
use super::same_lines::{SameLines, line_text};
use crate::document::{BulletRef, MemoryDoc};
use crate::text::Span;

/// What a comparison of two lines as they stand takes, in looks at one bullet.
pub(super) const COMPARISON: usize = 4;
/// What it takes on a rung of the ladder.
const READING: usize = 16;

/// The lines of a document, indexed for look-ups on every rung of the ladder.
#[derive(Debug)]
pub(crate) struct LineIndex<'a> {
    doc: &'a MemoryDoc,
    same: SameLines<'a>,
    folded: FoldedLines<'a>,
    work_left: Cell<usize>,
}

impl<'a> LineIndex<'a> {
    /// Indexes `doc` for a request of `lines` lines.
    pub(crate) fn new(doc: &'a MemoryDoc, lines: usize) -> Self {
        let budget = 1_000_000 + 48 * (doc.lines().len() + lines);
        Self { doc, same: SameLines::new(doc), folded: FoldedLines::new(doc), work_left: Cell::new(budget) }
    }

    /// Returns the text of a line. A byte order mark is no part of the first.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        line_text(self.doc, index)
    }

    /// Returns the document.
    pub(crate) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }

    /// Returns the bullet whose first line this is.
    pub(crate) fn bullet(&self, index: usize) -> Option<BulletRef<'a>> {
        let start = self.doc.line_start(index);
        self.doc.bullets_within(Span::new(start, start + 1)).next()
    }

    /// Returns a line that a bullet begins on, divided into its parts.
    pub(crate) fn bullet_line(&self, index: usize) -> Option<BulletLine<'a>> {
        self.bullet(index).and_then(|_| BulletLine::read(self.text(index)))
    }

    /// Reports whether a bullet on or beside these lines is indented by one space, so that a space before a line may be its
    /// own.
    pub(crate) fn is_set_in(&self, lines: &Range<usize>) -> bool {
        let around = lines.start.saturating_sub(1)..(lines.end + 1).min(self.doc.lines().len());
        around.into_iter().filter_map(|line| self.bullet_line(line)).any(|line| line.indentation == " ")
    }

    /// Returns what the views show before a line.
    pub(crate) fn label(&self, index: usize) -> LineLabel {
        LineLabel { number: index + 1, key: self.bullet(index).map(BulletRef::key) }
    }

    /// Takes `work` from what the plan may do, in looks at one bullet.
    ///
    /// # Errors
    ///
    /// There are not so many left: the lines repeat one another too often.
    pub(crate) fn spend(&self, work: usize) -> Result<(), LocateError> {
        let left = self.work_left.get().checked_sub(work);
        self.work_left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(LocateError::TooCostly)
    }

    /// Looks for what is only told: it takes nothing from what the plan may do, and as much at most.
    pub(super) fn without_charge<T>(&self, look: impl FnOnce() -> T) -> T {
        let left = self.work_left.get();
        let found = look();
        self.work_left.set(left);
        found
    }

    /// Finds the places inside `range` of line indices where `sought` stands, read on `rungs`, the first thousand at most.
    pub(super) fn find_all(
        &self,
        sought: &[TargetLine<'_>],
        range: &Range<usize>,
        rungs: Rungs,
    ) -> Result<Vec<usize>, LocateError> {
        self.find_most(sought, range, rungs, COUNTED)
    }

    /// Finds the first `most` of these places.
    pub(super) fn find_most(
        &self,
        sought: &[TargetLine<'_>],
        range: &Range<usize>,
        rungs: Rungs,
        most: usize,
    ) -> Result<Vec<usize>, LocateError> {
        self.spend(sought.len())?;
        if rungs != Rungs::NONE && !self.folded.may_hold(sought.iter().map(|line| line.text), rungs) {
            return Ok(Vec::new());
        }
        let Some((offset, places)) = self.rarest(sought, range, rungs) else { return Ok(Vec::new()) };
        let starts = places.iter().filter_map(|place| place.checked_sub(offset));
        let mut found = Vec::new();
        for start in starts.filter(|start| start + sought.len() <= range.end) {
            let alike = sought.iter().zip(start..).take_while(|(line, index)| self.reads_as(**line, *index, rungs));
            let alike = alike.count();
            self.spend((alike + 1) * if rungs == Rungs::NONE { COMPARISON } else { READING })?;
            found.extend((alike == sought.len()).then_some(start));
            if found.len() >= most {
                break;
            }
        }
        Ok(found)
    }

    /// Returns which line that is looked for stands in the fewest places inside `range`, as far as those tell, and them.
    fn rarest(
        &self,
        sought: &[TargetLine<'_>],
        range: &Range<usize>,
        rungs: Rungs,
    ) -> Option<(usize, Cow<'_, [usize]>)> {
        let looked_up = |(offset, line): (usize, &TargetLine<'_>)| {
            (offset, within(self.places(line.text, rungs), &(range.start + offset..range.end)))
        };
        let mut lines: Vec<_> = sought.iter().enumerate().collect();
        if rungs == Rungs::NONE {
            let commonness = |(_, line): &(usize, &TargetLine<'_>)| self.same.commonness(line.text);
            let likeliest = lines.iter().copied().min_by_key(commonness).map(looked_up);
            if likeliest.as_ref().is_none_or(|(_, places)| places.len() <= 1) {
                return likeliest;
            }
            lines.sort_by_key(commonness);
        }
        let (mut known, mut knows_empty) = (HashSet::new(), false);
        let mut rarest: Option<(usize, Cow<'_, [usize]>)> = None;
        for line in lines {
            let is_new = match line.1.text {
                "" => !std::mem::replace(&mut knows_empty, true),
                text => known.insert(text),
            };
            if !is_new {
                continue;
            }
            let (offset, places) = looked_up(line);
            let count = places.len();
            if rarest.as_ref().is_none_or(|(_, fewest)| count < fewest.len()) {
                rarest = Some((offset, places));
            }
            if count <= 1 {
                break;
            }
        }
        rarest
    }

    /// Returns the lines that `text` may stand for on `rungs`: all that it does are among them.
    fn places(&self, text: &str, rungs: Rungs) -> Cow<'_, [usize]> {
        if rungs == Rungs::NONE {
            return self.same.of(text);
        }
        Cow::Borrowed(self.folded.of(text, rungs))
    }

    pub(super) fn stands_at(&self, sought: &[TargetLine<'_>], start: usize, rungs: Rungs) -> bool {
        sought.iter().zip(start..).all(|(line, index)| self.reads_as(*line, index, rungs))
    }

    /// Reports whether `text` is the line at `index`, read on `rungs`.
    pub(crate) fn reads(&self, text: &str, index: usize, rungs: Rungs) -> bool {
        self.reads_as(TargetLine { text, form: LineForm::Whole }, index, rungs)
    }

    /// Reports whether a line that is looked for is the line at `index`, read on `rungs`.
    fn reads_as(&self, sought: TargetLine<'_>, index: usize, rungs: Rungs) -> bool {
        let found = self.text(index);
        // A text without a byte may stand nowhere in memory, where comparing takes some processors long.
        let is_same = || if found.is_empty() { sought.text.is_empty() } else { sought.text == found };
        if sought.form == LineForm::Whole && is_same() {
            return true;
        }
        let equal = |text: &str, found: &str| {
            rungs.fold_line(text) == rungs.fold_line(found) && begin_with_alike_dashes(text, found)
        };
        let text = rungs.read(sought.text);
        let behind_space = || text.strip_prefix(' ').zip(self.bullet_line(index)).filter(|_| sought.form.is_of(rungs));
        match sought.form {
            _ if rungs == Rungs::NONE => false,
            LineForm::Whole => self.readings(&text, index, rungs).any(|reading| equal(reading.text, reading.there)),
            LineForm::Spaced => behind_space()
                .is_some_and(|(text, _)| self.unprefixed(text, index, rungs).any(|(_, text)| equal(text, found))),
            LineForm::Content => behind_space().is_some_and(|(text, bullet)| {
                self.unprefixed(text, index, rungs).any(|(_, text)| equal(text, bullet.rest))
            }),
        }
    }

    /// Returns the bytes of a range of lines, endings included; a byte order mark stays outside.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        Span::new(self.doc.line_start(lines.start), self.doc.line_start(lines.end.max(lines.start)))
    }
}

/// Keeps the places inside `range`.
fn within<'p>(places: Cow<'p, [usize]>, range: &Range<usize>) -> Cow<'p, [usize]> {
    let first = places.partition_point(|place| *place < range.start);
    let end = places.partition_point(|place| *place < range.end).max(first);
    match places {
        Cow::Borrowed(places) => Cow::Borrowed(places.get(first..end).unwrap_or_default()),
        Cow::Owned(mut places) => {
            places.truncate(end);
            places.drain(..first);
            Cow::Owned(places)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines of documents, and such as models write for them.
    const LINE: &str = "( {0,2}|[1-3]\\| )(- |\\* |1\\. |- - |\u{2013} )?(\\[a\\] )?(tea|\u{201C}t\u{201D}|\"t\"|\u{E9}|e\u{301}|5)?[ \u{A0}\t]{0,2}";

    proptest! {
        #[test]
        fn a_run_is_found_where_a_plain_scan_finds_it(
            lines in prop::collection::vec(LINE, 1..12),
            (from, count) in (0_usize..12, 1_usize..4),
            other in LINE,
        ) {
            let doc = MemoryDoc::parse(lines.join("\n"));
            let index = LineIndex::new(&doc, 4);
            let copied: Vec<_> = lines.iter().skip(from).take(count).map(String::as_str).collect();
            let whole = 0..doc.lines().len();
            for texts in [copied.as_slice(), &[&*other], &[copied.as_slice(), &[&*other]].concat()] {
                for form in [LineForm::Whole, LineForm::Spaced, LineForm::Content] {
                    let form = |text: &str| if form.fits(text) { form } else { LineForm::Whole };
                    let sought: Vec<_> = texts.iter().map(|text| TargetLine { text, form: form(text) }).collect();
                    for rungs in std::iter::once(Rungs::NONE).chain(Rungs::climb()) {
                        let stands = |start: &usize| start + sought.len() <= whole.end && index.stands_at(&sought, *start, rungs);
                        let scanned: Vec<_> = whole.clone().filter(stands).filter(|_| !sought.is_empty()).collect();
                        prop_assert_eq!(index.find_all(&sought, &whole, rungs), Ok(scanned), "{:?} {:?}", sought, rungs);
                    }
                }
            }
        }
    }
}
