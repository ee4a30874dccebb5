//! What is written in the place of sections, blocks and bullets that go, and takes over what belonged to them.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use super::super::Draft;
use super::super::carry::Carry;
use super::nodes::within;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::Span;

/// What is written in the place of sections, blocks and bullets that go, and takes over what belonged to them.
///
/// That is what is written over them and is called the same. Where nothing that is written is called so, it is the last of what is
/// written over them: a heading or a block line if as many are written as go; a bullet if it was not there under its name, the two have
/// more words in common than either has with another that goes or comes there as deep, and no fewer than with any, and these are
/// more than two thirds of all, or as many are written as go. So what belonged to one of two never comes to the other.
pub(super) struct Heirs<'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    /// What bullets say on their first lines that go, and that are written.
    gone: OnceCell<HashSet<&'a str>>,
    come: OnceCell<HashSet<&'a str>>,
    ids: OnceCell<HashSet<&'a str>>,
    titles: OnceCell<HashSet<&'a str>>,
    /// The bytes in which rivals may be looked for.
    patience: Cell<usize>,
    /// What is known of two nodes of one kind, by where they begin.
    known: RefCell<HashMap<(Kind, [usize; 2]), bool>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Section,
    Block,
    Bullet,
}

/// How many of the bullets that one splice writes over may have heirs of other words. None goes wrong without: it is refused.
const OWNERS: usize = 16;

/// Returns what a bullet says on its first line, tags included.
fn says<'t>(bullet: BulletRef<'t>) -> &'t str {
    Span::new(bullet.tags_span().start(), bullet.first_text().end()).of(bullet.doc().text())
}

/// Returns the words of a text, without what stands around them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words.filter(|word| !word.is_empty())
}

/// The words of a text, each with how often it is there.
struct Words<'t>(HashMap<&'t str, usize>);

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let mut all = HashMap::new();
        words(text).for_each(|word| *all.entry(word).or_default() += 1);
        Self(all)
    }

    /// Counts those that another text has.
    fn shared_with(&self, other: &str) -> usize {
        let found: HashSet<_> = words(other).filter_map(|word| self.0.get_key_value(word)).collect();
        found.into_iter().map(|(_, times)| times).sum()
    }

    /// Counts the words of another text that are among them.
    fn shared_by(&self, other: &str) -> usize {
        words(other).filter(|word| self.0.contains_key(word)).count()
    }
}

impl<'a> Heirs<'a> {
    pub(super) fn new(draft: &'a Draft<'a>) -> Self {
        Self {
            draft,
            carry: Carry::of(draft),
            gone: OnceCell::new(),
            come: OnceCell::new(),
            ids: OnceCell::new(),
            titles: OnceCell::new(),
            patience: Cell::new(OWNERS * draft.splices().map(|(gone, come, _)| gone.len() + come.len()).sum::<usize>()),
            known: RefCell::default(),
        }
    }

    /// Returns what is known of two nodes, or finds it out.
    fn known(&self, kind: Kind, pair: [usize; 2], find: impl FnOnce() -> bool) -> bool {
        if let Some(known) = self.known.borrow().get(&(kind, pair)) {
            return *known;
        }
        let found = find();
        self.known.borrow_mut().insert((kind, pair), found);
        found
    }

    /// Reports whether a bullet has stayed, or one that is written takes over what belonged to it.
    pub(super) fn of_bullet(&self, old: BulletRef<'a>, new: BulletRef<'a>) -> bool {
        match self.carry.survivor(old.marker.start()) {
            Some(start) => new.marker.start() == start,
            None => self.known(Kind::Bullet, [old.marker.start(), new.marker.start()], || self.is_heir(old, new)),
        }
    }

