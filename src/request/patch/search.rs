//! The one place of a hunk in its scope.

use std::collections::HashSet;
use std::ops::Range;

use super::item_text::{NumberMarker, is_marked};
use super::lines::{Comparison, DocLines, Run, SoughtLine};
use super::reading::{Form, Reading};
use super::scope::HunkScope;
use super::{Hunk, HunkLine, LineOp};
use crate::document::BulletRef;
use crate::locate::{Rung, view_prefix};
use crate::text::is_blank;

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct Found<'h> {
    /// The line that it begins on.
    pub(super) first: usize,
    pub(super) reading: Reading,
    pub(super) comparison: Comparison,
    /// The lines whose contents its lines are, ascending.
    pub(super) contents: Vec<usize>,
    /// Whether its lines bring the prefixes of a view.
    pub(super) has_prefixes: bool,
    pub(super) lines: &'h [HunkLine],
}

/// A run of a hunk: `-` lines, and the `+` lines behind them.
#[derive(Clone, Debug)]
pub(super) struct FoundRun<'h> {
    /// The lines of the document that go; empty, where none does.
    pub(super) deleted: Range<usize>,
    /// The `-` lines.
    pub(super) sent: Vec<&'h HunkLine>,
    /// The `+` lines.
    pub(super) added: Vec<&'h HunkLine>,
    /// The index of the first `+` line among all of the hunk.
    pub(super) first_added: usize,
}

impl<'h> Found<'h> {
    /// Returns how many lines of the document it takes up.
    fn height(&self) -> usize {
        self.lines.iter().filter(|line| line.op != LineOp::Add).count()
    }

    /// Returns the lines of the document that it takes up.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.height()
    }

    /// Iterates over the lines of the document that are its context.
    pub(super) fn context(&self) -> impl Iterator<Item = usize> + '_ {
        let old = self.lines.iter().filter(|line| line.op != LineOp::Add);
        old.zip(self.first..).filter(|(line, _)| line.op == LineOp::Context).map(|(_, at)| at)
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs: a `-` line behind a `+` line begins a new one.
    pub(super) fn runs(&self) -> Vec<FoundRun<'h>> {
        let mut runs: Vec<FoundRun<'h>> = Vec::new();
        let (mut at, mut added, mut is_open) = (self.first, 0, false);
        for line in self.lines {
            if line.op == LineOp::Context {
                is_open = false;
                at += 1;
                continue;
            }
            let goes_on = is_open && runs.last().is_some_and(|run| line.op == LineOp::Add || run.added.is_empty());
            if !goes_on {
                runs.push(FoundRun { deleted: at..at, sent: Vec::new(), added: Vec::new(), first_added: added });
                is_open = true;
            }
            let Some(run) = runs.last_mut() else { continue };
            if line.op == LineOp::Add {
                run.added.push(line);
                added += 1;
            } else {
                run.sent.push(line);
                at += 1;
                run.deleted.end = at;
            }
        }
        runs
    }

    /// Returns the names of what was healed.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Rung> {
        let form = match self.reading.form {
            Form::AsSent => None,
            Form::Spaced => Some(Rung::Spaced),
            Form::Contents => Some(Rung::BulletForm),
        };
        let mut healed: Vec<_> = form.into_iter().chain(self.has_prefixes.then_some(Rung::ViewPrefix)).collect();
        if self.comparison == Comparison::Normal {
            let old = self.lines.iter().filter(|line| line.op != LineOp::Add);
            let pairs = old.zip(self.first..).map(|(line, at)| (self.reading.text(line), lines.text(at)));
            let pairs: Vec<_> = pairs.filter(|(sought, there)| sought != there).collect();
            let is_space = |(sought, there): &(&str, &str)| sought.trim_end() == there.trim_end();
            let is_sign = |pair: &(&str, &str)| !is_space(pair);
            healed.extend(pairs.iter().any(is_space).then_some(Rung::TrailingSpace));
            healed.extend(pairs.iter().any(is_sign).then_some(Rung::Punctuation));
        }
        healed
    }
}

/// What looking for a hunk leads to.
#[derive(Debug)]
pub(super) enum Search<'h> {
    Found(Found<'h>),
    /// It stands in several places: the lines of each.
    Several(Vec<Range<usize>>),
    /// It is found as contents, and could be context without its operators.
    Doubtful,
    Nowhere,
}

/// Looks for a hunk in its scope, in each reading: exactly, then in normal form, then without the prefixes of a view.
pub(super) fn search<'h>(lines: &DocLines<'_>, hunk: &'h Hunk, scope: &HunkScope<'_>, heals: bool) -> Search<'h> {
    let readings = if heals { Reading::all(&hunk.lines) } else { vec![Reading::AS_SENT] };
    let comparisons: &[_] = if heals { &[Comparison::Exact, Comparison::Normal] } else { &[Comparison::Exact] };
    let scope = &last_lines(lines, hunk, scope);
    for comparison in comparisons {
        let found = readings.iter().flat_map(|reading| find(lines, &hunk.lines, scope, *reading, *comparison));
        match chosen(lines, at_end(lines, hunk, found.collect())) {
            Search::Nowhere => {}
            outcome => return outcome,
        }
    }
    for comparison in comparisons.iter().filter(|_| heals) {
        match chosen(lines, at_end(lines, hunk, find_prefixed(lines, &hunk.lines, scope, *comparison))) {
            Search::Nowhere => {}
            outcome => return outcome,
        }
    }
    Search::Nowhere
}

