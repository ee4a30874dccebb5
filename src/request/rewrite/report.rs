//! What became of every bullet in a compaction.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use strum::{Display, VariantArray};

use super::clauses::folded;
use super::sayings::{Sayings, free_bullets, words};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef, is_lifetime};
use crate::edit::BeforeAfter;
use crate::edit::compose::{Lists, behind};
use crate::text::{Content, Line, Lines, Tally, Timestamp, is_blank};

/// How many in a hundred of the words of two contents must be in both, for the one to count as a rewording of the other.
const REWORDED: usize = 50;
/// How many words are looked up to find rewordings.
const COMPARED: usize = 1 << 22;

/// What became of a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Display, VariantArray)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum BulletOutcome {
    /// It stands where it stood, verbatim, and below the same bullet.
    Kept,
    /// It stands in the same section with other tags or another wording.
    Changed,
    /// Another bullet says it: the same, more, or by citing its key.
    Merged,
    /// It stands in another section or block, or below another bullet, verbatim.
    Moved,
    /// It is gone.
    Dropped,
    /// It had expired, and is gone.
    Expired,
    /// It is new.
    Added,
}

/// A bullet of the old text, and what became of it; or one that the new text adds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulletReport {
    /// What became of it.
    pub outcome: BulletOutcome,
    /// Its line in the old text, from 1; of one that is new, none.
    pub line: Option<usize>,
    /// The path of its section.
    pub section: Option<Content>,
    /// Its key, in the old text unless it is new.
    pub key: Option<Content>,
    /// What it said, or says, with checkbox and tags.
    pub text: Content,
    /// The line of the new text, from 1, on which it, or what it became, stands.
    pub now: Option<usize>,
}

/// What a compaction did, bullet by bullet. Reserved sections, which it cannot change, are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Every bullet of the old text, in its order, then those that the new text adds, in theirs.
    pub bullets: Vec<BulletReport>,
    /// The lines of the old text, from 1, that were no bullets and are gone: prose, code, headings. Blank ones do not count. One
    /// that stands in another section, though its own is still there, is gone from the one and added to the other.
    pub other_lines: Vec<usize>,
    /// The lines of the new text, from 1, that are no bullets and did not stand in the old one, or not in that section.
    pub added_lines: Vec<usize>,
    /// The size in tokens.
    pub tokens: BeforeAfter,
    /// The size in bytes.
    pub bytes: BeforeAfter,
}

impl CompactionReport {
    /// Compares a text with what it was compacted to, at the time `now`.
    pub fn new(old: &MemoryDoc, new: &MemoryDoc, now: Timestamp) -> Self {
        let mut matching = Matching::new(old, new);
        matching.alike();
        matching.reworded();
        matching.nested();
        let olds = free_bullets(old);
        let mut bullets: Vec<BulletReport> = olds.map(|bullet| matching.report(bullet, now)).collect();
        bullets.extend(matching.added(&bullets));
        Self {
            bullets,
            other_lines: matching.sections.lines_without(old, new),
            added_lines: matching.sections.lines_without(new, old),
            tokens: BeforeAfter { before: old.tokens(), after: new.tokens() },
            bytes: BeforeAfter { before: old.text().len(), after: new.text().len() },
        }
    }

    /// Counts the bullets of one outcome.
    pub fn count(&self, outcome: BulletOutcome) -> usize {
        self.bullets.iter().filter(|bullet| bullet.outcome == outcome).count()
    }
}

/// Which bullet of the new text each one of the old text became.
struct Matching<'a> {
    old: &'a MemoryDoc,
    sections: Sections<'a>,
    sayings: Sayings<'a>,
    /// Those of the old text and of the new one.
    lists: [Lists<'a>; 2],
    /// Numbers for the bullets that others are nested in.
    parents: HashMap<BulletRef<'a>, usize>,
    /// The first bullet of the new text of each reading.
    firsts: HashMap<Reading<'a>, BulletRef<'a>>,
    found: HashMap<BulletRef<'a>, (BulletOutcome, BulletRef<'a>)>,
    taken: HashSet<BulletRef<'a>>,
}

