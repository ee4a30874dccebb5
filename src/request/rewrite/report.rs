//! What became of every bullet in a compaction.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use strum::{Display, VariantArray};

use super::clauses::folded;
use super::holders::{Holders, Texts};
use super::places::{Place, Places, Spot};
use super::sayings::{Sayings, free_bullets, words};
use super::twins::Twins;
use crate::document::{BulletRef, MemoryDoc, is_lifetime};
use crate::edit::BeforeAfter;
use crate::edit::compose::{Lists, behind};
use crate::text::{Content, Timestamp, longest_increasing};

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
    /// It stands where it stood, verbatim, in the order of its list, and below the same bullet.
    Kept,
    /// It stands in the same section with other tags or another wording.
    Changed,
    /// Another bullet says it: the same, more, or by citing its key.
    Merged,
    /// It stands in another section or block, below another bullet, or in another order in its list, verbatim.
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
    /// The path of the section in which it, or what it became, stands, if that is another.
    pub now_section: Option<Content>,
    /// Whether no bullet of the new text says what it said.
    pub is_gone: bool,
}

/// What a compaction did, bullet by bullet. Reserved sections, which it cannot change, are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Every bullet of the old text, in its order, then those that the new text adds, in theirs.
    pub bullets: Vec<BulletReport>,
    /// The lines of the old text, from 1, that were no bullets and are gone: prose, code, headings. Blank ones do not count. One
    /// that stands in another section, though its own is still there, or in another order there, is gone and added.
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
        let places = Places::of([old, new]);
        let (sayings, twins) = (Sayings::of(free_bullets(new), old), Twins::among(old, free_bullets(old)));
        let texts = Texts { sayings: &sayings, places: &places, twins: &twins };
        let matching = Matching::new([old, new], now, &texts);
        let mut bullets: Vec<BulletReport> = free_bullets(old).map(|bullet| matching.report(bullet)).collect();
        bullets.extend(matching.added(&bullets));
        let [other_lines, added_lines] = places.differing_lines();
        Self {
            bullets,
            other_lines,
            added_lines,
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
struct Matching<'t, 'a> {
    docs: [&'a MemoryDoc; 2],
    now: Timestamp,
    texts: &'t Texts<'t, 'a>,
    /// Those of the old text and of the new one.
    lists: [Lists<'a>; 2],
    /// What became of each bullet of the old text, by its index.
    found: Vec<Option<Found<'a>>>,
    /// Which bullets of the new text one of the old text became, by their indices.
    taken: Vec<bool>,
    holders: Holders<'a>,
    /// What became of the first of several twins that is still there, by the first of them.
    survivors: HashMap<usize, BulletRef<'a>>,
}

/// What became of a bullet, and where that stands.
type Found<'a> = (BulletOutcome, BulletRef<'a>);
/// Where a bullet stands, a number for what it says, and whether it is told by its marker and an item of an ordered list.
type Reading<'a> = (Spot<'a>, usize, bool);
/// What of a spot has to be the same.
type Nearness<'a> = fn(Spot<'a>) -> Spot<'a>;

