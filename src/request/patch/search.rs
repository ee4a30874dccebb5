//! The one place of a hunk in its scope: as a whole, or of each run of a hunk without context; or
//! where what it writes stands already.

use std::collections::HashSet;
use std::ops::Range;

use super::anchor::HunkScope;
use super::planner::Miss;
use super::reading::{Form, NumberMarker, ReadLine, Reading, is_marked};
use super::write::LineEdit;
use super::{Hunk, HunkLine, LineOp};
use crate::document::BulletRef;
use crate::locate::{DocLines, ItemText, Leniency, LineLabel, LineRun, SoughtLine};
use crate::text::is_blank;

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct Found<'h> {
    pub(super) run: LineRun,
    pub(super) reading: Reading<'h>,
}

/// A run of a hunk: `-` lines, and the `+` lines behind them.
#[derive(Clone, Debug)]
pub(super) struct FoundRun<'h> {
    /// The lines of the document that go; empty, where none does.
    pub(super) deleted: Range<usize>,
    /// The `-` lines.
    pub(super) sent: Vec<&'h str>,
    /// The `+` lines.
    pub(super) added: Vec<ReadLine<'h>>,
}

impl<'h> Found<'h> {
    /// Returns the lines of the document that it takes up.
    pub(super) fn range(&self) -> Range<usize> {
        self.run.first..self.run.first + self.reading.old().count()
    }

    /// Iterates over its `-` and context lines, each with the line of the document that it is.
    pub(super) fn old(&self) -> impl Iterator<Item = (&ReadLine<'h>, usize)> {
        self.reading.old().zip(self.run.first..)
    }

    pub(super) fn has(&self, op: LineOp) -> bool {
        self.reading.lines.iter().any(|line| line.op == op)
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.run.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs: a `-` line behind a `+` line begins a new one.
    pub(super) fn runs(&self) -> Vec<FoundRun<'h>> {
        let goes_on = |line: &ReadLine<'_>, next: &ReadLine<'_>| {
            let is_context = |line: &ReadLine<'_>| line.op == LineOp::Context;
            is_context(line) == is_context(next) && (line.op, next.op) != (LineOp::Add, LineOp::Delete)
        };
        let (mut runs, mut at) = (Vec::new(), self.run.first);
        for run in self.reading.lines.chunk_by(goes_on) {
            let of = |op| run.iter().filter(move |line| line.op == op);
            let behind = at + run.len() - of(LineOp::Add).count();
            if of(LineOp::Context).next().is_none() {
                let sent = of(LineOp::Delete).map(|line| line.text).collect();
                runs.push(FoundRun { deleted: at..behind, sent, added: of(LineOp::Add).copied().collect() });
            }
            at = behind;
        }
        runs
    }

    /// Returns the names of what was healed.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Leniency> {
        let mut healed: Vec<Leniency> = match self.reading.form {
            Form::AsSent => None,
            Form::Spaced => Some(Leniency::Spaced),
            Form::Contents => Some(Leniency::BulletForm),
            Form::Prefixed => Some(Leniency::ViewPrefix),
        }
        .into_iter()
        .collect();
        if !self.run.is_exact {
            let pairs =
                || self.old().map(|(line, at)| (line.text, lines.text(at))).filter(|(sought, there)| sought != there);
            let is_space = |(sought, there): (&str, &str)| sought.trim_end() == there.trim_end();
            healed.extend(pairs().any(is_space).then_some(Leniency::TrailingSpace));
            healed.extend((!pairs().all(is_space)).then_some(Leniency::Punctuation));
        }
        healed
    }

    /// Reports whether it is read as the content of a bullet that has lines behind its first one.
    pub(super) fn is_part_of_bullet(&self, lines: &DocLines<'_>) -> bool {
        let goes_on =
            |bullet: BulletRef<'_>| bullet.continuation_lines().any(|line| !is_blank(line.of(bullet.doc().text())));
        self.run.contents.iter().any(|line| lines.bullet(*line).is_some_and(goes_on))
    }

    /// Reports whether it is read as contents and could be meant otherwise: `- old` could be context that lacks its space.
    pub(super) fn is_doubtful(&self) -> bool {
        let is_fewer = |run: &FoundRun<'_>| {
            let full = run.added.iter().filter(|line| !is_blank(line.text)).count();
            self.has(LineOp::Add) && full < run.deleted.len() && run.deleted.clone().any(|line| self.is_content(line))
        };
        let stands_full = |run: &FoundRun<'_>| {
            let mut pairs = run.deleted.clone().zip(&run.added);
            pairs.any(|(line, added)| self.is_content(line) && is_marked(added.text.trim_start(), NumberMarker::None))
        };
        !self.run.contents.is_empty() && self.runs().iter().any(|run| is_fewer(run) || stands_full(run))
    }
}