/// The section and the block that a bullet stands in.
type Place<'a> = (Option<usize>, Option<&'a str>);
/// What a bullet says, where, and the number of the bullet that it is nested in.
type Reading<'a> = (Place<'a>, Option<usize>, String);

impl<'a> Matching<'a> {
    fn new(old: &'a MemoryDoc, new: &'a MemoryDoc) -> Self {
        let mut matching = Self {
            old,
            sections: Sections::of([old, new]),
            sayings: Sayings::of(new, old),
            lists: [Lists::new(old), Lists::new(new)],
            parents: parents([old, new]),
            firsts: HashMap::new(),
            found: HashMap::new(),
            taken: HashSet::new(),
        };
        for bullet in free_bullets(new) {
            matching.firsts.entry(matching.reading(bullet)).or_insert(bullet);
        }
        matching
    }

    fn new_doc(&self) -> &'a MemoryDoc {
        self.sayings.doc()
    }

    /// Returns the number of the bullet that one is nested in.
    fn above(&self, bullet: BulletRef<'a>) -> Option<usize> {
        self.parents.get(&bullet.parent()?).copied()
    }

    fn take(&mut self, bullet: BulletRef<'a>, outcome: BulletOutcome, now: BulletRef<'a>) {
        self.found.insert(bullet, (outcome, now));
        self.taken.insert(now);
    }

    /// Matches bullets that read the same, first those of the same place, then those that say the same there with other tags.
    fn alike(&mut self) {
        let (old, new) = (self.old, self.new_doc());
        // Of those that read the same in one place, first those below the same bullet.
        let passes = [
            (BulletOutcome::Kept, true),
            (BulletOutcome::Kept, false),
            (BulletOutcome::Moved, false),
            (BulletOutcome::Changed, false),
        ];
        for (outcome, is_below_the_same) in passes {
            let read = |bullet: BulletRef<'a>| match outcome {
                BulletOutcome::Kept => (
                    self.sections.place(bullet),
                    self.above(bullet).filter(|_| is_below_the_same),
                    self.wording(bullet),
                ),
                BulletOutcome::Moved => (Place::default(), None, self.wording(bullet)),
                _ => (self.sections.place(bullet), None, folded(&bullet.content())),
            };
            let mut there: HashMap<Reading<'_>, Vec<BulletRef<'a>>> = HashMap::new();
            for bullet in free_bullets(new).filter(|bullet| !self.taken.contains(bullet)) {
                there.entry(read(bullet)).or_default().push(bullet);
            }
            // The first of the one is the first of the other.
            there.values_mut().for_each(|bullets| bullets.reverse());
            let left = free_bullets(old).filter(|bullet| !self.found.contains_key(bullet));
            let found: Vec<_> =
                left.filter_map(|bullet| Some((bullet, there.get_mut(&read(bullet))?.pop()?))).collect();
            found.into_iter().for_each(|(bullet, now)| self.take(bullet, outcome, now));
        }
    }

    /// Returns what a bullet of either text says, verbatim, behind its number if that says something.
    fn wording(&self, bullet: BulletRef<'a>) -> String {
        behind(self.lists_of(bullet).said_number(bullet), bullet.wording().into()).into_owned()
    }

    fn lists_of(&self, bullet: BulletRef<'a>) -> &Lists<'a> {
        let [old, new] = &self.lists;
        if std::ptr::eq(bullet.doc(), self.old) { old } else { new }
    }

    /// Matches bullets that no other says with new ones in the same place that read much like them.
    fn reworded(&mut self) {
        let (old, new) = (self.old, self.new_doc());
        let mut numbers = Numbers::default();
        let mut free: HashMap<Place<'_>, Vec<(BulletRef<'a>, Vec<usize>)>> = HashMap::new();
        for bullet in free_bullets(new).filter(|bullet| !self.taken.contains(bullet)) {
            free.entry(self.sections.place(bullet)).or_default().push((bullet, numbers.of_words(bullet)));
        }
        let mut compared = 0_usize;
        let left: Vec<_> = free_bullets(old).filter(|bullet| !self.found.contains_key(bullet)).collect();
        for bullet in left {
            if self.sayings.saying(bullet).is_some() {
                continue;
            }
            let Some(candidates) = free.get_mut(&self.sections.place(bullet)) else { continue };
            let own = numbers.of_words(bullet);
            compared = compared.saturating_add((own.len() + 1) * candidates.len());
            if compared > COMPARED {
                return;
            }
            let shared = |other: &[usize]| in_both(&own, other);
            let is_alike = |other: &[usize]| 200 * shared(other) >= REWORDED * (own.len() + other.len());
            let alike = candidates.iter().enumerate().filter(|(_, (_, other))| is_alike(other));
            if let Some((at, _)) = alike.max_by_key(|(_, (_, other))| shared(other)) {
                let (now, _) = candidates.remove(at);
                self.take(bullet, BulletOutcome::Changed, now);
            }
        }
    }

    /// Tells bullets that stand below another bullet than before from those that have been kept.
    fn nested(&mut self) {
        let kept = self.found.iter().filter(|(_, (outcome, _))| *outcome == BulletOutcome::Kept);
        let elsewhere = kept.filter(|(old, (_, now))| !self.is_below_the_same(**old, *now));
        let elsewhere: Vec<_> = elsewhere.map(|(old, (_, now))| (*old, *now)).collect();
        for (old, now) in elsewhere {
            self.found.insert(old, (BulletOutcome::Moved, now));
        }
    }

    /// Reports whether what a bullet is nested in became what another is nested in, or is gone and left it where it stood.
    fn is_below_the_same(&self, old: BulletRef<'a>, now: BulletRef<'a>) -> bool {
        let became = |above: BulletRef<'a>| self.found.get(&above).map(|(_, now)| *now);
        let parent = now.parent();
        let is_rewritten = || parent.is_some_and(|parent| !self.taken.contains(&parent));
        let is_said = |above| parent.is_some() && self.sayings.saying(above) == parent;
        match old.parent() {
            Some(above) if became(above).is_none() => {
                is_rewritten() || is_said(above) || above.ancestors().find_map(became) == parent
            }
            above => above.and_then(became) == parent,
        }
    }

    fn reading(&self, bullet: BulletRef<'a>) -> Reading<'a> {
        (self.sections.place(bullet), self.above(bullet), folded(&self.lists_of(bullet).said(bullet)))
    }

    /// Returns the bullet by which one of the old text is still there: where several read the same, that of the same list.
    fn said(&self, bullet: BulletRef<'a>) -> Option<BulletRef<'a>> {
        let said = self.sayings.saying(bullet)?;
        let marks = |bullet: BulletRef<'a>| {
            let ends: Vec<_> = bullet.tags().into_iter().filter(|tag| is_lifetime(tag)).collect();
            (bullet.checkbox(), ends, folded(&bullet.content()))
        };
        let beside = self.firsts.get(&self.reading(bullet)).filter(|beside| marks(**beside) == marks(said));
        Some(beside.copied().unwrap_or(said))
    }

    fn report(&self, bullet: BulletRef<'a>, now: Timestamp) -> BulletReport {
        let said = || self.said(bullet).map(|said| (BulletOutcome::Merged, said));
        let (outcome, stands) = match self.found.get(&bullet).copied().or_else(said) {
            Some((outcome, stands)) => (outcome, Some(stands)),
            None if bullet.is_expired(now) => (BulletOutcome::Expired, None),
            None => (BulletOutcome::Dropped, None),
        };
        let stands = stands.map(BulletRef::line_number);
        BulletReport { outcome, line: Some(bullet.line_number()), now: stands, ..told(bullet) }
    }

    /// Returns the bullets of the new text that no bullet of the old one has become.
    fn added(&self, known: &[BulletReport]) -> Vec<BulletReport> {
        let known: HashSet<usize> = known.iter().filter_map(|bullet| bullet.now).collect();
        let is_known = |new: &BulletRef<'_>| self.taken.contains(new) || known.contains(&new.line_number());
        let added = free_bullets(self.new_doc()).filter(|new| !is_known(new));
        added.map(|new| BulletReport { now: Some(new.line_number()), ..told(new) }).collect()
    }
}

