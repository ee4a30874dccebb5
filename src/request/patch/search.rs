//! The readings of a hunk, and the search for the one place in its scope that it matches: as a whole, or run by run
//! if it has no context. A hunk that is already applied is found by its new lines.
//!
//! All these `-` lines delete the line of the document, each in another reading:
//!
//! ```text
//! document    - User’s advisor: TBD
//! as sent     -- User’s advisor: TBD          the text behind the operator is the line
//! spaced      - - User’s advisor: TBD         without one space behind the operator
//! contents    - User’s advisor: TBD           without that space, and only the content of the bullet
//! prefixed    -12| - User’s advisor: TBD      without the line number that a view shows before the line
//! ```

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::anchor::HunkScope;
use super::parse::{MOST, PatchError, unprefixed};
use super::planner::Planner;
use super::write::{HunkPlan, LineEdit};
use super::{Hunk, HunkLine, LineOp, Refusal};
use crate::document::{ItemText, is_marked};
use crate::edit::compose::Prefix;
use crate::locate::{
    DocLines, Leniency, LineForm, LineRun, SoughtLine, ViewPrefixes, leniencies_between, normal_content, view_prefix,
};
use crate::request::written_lines::loses_space;
use crate::text::{Content, is_blank};

/// One way to read the lines of a hunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    /// The leniency of this reading; `None` for lines as sent.
    pub(super) healed: Option<Leniency>,
    pub(super) lines: Vec<HunkLine>,
    /// Whether a line may be only the content of a bullet instead of a whole line.
    may_be_contents: bool,
}

impl Reading {
    pub(super) fn as_sent(lines: Vec<HunkLine>) -> Self {
        Self { healed: None, lines, may_be_contents: false }
    }

    /// Reads a hunk without the first space of the lines with these operators.
    fn spaced(hunk: &Hunk, ops: &[LineOp]) -> Self {
        let less = |line: &HunkLine| {
            let less = line.text.strip_prefix(' ').filter(|_| ops.contains(&line.op) && !is_blank(&line.text));
            less.map(Content::from)
        };
        Self { healed: Some(Leniency::Spaced), lines: hunk.lines_with(less), may_be_contents: true }
    }

    /// Returns the readings of a hunk, the most literal first.
    pub(super) fn all(hunk: &Hunk) -> Vec<Self> {
        let of = |op| full(&hunk.lines, op);
        let is_spaced = |op| of(op).next().is_some() && of(op).all(|text| text.starts_with(' '));
        let deletes = is_spaced(LineOp::Delete);
        let may_be_spaced = deletes || (of(LineOp::Delete).next().is_none() && loses_space(of(LineOp::Add)));
        // A line with a marker is a whole line, not a content.
        let may_be_contents = !deletes && !of(LineOp::Delete).any(is_marked);
        let mut all = vec![Self { may_be_contents, ..Self::as_sent(hunk.lines.clone()) }];
        if deletes {
            all.push(Self::spaced(hunk, &[LineOp::Delete]));
        }
        if may_be_spaced && is_spaced(LineOp::Context) {
            all.push(Self::spaced(hunk, &[LineOp::Delete, LineOp::Context]));
        }
        // This reading needs the prefix of a view on each `-` and context line.
        let mut labels = old(&hunk.lines).filter(|line| !is_blank(&line.text)).map(|line| view_prefix(&line.text));
        if labels.clone().next().is_some() && labels.all(|label| label.is_some()) {
            let lines = hunk.lines_with(|line| view_prefix(&line.text).map(|(_, text)| text.into()));
            all.push(Self { healed: Some(Leniency::ViewPrefix), lines, may_be_contents: false });
        }
        all
    }
}

/// Iterates over the `-` and context lines.
pub(super) fn old(lines: &[HunkLine]) -> impl Iterator<Item = &HunkLine> + Clone {
    lines.iter().filter(|line| line.op != LineOp::Add)
}

/// Iterates over the lines of one operator that are not blank.
pub(super) fn full(lines: &[HunkLine], op: LineOp) -> impl Iterator<Item = &str> + Clone {
    let of = lines.iter().filter(move |line| line.op == op);
    of.map(|line| line.text.as_str()).filter(|text| !is_blank(text))
}

