//! What a hunk that was refused is told: its places, the lines that are like its own, and what works instead.

use std::ops::Range;

use super::anchor::HunkScope;
use super::envelope::{PatchLine, unprefixed};
use super::planner::{Miss, Planner};
use super::reading::{Form, Reading};
use super::search::search;
use super::{Hunk, HunkLine, LineOp, Refusal};
use crate::document::SectionRef;
use crate::locate::{Diagnostic, Fix, LocateError, Matches, Reason, Sought, Target, closest_lines, nearest_run};
use crate::text::{Content, Span, is_blank};

/// How many sections are named to which lines could go.
const NAMED: usize = 5;
/// How many places are tried.
const TRIED: usize = 5;
/// How many lines are put before a hunk to tell its place.
const CONTEXT: usize = 3;

/// Returns the refusal of a hunk that is not planned.
pub(super) fn miss<'a>(planner: &Planner<'a>, hunk: &Hunk, miss: Miss<'a>) -> Refusal {
    match miss {
        Miss::Refused(refusal) => refusal,
        Miss::Unscoped(mut error) => {
            if let LocateError::Ambiguous { matches, .. } = &mut error {
                choosable(planner, hunk, matches);
            }
            error.into()
        }
        Miss::NoPlace => no_place(planner),
        Miss::Several(places) => several(planner, hunk, &places).into(),
        Miss::Doubtful => doubtful(hunk),
        Miss::Nowhere(scope) => {
            let help = if planner.explains { help(planner, hunk, &scope) } else { Diagnostic::default() };
            LocateError::not_found(target(hunk), help).into()
        }
    }
}

/// The refusal of a hunk that stands in several places.
fn several(planner: &Planner<'_>, hunk: &Hunk, places: &[Range<usize>]) -> LocateError {
    let spans = places.iter().map(|lines| planner.lines.span(lines)).collect();
    let mut matches = Matches::new(planner.doc, spans);
    choosable(planner, hunk, &mut matches);
    LocateError::Ambiguous { what: target(hunk), matches: Box::new(matches) }
}

/// The refusal of lines that are to be added, and have no place.
fn no_place(planner: &Planner<'_>) -> Refusal {
    let doc = planner.doc;
    // A title above other sections is the place of none of their lines.
    let is_title =
        |section: &SectionRef<'_>| section.body.end() < section.extent.end() && is_blank(section.body.of(doc.text()));
    let open =
        doc.sections().filter(|section| doc.reserved_section_at(section.line.start()).is_none() && !is_title(section));
    let known = open.filter_map(SectionRef::asked_name).take(NAMED).map(Content::from).collect();
    Refusal::NeedsAnchor { help: Box::new(Diagnostic { known, ..Diagnostic::default() }) }
}

/// The refusal of a hunk of which a `-` line may be context that lacks its space.
fn doubtful(hunk: &Hunk) -> Refusal {
    let is_bare = |line: &HunkLine| line.op == LineOp::Delete && line.text.starts_with(' ');
    let at = hunk.lines.iter().position(is_bare).unwrap_or_default();
    let text = hunk.lines.get(at).map_or("", |line| line.text.as_str());
    unprefixed(PatchLine { number: hunk.first_line + at, text }).into()
}

/// Helps where a hunk stands nowhere in its scope: it stands elsewhere, or other lines are like its own.
fn help<'a>(planner: &Planner<'a>, hunk: &Hunk, scope: &HunkScope<'a>) -> Diagnostic {
    let lines = &planner.lines;
    let reasons = |reason| Diagnostic { reasons: vec![reason], ..Diagnostic::default() };
    let anywhere = Hunk { is_at_end_of_file: false, ..hunk.clone() };
    if hunk.is_at_end_of_file
        && let Ok(Some(found)) = search(lines, &anywhere, scope, planner.heals)
    {
        return reasons(Reason::at(found.run.first + 1, "not at the end of the document"));
    }
    if !scope.is_document()
        && let Ok(Some(found)) = search(lines, hunk, &HunkScope::document(lines), planner.heals)
    {
        return Diagnostic::elsewhere(planner.doc, lines.start(found.run.first), |section| {
            let named = section.and_then(SectionRef::asked_name).map(|name| Fix::NameSection(name.into()));
            Some(named.unwrap_or(Fix::DropScope))
        });
    }
    // What is meant is most likely what the last reading has: one space less, where all lines begin with one.
    let readings = Reading::all(&hunk.lines);
    let Some(reading) = readings.iter().rfind(|reading| reading.form != Form::Prefixed) else {
        return Diagnostic::default();
    };
    let indented = Hunk { lines: hunk.lines.iter().map(indented).collect(), ..hunk.clone() };
    let stands = indented != *hunk && matches!(search(lines, &indented, scope, planner.heals), Ok(Some(_)));
    let old: Vec<&str> = reading.old().map(|line| line.text).collect();
    let mut near = match old.iter().filter(|line| !is_blank(line)).collect::<Vec<_>>().as_slice() {
        [] => Diagnostic::default(),
        [only] => {
            let closest = closest_lines(planner.doc, lines.span(&scope.range()), only.trim_start());
            Diagnostic { closest, ..Diagnostic::default() }
        }
        _ => nearest_run(lines, &scope.range(), Sought::Lines(&old)),
    };
    near.fix = near.fix.or_else(|| stands.then_some(Fix::IndentContext));
    near
}

/// Returns a line; of the context, with the space that may have been read as its operator.
fn indented(line: &HunkLine) -> HunkLine {
    match line.op {
        LineOp::Context if !is_blank(&line.text) => HunkLine { text: format!(" {}", line.text).into(), op: line.op },
        _ => line.clone(),
    }
}

/// Offers for each of a few places the change that means it: its section, its bullet, or more lines before it.
fn choosable(planner: &Planner<'_>, hunk: &Hunk, matches: &mut Matches) {
    let (doc, lines) = (planner.doc, &planner.lines);
    if matches.len() > TRIED || !planner.explains {
        return;
    }
    let before = |span: Span, count: usize| {
        let first = doc.lines().index_at(span.start());
        Some(lines.texts(first.checked_sub(count)?..first).collect::<Vec<_>>())
    };
    matches.offer(|nth, matches| {
        let span = *matches.spans().get(nth)?;
        if doc.reserved_section_at(span.start()).is_some() {
            return None;
        }
        let is_alone = |count: &usize| {
            let same = matches.spans().iter().filter(|other| before(**other, *count) == before(span, *count)).count();
            same == 1 && before(span, *count).is_some()
        };
        // What is written before a bullet stands outside of it.
        let is_before = hunk.lines.first().is_some_and(|line| line.op == LineOp::Add);
        let bullet = doc.bullet_at(span.start()).filter(|bullet| bullet.extent.covers(span) && !is_before);
        let context = || before(span, (1..=CONTEXT).find(is_alone)?);
        let context = || Some(Fix::AddContext(context()?.into_iter().map(Content::from).collect()));
        matches.section_of(span).or_else(|| Some(Fix::UseKey(bullet?.key().into()))).or_else(context)
    });
}

fn target(hunk: &Hunk) -> Target {
    let old = hunk.lines.iter().filter(|line| line.op != LineOp::Add);
    Target::Lines(old.map(|line| line.text.clone()).collect())
}
