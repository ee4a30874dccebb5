//! Planning of one hunk: what it writes where its lines stand.

use std::ops::Range;

use super::super::{BulletRefusal, Refusal, literal_escape};
use super::anchored::Anchored;
use super::hunk_applied::{ends_numbered, last_lines};
use super::hunk_match::{Matcher, Outcome};
use super::hunk_write::{AddedRun, Additions, Written};
use super::no_place::places;
use super::offers::{among_places, or_added};
use super::planner::Planner;
use super::{Hunk, HunkLine, LineOp};
use crate::document::{BulletRef, bullet_start};
use crate::edit::compose::{Numbers, Prefixes, bullets_at, replacing_lines};
use crate::edit::{Part, PartStatus, Warning};
use crate::locate::{Diagnostic, Found, LocateError, Reason, RunPlace, Rung, Scope, Target, end_in};
use crate::text::{Line, Span, excerpt};

pub(super) fn plan(planner: &mut Planner<'_>, number: usize, hunk: &Hunk) -> Result<(), Refusal> {
    let scope = planner.scope(hunk).map_err(|refusal| or_added(planner, hunk, among_places(planner, hunk, refusal)))?;
    let numbers = hunk.has_line_numbers.then_some(Warning::LineNumbersIgnored);
    if hunk.is_nothing() {
        Matcher { planner, hunk, scope: &scope }.check_context()?;
        planner.begin(Part::new(PartStatus::NoChange).with_warnings(numbers));
        return Ok(());
    }
    let outcome = Matcher { planner, hunk, scope: &scope }.outcome()?;
    let asked = Asked { number, hunk, scope: &scope, numbers };
    match outcome {
        Outcome::AlreadyApplied { lines, healed } => {
            planner.note_needed(number, lines);
            planner.begin(Part::new(PartStatus::AlreadyApplied).with_healed(healed).with_warnings(asked.numbers));
            Ok(())
        }
        Outcome::Append => append(planner, asked),
        Outcome::Change(place) => change(planner, asked, place),
    }
}

/// What a hunk says, where, and what is to be told with it.
struct Asked<'h, 'a> {
    number: usize,
    hunk: &'h Hunk,
    scope: &'h Found<Scope<'a>>,
    numbers: Option<Warning>,
}

/// Plans a hunk of `+` lines alone.
fn append<'a>(planner: &mut Planner<'a>, asked: Asked<'_, 'a>) -> Result<(), Refusal> {
    let Asked { number, hunk, scope, numbers } = asked;
    let doc = planner.doc;
    if scope.at == Scope::Document && !hunk.is_at_end_of_file {
        let end_is_open = doc.reserved_section_at(doc.text().len().saturating_sub(1)).is_none();
        return Err(Refusal::NeedsAnchor { help: Box::new(places(planner, &hunk.lines)), end_is_open });
    }
    let at = if hunk.is_at_end_of_file { doc.text().len() } else { planner.append_point(scope.at) };
    let span = scope.at.span(doc);
    if !span.covers(Span::at(at)) {
        let reasons = vec![Reason::EndsBefore(doc.line_number(span.end().saturating_sub(1)))];
        return Err(LocateError::not_found(Target::End, Diagnostic { reasons, ..Diagnostic::default() }).into());
    }
    let run = AddedRun::appended(doc, scope.at, at);
    planner.indent(hunk.lines.len(), run.indentation())?;
    let Written { lines, is_healed } = run.write(&hunk.lines.iter().collect::<Vec<_>>());
    let healed: Vec<_> = scope.healed.iter().copied().chain(is_healed.then_some(Rung::BulletMarker)).collect();
    if let (true, Some(Prefixes::After(bullet))) = (is_healed, bullets_at(doc, scope.at, at)) {
        check_numbers(planner, bullet, &hunk.lines)?;
    }
    let is_there = end_in(doc.text(), span, at, &lines);
    if is_there || (is_healed && ends_numbered(planner, scope.at, at, &hunk.lines)) {
        planner.note_needed(number, last_lines(planner, span, at, &lines));
        planner.begin(Part::new(PartStatus::AlreadyApplied).with_healed(healed).with_warnings(numbers));
        return Ok(());
    }
    let warnings = numbers.into_iter().chain(literal_escape(doc, &lines));
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed).with_warnings(warnings));
    if scope.at != Scope::Document {
        planner.append_to(number, span);
        let last = if at < doc.text().len() { doc.lines().index_at(at) } else { doc.lines().len() };
        planner.anchored.push(Anchored { part: number, scope: scope.at, last });
    }
    planner.insert_lines(number, scope.at, at, &lines);
    Ok(())
}

