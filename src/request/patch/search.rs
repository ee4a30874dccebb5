//! The one place of a hunk in its scope.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::plain::{NumberMarker, is_marked};
use super::planner::Miss;
use super::reading::{Form, ReadLine, Reading, sought};
use super::scope::HunkScope;
use super::{Hunk, LineOp};
use crate::document::BulletRef;
use crate::locate::{DocLines, Leniency, LineLabel, LineRun};
use crate::text::is_blank;

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct Found<'h> {
    pub(super) run: LineRun,
    pub(super) form: Form,
    pub(super) lines: Rc<[ReadLine<'h>]>,
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
        let height = self.lines.iter().filter(|line| line.op != LineOp::Add).count();
        self.run.first..self.run.first + height
    }

    /// Iterates over its `-` and context lines, each with the line of the document that it is.
    pub(super) fn old(&self) -> impl Iterator<Item = (&ReadLine<'h>, usize)> {
        self.lines.iter().filter(|line| line.op != LineOp::Add).zip(self.run.first..)
    }

    pub(super) fn has(&self, op: LineOp) -> bool {
        self.lines.iter().any(|line| line.op == op)
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.run.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs: a `-` line behind a `+` line begins a new one.
    pub(super) fn runs(&self) -> Vec<FoundRun<'h>> {
        let mut runs: Vec<FoundRun<'h>> = Vec::new();
        let (mut at, mut is_open) = (self.run.first, false);
        for line in self.lines.iter() {
            if line.op == LineOp::Context {
                is_open = false;
                at += 1;
                continue;
            }
            if !(is_open && runs.last().is_some_and(|run| line.op == LineOp::Add || run.added.is_empty())) {
                runs.push(FoundRun { deleted: at..at, sent: Vec::new(), added: Vec::new() });
                is_open = true;
            }
            let Some(run) = runs.last_mut() else { continue };
            if line.op == LineOp::Add {
                run.added.push(*line);
            } else {
                run.sent.push(line.text);
                at += 1;
                run.deleted.end = at;
            }
        }
        runs
    }

    /// Returns the names of what was healed.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Leniency> {
        let mut healed: Vec<Leniency> = match self.form {
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
        let mut found: Vec<_> =
            readings.flat_map(|reading| find(lines, &reading.lines, reading.form, &range)).collect();
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
pub(super) fn find<'h>(
    lines: &DocLines<'_>,
    read: &Rc<[ReadLine<'h>]>,
    form: Form,
    range: &Range<usize>,
) -> Vec<Found<'h>> {
    let sought = sought(read, form);
    if form == Form::Contents && !sought.iter().any(|line| line.may_be_content) {
        return Vec::new();
    }
    let runs = lines.find(&sought, range).into_iter();
    let runs = runs.filter(|run| form != Form::Contents || !run.contents.is_empty());
    let found = runs.map(|run| Found { run, form, lines: Rc::clone(read) });
    let has_label =
        |line: &ReadLine<'_>, at| line.label.is_none_or(|label| LineLabel::of_line(lines.doc, at).is(label));
    let has_labels = |found: &Found<'_>| found.old().all(|(line, at)| has_label(line, at));
    found.filter(|found| form != Form::Prefixed || has_labels(found)).collect()
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
