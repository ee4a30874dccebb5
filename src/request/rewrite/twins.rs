//! Twins: bullets of one list that say the same, of which one is enough.
//!
//! - A list ends where a line of prose stands, and what is nested in twins stands in one list: `- status: done` below two
//!   projects are two facts, as is `- Likes tea` below `Anna:` and below `Bob:`.
//! - Twins have the same checkbox and the same tags but for protected ones.
//! - An item of an ordered list has none, unless its number is a year: it is a step, whatever the others say.

use std::collections::HashMap;

use super::clauses::folded;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::Stretches;

/// Which of some bullets of a document are twins.
#[derive(Debug)]
pub(super) struct Twins {
    /// Of each bullet the index of its first twin: of most, it is their own.
    firsts: Vec<Option<usize>>,
    /// Of each bullet the number of its list.
    lists: Vec<Option<usize>>,
}

/// A list of bullets that are said of one thing.
#[derive(PartialEq, Eq, Hash)]
struct List<'d> {
    section: Option<SectionRef<'d>>,
    block: Option<BlockRef<'d>>,
    /// The first twin of the bullet that they are nested in.
    parent: Option<usize>,
    stretch: usize,
}

/// What twins have in common.
#[derive(PartialEq, Eq, Hash)]
struct Twin<'t> {
    /// The number of their list.
    list: usize,
    checkbox: Option<String>,
    /// Each once, in order.
    tags: Vec<&'t str>,
    content: &'t str,
}

impl Twins {
    /// Finds the twins among some bullets of a document, given in its order.
    pub(super) fn among<'d>(doc: &'d MemoryDoc, bullets: impl Iterator<Item = BulletRef<'d>>) -> Self {
        let stretches = Stretches::new(doc);
        let said: Vec<_> = bullets.map(|bullet| (bullet, folded(&stretches.said(bullet)))).collect();
        let mut counts: HashMap<&str, usize> = HashMap::with_capacity(said.len());
        said.iter().for_each(|(_, content)| *counts.entry(content).or_default() += 1);
        let length = doc.outline().bullets().len();
        let mut twins = Self { firsts: vec![None; length], lists: vec![None; length] };
        let (mut numbers, mut next): (HashMap<List<'_>, usize>, _) = (HashMap::new(), 0..);
        let mut known: HashMap<Twin<'_>, usize> = HashMap::new();
        for (bullet, content) in &said {
            let own = bullet.index();
            let list = stretches.number(*bullet).map(|stretch| List {
                section: bullet.section(),
                block: bullet.block(),
                parent: bullet.parent().and_then(|parent| twins.first(parent)),
                stretch,
            });
            let is_item = list.is_none();
            let mut number = || next.next().unwrap_or(usize::MAX);
            let list = match list {
                Some(list) => *numbers.entry(list).or_insert_with(number),
                None => number(),
            };
            let first = if is_item || content.is_empty() || counts.get(content.as_str()) == Some(&1) {
                // A bullet that says nothing says it alone.
                own
            } else {
                *known.entry(Twin::of(*bullet, list, content)).or_insert(own)
            };
            twins.firsts.get_mut(own).into_iter().for_each(|place| *place = Some(first));
            twins.lists.get_mut(own).into_iter().for_each(|place| *place = Some(list));
        }
        twins
    }

    /// Returns the index of the first twin of one of the bullets, which may be its own.
    pub(super) fn first(&self, bullet: BulletRef<'_>) -> Option<usize> {
        self.firsts.get(bullet.index()).copied().flatten()
    }

    /// Returns the number of the list that one of the bullets stands in: of an item of an ordered one, a number of its own.
    pub(super) fn list(&self, bullet: BulletRef<'_>) -> Option<usize> {
        self.lists.get(bullet.index()).copied().flatten()
    }
}

impl<'t> Twin<'t> {
    fn of(bullet: BulletRef<'t>, list: usize, content: &'t str) -> Self {
        let is_free = |tag: &&str| !bullet.doc().policy().protects(tag);
        let mut tags: Vec<_> = bullet.tags().into_iter().filter(is_free).collect();
        tags.sort_unstable();
        tags.dedup();
        Self { list, checkbox: bullet.checkbox().map(str::to_lowercase), tags, content }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn firsts(text: &str) -> Vec<usize> {
        let doc = MemoryDoc::parse(text);
        let twins = Twins::among(&doc, doc.bullets());
        doc.bullets().filter_map(|bullet| twins.first(bullet)).collect()
    }

    #[test]
    fn bullets_of_one_list_that_say_the_same_are_twins() {
        assert_eq!(firsts("- Likes tea\n- x\n\n- [pinned] likes  tea\n"), [0, 1, 0]);
        assert_eq!(firsts("- a\n  - b\n- c\n  - b\n- a\n  - b\n"), [0, 1, 2, 3, 0, 1]);
        assert_eq!(firsts("- [ ] a\n- [x] a\n- [work] a\n- a\n- \n- \n"), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn what_is_set_apart_or_an_item_of_an_ordered_list_is_none() {
        assert_eq!(firsts("Anna:\n- tea\n\nBob:\n- tea\n- tea\n"), [0, 1, 1]);
        assert_eq!(firsts("Anna\n----\n- tea\n\nBob\n---\n- tea\n"), [0, 1]);
        assert_eq!(firsts("1. press\n2. wait\n3. press\n- press\n"), [0, 1, 2, 3]);
        assert_eq!(firsts("1. a\n   - b\n2. a\n   - b\n"), [0, 1, 2, 3]);
    }
}