/// Looks for a hunk in its scope, in each reading: exactly, then in normal form; at last without the prefixes of a view.
pub(super) fn search<'h, 'a>(
    lines: &DocLines<'a>,
    hunk: &'h Hunk,
    scope: &HunkScope<'a>,
    heals: bool,
) -> Result<Option<Found<'h>>, Miss<'a>> {
    let readings = if heals { Reading::all(&hunk.lines) } else { vec![Reading::as_sent(&hunk.lines)] };
    let range = match hunk.is_at_end_of_file {
        // The last lines of the document, if the hunk is to stand there.
        true => {
            let height = hunk.lines.iter().filter(|line| line.op != LineOp::Add).count();
            scope.start.max(lines.len().saturating_sub(height))..scope.full
        }
        false => scope.range(),
    };
    for is_prefixed in [false, true] {
        let readings = readings.iter().filter(|reading| (reading.form == Form::Prefixed) == is_prefixed);
        let mut found: Vec<_> = readings.flat_map(|reading| find(lines, reading, &range)).collect();
        found.retain(|found| !hunk.is_at_end_of_file || found.range().end == lines.len());
        let exact: Vec<_> = found.iter().filter(|found| found.run.is_exact).cloned().collect();
        for found in [exact, if heals { found } else { Vec::new() }] {
            if let Some(only) = only(lines, found)? {
                return Ok(Some(only));
            }
        }
    }
    Ok(None)
}

/// Returns where lines stand in one reading.
pub(super) fn find<'h>(lines: &DocLines<'_>, reading: &Reading<'h>, range: &Range<usize>) -> Vec<Found<'h>> {
    let sought = reading.sought();
    let is_contents = reading.form == Form::Contents;
    if is_contents && !sought.iter().any(|line| line.may_be_content) {
        return Vec::new();
    }
    let has_label =
        |(line, at): (&ReadLine<'_>, _)| line.label.is_none_or(|label| LineLabel::of_line(lines.doc, at).is(label));
    let runs = lines.find(&sought, range).into_iter().filter(|run| !(is_contents && run.contents.is_empty()));
    let found = runs.map(|run| Found { run, reading: reading.clone() });
    found.filter(|found| found.old().all(has_label)).collect()
}

/// Returns the only place of those that were found. What only the first line of a bullet reads as is no place, but
/// makes another one ambiguous.
fn only<'h, 'a>(lines: &DocLines<'a>, mut found: Vec<Found<'h>>) -> Result<Option<Found<'h>>, Miss<'a>> {
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert(found.run.first));
    match found.as_slice() {
        [only] if only.is_part_of_bullet(lines) => Ok(None),
        [only] if only.is_doubtful() => Err(Miss::Doubtful),
        [] | [_] => Ok(found.pop()),
        several => Err(Miss::Several(several.iter().map(Found::range).collect())),
    }
}

/// Returns where each run of a hunk stands, else each line of those that can be divided.
pub(super) fn find_apart<'h>(lines: &DocLines<'_>, hunk: &'h Hunk, scope: &HunkScope<'_>) -> Option<Vec<Found<'h>>> {
    let begins_with_delete = hunk.lines.first().is_some_and(|line| line.op == LineOp::Delete);
    let has_context = hunk.lines.iter().any(|line| line.op == LineOp::Context);
    if has_context || !begins_with_delete || hunk.is_at_end_of_file {
        return None;
    }
    let is_full = |line: &HunkLine| is_marked(line.text.trim_start(), NumberMarker::None);
    let mut readings = Reading::all(&hunk.lines);
    let may_be_contents = !hunk.lines.iter().any(is_full);
    readings.retain(|reading| match reading.form {
        Form::AsSent | Form::Spaced => true,
        Form::Contents => may_be_contents,
        Form::Prefixed => false,
    });
    for is_exact in [true, false] {
        for reading in &readings {
            let runs = reading.lines.chunk_by(|line, next| !(line.op == LineOp::Add && next.op == LineOp::Delete));
            let runs: Vec<Reading<'_>> = runs.map(|run| reading.part(run)).collect();
            let single: Vec<Reading<'_>> = runs.iter().flat_map(divided).collect();
            for pieces in [runs, single].into_iter().filter(|pieces| pieces.len() > 1) {
                let count = pieces.len();
                // At the first piece that stands nowhere, the reading has failed.
                let mut found = Vec::new();
                for piece in pieces {
                    let mut places = find(lines, &piece, &scope.range());
                    places.retain(|found| found.run.is_exact || !is_exact);
                    match places.as_slice() {
                        [] => break,
                        [only] if !only.is_part_of_bullet(lines) => found.push(only.clone()),
                        _ => return None,
                    }
                }
                if found.len() == count && found.is_sorted_by(|a, b| a.run.first < b.run.first) {
                    return are_clear(&found).then_some(found);
                }
            }
        }
    }
    None
}

