//! The one place of a hunk in its scope: as a whole, or of each run of a hunk without context; or where what it writes
//! stands already.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use super::anchor::HunkScope;
use super::envelope::{PatchError, PatchLine, unprefixed};
use super::planner::Planner;
use super::reading::{Form, ReadLine, Reading, is_marked};
use super::write::LineEdit;
use super::{Hunk, HunkLine, LineOp, Refusal};
use crate::locate::{DocLines, ItemText, Leniency, LineForm, LineLabel, SoughtLine, normal_content};
use crate::text::is_blank;

/// A hunk that was found.
#[derive(Clone, Debug)]
pub(super) struct Found<'h> {
    pub(super) lines: Rc<[ReadLine<'h>]>,
    /// What its lines are.
    pub(super) form: Form,
    /// How they were compared.
    pub(super) compared: LineForm,
    /// The line of the document at which it begins.
    pub(super) first: usize,
    /// The lines of which it has the contents, ascending.
    pub(super) contents: Vec<usize>,
}

/// A run of a hunk: `-` lines, and the `+` lines behind them.
#[derive(Clone, Debug)]
pub(super) struct Run<'h> {
    /// The lines of the document that go; empty, where none does.
    pub(super) deleted: Range<usize>,
    /// The `-` lines.
    pub(super) sent: Vec<&'h str>,
    /// The `+` lines.
    pub(super) added: Vec<&'h str>,
}

impl<'h> Found<'h> {
    /// Iterates over its `-` and context lines, each with the line of the document that it is.
    pub(super) fn old(&self) -> impl Iterator<Item = (&ReadLine<'h>, usize)> {
        self.lines.iter().filter(|line| line.op != LineOp::Add).zip(self.first..)
    }

    /// Returns the lines of the document that it takes up.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.old().count()
    }

    pub(super) fn has(&self, op: LineOp) -> bool {
        self.lines.iter().any(|line| line.op == op)
    }

    pub(super) fn is_content(&self, line: usize) -> bool {
        self.contents.binary_search(&line).is_ok()
    }

    /// Divides the hunk into its runs: a `-` line behind a `+` line begins a new one.
    pub(super) fn runs(&self) -> Vec<Run<'h>> {
        let goes_on = |line: &ReadLine<'_>, next: &ReadLine<'_>| {
            let is_context = |line: &ReadLine<'_>| line.op == LineOp::Context;
            is_context(line) == is_context(next) && (line.op, next.op) != (LineOp::Add, LineOp::Delete)
        };
        let (mut runs, mut at) = (Vec::new(), self.first);
        for run in self.lines.chunk_by(goes_on) {
            let of = |op| run.iter().filter(move |line| line.op == op).map(|line| line.text).collect::<Vec<_>>();
            let (sent, added) = (of(LineOp::Delete), of(LineOp::Add));
            let behind = at + run.len() - added.len();
            if !(sent.is_empty() && added.is_empty()) {
                runs.push(Run { deleted: at..behind, sent, added });
            }
            at = behind;
        }
        runs
    }

    /// Returns the names of what was healed.
    pub(super) fn healed(&self, lines: &DocLines<'_>) -> Vec<Leniency> {
        let mut healed: Vec<Leniency> = match self.form {
            Form::AsSent => Vec::new(),
            Form::Spaced => vec![Leniency::Spaced],
            Form::Contents => vec![Leniency::BulletForm],
            Form::Prefixed => vec![Leniency::ViewPrefix],
        };
        if self.compared == LineForm::Normal {
            let pairs =
                || self.old().map(|(line, at)| (line.text, lines.text(at))).filter(|(sought, there)| sought != there);
            let is_space = |(sought, there): (&str, &str)| sought.trim_end() == there.trim_end();
            healed.extend(pairs().any(is_space).then_some(Leniency::TrailingSpace));
            healed.extend((!pairs().all(is_space)).then_some(Leniency::Punctuation));
        }
        healed
    }

    /// Reports whether it is the first line of a bullet that has more: then it is not that bullet's content.
    fn is_part_of_bullet(&self, lines: &DocLines<'_>) -> bool {
        let mut bullets = self.contents.iter().filter_map(|line| lines.bullet(*line));
        bullets.any(|bullet| bullet.continuation_lines().any(|line| !is_blank(line.of(lines.doc.text()))))
    }

    /// Reports whether it is read as contents and could be meant otherwise: `- old` could be context that lacks its space.
    fn is_doubtful(&self) -> bool {
        let is_fewer = |run: &Run<'_>| {
            let full = run.added.iter().filter(|line| !is_blank(line)).count();
            self.has(LineOp::Add) && full < run.deleted.len() && run.deleted.clone().any(|line| self.is_content(line))
        };
        let stands_full = |run: &Run<'_>| {
            let mut pairs = run.deleted.clone().zip(&run.added);
            pairs.any(|(line, added)| self.is_content(line) && is_marked(added.trim_start()))
        };
        !self.contents.is_empty() && self.runs().iter().any(|run| is_fewer(run) || stands_full(run))
    }
}