    /// Reports whether a section has stayed, or one that is written takes over what belonged to it.
    pub(super) fn of_section(&self, old: SectionRef<'_>, new: SectionRef<'_>) -> bool {
        let pair = [old.line.start(), new.line.start()];
        let count = |doc: &MemoryDoc, span| within(doc.outline().sections(), span, |node| node.line.start()).count();
        let is_written = || {
            let written = || {
                let outline = self.draft.new.outline();
                let sections = self.draft.written.iter();
                let sections = sections.flat_map(|span| within(outline.sections(), *span, |node| node.line.start()));
                sections.map(|section| section.title.of(self.draft.new.text())).collect()
            };
            self.titles.get_or_init(written).contains(old.title())
        };
        self.known(Kind::Section, pair, || {
            self.is_in_place(pair, |gone, come| {
                old.title() == new.title()
                    || !is_written() && count(self.draft.old, gone) == count(&self.draft.new, come)
            })
        })
    }

    /// Reports whether what begins at the first place stands at the second, or that is written over it and `takes_over`.
    fn is_in_place(&self, [old, new]: [usize; 2], takes_over: impl FnOnce(Span, Span) -> bool) -> bool {
        match (self.carry.survivor(old), self.carry.replaced(old)) {
            (Some(start), _) => start == new,
            (None, Some((gone, come))) => come.contains(new) && takes_over(gone, come),
            (None, None) => false,
        }
    }

    fn is_heir(&self, old: BulletRef<'a>, new: BulletRef<'a>) -> bool {
        let Some((gone, come)) = self.carry.replaced(old.marker.start()) else { return false };
        if !come.contains(new.marker.start()) {
            return false;
        }
        let (was, is) = (says(old), says(new));
        let all_gone =
            || self.draft.splices().flat_map(|(gone, ..)| self.draft.old.bullets_within(gone)).map(says).collect();
        let all_come =
            || self.draft.splices().flat_map(|(_, come, _)| self.draft.new.bullets_within(come)).map(says).collect();
        if was == is {
            return true;
        }
        if self.come.get_or_init(all_come).contains(was) || self.gone.get_or_init(all_gone).contains(is) {
            return false;
        }
        let Some(patience) = self.patience.get().checked_sub(gone.len() + come.len()) else { return false };
        self.patience.set(patience);
        let (of_old, of_new) = (Words::of(was), Words::of(is));
        let shared = of_old.shared_with(is);
        // Beside one that is deeper, or less deep, as many words are enough.
        let is_rival =
            |words: usize, is_as_deep: bool| words > 0 && (words > shared || (words == shared && is_as_deep));
        let mut others_come = self.draft.new.bullets_within(come).filter(|other| *other != new);
        let mut others_gone = self.draft.old.bullets_within(gone).filter(|other| *other != old);
        let has_rival = others_come
            .any(|other| is_rival(of_old.shared_with(says(other)), other.depth() == new.depth()))
            || others_gone.any(|other| is_rival(of_new.shared_by(says(other)), other.depth() == old.depth()));
        let is_alike = 3 * shared > 2 * words(was).count();
        let count = |doc: &MemoryDoc, span: Span, depth: usize| {
            let bullets = within(doc.outline().bullets(), span, |bullet| bullet.marker.start());
            bullets.filter(|bullet| bullet.depth() <= depth).count()
        };
        let are_as_many = || count(self.draft.old, gone, old.depth()) == count(&self.draft.new, come, new.depth());
        !has_rival && (is_alike || are_as_many())
    }

    /// Reports whether a block has stayed, or one that is written takes over what belonged to it.
    pub(super) fn of_block(&self, old: BlockRef<'_>, new: BlockRef<'_>) -> bool {
        let pair = [old.line.start(), new.line.start()];
        let count = |doc: &MemoryDoc, span: Span| doc.blocks_within(span).count();
        self.known(Kind::Block, pair, || {
            self.is_in_place(pair, |gone, come| {
                old.id() == new.id()
                    || !self.is_written(old) && count(self.draft.old, gone) == count(&self.draft.new, come)
            })
        })
    }

    /// Reports whether a block of the same ID is written.
    fn is_written(&self, block: BlockRef<'_>) -> bool {
        let written = || {
            let blocks = self.draft.written.iter().flat_map(|span| self.draft.new.blocks_within(*span));
            blocks.map(BlockRef::id).collect()
        };
        self.ids.get_or_init(written).contains(block.id())
    }
}