/// Divides lines into context and runs: a `-` line behind a `+` line begins a new run.
fn chunks(lines: &[HunkLine]) -> impl Iterator<Item = &[HunkLine]> {
    lines.chunk_by(|line, next| match (line.op, next.op) {
        (LineOp::Add, LineOp::Delete) => false,
        (one, other) => (one == LineOp::Context) == (other == LineOp::Context),
    })
}

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct HunkMatch {
    pub(super) reading: Rc<Reading>,
    /// How its lines were compared.
    pub(super) compared: LineForm,
    /// The lines of the document that it matches.
    pub(super) run: LineRun,
    /// The indentation and marker for appended lines, copied from a bullet.
    pub(super) model: Option<Prefix>,
}

/// A run of a hunk: `-` lines, and the `+` lines behind them.
#[derive(Clone, Debug)]
pub(super) struct Run<'h> {
    /// The lines of the document that are deleted; empty if none is.
    pub(super) deleted: Range<usize>,
    /// The `-` lines.
    pub(super) sent: Vec<&'h str>,
    /// The `+` lines.
    pub(super) added: Vec<&'h str>,
}

impl HunkMatch {
    /// Returns the leniency with which its lines were read; `None` for lines as sent.
    pub(super) fn form(&self) -> Option<Leniency> {
        if self.run.contents.is_empty() { self.reading.healed } else { Some(Leniency::BulletForm) }
    }

    /// Iterates over its `-` and context lines, each with the line of the document that it matches.
    pub(super) fn old(&self) -> impl Iterator<Item = (&HunkLine, usize)> {
        old(&self.reading.lines).zip(self.run.first..)
    }

    /// Returns the lines of the document that it matches.
    pub(super) fn range(&self) -> Range<usize> {
        self.run.first..self.run.first + self.old().count()
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.run.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs.
    pub(super) fn runs(&self) -> Vec<Run<'_>> {
        let mut at = self.run.first;
        let runs = chunks(&self.reading.lines).map(|chunk| {
            let of = |op| chunk.iter().filter(move |line| line.op == op).map(|line| line.text.as_str()).collect();
            let (start, sent, added): (_, Vec<_>, Vec<_>) = (at, of(LineOp::Delete), of(LineOp::Add));
            at += chunk.len() - added.len();
            Run { deleted: start..at, sent, added }
        });
        runs.filter(|run| !(run.sent.is_empty() && run.added.is_empty())).collect()
    }

    /// Returns the leniencies that were needed for the match.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Leniency> {
        let overlooked = |(line, at): (&HunkLine, usize)| leniencies_between(&line.text, lines.doc.line_text(at));
        let compared = self.old().filter(|_| self.compared == LineForm::Normal).flat_map(overlooked);
        self.form().into_iter().chain(compared).collect()
    }

    /// Returns true if it matches only the first line of a bullet's content, which has more lines.
    fn is_part_of_bullet(&self, lines: &DocLines<'_>) -> bool {
        let mut bullets = self.run.contents.iter().filter_map(|line| lines.bullet(*line));
        bullets.any(|bullet| bullet.continuation_lines().any(|line| !is_blank(line.of(lines.doc.text()))))
    }

    /// Returns true if it is read as contents and could mean something else: `- old` may delete `old`, or may be context
    /// without the leading space.
    fn is_doubtful(&self) -> bool {
        let adds = self.reading.lines.iter().any(|line| line.op == LineOp::Add);
        let is_doubtful = |run: &Run<'_>| {
            let mut contents = run.deleted.clone().map(|line| self.is_content(line));
            let is_fewer = run.added.iter().filter(|line| !is_blank(line)).count() < run.deleted.len();
            let stands_full = contents.clone().zip(&run.added).any(|(is, added)| is && is_marked(added.trim_start()));
            stands_full || (adds && is_fewer && contents.any(|is_content| is_content))
        };
        self.runs().iter().any(is_doubtful)
    }
}

