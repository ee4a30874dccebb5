//! Help for lines that were not found one right after the other: the place where most of them are, and what differs
//! there.

use std::ops::Range;

use memchr::memmem;

use super::closest::{Closest, Likeness, SIMILAR, closest, describe, unmarked};
use super::diagnostic::{Diagnostic, Reason};
use super::doc_lines::DocLines;
use super::normal::normal_line;
use crate::document::ItemText;
use crate::text::{excerpt, is_blank, visible};

/// How many of the lines are looked for one by one.
const LINES: usize = 50;
/// How many occurrences of a line's content are looked at.
const LOOKED_AT: usize = 2_000;
/// How many places of one line count.
const PLACES: usize = 100;
/// How many lines that differ are shown.
const DIFFERING: usize = 5;

/// Returns the help for lines that do not stand one right after the other in `scope`.
///
/// - For one line, it shows the lines that are most like it.
/// - For several lines, it says how they differ from the document in the place where most of them are.
pub(crate) fn nearest(lines: &DocLines<'_>, scope: &Range<usize>, sought: &[&str]) -> Diagnostic {
    let sought: Vec<&str> = sought.iter().take(LINES).copied().skip_while(|line| is_blank(line)).collect();
    let full: Vec<&str> = sought.iter().copied().filter(|line| !is_blank(line)).collect();
    if full.len() < 2 {
        let mut closest = full.first().map_or_else(Vec::new, |only| closest(lines.doc, lines.span(scope), only));
        let parts = closest.iter_mut().filter(|closest| closest.reason == Reason::Same);
        parts.for_each(|closest| closest.reason = Reason::at(closest.line, "which has more text than that"));
        return Diagnostic { closest, ..Diagnostic::default() };
    }
    let places: Vec<Vec<usize>> = full.iter().map(|line| places_of(lines, scope, line)).collect();
    let run = nearest_run(&places);
    if run.contains(&None) && places.iter().all(|places| !places.is_empty()) {
        return Diagnostic::because(Reason::NotAdjacent);
    }
    difference(lines, scope, &sought, &run)
}

/// Returns the lines of the scope with the same content as a line. Marker, checkbox and tags are ignored.
fn places_of(lines: &DocLines<'_>, scope: &Range<usize>, text: &str) -> Vec<usize> {
    let (sought, part) = (content(text), lines.span(scope));
    let found = memmem::find_iter(part.of(lines.doc.text()).as_bytes(), sought.as_bytes()).take(LOOKED_AT);
    let at = |place: usize| lines.doc.line_index(part.start() + place);
    let mut places: Vec<usize> = found.map(at).filter(|line| content(lines.doc.line_text(*line)) == sought).collect();
    places.dedup();
    places
}

fn content(line: &str) -> &str {
    ItemText::of_line(line).content
}

/// Returns where the sought lines are, in their order, in the place where most of them are, closest together. `None` for
/// a line that is not there.
fn nearest_run(places: &[Vec<usize>]) -> Vec<Option<usize>> {
    let run_from = |start: &usize| {
        let mut next = *start;
        let find = |lines: &Vec<usize>| {
            let found = lines.get(lines.partition_point(|line| *line < next)).filter(|line| **line <= next + LINES);
            next = found.map_or(next, |line| line + 1);
            found.copied()
        };
        let run: Vec<_> = places.iter().map(find).collect();
        (run.iter().filter(|line| line.is_none()).count(), next - start, run)
    };
    let runs = places.iter().flat_map(|lines| lines.iter().take(PLACES)).map(run_from);
    let best = runs.min_by_key(|(missing, length, _)| (*missing, *length));
    best.map_or_else(|| vec![None; places.len()], |(.., run)| run)
}

/// Says how the sought lines differ from the document. `run` has the line of the document for each sought line that is not
/// blank and is there. Other lines may be between them, a line may be written in another form or in other words, or there
/// may be a line where a blank one is sought.
fn difference(lines: &DocLines<'_>, scope: &Range<usize>, sought: &[&str], run: &[Option<usize>]) -> Diagnostic {
    let (doc, is_all) = (lines.doc, !run.contains(&None));
    let first = run.iter().zip(0..).find_map(|(there, nth)| Some((*there)?.saturating_sub(nth)));
    let (mut at, mut help) = (first.unwrap_or(scope.end).max(scope.start), Diagnostic::default());
    let mut run = run.iter();
    for line in sought {
        if help.closest.len() == DIFFERING {
            break;
        }
        let next = run.as_slice().iter().flatten().next().copied();
        // The lines up to the next sought line that is there.
        let open = at..next.unwrap_or(scope.end);
        if is_blank(line) {
            let there = doc.line_text(at);
            let is_later = || next.is_some() && open.clone().any(|line| is_blank(doc.line_text(line)));
            if is_blank(there) {
                at += 1;
            } else if is_all && !is_later() {
                help.closest.push(Closest { text: there.into(), ..describe(doc, doc.line_span(at), line) });
            }
            continue;
        }
        let is_shown = |at: &usize| scope.contains(at) && doc.reserved_section_at(doc.line_start(*at)).is_none();
        let likeness = Likeness::to(line.trim_start());
        let is_like = |at: &usize| is_shown(at) && likeness.rank(doc.line_text(*at)) >= SIMILAR;
        let similar = || open.clone().take(DIFFERING).find(is_like);
        let Some(there) = run.next().copied().flatten().or_else(similar) else {
            // A similar line elsewhere is shown before a different line here.
            let elsewhere = closest(doc, lines.span(scope), line.trim_start()).into_iter().next();
            let here = || Some(at).filter(is_shown).map(|at| describe(doc, doc.line_span(at), line));
            help.closest.extend(elsewhere.or_else(here));
            at += usize::from(!open.is_empty());
            continue;
        };
        if there > at {
            let between = (at..there).take(DIFFERING).map(|line| visible(&excerpt(doc.line_text(line), 80)).into());
            help.reasons.push(Reason::Between { line: at + 1, texts: between.collect() });
        }
        let (text, near) = (doc.line_text(there), describe(doc, doc.line_span(there), line));
        if is_all && text != *line {
            help.closest.push(Closest { text: text.into(), ..near });
        } else if !is_all && normal_line(unmarked(line, text)) != normal_line(line) {
            help.closest.push(near);
        }
        at = there + 1;
    }
    help
}
