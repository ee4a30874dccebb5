//! Help for lines that were not found one right after the other: the place where most of them are, and what differs
//! there.

use std::collections::HashMap;
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
/// - For several lines that are all there in their order, it says how they differ from the lines there.
/// - Otherwise, it shows a line for each sought line that is missing.
pub(crate) fn nearest(lines: &DocLines<'_>, scope: &Range<usize>, sought: &[&str]) -> Diagnostic {
    let sought = sought.get(..LINES).unwrap_or(sought);
    let mut full = sought.iter().filter(|line| !is_blank(line));
    if let (only, None) = (full.next(), full.next()) {
        let closest = only.map_or_else(Vec::new, |only| closest(lines.doc, lines.span(scope), only));
        return Diagnostic { closest, ..Diagnostic::default() };
    }
    let places: Vec<Vec<usize>> = sought.iter().map(|line| places_of(lines, scope, line)).collect();
    let full: Vec<_> =
        places.iter().zip(sought).filter(|(_, line)| !is_blank(line)).map(|(places, _)| places).collect();
    if full.iter().any(|places| places.is_empty()) {
        return Diagnostic { closest: missing_lines(lines, scope, sought, &places), ..Diagnostic::default() };
    }
    let run = nearest_run(&full);
    run.map_or_else(|| Diagnostic::because(Reason::NotAdjacent), |run| difference(lines, sought, &run))
}

/// Returns a line of the document for each sought line that is missing: the line at its place, as most of the other
/// lines imply it. But if that is not like the sought line, and the scope has the sought line nowhere, it is the line
/// of the scope that is most like it.
fn missing_lines(lines: &DocLines<'_>, scope: &Range<usize>, sought: &[&str], places: &[Vec<usize>]) -> Vec<Closest> {
    let doc = lines.doc;
    let first = most_likely_first(sought, places).unwrap_or(scope.end);
    let has_form = |line: &str, at| normal_line(unmarked(line, doc.line_text(at))) == normal_line(line);
    let is_there = |line: &str, places: &[usize], at| places.contains(&at) && has_form(line, at);
    let all = sought.iter().zip(places).zip(first..);
    let missing = all.filter(|((line, places), at)| !(is_blank(line) || is_there(line, places, *at)));
    let is_open = |at: &usize| *at < scope.end && doc.reserved_section_at(doc.line_start(*at)).is_none();
    let shown = missing.take(DIFFERING).filter_map(|((line, places), at)| {
        let (there, sought) = (Some(at).filter(is_open), line.trim_start());
        let is_like = |at| Likeness::to(sought).rank(doc.line_text(at)) >= SIMILAR;
        let is_elsewhere = places.is_empty() && !there.is_some_and(is_like);
        let like = if is_elsewhere { closest(doc, lines.span(scope), sought) } else { Vec::new() };
        like.into_iter().next().or_else(|| Some(describe(doc, doc.line_span(there?), line)))
    });
    shown.collect()
}

/// Returns the lines of the scope with the same content as a line. Marker, checkbox and tags are ignored.
fn places_of(lines: &DocLines<'_>, scope: &Range<usize>, text: &str) -> Vec<usize> {
    let (sought, part) = (content(text), lines.span(scope));
    if sought.is_empty() {
        return scope.clone().filter(|line| content(lines.doc.line_text(*line)).is_empty()).collect();
    }
    let found = memmem::find_iter(part.of(lines.doc.text()).as_bytes(), sought.as_bytes()).take(LOOKED_AT);
    let at = |place: usize| lines.doc.lines().index_at(part.start() + place);
    let mut places: Vec<usize> = found.map(at).filter(|line| content(lines.doc.line_text(*line)) == sought).collect();
    places.dedup();
    places
}

fn content(line: &str) -> &str {
    ItemText::of_line(line).content
}

/// Returns the line where the sought lines most likely begin. Each sought line that is found votes for the beginning
/// that its place implies. A sought line that is missing makes those after it vote for an earlier line: of two with
/// the same votes, the later one wins.
fn most_likely_first(sought: &[&str], places: &[Vec<usize>]) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (offset, (lines, _)) in places.iter().zip(sought).enumerate().filter(|(_, (_, line))| !is_blank(line)) {
        for first in lines.iter().take(PLACES).filter_map(|line| line.checked_sub(offset)) {
            *votes.entry(first).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(first, count)| (*count, *first)).map(|(first, _)| first)
}

/// Returns where the sought lines stand in their order, where they are closest together; `None` if they do nowhere.
fn nearest_run(places: &[&Vec<usize>]) -> Option<Vec<usize>> {
    let from = |start: usize| {
        let mut at = vec![start];
        for lines in places.get(1..)? {
            let next = at.last()? + 1;
            at.push(*lines.get(lines.partition_point(|line| *line < next))?);
        }
        Some(at)
    };
    let runs = places.first()?.iter().take(PLACES).filter_map(|start| from(*start));
    runs.min_by_key(|at| at.last().zip(at.first()).map(|(last, first)| last - first))
}

/// Says how the sought lines differ from the document. `run` has the line of the document for each sought line that is not
/// blank. Another line may be between them, a line may be written in another form, or there may be a line where a blank
/// one is sought.
fn difference(lines: &DocLines<'_>, sought: &[&str], run: &[usize]) -> Diagnostic {
    let (mut run, mut help) = (run.iter().copied().peekable(), Diagnostic::default());
    let mut at = run.peek().copied().unwrap_or_default();
    for line in sought.iter().skip_while(|line| is_blank(line)) {
        let there = if is_blank(line) { at } else { run.next().unwrap_or(at) };
        let text = lines.doc.line_text(there);
        if there > at {
            let between =
                (at..there).take(DIFFERING).map(|line| visible(&excerpt(lines.doc.line_text(line), 80)).into());
            help.reasons.push(Reason::Between { line: at + 1, texts: between.collect() });
        }
        let is_missing = is_blank(line) && !is_blank(text);
        if is_missing || (!is_blank(line) && text != *line) {
            let near = describe(lines.doc, lines.doc.line_span(there), line);
            let found = if is_missing { visible(&excerpt(text, 30)).into() } else { near.found };
            help.closest.push(Closest { text: text.into(), found, ..near });
        }
        at = there + usize::from(!is_missing);
    }
    help.closest.truncate(DIFFERING);
    help
}
