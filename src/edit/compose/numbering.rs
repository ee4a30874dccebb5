//! The numbers of ordered lists: a list is renumbered only if it was in sequence from 0 or 1, from its first number to its last.
//! The numbers of any other, such as years, days or seats, say something, and stay with their bullets.

use crate::document::BulletRef;
use crate::locate::numbered;

/// No list counts on from a number this high: one of ten digits makes no bullet.
const MOST: usize = 900_000_000;
/// From this number on, one that does not count from 0 or 1 is taken for a year, which nothing follows by itself.
const YEARS: usize = 1_000;

/// Bullets in a row whose numbers count on, or are all the same, as lists that leave the counting to the reader have.
#[derive(Clone, Debug)]
struct Run {
    next: usize,
    step: usize,
    delimiter: char,
    /// Whether it begins with 0 or 1.
    is_from_start: bool,
}

/// What number a bullet gets that is written at some spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Numbered {
    /// None: the list has no numbers there.
    Not,
    /// The one that its place gives it.
    Counted,
    /// Its own, since the numbers there are no count.
    Said {
        /// The marker beside which it would stand.
        beside: String,
        /// The marker that goes on from there, if it stands last and that is no year.
        next: Option<String>,
    },
}

/// Where the numbers of a list may begin anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anew {
    Anywhere,
    /// Not on the line right behind an item that is numbered alike.
    Apart,
}

/// The numbers of one list, given out anew from its top to its end. They are a count if each of its runs begins with 0 or 1.
#[derive(Debug, Default)]
pub(super) struct Numbering<'a> {
    runs: Vec<Run>,
    /// Which run each bullet that has a number belongs to, in document order.
    run_of: Vec<(BulletRef<'a>, usize)>,
}

impl<'a> Numbering<'a> {
    /// Reads the numbers of `siblings`, in document order.
    pub(super) fn new(siblings: &[BulletRef<'a>]) -> Self {
        let mut numbering = Self::default();
        // The number of the bullet before, and how many its run has.
        let mut last: Option<(usize, usize)> = None;
        let mut is_right_behind = false;
        for bullet in siblings {
            let Some((number, delimiter)) = number_of(*bullet) else {
                is_right_behind = false;
                continue;
            };
            let goes_on = last.zip(numbering.runs.last_mut()).and_then(|((before, length), run)| {
                let step = number.checked_sub(before).filter(|step| *step == 1 || (*step == 0 && is_right_behind))?;
                let fits = run.delimiter == delimiter && (length == 1 || run.step == step);
                fits.then(|| run.step = step)
            });
            if goes_on.is_none() {
                numbering.runs.push(Run { next: number, step: 1, delimiter, is_from_start: number <= 1 });
            }
            let length = if goes_on.is_some() { last.map_or(1, |(_, length)| length + 1) } else { 1 };
            (last, is_right_behind) = (Some((number, length)), true);
            numbering.run_of.push((*bullet, numbering.runs.len() - 1));
        }
        numbering
    }

    /// Lets the run that `bullet` begins count on from `last`, a bullet of the list `before`, if both lists count and are numbered
    /// alike there.
    pub(super) fn count_on(&mut self, bullet: BulletRef<'a>, before: &Self, last: BulletRef<'a>) {
        let counts = self.counts() && before.counts();
        let run = self.nth(bullet).and_then(|run| self.runs.get_mut(run));
        let run_before = before.run(last);
        let (Some(run_before), Some(run), Some((number, _))) = (run_before, run, number_of(last)) else { return };
        if counts && run.delimiter == run_before.delimiter && number < MOST {
            (run.next, run.step) = (number + run_before.step, run_before.step);
        }
    }

    /// Reports whether the numbers are a count.
    pub(super) fn counts(&self) -> bool {
        self.runs.iter().all(|run| run.is_from_start)
    }

    /// Returns the marker behind the last of `siblings` and so many others that come there, if `bullet` is that one, its number is no
    /// count and no year.
    pub(super) fn behind_last(
        &self,
        bullet: BulletRef<'a>,
        siblings: &[BulletRef<'a>],
        others: usize,
    ) -> Option<String> {
        let (number, delimiter) = number_of(bullet).filter(|_| siblings.last() == Some(&bullet))?;
        let run = self.run(bullet).filter(|_| !self.counts())?;
        let number = Some(number + run.step * (others + 1)).filter(|number| *number < YEARS)?;
        Some(format!("{number}{delimiter}"))
    }

    /// Returns which of `siblings` have numbers that do not count on from 0 or 1, each with the number that would. A list may
    /// begin anew where `anew` says; one of one number throughout leaves the counting to its reader.
    pub(super) fn misplaced(&self, siblings: &[BulletRef<'a>], anew: Anew) -> Vec<(BulletRef<'a>, usize)> {
        let (mut misplaced, mut next) = (Vec::new(), 1);
        let mut last: Option<(BulletRef<'a>, char)> = None;
        for bullet in siblings {
            let Some((number, delimiter)) = number_of(*bullet) else { continue };
            let is_right_behind =
                last.is_some_and(|(before, other)| before.extent.end() == bullet.line.start() && delimiter == other);
            let may_begin = anew == Anew::Anywhere || !is_right_behind;
            let counts = self.run(*bullet).is_some_and(|run| run.is_from_start) && misplaced.is_empty() && may_begin;
            next = if counts { number } else { next };
            misplaced.extend((number != next).then_some((*bullet, next)));
            next += 1;
            last = Some((*bullet, delimiter));
        }
        misplaced
    }

    /// Reports whether all numbers are those of one sequence from 0 or 1, each one higher than the one before.
    pub(super) fn is_sequence(&self) -> bool {
        matches!(self.runs.as_slice(), [run] if run.is_from_start && run.step == 1) && self.run_of.len() > 1
    }

    fn run(&self, bullet: BulletRef<'a>) -> Option<&Run> {
        self.nth(bullet).and_then(|run| self.runs.get(run))
    }

    /// Returns the index of the run that a bullet belongs to.
    fn nth(&self, bullet: BulletRef<'a>) -> Option<usize> {
        let at = self.run_of.binary_search_by_key(&bullet, |(bullet, _)| *bullet).ok()?;
        self.run_of.get(at).map(|(_, run)| *run)
    }

    /// Returns the next marker of the run that `bullet` belongs to; `None` if its number is no count, or it has none.
    pub(super) fn next_like(&mut self, bullet: BulletRef<'a>) -> Option<String> {
        let nth = self.nth(bullet).filter(|_| self.counts())?;
        let run = self.runs.get_mut(nth)?;
        let number = run.next;
        run.next += run.step;
        Some(format!("{number}{}", run.delimiter))
    }
}

/// Reports whether a marker is a number that may be a year.
pub(super) fn is_year(marker: &str) -> bool {
    numbered(marker).is_some_and(|(number, _)| number >= YEARS)
}

/// Returns the number and the delimiter of a bullet's marker.
pub(super) fn number_of(bullet: BulletRef<'_>) -> Option<(usize, char)> {
    numbered(bullet.marker())
}