/// Divides a run into its `-` lines, if it writes nothing, or as many lines as it deletes: each with the line for it.
fn divided<'h>(run: &Reading<'h>) -> Vec<Reading<'h>> {
    let of = |op| run.lines.iter().filter(move |line| line.op == op).copied();
    let (deleted, added) = (of(LineOp::Delete), of(LineOp::Add));
    match added.clone().count() {
        0 => deleted.map(|line| run.part(&[line])).collect(),
        count if count == deleted.clone().count() => {
            deleted.zip(added).map(|(line, new)| run.part(&[line, new])).collect()
        }
        _ => vec![run.clone()],
    }
}

/// Reports whether no piece could be meant otherwise: read as contents, or deleted right beside one that writes, of which
/// it may be the context.
fn are_clear(found: &[Found<'_>]) -> bool {
    let writes =
        |found: &Found<'_>| found.reading.lines.iter().any(|line| line.op == LineOp::Add && !is_blank(line.text));
    let touches = |pair: &[Found<'_>]| match pair {
        [one, next] => one.range().end == next.run.first && writes(one) != writes(next),
        _ => false,
    };
    !found.iter().any(Found::is_doubtful) && !found.windows(2).any(touches)
}

/// Returns the lines on which insertions stand already, right where each would go; behind it too, if there is context.
pub(super) fn insertion_stands(
    lines: &DocLines<'_>,
    scope: &HunkScope<'_>,
    edits: &[LineEdit],
    has_context: bool,
) -> Option<Vec<Range<usize>>> {
    let low = if scope.is_document() { 0 } else { scope.start + 1 };
    let stands = |edit: &LineEdit| {
        let full: Vec<&str> = edit.texts.iter().map(String::as_str).filter(|text| !is_blank(text)).collect();
        let at = edit.lines.start;
        let before = at.saturating_sub(full.len()).max(low)..at;
        let behind = at..(at + full.len()).min(scope.full);
        let is_there = |range: &Range<usize>| !full.is_empty() && lines.texts(range.clone()).eq(full.iter().copied());
        [Some(before), Some(behind).filter(|_| has_context)].into_iter().flatten().find(is_there)
    };
    edits.iter().map(stands).collect()
}

/// Returns the lines on which the context and the `+` lines of a hunk stand as sent, once in its scope, while no other
/// line there says what a `-` line does.
pub(super) fn stands_as_sent(lines: &DocLines<'_>, hunk: &Hunk, scope: &HunkScope<'_>) -> Option<Range<usize>> {
    let of = |op| hunk.lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
    let (has_deletes, has_context) = (of(LineOp::Delete).next().is_some(), of(LineOp::Context).next().is_some());
    if of(LineOp::Add).next().is_none() || (!has_context && (has_deletes || scope.is_document())) {
        return None;
    }
    let new = hunk.lines.iter().filter(|line| line.op != LineOp::Delete);
    let sought: Vec<_> = new.map(|line| SoughtLine { text: &line.text, may_be_content: false }).collect();
    let mut found = lines.find(&sought, &scope.range());
    found.retain(|run| run.is_exact);
    let [only] = found.as_slice() else { return None };
    let range = only.first..only.first + sought.len();
    let is_elsewhere = |text: &str| {
        let said = [ItemText::of_line(text).content, text];
        said.iter()
            .any(|said| lines.saying(said).iter().any(|line| scope.range().contains(line) && !range.contains(line)))
    };
    (!of(LineOp::Delete).any(|line| is_elsewhere(&line.text))).then_some(range)
}
