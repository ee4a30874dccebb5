//! Where bullets of two texts stand, told so that the same place of both is the same.

use std::collections::{HashMap, HashSet};

use super::clauses::folded;
use super::sayings::free_bullets;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::Stretches;
use crate::text::{Line, Lines, Tally, is_blank};

/// The section and the block that a bullet stands in.
pub(super) type Place<'a> = (Option<usize>, Option<&'a str>);
/// A place, the number of the bullet that one is nested in there, and the line that stands above it in its list.
pub(super) type Spot<'a> = (Place<'a>, Option<usize>, &'a str);

/// Numbers for the places of two texts.
#[derive(Debug)]
pub(super) struct Places<'a> {
    docs: [&'a MemoryDoc; 2],
    sections: Sections<'a>,
    /// Numbers for the bullets that others are nested in: the same for those that say the same.
    parents: HashMap<BulletRef<'a>, usize>,
    stretches: [Stretches<'a>; 2],
}

impl<'a> Places<'a> {
    pub(super) fn of(docs: [&'a MemoryDoc; 2]) -> Self {
        Self { docs, sections: Sections::of(docs), parents: parents(docs), stretches: docs.map(Stretches::new) }
    }

    /// Returns the section and the block that a bullet stands in.
    pub(super) fn place(&self, bullet: BulletRef<'a>) -> Place<'a> {
        (self.sections.number(bullet.section()), bullet.block().map(BlockRef::id))
    }

    /// Returns the number of the bullet that one is nested in.
    pub(super) fn above(&self, bullet: BulletRef<'a>) -> Option<usize> {
        self.parents.get(&bullet.parent()?).copied()
    }

    /// Returns where a bullet stands: its place, what it is nested in, and what stands above it there.
    pub(super) fn spot(&self, bullet: BulletRef<'a>) -> Spot<'a> {
        let [old, new] = &self.stretches;
        let stretches = if std::ptr::eq(bullet.doc(), self.docs[0]) { old } else { new };
        (self.place(bullet), self.above(bullet), stretches.heading(bullet))
    }

    /// Returns the lines of a text that belong to no bullet and do not stand in the other one, by number: not in that section, if
    /// it has one of this path.
    pub(super) fn lines_without(&self, old: &'a MemoryDoc, new: &'a MemoryDoc) -> Vec<usize> {
        let numbers = |doc: &'a MemoryDoc| doc.sections().filter_map(|section| self.sections.number(Some(section)));
        let (of_old, of_new): (HashSet<_>, HashSet<_>) = (numbers(old).collect(), numbers(new).collect());
        let place = |doc: &'a MemoryDoc, line: &Line| {
            let number = self.sections.number(doc.section_at(line.full.start()));
            (number.filter(|number| of_old.contains(number) && of_new.contains(number)), line.text.of(doc.text()))
        };
        let mut there: Tally<_> = Lines::of(new.text()).map(|line| place(new, &line)).collect();
        let is_other = |line: &Line| !is_blank(line.text.of(old.text())) && old.bullet_at(line.full.start()).is_none();
        let others = Lines::of(old.text()).zip(1..).filter(|(line, _)| is_other(line));
        others.filter(|(line, _)| !there.take(&place(old, line))).map(|(_, number)| number).collect()
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