/// Returns the lines of a scope in which a hunk can stand: the last ones of the document, if it is to stand there.
fn last_lines<'a>(lines: &DocLines<'_>, hunk: &Hunk, scope: &HunkScope<'a>) -> HunkScope<'a> {
    let height = hunk.lines.iter().filter(|line| line.op != LineOp::Add).count();
    let low = if hunk.is_at_end_of_file { lines.len().saturating_sub(height) } else { 0 };
    HunkScope { start: scope.start.max(low), ..*scope }
}

/// Keeps the places at the end of the document, if the hunk is to stand there.
fn at_end<'h>(lines: &DocLines<'_>, hunk: &Hunk, mut found: Vec<Found<'h>>) -> Vec<Found<'h>> {
    found.retain(|found| !hunk.is_at_end_of_file || found.range().end == lines.len());
    found
}

/// Returns where lines stand in one reading.
pub(super) fn find<'h>(
    lines: &DocLines<'_>,
    hunk: &'h [HunkLine],
    scope: &HunkScope<'_>,
    reading: Reading,
    comparison: Comparison,
) -> Vec<Found<'h>> {
    let Some(sought) = reading.sought(hunk) else { return Vec::new() };
    let is_of_contents = reading.form == Form::Contents;
    let runs = lines.find(&sought, &scope.range(), comparison).into_iter();
    let runs = runs.filter(|run| !is_of_contents || !run.contents.is_empty());
    runs.map(|run: Run| Found {
        first: run.first,
        reading,
        comparison,
        contents: run.contents,
        has_prefixes: false,
        lines: hunk,
    })
    .collect()
}

/// Returns where lines stand that all bring the prefix of a view, each that of its line.
fn find_prefixed<'h>(
    lines: &DocLines<'_>,
    hunk: &'h [HunkLine],
    scope: &HunkScope<'_>,
    comparison: Comparison,
) -> Vec<Found<'h>> {
    let old = || hunk.iter().filter(|line| line.op != LineOp::Add);
    let prefixes: Vec<_> = old().map(|line| view_prefix(&line.text)).collect();
    let is_complete = old().zip(&prefixes).all(|(line, prefix)| prefix.is_some() || is_blank(&line.text));
    if !is_complete || prefixes.iter().all(Option::is_none) {
        return Vec::new();
    }
    let text =
        |(line, prefix): (&'h HunkLine, &Option<_>)| prefix.as_ref().map_or(line.text.as_str(), |(_, rest)| *rest);
    let sought: Vec<_> =
        old().zip(&prefixes).map(text).map(|text| SoughtLine { text, may_be_content: false }).collect();
    let mut runs = lines.find(&sought, &scope.range(), comparison);
    runs.retain(|run| {
        let mut labeled = prefixes.iter().zip(run.first..).filter_map(|(prefix, at)| Some((prefix.as_ref()?.0, at)));
        labeled.all(|(label, at)| is_label_of(lines, label, at))
    });
    let found = |run: Run| Found {
        first: run.first,
        reading: Reading::AS_SENT,
        comparison,
        contents: Vec::new(),
        has_prefixes: true,
        lines: hunk,
    };
    runs.into_iter().map(found).collect()
}

/// Reports whether a view shows this label before a line: its number, or the key of its bullet.
fn is_label_of(lines: &DocLines<'_>, label: &str, line: usize) -> bool {
    match lines.bullet(line) {
        Some(bullet) if bullet.key().to_string() == label => true,
        bullet => label == (line + 1).to_string() || (label.is_empty() && bullet.is_none()),
    }
}

/// Returns the only place of those that were found. What only the first line of a bullet reads as is no place, but
/// makes another one ambiguous.
fn chosen<'h>(lines: &DocLines<'_>, mut found: Vec<Found<'h>>) -> Search<'h> {
    let mut seen = HashSet::new();
    found.retain(|found| seen.insert(found.first));
    let is_part = |found: &Found<'_>| found.contents.iter().any(|line| lines.bullet(*line).is_some_and(goes_on));
    match found.as_slice() {
        [only] if is_part(only) => Search::Nowhere,
        [only] if is_doubtful(only) => Search::Doubtful,
        [_] => found.pop().map_or(Search::Nowhere, Search::Found),
        [] => Search::Nowhere,
        several => Search::Several(several.iter().map(Found::range).collect()),
    }
}

/// Reports whether a bullet has lines behind its first one, children aside.
pub(super) fn goes_on(bullet: BulletRef<'_>) -> bool {
    bullet.continuation_lines().any(|line| !is_blank(line.of(bullet.doc().text())))
}

/// Reports whether a hunk that was read as contents could be meant otherwise: `- old` could be context that lacks its space.
pub(super) fn is_doubtful(found: &Found<'_>) -> bool {
    if found.contents.is_empty() {
        return false;
    }
    let has_added = found.lines.iter().any(|line| line.op == LineOp::Add);
    found.runs().iter().any(|run| {
        let full = run.added.iter().filter(|line| !is_blank(&line.text)).count();
        let has_contents = run.deleted.clone().any(|line| found.is_content(line));
        let is_fewer = has_added && full < run.deleted.len() && has_contents;
        let mut pairs = run.deleted.clone().zip(&run.added);
        let stands_full =
            pairs.any(|(line, added)| found.is_content(line) && is_marked(added.text.trim_start(), NumberMarker::None));
        is_fewer || stands_full
    })
}
