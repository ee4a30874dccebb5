//! [`Pairs`]: the entries of an old text and their successors in a new one.
//!
//! A new bullet is the *successor* of an old one that it [fits](super::entries) if one of these is true:
//!
//! - Both have the same content.
//! - The new content, split at `;`, consists only of contents of old bullets.
//!
//! Both must be in the same section. The sections may differ only if the old section is gone or the new one was not
//! there before: a fact that moves from `Anna` to `Bob` is another fact. Each new bullet accounts for at most one old
//! bullet, or for those that are merged in it. Equal old bullets have the same successor.

use std::borrow::Cow;
use std::collections::HashMap;

use super::entries::{EntryKey, LedgerEntry, folded};
use super::ledger::{BulletOutcome, LedgerText};
use crate::document::BulletRef;

/// What two entries must have in common to be paired: their content and fit and, if it matters, their section.
type PairKey = (EntryKey, Option<usize>);

/// The pairs of old entries and their successors.
pub(super) struct Pairs<'e, N> {
    olds: &'e [LedgerEntry<N>],
    news: &'e [LedgerEntry<N>],
    /// For each old entry, its outcome and the index of its successor.
    pub(super) found: Vec<Option<(BulletOutcome, usize)>>,
    /// For each new entry, whether it is the successor of an old one.
    is_used: Vec<bool>,
}

impl<'e, N: Copy> Pairs<'e, N> {
    /// Pairs equal entries in the same section; then equal entries of different sections, if the old section is gone or the
    /// new one was added. Entries outside of all sections count as in one section.
    pub(super) fn of(olds: &'e [LedgerEntry<N>], news: &'e [LedgerEntry<N>], texts: &[LedgerText<'_>; 2]) -> Self {
        let [old_text, new_text] = texts;
        let is_gone = |old: &LedgerEntry<N>| old.section.is_some_and(|section| !new_text.paths.contains(&section));
        let is_added = |new: &LedgerEntry<N>| new.section.is_some_and(|section| !old_text.paths.contains(&section));
        let mut pairs = Self { olds, news, found: vec![None; olds.len()], is_used: vec![false; news.len()] };
        let keys: [fn(&LedgerEntry<N>) -> EntryKey; 2] = [|entry| entry.marked, |entry| entry.whole];
        for key_of in keys {
            let in_section = |entry: &LedgerEntry<N>| Some((key_of(entry), entry.section));
            pairs.add(BulletOutcome::Kept, &in_section, &in_section);
        }
        // Entries whose section stays have fewer possible successors, so they are paired first.
        for of_gone in [false, true] {
            let old_key = |old: &LedgerEntry<N>| (is_gone(old) == of_gone).then_some((old.whole, None));
            let new_key = |new: &LedgerEntry<N>| (of_gone || is_added(new)).then_some((new.whole, None));
            pairs.add(BulletOutcome::Moved, &old_key, &new_key);
        }
        pairs
    }

    /// Pairs the remaining entries of equal keys, in their order.
    fn add(
        &mut self,
        outcome: BulletOutcome,
        old_key: &dyn Fn(&LedgerEntry<N>) -> Option<PairKey>,
        new_key: &dyn Fn(&LedgerEntry<N>) -> Option<PairKey>,
    ) {
        if self.is_used.iter().all(|is_used| *is_used) {
            return;
        }
        // The first new entry of each key, and for each entry the next one of the same key.
        let (mut firsts, mut nexts) = (HashMap::with_capacity(self.news.len()), vec![None; self.news.len()]);
        let left = self.news.iter().enumerate().zip(&mut nexts).zip(&self.is_used).rev().filter(|(_, used)| !**used);
        for (((index, new), next), _) in left {
            *next = new_key(new).and_then(|key| firsts.insert(key, Some(index))).flatten();
        }
        for (old, found) in self.olds.iter().zip(&mut self.found).filter(|(_, found)| found.is_none()) {
            let first = old_key(old).and_then(|key| firsts.get_mut(&key));
            let index = first.and_then(|first| std::mem::replace(first, *nexts.get((*first)?)?));
            *found = index.map(|index| (outcome, index));
            if let Some(is_used) = index.and_then(|index| self.is_used.get_mut(index)) {
                *is_used = true;
            }
        }
    }

    /// Iterates over the old entries without a successor.
    pub(super) fn gone(&self) -> impl Iterator<Item = N> {
        self.olds.iter().zip(&self.found).filter(|(_, found)| found.is_none()).map(|(old, _)| old.node)
    }

    /// Iterates over the new entries that are the successor of no old one.
    pub(super) fn added(&self) -> impl Iterator<Item = N> {
        self.news.iter().zip(&self.is_used).filter(|(_, is_used)| !**is_used).map(|(new, _)| new.node)
    }
}

/// The most pieces, split at `;`, that an old content may have to be found in a merged bullet.
const PIECES: usize = 16;

impl Pairs<'_, BulletRef<'_>> {
    /// Finds the merged bullets: new bullets that consist, split at `;`, of contents of old bullets without a successor.
    pub(super) fn merge(&mut self) {
        // The old bullets without a successor, by fit, section, and pieces joined by `;`.
        let mut contents: HashMap<(usize, Option<usize>, String), usize> = HashMap::new();
        for (index, old) in self.olds.iter().enumerate().filter(|(index, _)| self.found.get(*index) == Some(&None)) {
            let content = old.node.content();
            let pieces = split(&content);
            if pieces.len() <= PIECES {
                contents.entry((old.whole.fit, old.section, pieces.join(";"))).or_insert(index);
            }
        }
        for ((nth, new), is_used) in self.news.iter().enumerate().zip(&mut self.is_used).filter(|(_, used)| !**used) {
            let content = new.node.content();
            let pieces = if content.contains(';') { split(&content) } else { continue };
            let (mut rest, mut taken) = (pieces.as_slice(), Vec::new());
            while let Some((length, content)) = (1..=rest.len().min(PIECES)).rev().find_map(|length| {
                let run = rest.get(..length)?.join(";");
                Some((length, contents.remove_entry(&(new.whole.fit, new.section, run))?))
            }) {
                taken.push(content);
                rest = rest.get(length..).unwrap_or_default();
            }
            if !rest.is_empty() {
                contents.extend(taken);
                continue;
            }
            *is_used = true;
            for (_, index) in taken {
                if let Some(found) = self.found.get_mut(index) {
                    *found = Some((BulletOutcome::Merged, nth));
                }
            }
        }
    }

    /// Gives each remaining old bullet the successor of an equal old bullet. Steps are left out.
    pub(super) fn repeat(&mut self) {
        let mut firsts: HashMap<PairKey, usize> = HashMap::new();
        for (old, found) in self.olds.iter().zip(&self.found) {
            if let Some((_, index)) = found {
                firsts.entry((old.unprotected, old.section)).or_insert(*index);
            }
        }
        for (old, found) in self.olds.iter().zip(&mut self.found).filter(|(old, _)| !old.is_step) {
            let equal = || Some((BulletOutcome::Merged, *firsts.get(&(old.unprotected, old.section))?));
            *found = found.or_else(equal);
        }
    }
}

/// Returns the pieces of a content between `;`, folded. An empty piece at the end does not count.
fn split(content: &str) -> Vec<Cow<'_, str>> {
    let mut pieces: Vec<_> = content.split(';').map(folded).collect();
    if pieces.last().is_some_and(|piece| piece.is_empty()) {
        pieces.pop();
    }
    pieces
}