impl<'a> Planner<'a> {
    /// Finds a hunk in its scope, in each reading: exactly, then in normal form; the reading without the prefixes of a view
    /// comes last. A match of only the first line of a longer bullet is no place, but makes another place ambiguous.
    pub(super) fn search(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Result<Option<HunkMatch>, Refusal> {
        let mut range = scope.lines.clone();
        if hunk.is_at_end_of_file {
            range.start = range.start.max(self.lines.len().saturating_sub(old(&hunk.lines).count()));
        }
        let heals = self.doc.heals();
        let readings = if heals { Reading::all(hunk) } else { vec![Reading::as_sent(hunk.lines.clone())] };
        let forms = if heals { &[LineForm::Exact, LineForm::Normal][..] } else { &[LineForm::Exact] };
        let readings: Vec<Rc<Reading>> = readings.into_iter().map(Rc::new).collect();
        for readings in readings.chunk_by(|_, next| next.healed != Some(Leniency::ViewPrefix)) {
            for form in forms {
                let find = |reading| self.find(hunk, reading, &range, *form);
                let mut found: Vec<_> = readings.iter().flat_map(find).collect();
                let mut seen = HashSet::new();
                found.retain(|found| seen.insert(found.run.first));
                match found.as_slice() {
                    [] => {}
                    [only] if only.is_part_of_bullet(&self.lines) => {}
                    [only] if only.is_doubtful() => return Err(doubtful(hunk).into()),
                    [_] => return Ok(found.pop()),
                    several => return Err(self.several(hunk, several).into()),
                }
            }
        }
        Ok(None)
    }

    /// Returns all places that a hunk matches in one reading.
    fn find(&self, hunk: &Hunk, reading: &Rc<Reading>, range: &Range<usize>, compared: LineForm) -> Vec<HunkMatch> {
        let is_indented = |text: &str| text.starts_with(char::is_whitespace);
        let may_be_content = |text: &str| reading.may_be_contents && !is_marked(text) && !is_indented(text);
        let sought = old(&reading.lines).map(|HunkLine { text, .. }| text.as_str());
        let sought: Vec<_> = sought.map(|text| SoughtLine { text, may_be_content: may_be_content(text) }).collect();
        let is_prefixed = reading.healed == Some(Leniency::ViewPrefix);
        let fits = |(line, at): (&HunkLine, usize)| !is_prefixed || ViewPrefixes::fits(self.doc, at, &line.text);
        let runs = self.lines.find(&sought, range, compared).into_iter();
        let runs = runs.filter(|run| old(&hunk.lines).zip(run.first..).all(fits));
        runs.map(|run| HunkMatch { reading: Rc::clone(reading), compared, run, model: None }).collect()
    }

    /// Finds the runs of a hunk without context apart from each other. If that fails, runs are divided into single `-`
    /// lines where that is clear (see [`divided`]), and these are looked for.
    pub(super) fn find_apart(&self, hunk: &Hunk, scope: &HunkScope<'a>) -> Option<Vec<HunkMatch>> {
        if !self.doc.heals() || hunk.is_at_end_of_file || hunk.lines.iter().any(|line| line.op == LineOp::Context) {
            return None;
        }
        let runs: Vec<_> = chunks(&hunk.lines).map(<[_]>::to_vec).collect();
        let single: Vec<_> = chunks(&hunk.lines).flat_map(divided).collect();
        // The number of pieces is limited, as each is looked for in the whole scope. A single piece has been looked for.
        let few = [runs, single].into_iter().filter(|pieces| (2..=MOST).contains(&pieces.len()));
        few.filter_map(|pieces| self.find_pieces(hunk, pieces, scope)).next()
    }

    /// Finds each piece of a hunk. The places must be in the order of the pieces, all in the same reading, and that reading
    /// must be clear.
    fn find_pieces(&self, hunk: &Hunk, pieces: Vec<Vec<HunkLine>>, scope: &HunkScope<'a>) -> Option<Vec<HunkMatch>> {
        let find = |lines| self.search(&Hunk { lines, ..hunk.clone() }, scope).ok().flatten();
        let found: Vec<HunkMatch> = pieces.into_iter().map(find).collect::<Option<_>>()?;
        let writes = |found: &HunkMatch| full(&found.reading.lines, LineOp::Add).next().is_some();
        let is_in_order = found.iter().zip(found.iter().skip(1)).all(|(one, next)| {
            // A piece that only deletes may be the context of a piece that writes right beside it.
            let is_apart = one.range().end < next.run.first || writes(one) == writes(next);
            is_apart && one.run.first < next.run.first && one.form() == next.form()
        });
        let is_clear = match found.first()?.form() {
            Some(Leniency::BulletForm) => !hunk.lines.iter().any(|line| is_marked(line.text.trim_start())),
            form => form != Some(Leniency::ViewPrefix),
        };
        (is_in_order && is_clear).then_some(found)
    }

    /// Returns the lines that show that all insertions are already applied: the same lines right before the place of each
    /// or, with context, right after it.
    pub(super) fn inserted_lines(&self, scope: &HunkScope<'_>, written: &HunkPlan) -> Option<Vec<Range<usize>>> {
        let low = if scope.is_document() { 0 } else { scope.lines.start + 1 };
        let stands = |edit: &LineEdit| {
            let full: Vec<&str> = edit.texts.iter().map(String::as_str).filter(|text| !is_blank(text)).collect();
            let at = edit.lines.start;
            let before = at.saturating_sub(full.len()).max(low)..at;
            let behind = at..(at + full.len()).min(scope.lines.end);
            let places = [before, behind].into_iter().take(if written.needed.is_empty() { 1 } else { 2 });
            // The context of the hunk itself does not count as an inserted line.
            let mut places = places.filter(|place| !written.needed.iter().any(|line| place.contains(&line.start)));
            places.find(|place| !full.is_empty() && self.lines.texts(place.clone()).eq(full.iter().copied()))
        };
        written.edits.iter().map(stands).collect()
    }

    /// Returns the lines of a hunk that is already applied: its context and `+` lines are there as sent, once in its
    /// scope, and no other line there has the content of a `-` line.
    pub(super) fn applied_lines(&self, hunk: &Hunk, scope: &HunkScope<'_>) -> Option<Range<usize>> {
        let of = |op| full(&hunk.lines, op);
        if of(LineOp::Add).next().is_none() || of(LineOp::Context).next().is_none() {
            return None;
        }
        let new = hunk.lines.iter().filter(|line| line.op != LineOp::Delete);
        let sought: Vec<_> = new.map(|line| SoughtLine { text: &line.text, may_be_content: false }).collect();
        let found = self.lines.find(&sought, &scope.lines, LineForm::Exact);
        let [only] = found.as_slice() else { return None };
        let range = only.first..only.first + sought.len();
        let content = |line| normal_content(ItemText::of_line(line).content);
        let deleted: HashSet<_> = of(LineOp::Delete).flat_map(|text| [content(text), normal_content(text)]).collect();
        let mut others = scope.lines.clone().filter(|at| !range.contains(at)).map(|at| self.doc.line_text(at));
        (!others.any(|line| !is_blank(line) && deleted.contains(&content(line)))).then_some(range)
    }
}

/// Divides a run into single `-` lines, each with the `+` line that replaces it. A run is divided only if it writes
/// nothing, or as many lines as it deletes.
fn divided(run: &[HunkLine]) -> Vec<Vec<HunkLine>> {
    let (deleted, added): (Vec<_>, Vec<_>) = run.iter().cloned().partition(|line| line.op == LineOp::Delete);
    match added.len() {
        0 => deleted.into_iter().map(|line| vec![line]).collect(),
        count if count == deleted.len() => deleted.into_iter().zip(added).map(|(line, new)| vec![line, new]).collect(),
        _ => vec![run.to_vec()],
    }
}

/// The refusal of a hunk with a `-` line that may be context without the leading space.
pub(super) fn doubtful(hunk: &Hunk) -> PatchError {
    let is_bare = |line: &HunkLine| line.op == LineOp::Delete && line.text.starts_with(' ');
    let at = hunk.lines.iter().position(is_bare).unwrap_or_default();
    unprefixed(hunk.first_line + at, hunk.lines.get(at).map_or("", |line| line.text.as_str()))
}
