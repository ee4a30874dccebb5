//! What is neither written nor named belongs to what it belonged to: a line to its bullet, a bullet to its block.
//!
//! Behind each splice the lines are followed to where both texts are in step again: at a heading, a block line, or a bullet that is
//! nested in none.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use super::super::carry::Carry;
use super::super::{Draft, Flaw};
use super::nodes::{Nesting, within};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Lines, Span, is_blank};

/// Finds text behind a splice that would belong to another bullet or block than before, or to none, though it is not written.
///
/// Where lines may be written that nest bullets anew, this holds for what is not named by the request: it goes on with its bullet, or
/// with the [heir](Heirs) of that. What belonged to none may come to a bullet or a block that is written right above it, and is new; a
/// bullet whose block line goes may come to none.
pub(super) fn check(draft: &Draft<'_>, nesting: Nesting) -> Option<Flaw> {
    let splices: Vec<_> = draft.splices().map(|(gone, come, _)| (gone, come)).collect();
    let mut following = Following { draft, carry: Carry::of(draft), heirs: Heirs::new(draft), nesting, joined: None };
    splices.iter().enumerate().find_map(|(nth, splice)| {
        let end = splices.get(nth + 1).map_or(draft.old.text().len(), |(next, _)| next.start());
        following.behind(*splice, end)
    })
}

/// What belongs to what in both texts.
struct Following<'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    heirs: Heirs<'a>,
    nesting: Nesting,
    /// The section whose bullets come to a block that is written above them, and that.
    joined: Option<(Option<SectionRef<'a>>, usize)>,
}

impl<'a> Following<'a> {
    /// Looks at the lines behind a splice, up to where the next begins.
    fn behind(&mut self, splice: (Span, Span), end: usize) -> Option<Flaw> {
        let (text, table) = (self.draft.old.text(), self.draft.old.lines());
        let below = table.index_at(splice.0.end().saturating_sub(1)) + 1;
        let next = table.start(below).max(splice.0.end());
        let lines = Lines::within(text, Span::new(next, end)).filter(|line| !is_blank(line.text.of(text)));
        for line in lines.map(|line| line.full.start()) {
            let Some(after) = self.carry.survivor(line) else { continue };
            let is_named = self.nesting == Nesting::Free && is_in(self.draft.edit.named(), line);
            // Also of a line that is named: what follows comes to the same block.
            let keeps_block = self.keeps_block([line, after], splice);
            let is_kept = is_named || (keeps_block && self.keeps_owner([line, after], splice));
            if !is_kept {
                return Some(Flaw::Adopted(self.draft.new.line_number(after)));
            }
            if self.nesting == Nesting::Kept || (!is_named && self.is_in_step(line, after)) {
                break;
            }
        }
        None
    }

    /// Reports whether what follows a line is the same in both texts.
    fn is_in_step(&self, line: usize, after: usize) -> bool {
        fn begins(doc: &MemoryDoc, at: usize) -> [bool; 3] {
            [
                doc.section_at(at).is_some_and(|section| section.line.start() == at),
                doc.block_at(at).is_some_and(|block| block.line.start() == at),
                doc.bullet_at(at).is_some_and(|bullet| bullet.line.start() == at && bullet.depth() == 0),
            ]
        }
        begins(self.draft.old, line).into_iter().zip(begins(&self.draft.new, after)).any(|(old, new)| old && new)
    }

    /// Reports whether a line, which stands at these places of both texts, belongs to the bullet that it belonged to.
    fn keeps_owner(&self, [line, after]: [usize; 2], (gone, come): (Span, Span)) -> bool {
        let is_free = self.nesting == Nesting::Free;
        fn owner(doc: &MemoryDoc, at: usize, is_free: bool) -> Option<BulletRef<'_>> {
            let bullet = doc.bullet_at(at)?;
            if is_free && bullet.line.contains(at) { bullet.parent() } else { Some(bullet) }
        }
        let (old, new) = (owner(self.draft.old, line, is_free), owner(&self.draft.new, after, is_free));
        let Some(old) = old else {
            let is_new = |new: BulletRef<'_>| {
                is_free && come.contains(new.marker.start()) && self.draft.old.bullets_within(gone).next().is_none()
            };
            return new.is_none_or(is_new);
        };
        match self.carry.survivor(old.marker.start()) {
            Some(start) => new.is_some_and(|new| new.marker.start() == start),
            None => !is_free || new.is_some_and(|new| self.heirs.of_bullet(old, new)),
        }
    }

    /// Reports whether the bullet that begins at a place of the old text, and at the other of the new one, stays in its block.
    fn keeps_block(&mut self, [line, after]: [usize; 2], (gone, come): (Span, Span)) -> bool {
        let begins = |doc: &'a MemoryDoc, at: usize| doc.bullet_at(at).filter(|bullet| bullet.line.contains(at));
        let draft = self.draft;
        let (Some(old), Some(new)) = (begins(draft.old, line), begins(&draft.new, after)) else { return true };
        match (old.block(), new.block()) {
            (Some(old), Some(new)) => self.heirs.of_block(old, new),
            (None, None) => true,
            (Some(old), None) => {
                let is_changed =
                    |(gone, ..): (Span, Span, _)| gone.start() < old.line.end() && old.line.start() < gone.end();
                draft.splices().any(is_changed) && !self.heirs.is_written(old)
            }
            (None, Some(block)) => {
                let joins = Some((old.section(), block.line.start()));
                let is_written = come.start() < block.line.end() && block.line.start() <= come.end();
                let is_new = || {
                    let was = |own: BlockRef<'_>| self.carry.survivor(own.line.start()) == Some(block.line.start());
                    draft.old.blocks_within(gone).next().is_none() && !draft.old.blocks().any(was)
                };
                if self.joined != joins && !(is_written && is_new()) {
                    return false;
                }
                self.joined = joins;
                true
            }
        }
    }
}

