//! The numbers of ordered lists: a list is renumbered only where it was in sequence (SPEC § 9).

use std::collections::HashMap;

use crate::document::{BulletId, MemoryDoc};

/// No list counts on from a number this high: one of ten digits makes no bullet.
const MOST: usize = 900_000_000;

/// Bullets in a row whose numbers count on, or are all the same, as lists that leave the counting to the reader have.
#[derive(Clone, Debug)]
struct Run {
    next: usize,
    step: usize,
    delimiter: char,
}

/// The numbers of one list, given out anew from its top to its end.
#[derive(Debug, Default)]
pub(super) struct Numbering {
    runs: Vec<Run>,
    run_of: HashMap<BulletId, usize>,
}

impl Numbering {
    /// Reads the numbers of `siblings`, in document order.
    pub(super) fn new(doc: &MemoryDoc, siblings: &[BulletId]) -> Self {
        let mut numbering = Self::default();
        // The number of the bullet before, and how many its run has.
        let mut last: Option<(usize, usize)> = None;
        for id in siblings {
            let Some((number, delimiter)) = number_of(doc, *id) else {
                last = None;
                continue;
            };
            let goes_on = last.zip(numbering.runs.last_mut()).and_then(|((before, length), run)| {
                let step = number.checked_sub(before).filter(|step| *step <= 1)?;
                let fits = run.delimiter == delimiter && (length == 1 || run.step == step);
                fits.then(|| run.step = step)
            });
            if goes_on.is_none() {
                numbering.runs.push(Run { next: number, step: 1, delimiter });
            }
            let length = if goes_on.is_some() { last.map_or(1, |(_, length)| length + 1) } else { 1 };
            last = Some((number, length));
            numbering.run_of.insert(*id, numbering.runs.len() - 1);
        }
        numbering
    }

    /// Lets the run that `bullet` begins count on from `last`, a bullet of the list `before`, if both are numbered alike.
    pub(super) fn count_on(&mut self, doc: &MemoryDoc, bullet: BulletId, (before, last): (&Self, BulletId)) {
        let run_before = before.run_of.get(&last).and_then(|run| before.runs.get(*run));
        let run = self.run_of.get(&bullet).and_then(|run| self.runs.get_mut(*run));
        let (Some(run_before), Some(run), Some((number, _))) = (run_before, run, number_of(doc, last)) else { return };
        if run.delimiter == run_before.delimiter && number < MOST {
            (run.next, run.step) = (number + run_before.step, run_before.step);
        }
    }

    /// Returns the next marker of the run that `bullet` belongs to; `None` if it has no number.
    pub(super) fn next_like(&mut self, bullet: BulletId) -> Option<String> {
        let run = self.runs.get_mut(*self.run_of.get(&bullet)?)?;
        let number = run.next;
        run.next += run.step;
        Some(format!("{number}{}", run.delimiter))
    }
}

/// Returns the number and the delimiter of a bullet's marker.
pub(super) fn number_of(doc: &MemoryDoc, id: BulletId) -> Option<(usize, char)> {
    let marker = doc.outline().bullet(id)?.marker.of(doc.text());
    let delimiter = marker.chars().next_back().filter(|c| matches!(c, '.' | ')'))?;
    Some((marker.strip_suffix(delimiter)?.parse().ok()?, delimiter))
}
