//! Whole lines: where a run of lines stands in a document, in time linear in both.
//!
//! Lines are looked up by what all their readings have in common. A run is looked for where its rarest line stands, and
//! compared there; the number of comparisons is bounded for a whole plan, so that no input makes it quadratic.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;

use super::diagnostic::LocateError;
use super::ladder::{Rung, Rungs};
use super::marker::{BulletLine, LineLabel, behind_space, is_bullet_line, view_prefix};
use crate::document::{BulletRef, MemoryDoc, bullet_start};
use crate::text::Span;

/// A line that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TargetLine<'a> {
    /// Its text, without ending.
    pub(super) text: &'a str,
    /// What it stands for.
    pub(super) form: LineForm,
}

/// What a line that is looked for stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineForm {
    /// A line as it stands.
    Whole,
    /// Behind one space, the line of a bullet as it stands. Only with the rung [`Rung::BulletMarker`].
    Spaced,
    /// Behind one space, all that follows a bullet's marker. Only with the rung [`Rung::BulletMarker`].
    Content,
}

impl LineForm {
    /// Reports whether the text of a line may be meant in this form.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Spaced => text.strip_prefix(' ').is_some_and(is_bullet_line),
            Self::Content => behind_space(text).is_some(),
        }
    }

    /// Reports whether lines are looked for in this form on these rungs.
    pub(super) fn is_of(self, rungs: Rungs) -> bool {
        self == Self::Whole || rungs.has(Rung::BulletMarker)
    }
}

/// How many places are counted before a run is given up as ambiguous.
const COUNTED: usize = 1_000;

/// By what lines are looked up.
#[derive(Clone, Copy)]
enum Lookup {
    Exact,
    Trimmed,
    Folded,
    /// Folded, without white space, markers and, with [`Rung::ViewPrefix`], prefixes before it.
    Core,
    CoreOfView,
}

impl Lookup {
    const fn count() -> usize {
        Self::CoreOfView as usize + 1
    }

    fn of(rungs: Rungs) -> Self {
        match rungs {
            _ if rungs.has(Rung::ViewPrefix) => Self::CoreOfView,
            _ if rungs.has(Rung::BulletMarker) => Self::Core,
            _ if rungs.has(Rung::Punctuation) => Self::Folded,
            _ if rungs.has(Rung::TrailingSpace) => Self::Trimmed,
            _ => Self::Exact,
        }
    }
}

/// The lines of a document, indexed for look-ups on every rung of the ladder.
#[derive(Debug)]
pub(crate) struct LineIndex<'a> {
    doc: &'a MemoryDoc,
    lookups: [OnceCell<HashMap<String, Vec<usize>>>; Lookup::count()],
    comparisons_left: Cell<usize>,
}

impl<'a> LineIndex<'a> {
    /// Indexes `doc` for a request of `lines` lines.
    pub(crate) fn new(doc: &'a MemoryDoc, lines: usize) -> Self {
        let budget = 1_000_000 + 64 * (doc.lines().len() + lines);
        Self { doc, lookups: Default::default(), comparisons_left: Cell::new(budget) }
    }

    /// Returns the text of a line. A byte order mark is no part of the first.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        let text = self.doc.lines().line(self.doc.text(), index).text.of(self.doc.text());
        if index == 0 { text.strip_prefix('\u{FEFF}').unwrap_or(text) } else { text }
    }

    /// Returns the document.
    pub(crate) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }

    /// Returns the bullet whose first line this is.
    pub(crate) fn bullet(&self, index: usize) -> Option<BulletRef<'a>> {
        let start = self.doc.lines().start(index);
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

    /// Takes `work` from the comparisons that the plan may make.
    ///
    /// # Errors
    ///
    /// There are not so many left: the lines repeat one another too often.
    pub(crate) fn spend(&self, work: usize) -> Result<(), LocateError> {
        let left = self.comparisons_left.get().checked_sub(work);
        self.comparisons_left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(LocateError::TooCostly)
    }

    /// Finds the places inside `range` of line indices where `sought` stands, read on `rungs`, the first thousand at most.
    pub(super) fn find_all(
        &self,
        sought: &[TargetLine<'_>],
        range: &Range<usize>,
        rungs: Rungs,
    ) -> Result<Vec<usize>, LocateError> {
        let lookup = self.lookup(rungs);
        let mut rarest: Option<(usize, &[usize])> = None;
        for (offset, line) in sought.iter().enumerate() {
            let key = lookup_key(&rungs.read(line.text), rungs);
            let places = lookup.get(&key).map_or(&[] as &[usize], Vec::as_slice);
            let first = places.partition_point(|place| *place < range.start + offset);
            let end = places.partition_point(|place| *place < range.end);
            let places = places.get(first..end).unwrap_or_default();
            if rarest.is_none_or(|(_, fewest)| places.len() < fewest.len()) {
                rarest = Some((offset, places));
            }
            self.spend(1)?;
        }
        let Some((offset, places)) = rarest else { return Ok(Vec::new()) };
        let starts = places.iter().filter_map(|place| place.checked_sub(offset));
        let mut found = Vec::new();
        for start in starts.filter(|start| start + sought.len() <= range.end) {
            let alike = sought.iter().zip(start..).take_while(|(line, index)| self.reads_as(**line, *index, rungs));
            let alike = alike.count();
            self.spend(alike + 1)?;
            found.extend((alike == sought.len()).then_some(start));
            if found.len() >= COUNTED {
                break;
            }
        }
        Ok(found)
    }

    /// Reports whether `sought` stands at line `start`.
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
        if sought.form == LineForm::Whole && sought.text == found {
            return true;
        }
        let equal = |text: &str, found: &str| rungs.fold_line(text) == rungs.fold_line(found);
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
        let table = self.doc.lines();
        let start = |index: usize| if index == 0 { self.mark() } else { table.start(index) };
        Span::new(start(lines.start), start(lines.end.max(lines.start)))
    }

    /// Returns the length of the byte order mark before the first line.
    fn mark(&self) -> usize {
        if self.doc.text().starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 }
    }

    fn lookup(&self, rungs: Rungs) -> &HashMap<String, Vec<usize>> {
        let fill = || {
            let mut lookup: HashMap<String, Vec<usize>> = HashMap::new();
            for line in 0..self.doc.lines().len() {
                lookup.entry(lookup_key(self.text(line), rungs)).or_default().push(line);
            }
            lookup
        };
        let [exact, trimmed, folded, core, core_of_view] = &self.lookups;
        let cell = match Lookup::of(rungs) {
            Lookup::Exact => exact,
            Lookup::Trimmed => trimmed,
            Lookup::Folded => folded,
            Lookup::Core => core,
            Lookup::CoreOfView => core_of_view,
        };
        cell.get_or_init(fill)
    }
}

/// Returns what all lines that `text` may stand for on `rungs` have in common.
fn lookup_key(text: &str, rungs: Rungs) -> String {
    let folded = rungs.fold_line(text);
    if !rungs.reads_lines() {
        return folded.into_owned();
    }
    let mut rest: &str = &folded;
    loop {
        let before = rest.len();
        rest = rest.trim_start_matches([' ', '\t']);
        rest = bullet_start(rest).and_then(|start| rest.get(start.rest..)).unwrap_or(rest);
        if rungs.has(Rung::ViewPrefix) {
            rest = view_prefix(rest).map_or(rest, |(_, behind)| behind);
        }
        if rest.len() == before {
            return rest.to_owned();
        }
    }
}
