//! Whole lines: where a run of lines stands in a document, in time linear in both (SPEC §§ 6.1, 7.3).
//!
//! Lines are looked up by their folded text. A run is looked for where its rarest line stands, and compared there; the
//! number of comparisons is bounded for a whole plan, so that no input makes it quadratic.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::ops::Range;

use super::ladder::{Rung, Rungs, strip_view_prefix, unescape};
use crate::document::{MemoryDoc, bullet_start};
use crate::text::Span;

/// A line that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SoughtLine<'a> {
    /// Its text, without ending.
    pub(crate) text: &'a str,
    /// How it may stand for a bullet.
    pub(crate) form: LineForm,
}

/// How a line may stand for a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LineForm {
    /// It is the line as it stands.
    Whole,
    /// With the rung [`Rung::BulletMarker`], what follows its first space may be all that follows a bullet's marker.
    MayLackMarker,
}

/// Why a run of lines was not found once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinesError {
    /// It is nowhere.
    Nowhere,
    /// It is at these places, by index of their first line; more may follow.
    Several { first: Vec<usize>, count: usize },
    /// The comparisons allowed for the plan are used up: the lines repeat one another too often.
    TooCostly,
}

/// How many places are counted before a run is given up as ambiguous.
const COUNTED: usize = 1_000;

/// The lines of a document, indexed for look-ups on every rung of the ladder.
#[derive(Debug)]
pub(crate) struct LineIndex<'a> {
    doc: &'a MemoryDoc,
    exact: OnceCell<HashMap<String, Vec<usize>>>,
    rungs: [OnceCell<HashMap<String, Vec<usize>>>; Rung::LADDER.len()],
    comparisons_left: Cell<usize>,
}

impl<'a> LineIndex<'a> {
    /// Indexes `doc` for a request of `lines` lines.
    pub(crate) fn new(doc: &'a MemoryDoc, lines: usize) -> Self {
        let budget = 1_000_000 + 64 * (doc.lines().len() + lines);
        Self { doc, exact: OnceCell::new(), rungs: Default::default(), comparisons_left: Cell::new(budget) }
    }

    /// Returns the text of a line.
    pub(crate) fn text(&self, index: usize) -> &'a str {
        self.doc.lines().line(self.doc.text(), index).text.of(self.doc.text())
    }

    /// Takes `work` from the comparisons that the plan may make; `false` if there are not so many left.
    pub(crate) fn spend(&self, work: usize) -> bool {
        let left = self.comparisons_left.get().checked_sub(work);
        self.comparisons_left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Finds the one place inside `range` of line indices where `sought` stands, read on `rungs`.
    pub(crate) fn find(
        &self,
        sought: &[SoughtLine<'_>],
        range: &Range<usize>,
        rungs: Rungs,
    ) -> Result<usize, LinesError> {
        let index = self.index(rungs);
        let mut rarest: Option<(usize, &[usize])> = None;
        for (offset, line) in sought.iter().enumerate() {
            let places = index.get(&key(line.text, rungs)).map_or(&[] as &[usize], Vec::as_slice);
            let first = places.partition_point(|place| *place < range.start + offset);
            let end = places.partition_point(|place| *place < range.end);
            let places = places.get(first..end).unwrap_or_default();
            if rarest.is_none_or(|(_, fewest)| places.len() < fewest.len()) {
                rarest = Some((offset, places));
            }
            if !self.spend(1) {
                return Err(LinesError::TooCostly);
            }
        }
        let Some((offset, places)) = rarest else { return Err(LinesError::Nowhere) };
        let mut found = Vec::new();
        for place in places {
            let Some(start) = place.checked_sub(offset).filter(|start| start + sought.len() <= range.end) else {
                continue;
            };
            match self.stands_at(sought, start, rungs) {
                None => return Err(LinesError::TooCostly),
                Some(true) => found.push(start),
                Some(false) => {}
            }
            if found.len() >= COUNTED {
                break;
            }
        }
        match found.as_slice() {
            [] => Err(LinesError::Nowhere),
            [only] => Ok(*only),
            _ => Err(LinesError::Several { count: found.len(), first: found }),
        }
    }

    /// Reports whether `sought` stands at line `start`; `None` if the comparisons are used up.
    pub(crate) fn stands_at(&self, sought: &[SoughtLine<'_>], start: usize, rungs: Rungs) -> Option<bool> {
        for (line, index) in sought.iter().zip(start..) {
            if !self.spend(1) {
                return None;
            }
            if index >= self.doc.lines().len() || !reads_as(*line, self.text(index), rungs) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns the bytes of a range of lines, endings included.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        let table = self.doc.lines();
        Span::new(table.start(lines.start), table.start(lines.end.max(lines.start)))
    }

    fn index(&self, rungs: Rungs) -> &HashMap<String, Vec<usize>> {
        let cell = match rungs.iter().last() {
            None => &self.exact,
            Some(highest) => {
                let place = Rung::LADDER.iter().position(|rung| *rung == highest).unwrap_or(0);
                self.rungs.get(place).unwrap_or(&self.exact)
            }
        };
        cell.get_or_init(|| {
            let mut index: HashMap<String, Vec<usize>> = HashMap::new();
            for line in 0..self.doc.lines().len() {
                index.entry(found_key(self.text(line), rungs)).or_default().push(line);
            }
            index
        })
    }
}

/// Reports whether a line that is looked for is the line `found`, read on `rungs`.
pub(crate) fn reads_as(sought: SoughtLine<'_>, found: &str, rungs: Rungs) -> bool {
    if rungs == Rungs::NONE {
        return sought.text == found;
    }
    let read = as_read(sought.text, rungs);
    let plain = rungs.without(Rung::BulletMarker);
    if plain.fold_line(&read) == plain.fold_line(found) {
        return true;
    }
    if !rungs.has(Rung::BulletMarker) {
        return false;
    }
    let found_start = bullet_start(found);
    if let (LineForm::MayLackMarker, Some(start)) = (sought.form, &found_start)
        && let Some(body) = read.strip_prefix(' ')
        && plain.fold_line(body) == plain.fold_line(found.get(start.rest..).unwrap_or_default())
    {
        return true;
    }
    let marker = |line: &str| bullet_start(line).and_then(|start| line.get(start.marker).map(str::to_owned));
    let markers_agree = match (marker(&read), marker(found)) {
        (Some(sought), Some(found)) => sought == found,
        (Some(_), None) => false,
        (None, _) => true,
    };
    markers_agree && rungs.fold_line(&read) == rungs.fold_line(found)
}

/// Returns a line of a request as the rungs in use read it; an escaped line feed is none, since a line has none.
pub(crate) fn as_read(text: &str, rungs: Rungs) -> std::borrow::Cow<'_, str> {
    let text = match strip_view_prefix(text).filter(|_| rungs.has(Rung::ViewPrefix)) {
        Some(stripped) => stripped,
        None => text,
    };
    if rungs.has(Rung::Escapes) { unescape(text) } else { text.into() }
}

/// Returns what a line that is looked for and the line found have in common on `rungs`.
fn key(text: &str, rungs: Rungs) -> String {
    found_key(&as_read(text, rungs), rungs)
}

fn found_key(text: &str, rungs: Rungs) -> String {
    if !rungs.has(Rung::BulletMarker) {
        return rungs.fold_line(text).into_owned();
    }
    let folded = rungs.without(Rung::BulletMarker).fold_line(text).into_owned();
    let mut rest = folded.trim_start_matches([' ', '\t']);
    while let Some(start) = bullet_start(rest) {
        rest = rest.get(start.rest..).unwrap_or_default();
    }
    rest.to_owned()
}