impl<'a> Planner<'a> {
    /// Looks for lines of a hunk in its scope, in each reading: exactly, then in normal form; at last without the prefixes of
    /// a view. What only the first line of a bullet reads as is no place, but makes another one ambiguous.
    pub(super) fn search<'h>(&self, hunk: &'h Hunk, scope: &HunkScope<'a>) -> Result<Option<Found<'h>>, Refusal> {
        let mut range = scope.range();
        if hunk.is_at_end_of_file {
            let height = hunk.lines.iter().filter(|line| line.op != LineOp::Add).count();
            range.start = range.start.max(self.lines.len().saturating_sub(height));
        }
        self.search_lines(hunk, &hunk.lines, &range)
    }

    fn search_lines<'h>(
        &self,
        hunk: &Hunk,
        sent: &'h [HunkLine],
        range: &Range<usize>,
    ) -> Result<Option<Found<'h>>, Refusal> {
        let readings = if self.heals { Reading::all(sent) } else { vec![Reading::new(sent, &[])] };
        let forms = if self.heals { &[LineForm::Exact, LineForm::Normal][..] } else { &[LineForm::Exact] };
        for readings in readings.chunk_by(|_, next| next.form != Form::Prefixed) {
            for form in forms {
                let mut seen = HashSet::new();
                let mut found: Vec<_> = readings.iter().flat_map(|reading| self.find(reading, range, *form)).collect();
                found.retain(|found| seen.insert(found.first));
                match found.as_slice() {
                    [only] if only.is_part_of_bullet(&self.lines) => {}
                    [only] if only.is_doubtful() => return Err(doubtful(hunk).into()),
                    [] => {}
                    [_] => return Ok(found.pop()),
                    several => {
                        let places: Vec<_> = several.iter().map(Found::range).collect();
                        return Err(self.several(hunk, &places).into());
                    }
                }
            }
        }
        Ok(None)
    }

    /// Returns where lines stand in one reading.
    fn find<'h>(&self, reading: &Reading<'h>, range: &Range<usize>, compared: LineForm) -> Vec<Found<'h>> {
        let sought: Vec<SoughtLine<'_>> = reading.sought();
        let found = self.lines.find(&sought, range, compared).into_iter().map(|run| Found {
            lines: Rc::clone(&reading.lines),
            form: if run.contents.is_empty() { reading.form } else { Form::Contents },
            compared,
            first: run.first,
            contents: run.contents,
        });
        let has_label = |(line, at): (&ReadLine<'_>, _)| {
            line.label.is_none_or(|label| LineLabel::of_line(self.lines.doc, at).is(label))
        };
        found.filter(|found| found.old().all(has_label)).collect()
    }

    /// Returns where each run of a hunk without context stands, or each line of one that only deletes: in the order of the
    /// hunk, and in one reading for all.
    pub(super) fn find_apart<'h>(&self, hunk: &'h Hunk, scope: &HunkScope<'a>) -> Option<Vec<Found<'h>>> {
        let has = |op| hunk.lines.iter().any(|line| line.op == op);
        let begins_with_delete = hunk.lines.first().is_some_and(|line| line.op == LineOp::Delete);
        if !self.heals || has(LineOp::Context) || !begins_with_delete || hunk.is_at_end_of_file {
            return None;
        }
        let is_one_run = |line: &HunkLine, next: &HunkLine| {
            next.op == LineOp::Add || (line.op == LineOp::Delete && has(LineOp::Add))
        };
        let found = |lines| self.search_lines(hunk, lines, &scope.range()).ok().flatten();
        let found: Vec<Found<'_>> = hunk.lines.chunk_by(is_one_run).map(found).collect::<Option<_>>()?;
        let writes = |found: &Found<'_>| found.lines.iter().any(|line| line.op == LineOp::Add && !is_blank(line.text));
        // A run that only deletes could be the context of one right beside it that writes.
        let are_apart = found.windows(2).all(|pair| match pair {
            [one, next] => {
                let is_beside = one.range().end == next.first && writes(one) != writes(next);
                one.first < next.first && one.form == next.form && !is_beside
            }
            _ => true,
        });
        let is_full = |line: &HunkLine| is_marked(line.text.trim_start());
        let is_clear = found.iter().all(|found| match found.form {
            Form::AsSent | Form::Spaced => true,
            Form::Contents => !hunk.lines.iter().any(is_full),
            Form::Prefixed => false,
        });
        (found.len() > 1 && are_apart && is_clear).then_some(found)
    }

    /// Returns the lines on which insertions stand already, right where each would go; behind it too, if there is context.
    pub(super) fn insertion_stands(
        &self,
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
            let is_there =
                |range: &Range<usize>| !full.is_empty() && self.lines.texts(range.clone()).eq(full.iter().copied());
            [Some(before), Some(behind).filter(|_| has_context)].into_iter().flatten().find(is_there)
        };
        edits.iter().map(stands).collect()
    }

    /// Returns the lines on which the context and the `+` lines of a hunk stand as sent, once in its scope, while no other
    /// line there says what a `-` line does.
    pub(super) fn stands_as_sent(&self, hunk: &Hunk, scope: &HunkScope<'_>) -> Option<Range<usize>> {
        let of = |op| hunk.lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
        let (has_deletes, has_context) = (of(LineOp::Delete).next().is_some(), of(LineOp::Context).next().is_some());
        if of(LineOp::Add).next().is_none() || (!has_context && (has_deletes || scope.is_document())) {
            return None;
        }
        let new = hunk.lines.iter().filter(|line| line.op != LineOp::Delete);
        let sought: Vec<_> = new.map(|line| SoughtLine { text: &line.text, may_be_content: false }).collect();
        let found = self.lines.find(&sought, &scope.range(), LineForm::Exact);
        let [only] = found.as_slice() else { return None };
        let range = only.first..only.first + sought.len();
        let content = |line: &str| normal_content(ItemText::of_line(line).content);
        let deleted: HashSet<String> =
            of(LineOp::Delete).flat_map(|line| [content(&line.text), normal_content(&line.text)]).collect();
        let is_elsewhere = |at: usize| {
            !range.contains(&at) && !is_blank(self.lines.text(at)) && deleted.contains(&content(self.lines.text(at)))
        };
        (!scope.range().any(is_elsewhere)).then_some(range)
    }
}

/// The refusal of a hunk of which a `-` line may be context that lacks its space.
pub(super) fn doubtful(hunk: &Hunk) -> PatchError {
    let is_bare = |line: &HunkLine| line.op == LineOp::Delete && line.text.starts_with(' ');
    let at = hunk.lines.iter().position(is_bare).unwrap_or_default();
    let text = hunk.lines.get(at).map_or("", |line| line.text.as_str());
    unprefixed(PatchLine { number: hunk.first_line + at, text })
}
