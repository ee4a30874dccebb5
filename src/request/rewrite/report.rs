//! What became of every bullet in a compaction.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::sayings::{Sayings, folded, free_bullets};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::BeforeAfter;
use crate::text::{Lines, Size, Timestamp, is_blank};

/// How alike two contents must be, 0 to 1, for the one to count as a rewording of the other.
const REWORDED: f32 = 0.6;
/// How much is compared to find rewordings: of each pair of bullets the product of their lengths in bytes, which is the worst
/// that a comparison takes.
const COMPARED: usize = 1 << 26;
/// How many times as long as the other one of two bullets may be for their being compared.
const LONGER: usize = 4;
/// What a pair takes that is not compared.
const LOOK: usize = 64;

/// What became of a bullet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fate {
    /// It stands where it stood, verbatim.
    Kept,
    /// It stands in the same section with other tags or another wording.
    Changed,
    /// Another bullet says it: the same, more, or by citing its key.
    Merged,
    /// It stands in another section or block, verbatim.
    Moved,
    /// It is gone.
    Dropped,
    /// It had expired, and is gone.
    Expired,
    /// It is new.
    Added,
}

impl Fate {
    /// Returns the stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Changed => "changed",
            Self::Merged => "merged",
            Self::Moved => "moved",
            Self::Dropped => "dropped",
            Self::Expired => "expired",
            Self::Added => "added",
        }
    }
}

/// A bullet of the old text, and what became of it; or one that the new text adds.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BulletReport {
    /// What became of it.
    pub fate: Fate,
    /// Its line in the old text, from 1; of one that is new, none.
    pub line: Option<usize>,
    /// The path of its section.
    pub section: Option<String>,
    /// Its key, in the old text unless it is new.
    pub key: Option<String>,
    /// What it said, or says, with checkbox and tags.
    pub text: String,
    /// The line of the new text, from 1, on which it, or what it became, stands.
    pub now: Option<usize>,
}

impl std::fmt::Debug for BulletReport {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}: line {:?} to {:?}, {:?}", self.fate, self.line, self.now, Size(&self.text))
    }
}

/// What a compaction did, bullet by bullet. Reserved sections, which it cannot change, are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompactionReport {
    /// Every bullet of the old text, in its order, then those that the new text adds, in theirs.
    pub bullets: Vec<BulletReport>,
    /// The lines of the old text, from 1, that were no bullets and are gone: prose, code, headings. Blank ones do not count.
    pub other_lines: Vec<usize>,
    /// The lines of the new text, from 1, that are no bullets and did not stand in the old one.
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
        matching.verbatim();
        matching.retagged();
        matching.reworded();
        let olds = free_bullets(old);
        let mut bullets: Vec<BulletReport> = olds.map(|bullet| matching.report(bullet, now)).collect();
        bullets.extend(matching.added(&bullets));
        Self {
            bullets,
            other_lines: lines_without(old, new),
            added_lines: lines_without(new, old),
            tokens: BeforeAfter { before: old.tokens(), after: new.tokens() },
            bytes: BeforeAfter { before: old.text().len(), after: new.text().len() },
        }
    }

    /// Counts the bullets of one fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.bullets.iter().filter(|bullet| bullet.fate == fate).count()
    }
}

/// Which bullet of the new text each one of the old text became.
struct Matching<'a> {
    old: &'a MemoryDoc,
    sayings: Sayings<'a>,
    found: HashMap<BulletRef<'a>, (Fate, BulletRef<'a>)>,
    taken: HashSet<BulletRef<'a>>,
}

/// The section and the block that a bullet stands in.
type Place = (Option<String>, Option<String>);

impl<'a> Matching<'a> {
    fn new(old: &'a MemoryDoc, new: &'a MemoryDoc) -> Self {
        Self { old, sayings: Sayings::of(new), found: HashMap::new(), taken: HashSet::new() }
    }

