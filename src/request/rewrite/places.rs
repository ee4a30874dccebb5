//! Where bullets of two texts stand, told so that the same place of both is the same.

use std::collections::{HashMap, HashSet};

use super::clauses::folded;
use super::sayings::free_bullets;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::Stretches;
use crate::text::{Lines, differing, is_blank};

/// The section and the block that a bullet stands in.
pub(super) type Place<'a> = (Option<usize>, Option<&'a str>);
/// A place, the number of the bullet that one is nested in there, the same for those that say the same, and the line that stands
/// above it in its list.
pub(super) type Spot<'a> = (Place<'a>, Option<usize>, &'a str);

/// Numbers for the places of two texts.
#[derive(Debug)]
pub(super) struct Places<'a> {
    docs: [&'a MemoryDoc; 2],
    sections: Sections<'a>,
    /// Where the bullets of each stand, by their indices.
    spots: [Vec<Spot<'a>>; 2],
}

impl<'a> Places<'a> {
    pub(super) fn of(docs: [&'a MemoryDoc; 2]) -> Self {
        let (sections, parents) = (Sections::of(docs), parents(docs));
        let spots = docs.map(|doc| {
            let stretches = Stretches::new(doc);
            let spot = |bullet: BulletRef<'a>| {
                let place = (sections.number(bullet.section()), bullet.block().map(BlockRef::id));
                let above = bullet.parent().and_then(|parent| parents.get(&parent).copied());
                (place, above, stretches.heading(bullet))
            };
            doc.bullets().map(spot).collect()
        });
        Self { docs, sections, spots }
    }

    /// Returns the section and the block that a bullet stands in.
    pub(super) fn place(&self, bullet: BulletRef<'a>) -> Place<'a> {
        self.spot(bullet).0
    }

    /// Returns where a bullet of either text stands: its place, what it is nested in, and what stands above it there.
    pub(super) fn spot(&self, bullet: BulletRef<'a>) -> Spot<'a> {
        let [old, new] = &self.spots;
        let spots = if std::ptr::eq(bullet.doc(), self.docs[0]) { old } else { new };
        spots.get(bullet.index()).copied().unwrap_or_default()
    }

    /// Returns the lines that belong to no bullet and differ, by number, from 1: those of the old text that are gone, and those of the
    /// new one that are added. Sections of one path are compared, each line in its order; what stands in others, as one.
    pub(super) fn differing_lines(&self) -> [Vec<usize>; 2] {
        let [old, new] = self.docs;
        let numbers = |doc: &'a MemoryDoc| doc.sections().filter_map(|section| self.sections.number(Some(section)));
        let (of_old, of_new): (HashSet<_>, HashSet<_>) = (numbers(old).collect(), numbers(new).collect());
        let is_shared = |number: &usize| of_old.contains(number) && of_new.contains(number);
        let lines = |doc: &'a MemoryDoc| {
            let mut lines: HashMap<Option<usize>, Vec<(usize, &'a str)>> = HashMap::new();
            for (line, number) in Lines::of(doc.text()).zip(1..) {
                let (start, text) = (line.full.start(), line.text.of(doc.text()));
                if !is_blank(text) && doc.bullet_at(start).is_none() {
                    let section = self.sections.number(doc.section_at(start)).filter(is_shared);
                    lines.entry(section).or_default().push((number, text));
                }
            }
            lines
        };
        let (olds, mut news) = (lines(old), lines(new));
        let (mut gone, mut added) = (Vec::new(), Vec::new());
        for (section, olds) in olds {
            let news = news.remove(&section).unwrap_or_default();
            let texts = |lines: &[(usize, &'a str)]| lines.iter().map(|(_, text)| *text).collect::<Vec<_>>();
            for (from, to) in differing(&texts(&olds), &texts(&news)) {
                gone.extend(olds.get(from).into_iter().flatten().map(|(number, _)| *number));
                added.extend(news.get(to).into_iter().flatten().map(|(number, _)| *number));
            }
        }
        added.extend(news.into_values().flatten().map(|(number, _)| number));
        gone.sort_unstable();
        added.sort_unstable();
        [gone, added]
    }
}

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

/// Numbers for the sections of two texts: the same for those of the same path.
#[derive(Debug)]
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
}