/// Numbers for words: the same for the same.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    /// Returns the numbers of the words of a bullet, sorted.
    fn of_words(&mut self, bullet: BulletRef<'_>) -> Vec<usize> {
        let number = |word| {
            let next = self.0.len();
            *self.0.entry(word).or_insert(next)
        };
        let mut numbers: Vec<_> = words(&bullet.content()).into_iter().map(number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// Counts the numbers that are in both of two sorted lists.
fn in_both(a: &[usize], b: &[usize]) -> usize {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|number| many.binary_search(number).is_ok()).count()
}

/// Returns numbers for the bullets of two texts that others are nested in: the same for those that say the same.
fn parents<'a>(docs: [&'a MemoryDoc; 2]) -> HashMap<BulletRef<'a>, usize> {
    let (mut numbers, mut known) = (HashMap::new(), HashMap::new());
    for parent in docs.into_iter().flat_map(free_bullets).filter_map(BulletRef::parent) {
        numbers.entry(parent).or_insert_with(|| {
            let next = known.len();
            *known.entry(folded(&parent.content())).or_insert(next)
        });
    }
    numbers
}

/// Returns what a bullet says, as if it were new.
fn told(bullet: BulletRef<'_>) -> BulletReport {
    BulletReport {
        outcome: BulletOutcome::Added,
        line: None,
        section: bullet.section().map(|section| section.label().into()),
        key: Some(bullet.key().into()),
        text: bullet.wording().into(),
        now: None,
    }
}

