//! Help where several lines do not stand in a row: the place where most of them stand, and what
//! differs there.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::closest::{Closest, closest as closest_to, describe};
use super::diagnostic::{Diagnostic, Reason};
use super::doc_lines::DocLines;
use super::marker::ItemText;
use crate::text::{Content, excerpt, is_blank, visible};

/// How many of the lines are looked for one by one.
const COMPARED: usize = 50;
/// How many occurrences of what a line says are looked at.
const LOOKED_AT: usize = 2_000;
/// How many places of one line count.
const PLACES: usize = 100;
/// How many lines that differ are shown.
const SHOWN: usize = 3;
/// The length of a shown line in characters.
const EXCERPT: usize = 80;

/// Lines that are sought in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sought<'s> {
    /// Whole lines.
    Lines(&'s [&'s str]),
    /// The lines of a text: the first may be the end of a line of the document, and the last the
    /// beginning of one.
    Text(&'s [&'s str]),
}

/// Returns what helps where lines do not stand in a row in `scope`.
///
/// Where all of them stand there in their order, that is the first line between them; else the
/// lines that differ at the place where most of them stand.
pub(crate) fn nearest_run(lines: &DocLines<'_>, scope: &Range<usize>, run: Sought<'_>) -> Diagnostic {
    let (Sought::Lines(sought) | Sought::Text(sought)) = run;
    let sought = sought.get(..COMPARED).unwrap_or(sought);
    let mut places: Vec<Vec<usize>> = sought.iter().map(|line| places_of(lines, scope, line)).collect();
    if let (Sought::Text(_), [first, .., last], [at_first, .., at_last]) = (run, sought, places.as_mut_slice()) {
        if at_first.is_empty() {
            at_first.extend(scope.clone().filter(|line| lines.text(*line).ends_with(first)));
        }
        if at_last.is_empty() {
            at_last.extend(scope.clone().filter(|line| lines.text(*line).starts_with(last)));
        }
    }
    if places.iter().zip(sought).all(|(places, line)| !places.is_empty() || is_blank(line)) {
        let between = line_between(&places).map(|line| Reason::Between { line: line + 1, text: shown(lines, line) });
        return Diagnostic { reasons: vec![between.unwrap_or(Reason::NotAdjacent)], ..Diagnostic::default() };
    }
    let first = most_likely_first(sought, &places).unwrap_or(scope.end);
    let differing = sought.iter().zip(&places).zip(first..scope.end);
    let differing = differing.filter(|((line, places), at)| !places.contains(at) && !is_blank(line));
    let free = differing.filter(|(_, at)| lines.doc.reserved_section_at(lines.start(*at)).is_none());
    let differing: Vec<(&str, usize)> = free.take(SHOWN).map(|((line, _), at)| (*line, at)).collect();
    let reasons = differing.iter().map(|(_, at)| Reason::Differs { line: at + 1, text: shown(lines, *at) }).collect();
    let describe = |(line, at): &(&str, usize)| describe(lines.doc, lines.text_span(*at), line);
    let mut closest: Vec<Closest> = differing.iter().map(describe).collect();
    if closest.is_empty() {
        let absent = sought.iter().zip(&places).filter(|(line, places)| places.is_empty() && !is_blank(line));
        let longest = absent.map(|(line, _)| *line).max_by_key(|line| line.len()).unwrap_or_default();
        closest = closest_to(lines.doc, lines.span(scope), longest.trim_start());
        closest.truncate(1);
    }
    Diagnostic { closest, reasons, ..Diagnostic::default() }
}

fn shown(lines: &DocLines<'_>, line: usize) -> Content {
    visible(&excerpt(lines.text(line), EXCERPT)).into()
}

/// Returns the lines of the scope that say what one of the lines says, whatever marker, checkbox and
/// tags stand before it.
fn places_of(lines: &DocLines<'_>, scope: &Range<usize>, text: &str) -> Vec<usize> {
    let (said, part) = (content(text), lines.span(scope));
    if said.is_empty() {
        return scope.clone().filter(|line| content(lines.text(*line)).is_empty()).collect();
    }
    let found = memmem::find_iter(part.of(lines.doc.text()).as_bytes(), said.as_bytes()).take(LOOKED_AT);
    let at = |place: usize| lines.doc.lines().index_at(part.start() + place);
    let mut places: Vec<usize> = found.map(at).filter(|line| content(lines.text(*line)) == said).collect();
    places.dedup();
    places
}

fn content(line: &str) -> &str {
    ItemText::of_line(line).content
}

/// Returns where the lines most likely begin: each line that is there votes. A line that is not
/// there moves those behind it, so that the first ones tell the place.
fn most_likely_first(sought: &[&str], places: &[Vec<usize>]) -> Option<usize> {
    let mut votes: HashMap<usize, usize> = HashMap::new();
    for (offset, (lines, _)) in places.iter().zip(sought).enumerate().filter(|(_, (_, line))| !is_blank(line)) {
        for first in lines.iter().take(PLACES).filter_map(|line| line.checked_sub(offset)) {
            *votes.entry(first).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(first, count)| (*count, *first)).map(|(first, _)| first)
}

/// Returns the first line that stands between lines which are all there in their order, where they
/// stand nearest to one another.
fn line_between(places: &[Vec<usize>]) -> Option<usize> {
    let from = |start: usize| {
        let mut at = vec![start];
        for lines in places.get(1..)? {
            let next = at.last()? + 1;
            at.push(*lines.get(lines.partition_point(|line| *line < next))?);
        }
        Some(at)
    };
    let runs = places.first()?.iter().take(PLACES).filter_map(|start| from(*start));
    let nearest = runs.min_by_key(|at| at.last().zip(at.first()).map(|(last, first)| last - first))?;
    (*nearest.first()?..*nearest.last()?).find(|line| nearest.binary_search(line).is_err())
}
