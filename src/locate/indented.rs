//! Lines that stand in one place but for how deep they are: what to send instead of them. They are never taken for found.

use super::fix::Fix;
use super::occurrences::occurrences;
use crate::document::MemoryDoc;
use crate::text::{Lines, Span, is_blank};

/// How many lines are compared at most: where many are equal, each may begin the run.
const COMPARED: usize = 50_000;

/// Returns the lines of `scope` that read as those of `old`, two or more, but for white space around them, if they stand there once;
/// with the lines of `new` as deep as those whose places they take.
pub(super) fn indented(doc: &MemoryDoc, scope: Span, old: &str, new: &str) -> Option<Fix> {
    let sought: Vec<&str> = Lines::of(old).map(|line| line.text.of(old)).collect();
    if sought.len() < 2 || sought.iter().all(|line| is_blank(line)) {
        return None;
    }
    let lines: Vec<_> = Lines::within(doc.text(), scope).collect();
    let mut left = COMPARED;
    let mut is_alike = |at: usize| {
        let mut pairs = sought.iter().zip(lines.get(at..).unwrap_or_default());
        pairs.len() == sought.len()
            && pairs.all(|(sought, line)| {
                left = left.saturating_sub(1);
                left > 0 && sought.trim() == line.text.of(doc.text()).trim()
            })
    };
    let mut places = (0..lines.len()).filter(|at| is_alike(*at));
    let (at, others) = (places.next()?, places.next());
    let found = lines.get(at..at + sought.len()).filter(|_| others.is_none() && left > 0)?;
    let (first, last) = (found.first()?, found.last()?);
    let there = Span::new(first.text.start(), last.text.end()).of(doc.text());
    if doc.reserved_section_at(first.text.start()).is_some() || occurrences(doc.text(), scope, there).len() != 1 {
        return None;
    }
    let depth = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let deepened = new.split('\n').enumerate().map(|(nth, line)| {
        let nth = nth.min(sought.len() - 1);
        let (Some(sought), Some(found)) = (sought.get(nth), found.get(nth)) else { return line.to_owned() };
        let (own, found) = (depth(line), found.text.of(doc.text()));
        let is_as_deep = !is_blank(line) && line.get(..own) == sought.get(..depth(sought));
        let before = if is_as_deep { found.get(..depth(found)) } else { line.get(..own) };
        [before.unwrap_or_default(), line.get(own..).unwrap_or_default()].concat()
    });
    let new = deepened.collect::<Vec<_>>().join("\n");
    Some(Fix::Widen { old: there.into(), new: new.into() })
}