/// What is written in the place of bullets and blocks that go, and takes over what belonged to them.
///
/// That is what is written over them and is called the same. Where nothing that is written is called so, it is the last of what is
/// written over them, if that was not there under its name, the two have more words in common than either has with another that goes
/// or comes there, and these are half of all, or as many are written as go. So what belonged to one of two never comes to the other.
struct Heirs<'a> {
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    /// What bullets say on their first lines that go, and that are written.
    gone: OnceCell<HashSet<&'a str>>,
    come: OnceCell<HashSet<&'a str>>,
    ids: OnceCell<HashSet<&'a str>>,
    /// What is known of two bullets, by where they begin.
    known: RefCell<HashMap<[usize; 2], bool>>,
}

/// Returns what a bullet says on its first line, tags included.
fn says<'t>(bullet: BulletRef<'t>) -> &'t str {
    Span::new(bullet.tags_span().start(), bullet.first_text().end()).of(bullet.doc().text())
}

/// Counts the words of a text that another has.
fn shared_words(text: &str, other: &str) -> usize {
    let known: HashSet<_> = other.split_whitespace().collect();
    text.split_whitespace().filter(|word| known.contains(word)).count()
}

impl<'a> Heirs<'a> {
    fn new(draft: &'a Draft<'a>) -> Self {
        Self {
            draft,
            carry: Carry::of(draft),
            gone: OnceCell::new(),
            come: OnceCell::new(),
            ids: OnceCell::new(),
            known: RefCell::default(),
        }
    }

    /// Reports whether a bullet that is written takes over what belonged to one that goes.
    fn of_bullet(&self, old: BulletRef<'a>, new: BulletRef<'a>) -> bool {
        let pair = [old.marker.start(), new.marker.start()];
        if let Some(known) = self.known.borrow().get(&pair) {
            return *known;
        }
        let is_heir = self.is_heir(old, new);
        self.known.borrow_mut().insert(pair, is_heir);
        is_heir
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
        let shared = shared_words(was, is);
        let others_come = self.draft.new.bullets_within(come).filter(|other| *other != new);
        let others_gone = self.draft.old.bullets_within(gone).filter(|other| *other != old);
        let rivals = others_come.map(|other| shared_words(was, says(other)));
        let rival = rivals.chain(others_gone.map(|other| shared_words(says(other), is))).max().unwrap_or_default();
        let is_alike = shared > 0 && 2 * shared >= was.split_whitespace().count();
        let count = |doc: &MemoryDoc, span: Span, depth: usize| {
            let bullets = within(doc.outline().bullets(), span, |bullet| bullet.marker.start());
            bullets.filter(|bullet| bullet.depth() <= depth).count()
        };
        let are_as_many = || count(self.draft.old, gone, old.depth()) == count(&self.draft.new, come, new.depth());
        (rival == 0 || rival < shared) && (is_alike || are_as_many())
    }

    /// Reports whether a block has stayed, or one that is written takes over what belonged to it.
    fn of_block(&self, old: BlockRef<'_>, new: BlockRef<'_>) -> bool {
        if let Some(start) = self.carry.survivor(old.line.start()) {
            return start == new.line.start();
        }
        let Some((gone, come)) = self.carry.replaced(old.line.start()) else { return false };
        let count = |doc: &MemoryDoc, span: Span| doc.blocks_within(span).count();
        come.contains(new.line.start())
            && (old.id() == new.id()
                || !self.is_written(old) && count(self.draft.old, gone) == count(&self.draft.new, come))
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

/// Reports whether one of `spans`, which are sorted, holds a place.
fn is_in(spans: &[Span], at: usize) -> bool {
    spans.get(spans.partition_point(|span| span.end() <= at)).is_some_and(|span| span.contains(at))
}