    fn new_doc(&self) -> &'a MemoryDoc {
        self.sayings.doc()
    }

    fn take(&mut self, bullet: BulletRef<'a>, fate: Fate, now: BulletRef<'a>) {
        self.found.insert(bullet, (fate, now));
        self.taken.insert(now);
    }

    /// Matches bullets that read the same, first those of the same place.
    fn verbatim(&mut self) {
        let (old, new) = (self.old, self.new_doc());
        let (old_places, new_places) = (Places::new(old), Places::new(new));
        for fate in [Fate::Kept, Fate::Moved] {
            let place = |places: &Places, bullet: BulletRef<'_>| {
                if fate == Fate::Kept { places.of(bullet) } else { Place::default() }
            };
            let mut there: HashMap<(Place, String), Vec<BulletRef<'a>>> = HashMap::new();
            for bullet in free_bullets(new).filter(|bullet| !self.taken.contains(bullet)) {
                there.entry((place(&new_places, bullet), bullet.wording())).or_default().push(bullet);
            }
            // The first of the one is the first of the other.
            there.values_mut().for_each(|bullets| bullets.reverse());
            let left: Vec<_> = free_bullets(old).filter(|bullet| !self.found.contains_key(bullet)).collect();
            for bullet in left {
                let same = there.get_mut(&(place(&old_places, bullet), bullet.wording()));
                if let Some(now) = same.and_then(Vec::pop) {
                    self.take(bullet, fate, now);
                }
            }
        }
    }

    /// Matches bullets that say the same with other tags, in the same place.
    fn retagged(&mut self) {
        let (old, new) = (self.old, self.new_doc());
        let (old_places, new_places) = (Places::new(old), Places::new(new));
        let mut there: HashMap<(Place, String), Vec<BulletRef<'a>>> = HashMap::new();
        for bullet in free_bullets(new).filter(|bullet| !self.taken.contains(bullet)) {
            there.entry((new_places.of(bullet), folded(&bullet.content()))).or_default().push(bullet);
        }
        there.values_mut().for_each(|bullets| bullets.reverse());
        let left: Vec<_> = free_bullets(old).filter(|bullet| !self.found.contains_key(bullet)).collect();
        for bullet in left {
            let same = there.get_mut(&(old_places.of(bullet), folded(&bullet.content())));
            if let Some(now) = same.and_then(Vec::pop) {
                self.take(bullet, Fate::Changed, now);
            }
        }
    }

    /// Matches bullets that no other says with new ones in the same place that read much like them.
    fn reworded(&mut self) {
        let (old, new) = (self.old, self.new_doc());
        let (old_places, new_places) = (Places::new(old), Places::new(new));
        let mut free: HashMap<Place, Vec<(BulletRef<'a>, Cow<'_, str>)>> = HashMap::new();
        for bullet in free_bullets(new).filter(|bullet| !self.taken.contains(bullet)) {
            free.entry(new_places.of(bullet)).or_default().push((bullet, bullet.content()));
        }
        let mut compared = 0_usize;
        let left: Vec<_> = free_bullets(old).filter(|bullet| !self.found.contains_key(bullet)).collect();
        for bullet in left {
            if self.sayings.saying(bullet).is_some() {
                continue;
            }
            let Some(candidates) = free.get_mut(&old_places.of(bullet)) else { continue };
            let content = bullet.content();
            let mut best = (REWORDED, None);
            for (now, other) in candidates.iter() {
                let is_near = content.len() / LONGER <= other.len() && other.len() / LONGER <= content.len();
                let cost = if is_near { content.len().saturating_mul(other.len()) } else { 0 };
                compared = compared.saturating_add(cost + LOOK);
                if compared > COMPARED {
                    return;
                }
                let ratio = if is_near { similar::TextDiff::from_words(&*content, other).ratio() } else { 0.0 };
                if ratio >= best.0 {
                    best = (ratio, Some(*now));
                }
            }
            if let (_, Some(now)) = best {
                candidates.retain(|(candidate, _)| *candidate != now);
                self.take(bullet, Fate::Changed, now);
            }
        }
    }

    fn report(&self, bullet: BulletRef<'a>, now: Timestamp) -> BulletReport {
        let said = || self.sayings.saying(bullet).map(|said| (Fate::Merged, said));
        let (fate, stands) = match self.found.get(&bullet).copied().or_else(said) {
            Some((fate, stands)) => (fate, Some(stands)),
            None if bullet.is_expired(now) => (Fate::Expired, None),
            None => (Fate::Dropped, None),
        };
        BulletReport { fate, line: Some(bullet.line_number()), now: stands.map(BulletRef::line_number), ..told(bullet) }
    }

    /// Returns the bullets of the new text that no bullet of the old one has become.
    fn added(&self, known: &[BulletReport]) -> Vec<BulletReport> {
        let known: HashSet<usize> = known.iter().filter_map(|bullet| bullet.now).collect();
        let is_known = |new: &BulletRef<'_>| self.taken.contains(new) || known.contains(&new.line_number());
        let added = free_bullets(self.new_doc()).filter(|new| !is_known(new));
        added.map(|new| BulletReport { now: Some(new.line_number()), ..told(new) }).collect()
    }
}

/// Returns what a bullet says, as if it were new.
fn told(bullet: BulletRef<'_>) -> BulletReport {
    BulletReport {
        fate: Fate::Added,
        line: None,
        section: bullet.section().map(SectionRef::name),
        key: Some(bullet.key().to_string()),
        text: bullet.wording(),
        now: None,
    }
}

/// The places of a document's bullets by name.
struct Places {
    sections: Vec<String>,
}

impl Places {
    fn new(doc: &MemoryDoc) -> Self {
        Self { sections: doc.sections().map(SectionRef::path).collect() }
    }

    fn of(&self, bullet: BulletRef<'_>) -> Place {
        let section = bullet.section().and_then(|section| self.sections.get(section.index()).cloned());
        (section, bullet.block().map(|block| block.id().to_owned()))
    }
}

/// Returns the lines of a text that belong to no bullet and stand nowhere in the other one, by number.
fn lines_without(old: &MemoryDoc, new: &MemoryDoc) -> Vec<usize> {
    let mut there: HashMap<&str, usize> = HashMap::new();
    for line in Lines::of(new.text()) {
        *there.entry(line.text.of(new.text())).or_default() += 1;
    }
    let mut gone = Vec::new();
    for (line, number) in Lines::of(old.text()).zip(1..) {
        let text = line.text.of(old.text());
        if is_blank(text) || old.bullet_at(line.full.start()).is_some() {
            continue;
        }
        match there.get_mut(text).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => gone.push(number),
        }
    }
    gone
}
