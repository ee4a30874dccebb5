//! Stretches: lines that belong to no bullet, such as `Anna:` and `Bob:`, set the bullets of one
//! list apart. What stands on either side of one may be said of different things.

use std::collections::HashMap;

use super::Numbers;
use super::list::Lists;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Span, is_blank};

/// The stretches of all lists of a document: bullets of one list between which nothing but blank
/// lines and their own children stand.
#[derive(Debug)]
pub(crate) struct Stretches<'a> {
    lists: Lists<'a>,
    // Invariant: one for each bullet of the document.
    of: Vec<Stretch>,
}

/// What the bullets of one list share here: parent, section, block.
type Key<'a> = (Option<BulletRef<'a>>, Option<SectionRef<'a>>, Option<BlockRef<'a>>);

/// A stretch of a list.
#[derive(Clone, Copy, Debug, Default)]
struct Stretch {
    /// How many stand above it in its list; those of which other lines stand above the first bullet
    /// count from 1.
    nth: usize,
}

impl<'a> Stretches<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let text = doc.text();
        let mut numbers: HashMap<Key<'a>, usize> = HashMap::new();
        // Where each list goes on, and with which stretch.
        let mut lasts: Vec<(usize, Stretch)> = Vec::new();
        let mut recent: Option<(Key<'a>, usize)> = None;
        let stretch = |bullet: BulletRef<'a>| {
            let key = (bullet.parent(), bullet.section(), bullet.block());
            let number = match recent.filter(|(known, _)| *known == key) {
                Some((_, number)) => number,
                None => *numbers.entry(key).or_insert(lasts.len()),
            };
            recent = Some((key, number));
            if number == lasts.len() {
                lasts.push((start(bullet), Stretch::default()));
            }
            let Some((end, stretch)) = lasts.get_mut(number) else { return Stretch::default() };
            let above = Span::new(*end, bullet.line.start().max(*end)).of(text);
            if !is_blank(above) {
                *stretch = Stretch { nth: stretch.nth + 1 };
            }
            *end = bullet.extent.end();
            *stretch
        };
        Self { lists: Lists::new(doc), of: doc.bullets().map(stretch).collect() }
    }

    /// Returns in which stretch of its list a bullet stands, from 0: in 0 stands nothing but
    /// bullets above it. `None` for an item of an ordered list, which is a step of its own,
    /// whatever the others say; a year is no such number.
    pub(crate) fn number(&self, bullet: BulletRef<'a>) -> Option<usize> {
        let is_step = self.lists.numbers(bullet) == Numbers::Counted;
        (!is_step).then(|| self.stretch(bullet).nth)
    }

    fn stretch(&self, bullet: BulletRef<'_>) -> Stretch {
        self.of.get(bullet.index()).copied().unwrap_or_default()
    }
}

/// Returns where the list of a bullet may begin.
fn start(bullet: BulletRef<'_>) -> usize {
    let above = bullet.parent().map(|parent| parent.line.end());
    let above = above.or_else(|| bullet.block().map(|block| block.line.end()));
    let above = above.or_else(|| bullet.section().map(|section| section.line.end()));
    above.unwrap_or_else(|| bullet.doc().outline().body_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stretches(text: &str) -> Vec<Option<usize>> {
        let doc = MemoryDoc::parse(text);
        let stretches = Stretches::new(&doc);
        doc.bullets().map(|bullet| stretches.number(bullet)).collect()
    }

    #[test]
    fn other_lines_set_bullets_of_a_list_apart() {
        assert_eq!(stretches("- a\n\n- b\n  more\n  - c\n- d\n"), [0, 0, 1, 0].map(Some));
        assert_eq!(stretches("Anna:\n- a\n\nBob:\n- b\n- c\n"), [1, 2, 2].map(Some));
        assert_eq!(stretches("## A\n- a\n## B\nBob\n---\n- b\n"), [0, 1].map(Some));
        assert_eq!(stretches("- a\nB (ID: b)\n- b\n"), [0, 0].map(Some));
        assert_eq!(stretches("---\nname: Eve\n---\n- a\n  - b\n  then\n  - c\n"), [0, 0, 1].map(Some));
    }
}