/// One run of lines that go and come.
struct Run {
    gone: Range<usize>,
    written: Written,
    /// Whether the hunk names no line behind it.
    is_last: bool,
}

/// Writes what a hunk changes where its lines stand.
fn change<'a>(planner: &mut Planner<'a>, asked: Asked<'_, 'a>, place: RunPlace) -> Result<(), Refusal> {
    let Asked { number, hunk, scope, numbers } = asked;
    let doc = planner.doc;
    let runs = runs(planner, number, hunk, place)?;
    for run in runs.iter().filter(|run| run.gone.is_empty() && run.written.is_healed) {
        if let Some(above) = run.gone.start.checked_sub(1).and_then(|above| planner.index.bullet(above)) {
            check_numbers(planner, above, &hunk.lines)?;
        }
    }
    let is_healed = runs.iter().any(|run| run.written.is_healed);
    let mut healed: Vec<_> = scope.healed.iter().copied().chain(place.rungs.iter()).collect();
    healed.extend(Some(Rung::BulletMarker).filter(|rung| is_healed && !healed.contains(rung)));
    let written: Vec<_> = runs.iter().flat_map(|run| run.written.lines.iter()).collect();
    if let Some(last) = runs.iter().filter(|run| !run.written.lines.is_empty()).map(|run| run.gone.start).max() {
        planner.anchored.push(Anchored { part: number, scope: scope.at, last });
    }
    let warnings = numbers.into_iter().chain(literal_escape(doc, &written));
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed).with_warnings(warnings));
    for Run { gone, written, is_last } in runs {
        if gone.is_empty() {
            let start = planner.index.span(&(gone.start..gone.start)).start();
            planner.insert_lines(number, scope.at, start, &written.lines);
            continue;
        }
        let replaced: Vec<Line> = gone.clone().map(|line| doc.lines().line(doc.text(), line)).collect();
        let text = replacing_lines(doc, &replaced, &written.lines);
        planner.replace_lines(number, &gone, text)?;
        if is_last && written.lines.is_empty() {
            planner.note_removed(number, gone);
        }
    }
    Ok(())
}

/// Divides a hunk into runs of context, which is noted, and runs that change.
fn runs(planner: &mut Planner<'_>, number: usize, hunk: &Hunk, place: RunPlace) -> Result<Vec<Run>, Refusal> {
    let mut at = place.first;
    let additions = Additions::at(planner, hunk, place);
    let mut found = Vec::new();
    let mut context = Vec::new();
    for run in hunk.lines.chunk_by(|a, b| (a.op == LineOp::Context) == (b.op == LineOp::Context)) {
        if run.first().is_some_and(|line| line.op == LineOp::Context) {
            context.push(at..at + run.len());
            at += run.len();
            continue;
        }
        let deleted = run.iter().filter(|line| line.op == LineOp::Delete).count();
        let gone = at..at + deleted;
        let added: Vec<&HunkLine> = run.iter().filter(|line| line.op == LineOp::Add).collect();
        at = gone.end;
        let come = additions.for_lines(&gone);
        planner.indent(added.len(), come.indentation())?;
        found.push(Run { written: come.write(&added), gone, is_last: false });
    }
    drop(additions);
    context.into_iter().for_each(|lines| planner.note_needed(number, lines));
    let ends_in_context = hunk.lines.last().is_some_and(|line| line.op == LineOp::Context);
    if let Some(last) = found.last_mut() {
        last.is_last = !ends_in_context;
    }
    Ok(found)
}

/// Refuses lines without marker that would go on with numbers which are no count.
fn check_numbers<'a>(planner: &Planner<'a>, bullet: BulletRef<'a>, lines: &[HunkLine]) -> Result<(), Refusal> {
    if planner.numbers_behind(bullet) != Numbers::Own {
        return Ok(());
    }
    let beside = bullet.marker();
    let is_bare = |line: &&HunkLine| line.op == LineOp::Add && bullet_start(&line.text).is_none();
    match lines.iter().find(is_bare) {
        Some(line) => {
            let text = excerpt(&format!("{beside} {}", line.text.trim()), 200);
            Err(BulletRefusal::NeedsNumber { text: text.into(), beside: beside.into() }.into())
        }
        None => Ok(()),
    }
}