impl<'t, 'a> Matching<'t, 'a> {
    fn new(docs: [&'a MemoryDoc; 2], now: Timestamp, texts: &'t Texts<'t, 'a>) -> Self {
        let mut matching = Self {
            docs,
            now,
            texts,
            lists: docs.map(Lists::new),
            found: vec![None; docs[0].bullets().count()],
            taken: vec![false; docs[1].bullets().count()],
            holders: Holders::default(),
            survivors: HashMap::new(),
        };
        matching.alike();
        let is_told = |bullet: &BulletRef<'a>| matching.found(*bullet).is_some() || !bullet.is_expired(now);
        let olds = free_bullets(matching.docs[0]).filter(is_told);
        matching.holders = Holders::of(texts, olds, |bullet| matching.became(bullet));
        for bullet in free_bullets(docs[0]) {
            if let Some((first, now)) = texts.twins.first(bullet).zip(matching.became(bullet)) {
                matching.survivors.entry(first).or_insert(now);
            }
        }
        matching.reworded();
        matching.nested();
        matching.reordered();
        matching
    }

    fn became(&self, old: BulletRef<'a>) -> Option<BulletRef<'a>> {
        self.found(old).map(|(_, now)| now)
    }

    fn found(&self, old: BulletRef<'_>) -> Option<Found<'a>> {
        self.found.get(old.index()).copied().flatten()
    }

    fn is_taken(&self, new: BulletRef<'_>) -> bool {
        self.taken.get(new.index()) == Some(&true)
    }

    fn take(&mut self, bullet: BulletRef<'_>, outcome: BulletOutcome, now: BulletRef<'a>) {
        self.found.get_mut(bullet.index()).into_iter().for_each(|found| *found = Some((outcome, now)));
        self.taken.get_mut(now.index()).into_iter().for_each(|taken| *taken = true);
    }

    /// Matches bullets that read the same, first those of the same place, then those that say the same there with other tags.
    fn alike(&mut self) {
        // Of those that read the same in one place, first those of the same kind and list, then those below the same bullet.
        let passes: [(BulletOutcome, Nearness<'a>, bool); 5] = [
            (BulletOutcome::Kept, |spot| spot, true),
            (BulletOutcome::Kept, |spot| spot, false),
            (BulletOutcome::Kept, |(place, above, _)| (place, above, ""), false),
            (BulletOutcome::Kept, |(place, ..)| (place, None, ""), false),
            (BulletOutcome::Moved, |_| Spot::default(), false),
        ];
        let wordings = self.numbered(|bullet| self.wording(bullet));
        for (outcome, spot, is_by_kind) in passes {
            self.alike_at(outcome, spot, is_by_kind, &wordings);
        }
        if free_bullets(self.docs[0]).any(|bullet| self.found(bullet).is_none()) {
            let contents = self.numbered(|bullet| folded(&bullet.content()));
            self.alike_at(BulletOutcome::Changed, |(place, ..)| (place, None, ""), false, &contents);
        }
    }

    /// Returns numbers for what the bullets of both texts say, by the index of each.
    fn numbered(&self, says: impl Fn(BulletRef<'a>) -> String) -> [Vec<usize>; 2] {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        self.docs.map(|doc| {
            let number = |bullet| {
                let next = numbers.len();
                *numbers.entry(says(bullet)).or_insert(next)
            };
            doc.bullets().map(number).collect()
        })
    }

    /// Matches bullets that are left and that read the same, by their numbers, at the same spot.
    fn alike_at(&mut self, outcome: BulletOutcome, spot: Nearness<'a>, is_by_kind: bool, numbers: &[Vec<usize>; 2]) {
        let [old, new] = self.docs;
        let [of_old, of_new] = numbers;
        let read = |bullet: BulletRef<'a>, numbers: &[usize]| {
            let number = numbers.get(bullet.index()).copied().unwrap_or(usize::MAX);
            let is_item = is_by_kind && bullet.marker().starts_with(|c: char| c.is_ascii_digit());
            (spot(self.texts.places.spot(bullet)), number, is_item)
        };
        let mut there: HashMap<Reading<'_>, Vec<BulletRef<'a>>> = HashMap::new();
        for bullet in free_bullets(new).filter(|bullet| !self.is_taken(*bullet)) {
            there.entry(read(bullet, of_new)).or_default().push(bullet);
        }
        if there.is_empty() {
            return;
        }
        // The first of the one is the first of the other.
        there.values_mut().for_each(|bullets| bullets.reverse());
        let left = free_bullets(old).filter(|bullet| self.found(*bullet).is_none());
        // What has expired may be gone.
        let (expired, lasting): (Vec<_>, Vec<_>) = left.partition(|bullet| bullet.is_expired(self.now));
        let found = |bullet: BulletRef<'a>| Some((bullet, there.get_mut(&read(bullet, of_old))?.pop()?));
        let found: Vec<_> = lasting.into_iter().chain(expired).filter_map(found).collect();
        found.into_iter().for_each(|(bullet, now)| self.take(bullet, outcome, now));
    }

    /// Returns what a bullet of either text says, verbatim, behind its number if that says something.
    fn wording(&self, bullet: BulletRef<'a>) -> String {
        behind(self.lists_of(bullet).said_number(bullet), bullet.wording().into()).into_owned()
    }

    fn lists_of(&self, bullet: BulletRef<'a>) -> &Lists<'a> {
        let [old, new] = &self.lists;
        if std::ptr::eq(bullet.doc(), self.docs[0]) { old } else { new }
    }

    /// Matches bullets that no other says with new ones in the same place that read much like them and have all of their numbers. One
    /// that holds another bullet is that one's.
    fn reworded(&mut self) {
        let [old, new] = self.docs;
        let holding: HashSet<BulletRef<'a>> =
            free_bullets(old).filter_map(|bullet| self.holders.holder(bullet)).collect();
        let mut numbers = Numbers::default();
        let mut free: HashMap<Place<'_>, Vec<(BulletRef<'a>, Vec<usize>)>> = HashMap::new();
        for bullet in free_bullets(new).filter(|bullet| !self.is_taken(*bullet) && !holding.contains(bullet)) {
            free.entry(self.texts.places.place(bullet)).or_default().push((bullet, numbers.of_words(bullet)));
        }
        let mut compared = 0_usize;
        let left: Vec<_> = free_bullets(old).filter(|bullet| self.found(*bullet).is_none()).collect();
        for bullet in left {
            if self.holders.holder(bullet).is_some() {
                continue;
            }
            let Some(candidates) = free.get_mut(&self.texts.places.place(bullet)) else { continue };
            let own = numbers.of_words(bullet);
            compared = compared.saturating_add((own.len() + 1) * candidates.len());
            if compared > COMPARED {
                return;
            }
            let shared = |other: &[usize]| in_both(&own, other);
            let figures = numbers.figures(&own);
            let is_alike = |other: &[usize]| {
                200 * shared(other) >= REWORDED * (own.len() + other.len()) && in_both(&figures, other) == figures.len()
            };
            let alike = candidates.iter().enumerate().filter(|(_, (_, other))| is_alike(other));
            if let Some((at, _)) = alike.max_by_key(|(_, (_, other))| shared(other)) {
                let (now, _) = candidates.remove(at);
                self.take(bullet, BulletOutcome::Changed, now);
            }
        }
    }

    /// Tells bullets that stand below another bullet than before from those that have been kept.
    fn nested(&mut self) {
        let mut elsewhere = Vec::new();
        for old in free_bullets(self.docs[0]) {
            if let Some((BulletOutcome::Kept, now)) = self.found(old)
                && !self.is_below_the_same(old, now)
            {
                elsewhere.push((old, now));
            }
        }
        elsewhere.into_iter().for_each(|(old, now)| self.take(old, BulletOutcome::Moved, now));
    }

    /// Tells bullets that stand in another order than before in their list from those that have been kept: of all that have, as few
    /// as it takes.
    fn reordered(&mut self) {
        let mut lists: HashMap<_, Vec<(usize, usize)>> = HashMap::new();
        for old in free_bullets(self.docs[0]) {
            if let Some((BulletOutcome::Kept, now)) = self.found(old) {
                let list = (now.parent(), now.section(), now.block());
                lists.entry(list).or_default().push((old.index(), now.index()));
            }
        }
        for kept in lists.into_values() {
            let mut staying = longest_increasing(&kept).into_iter().peekable();
            for one in kept {
                if staying.next_if_eq(&one).is_none()
                    && let Some(Some((outcome, _))) = self.found.get_mut(one.0)
                {
                    *outcome = BulletOutcome::Moved;
                }
            }
        }
    }

    /// Reports whether what a bullet is nested in became what another is nested in, or is gone and left it where it stood.
    fn is_below_the_same(&self, old: BulletRef<'a>, now: BulletRef<'a>) -> bool {
        let became = |above: BulletRef<'a>| self.became(above);
        let parent = now.parent();
        let is_rewritten = || parent.is_some_and(|parent| !self.is_taken(parent));
        let is_said = |above| parent.is_some() && self.said(above) == parent;
        match old.parent() {
            Some(above) if became(above).is_none() => {
                is_rewritten() || is_said(above) || above.ancestors().find_map(became) == parent
            }
            above => above.and_then(became) == parent,
        }
    }

    /// Returns the bullet by which one of the old text is still there: where several read the same, what its twin became.
    fn said(&self, bullet: BulletRef<'a>) -> Option<BulletRef<'a>> {
        let said = self.holders.holder(bullet)?;
        let marks = |bullet: BulletRef<'a>| {
            let ends: Vec<_> = bullet.tags().into_iter().filter(|tag| is_lifetime(tag)).collect();
            (bullet.checkbox(), ends, folded(&bullet.content()))
        };
        let twin = self.texts.twins.first(bullet).and_then(|first| self.survivors.get(&first));
        Some(twin.copied().filter(|twin| marks(*twin) == marks(said)).unwrap_or(said))
    }

    fn report(&self, bullet: BulletRef<'a>) -> BulletReport {
        let said = || self.said(bullet).map(|said| (BulletOutcome::Merged, said));
        let (outcome, stands) = match self.found(bullet).or_else(said) {
            Some((outcome, stands)) => (outcome, Some(stands)),
            None if bullet.is_expired(self.now) => (BulletOutcome::Expired, None),
            None => (BulletOutcome::Dropped, None),
        };
        let is_gone = match outcome {
            BulletOutcome::Dropped | BulletOutcome::Expired => true,
            BulletOutcome::Changed => self.texts.sayings.saying(&self.texts.sayings.asked(bullet)).is_none(),
            _ => false,
        };
        let told = told(bullet);
        let now_section = stands.and_then(BulletRef::section).map(|section| section.shown_name().into());
        BulletReport {
            outcome,
            line: Some(bullet.line_number()),
            now: stands.map(BulletRef::line_number),
            now_section: now_section.filter(|section| told.section.as_ref() != Some(section)),
            is_gone,
            ..told
        }
    }

    /// Returns the bullets of the new text that no bullet of the old one has become.
    fn added(&self, known: &[BulletReport]) -> Vec<BulletReport> {
        let known: HashSet<usize> = known.iter().filter_map(|bullet| bullet.now).collect();
        let is_known = |new: &BulletRef<'_>| self.is_taken(*new) || known.contains(&new.line_number());
        let added = free_bullets(self.docs[1]).filter(|new| !is_known(new));
        added.map(|new| BulletReport { now: Some(new.line_number()), ..told(new) }).collect()
    }
}

/// Numbers for words: the same for the same.
#[derive(Default)]
struct Numbers {
    words: HashMap<String, usize>,
    /// Those of words that are figures.
    figures: HashSet<usize>,
}

impl Numbers {
    /// Returns the numbers of the words of a bullet, sorted.
    fn of_words(&mut self, bullet: BulletRef<'_>) -> Vec<usize> {
        let number = |word: String| {
            let next = self.words.len();
            let is_figure = word.contains(char::is_numeric);
            let number = *self.words.entry(word).or_insert(next);
            self.figures.extend(is_figure.then_some(number));
            number
        };
        let mut numbers: Vec<_> = words(&bullet.content()).into_iter().map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Returns those of words that are figures.
    fn figures(&self, words: &[usize]) -> Vec<usize> {
        words.iter().copied().filter(|word| self.figures.contains(word)).collect()
    }
}

/// Counts the numbers that are in both of two sorted lists.
fn in_both(a: &[usize], b: &[usize]) -> usize {
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    few.iter().filter(|number| many.binary_search(number).is_ok()).count()
}

/// Returns what a bullet says, as if it were new.
fn told(bullet: BulletRef<'_>) -> BulletReport {
    BulletReport {
        outcome: BulletOutcome::Added,
        line: None,
        section: bullet.section().map(|section| section.shown_name().into()),
        key: Some(bullet.key().into()),
        text: bullet.wording().into(),
        now: None,
        now_section: None,
        is_gone: false,
    }
}
