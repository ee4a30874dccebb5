//! Which bullets a call was about, as told by a memory before and after it.

use super::facts::{Fact, Facts};
use super::readings::{first_body, folded, ordinal};
use super::sloppy_calls::{Call, Change};

/// Which lines of the memory a call can have been about, as its change tells, and the lines that it wrote.
pub struct Touched {
    /// The lines that it can have been about, by their indices: the first of each bullet.
    pub places: Vec<usize>,
    /// The lines that were written.
    pub lines: Vec<String>,
}

impl Touched {
    /// Compares a memory with the lines that a call has made of it. No place: something else has changed.
    pub fn between(memory: &Facts, call: &Call, after: &[&str]) -> Self {
        let mut touched = Self { places: Vec::new(), lines: Vec::new() };
        for fact in &memory.facts {
            for (at, gone) in cuts(&call.change, fact) {
                if let Some(lines) = exchanged(memory, after, at, gone).filter(|lines| fits(&call.change, fact, lines))
                {
                    touched.places.push(fact.line);
                    touched.lines = lines;
                }
            }
        }
        touched
    }
}

/// Returns where a change of a fact can begin, each with how many lines go there.
fn cuts(change: &Change, fact: &Fact) -> Vec<(usize, usize)> {
    let (from, own, all) = (fact.line, fact.lines, fact.extent);
    match change {
        Change::Removed => vec![(from, all)],
        Change::LineRemoved | Change::LineRewritten(_) | Change::Marked => vec![(from, 1)],
        Change::Rewritten(_) => vec![(from, own)],
        Change::Upserted(_) => vec![(from, own), (from + all, 0)],
        Change::LineInserted(_) => vec![(from + 1, 0)],
        Change::InsertedAfter(_) | Change::Inserted(_) => vec![(from + all, 0)],
        Change::InsertedBefore(_) => vec![(from, 0)],
        Change::Replaced(_) => Vec::new(),
    }
}

/// Whether these lines can have come of the change.
fn fits(change: &Change, fact: &Fact, lines: &[String]) -> bool {
    match change {
        Change::Removed | Change::LineRemoved => lines.is_empty(),
        Change::Marked => {
            let content = folded(fact.content.split('\n').next().unwrap_or_default());
            matches!(lines, [line] if folded(line).ends_with(&content))
        }
        _ => !lines.is_empty(),
    }
}

/// Returns the lines that stand in the place of `gone` lines from `at` on, if nothing else has changed but numbers of lists
/// that count.
fn exchanged(memory: &Facts, after: &[&str], at: usize, gone: usize) -> Option<Vec<String>> {
    let before = &memory.lines;
    let behind = before.len() - at - gone;
    let end = after.len().checked_sub(behind).filter(|end| *end >= at)?;
    let is_kept = |line: usize, now: &str| {
        before[line] == now
            || memory.at_line(line).filter(|fact| fact.is_counted).is_some_and(|fact| {
                let words = now.strip_prefix(fact.indentation.as_str()).and_then(ordinal);
                words.is_some_and(|(_, rest)| rest == first_body(fact))
            })
    };
    let is_same = (0..at).all(|line| is_kept(line, after[line]))
        && (0..behind).all(|line| is_kept(at + gone + line, after[end + line]));
    is_same.then(|| after[at..end].iter().map(|line| (*line).to_owned()).collect())
}
