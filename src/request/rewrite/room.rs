//! Room for a budget: as few bullets go as it takes, the oldest unpinned ones first: of the sections that may be dropped, then
//! of those of lowest priority.
//!
//! - A bullet goes only after its children.
//! - Sections of no declared priority come after all that have one; a subsection has the priority of the nearest section around
//!   it that has one.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::builtin::Compactor;
use super::ledger::Ledger;
use super::loss::check_loss;
use super::terms::{Measure, Terms};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::text::fold_name;

/// Returns the document with what `terms` are about compacted to its budget.
pub(super) fn compact(doc: &MemoryDoc, terms: &Terms<'_>) -> MemoryDoc {
    let compactor = Compactor::new(doc, terms);
    let clean = compactor.cleaned(doc.clone());
    let fits = |doc: &MemoryDoc| terms.budget.exceeded_by(doc, compactor.scope(doc)).is_none();
    if fits(&clean) {
        return clean;
    }
    let (ranks, released) = (ranks(&clean), terms.released(&clean));
    let order = in_order(&compactor, &clean, |bullet| {
        let is_released = released.iter().any(|span| span.contains(bullet.line.start()));
        let rank = bullet.section().and_then(|section| ranks.get(&section).copied()).unwrap_or(usize::MAX);
        (Reverse(is_released), rank, bullet.dated())
    });
    // Sizes fall as bullets go.
    let (mut low, mut high) = (0, order.len());
    while low < high {
        let middle = low.midpoint(high);
        if fits(&without(&compactor, &clean, order.get(..middle))) { high = middle } else { low = middle + 1 }
    }
    without(&compactor, &clean, order.get(..low))
}

/// Returns the size in tokens to which the scope can be brought without losing more than the policy allows, with the longest
/// bullets gone; `None` if that fits the budget.
pub(super) fn smallest_size(doc: &MemoryDoc, terms: &Terms<'_>) -> Option<usize> {
    let compactor = Compactor::new(doc, terms);
    let clean = compactor.cleaned(doc.clone());
    let released = terms.released(&clean);
    let order = in_order(&compactor, &clean, |bullet| {
        let is_released = released.iter().any(|span| span.contains(bullet.line.start()));
        (Reverse(is_released), Reverse(bullet.content().len()))
    });
    let loses_little = |new: &MemoryDoc| {
        let own = Measure { doc, scope: terms.scope };
        let lost = |old: Measure<'_>| check_loss(old, &Ledger::of(old.doc, new, terms.now), terms);
        [Some(own), terms.earlier].into_iter().flatten().all(|old| lost(old).is_ok())
    };
    let (mut low, mut high) = (0, order.len());
    while low < high {
        let middle = high - (high - low) / 2;
        let made = without(&compactor, &clean, order.get(..middle));
        if loses_little(&made) { low = middle } else { high = middle - 1 }
    }
    let made = without(&compactor, &clean, order.get(..low));
    let scope = compactor.scope(&made);
    terms.budget.exceeded_by(&made, scope).map(|_| made.tokens_of(scope))
}

/// Returns the document without these bullets and what then says nothing.
fn without(compactor: &Compactor<'_>, doc: &MemoryDoc, bullets: Option<&[usize]>) -> MemoryDoc {
    let dropped: HashSet<usize> = bullets.into_iter().flatten().copied().collect();
    compactor.cleaned(compactor.without(doc, &dropped))
}

/// Returns the indexes of the bullets that may go to save room, those of the least key first and children before parents.
fn in_order<'d, K: Ord>(compactor: &Compactor<'_>, doc: &'d MemoryDoc, key: impl Fn(BulletRef<'d>) -> K) -> Vec<usize> {
    let mut children: HashMap<usize, usize> = HashMap::new();
    for parent in doc.bullets().filter_map(BulletRef::parent) {
        *children.entry(parent.index()).or_default() += 1;
    }
    let bullets = compactor.bullets(doc).filter(|bullet| !compactor.terms.protects(*bullet));
    let mut keys: HashMap<usize, K> = bullets.map(|bullet| (bullet.index(), key(bullet))).collect();
    let mut take = |index: usize| Some(Reverse((keys.remove(&index)?, index)));
    let leaves = doc.bullets().map(BulletRef::index).filter(|index| !children.contains_key(index));
    let mut next: BinaryHeap<Reverse<(K, usize)>> = leaves.filter_map(&mut take).collect();
    let mut order = Vec::new();
    while let Some(Reverse((_, index))) = next.pop() {
        order.push(index);
        let Some(parent) = doc.bullet(index).and_then(BulletRef::parent).map(BulletRef::index) else { continue };
        if let Some(count) = children.get_mut(&parent) {
            *count -= 1;
            next.extend((*count == 0).then(|| take(parent)).flatten());
        }
    }
    order
}

/// Returns the rank of each section that has a declared priority, or stands in one that has: lowest first.
fn ranks(doc: &MemoryDoc) -> HashMap<SectionRef<'_>, usize> {
    let declared: HashMap<_, _> =
        doc.policy().section_priority.iter().zip(0..).map(|(name, rank)| (fold_name(name), rank)).collect();
    let mut ranks: HashMap<SectionRef<'_>, usize> = HashMap::new();
    for section in doc.sections().filter(|_| !declared.is_empty()) {
        let path = (!section.has_long_path()).then(|| fold_name(&section.path()));
        let names: Vec<_> = [Some(fold_name(section.title())), path].into_iter().flatten().collect();
        let own = names.iter().find_map(|name| declared.get(name).copied());
        let rank = own.or_else(|| section.parent().and_then(|parent| ranks.get(&parent).copied()));
        ranks.extend(rank.map(|rank| (section, rank)));
    }
    ranks
}