/// Numbers for the sections of two texts: the same for those of the same path.
struct Sections<'a>(HashMap<SectionRef<'a>, usize>);

impl<'a> Sections<'a> {
    fn of(docs: [&'a MemoryDoc; 2]) -> Self {
        let (mut numbers, mut paths) = (HashMap::new(), HashMap::new());
        for section in docs.into_iter().flat_map(MemoryDoc::sections) {
            let parent = section.parent().and_then(|parent| numbers.get(&parent).copied());
            let next = paths.len();
            numbers.insert(section, *paths.entry((parent, section.title())).or_insert(next));
        }
        Self(numbers)
    }

    fn number(&self, section: Option<SectionRef<'a>>) -> Option<usize> {
        self.0.get(&section?).copied()
    }

    /// Returns the section and the block that a bullet stands in.
    fn place(&self, bullet: BulletRef<'a>) -> Place<'a> {
        (self.number(bullet.section()), bullet.block().map(BlockRef::id))
    }

    /// Returns the lines of a text that belong to no bullet and do not stand in the other one, by number: not in that section, if
    /// it has one of this path.
    fn lines_without(&self, old: &'a MemoryDoc, new: &'a MemoryDoc) -> Vec<usize> {
        let numbers = |doc: &'a MemoryDoc| doc.sections().filter_map(|section| self.number(Some(section)));
        let (of_old, of_new): (HashSet<_>, HashSet<_>) = (numbers(old).collect(), numbers(new).collect());
        let place = |doc: &'a MemoryDoc, line: &Line| {
            let number = self.number(doc.section_at(line.full.start()));
            (number.filter(|number| of_old.contains(number) && of_new.contains(number)), line.text.of(doc.text()))
        };
        let mut there: Tally<_> = Lines::of(new.text()).map(|line| place(new, &line)).collect();
        let is_other = |line: &Line| !is_blank(line.text.of(old.text())) && old.bullet_at(line.full.start()).is_none();
        let others = Lines::of(old.text()).zip(1..).filter(|(line, _)| is_other(line));
        others.filter(|(line, _)| !there.take(&place(old, line))).map(|(_, number)| number).collect()
    }
}
