//! Whether `+` lines stand already where a hunk would write them, as it would write them: behind context that was healed, with the
//! markers and numbers that they take over.

use std::ops::Range;

use super::hunk_write::{AddedRun, Additions};
use super::planner::Planner;
use super::{Hunk, HunkLine, LineOp};
use crate::edit::compose::{Prefixes, bullets_at};
use crate::edit::guard::Indented;
use crate::locate::{LineForm, LineSearch, LocateError, RunPlace, Rung, Rungs, Scope, Varies, end_in};
use crate::text::{Span, is_blank};

/// How many bytes of a hunk are written as fast as one of its lines is compared.
const LINE: usize = 64;

/// A hunk without `-` lines.
pub(super) struct Insertion<'p, 'a> {
    pub(super) planner: &'p Planner<'a>,
    pub(super) hunk: &'p Hunk,
    pub(super) search: LineSearch<'p, 'a>,
}

impl<'p, 'a> Insertion<'p, 'a> {
    /// Returns the line that it begins on, and what is healed, where its `+` lines stand among its context, which was found at `found`;
    /// `None` unless they do in just one place.
    pub(super) fn already_there(&self, found: &[RunPlace]) -> Result<Option<(usize, Vec<Rung>)>, LocateError> {
        let Some(rungs) = found.first().map(|place| place.rungs) else { return Ok(None) };
        let lines = &self.hunk.lines;
        let above = lines.iter().take_while(|line| line.op == LineOp::Add).count();
        let context = lines.iter().skip(above).take_while(|line| line.op == LineOp::Context);
        let places: Vec<usize> = match context.clone().count() == self.hunk.old_lines().count() {
            true => found.iter().map(|place| place.first).collect(),
            // The lines between its context stand apart where it is applied.
            false => {
                let first = self.search.run(context.map(|line| (line.text.as_str(), Varies::No)));
                let ladder = [rungs, rungs.without(Rung::Escapes)].into_iter();
                first.find(&[LineForm::Whole], ladder)?.at.iter().map(|place| place.first).collect()
            }
        };
        let cost = lines.iter().map(|line| 1 + line.text.len() / LINE).sum();
        let mut there = None;
        for start in places.into_iter().filter_map(|first| first.checked_sub(above)) {
            self.planner.index.spend(cost)?;
            if let Some(healed) = self.written_at(start, rungs)
                && there.replace((start, healed)).is_some()
            {
                return Ok(None);
            }
        }
        Ok(there)
    }

    /// Returns what is healed if its lines stand from the line `start` on: its context on `rungs`, the others as they are written there.
    fn written_at(&self, start: usize, rungs: Rungs) -> Option<Vec<Rung>> {
        let Self { planner, hunk, .. } = self;
        let (range, end) = (self.search.range(), start + hunk.lines.len());
        let is_inside = start >= range.start && end <= range.end;
        if !is_inside || (hunk.is_at_end_of_file && end != planner.doc.lines().len()) {
            return None;
        }
        let reads = |rungs: Rungs| {
            let mut context = hunk.lines.iter().zip(start..).filter(|(line, _)| line.op == LineOp::Context);
            context.all(|(line, at)| planner.index.reads(&line.text, at, rungs))
        };
        if !reads(rungs) {
            return None;
        }
        let needed = rungs.minimized(reads);
        let above = hunk.lines.iter().take_while(|line| line.op == LineOp::Add).count();
        let place = RunPlace { first: start + above, rungs: needed, form: LineForm::Whole };
        let additions = Additions::at(planner, hunk, place);
        let (mut at, mut is_healed) = (start, false);
        for run in hunk.lines.chunk_by(|a, b| a.op == b.op) {
            let begin = at;
            at += run.len();
            if run.first().is_none_or(|line| line.op == LineOp::Context) {
                continue;
            }
            let come = additions.for_lines(&(begin..begin));
            Indented::default().add(planner.doc, run.len(), come.indentation()).ok()?;
            let written = come.write(&run.iter().collect::<Vec<_>>());
            if !written.lines.iter().zip(begin..).all(|(line, at)| planner.index.text(at) == line) {
                return None;
            }
            is_healed |= written.is_healed;
        }
        let mut healed: Vec<_> = needed.iter().collect();
        healed.extend(Some(Rung::BulletMarker).filter(|rung| is_healed && !healed.contains(rung)));
        Some(healed)
    }
}

/// Returns the lines that `scope` ends with at `at`, as many as `lines` are without the blank ones at their end.
pub(super) fn last_lines<L: AsRef<str>>(planner: &Planner<'_>, scope: Span, at: usize, lines: &[L]) -> Range<usize> {
    let count = lines.iter().rposition(|line| !is_blank(line.as_ref())).map_or(0, |last| last + 1);
    let there = planner.doc.line_range(Span::new(scope.start().min(at), at));
    let end = there.clone().rfind(|index| !is_blank(planner.index.text(*index))).map_or(there.start, |last| last + 1);
    end.saturating_sub(count).max(there.start)..end
}

/// Reports whether `scope` ends, at `at`, in the bullets that `+` lines without numbers became when they were appended to an ordered
/// list: they count on from those before them.
pub(super) fn ends_numbered(planner: &Planner<'_>, scope: Scope<'_>, at: usize, lines: &[HunkLine]) -> bool {
    let doc = planner.doc;
    let count = lines.iter().rposition(|line| !is_blank(&line.text)).map_or(0, |last| last + 1);
    let span = scope.span(doc);
    let Some(Prefixes::After(last)) = bullets_at(doc, scope, at) else { return false };
    let first = doc.line_range(Span::new(span.start().min(at), at)).end.checked_sub(count);
    let above = first.and_then(|first| doc.bullet_at(doc.line_start(first).checked_sub(1)?));
    let before = above.and_then(|above| above.ancestors().find(|bullet| bullet.parent() == last.parent()));
    let Some(before) = before.filter(|bullet| span.contains(bullet.line.start())) else { return false };
    let run = AddedRun::following(doc, Some(Prefixes::After(before)));
    end_in(doc.text(), span, at, &run.write(&lines.iter().collect::<Vec<_>>()).lines)
}
