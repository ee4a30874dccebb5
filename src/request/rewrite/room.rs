//! What goes to save room: as few bullets as it takes, the oldest unpinned ones of the sections of lowest priority first.
//!
//! - A bullet goes only after its children.
//! - Sections of no declared priority come after all that have one; a subsection has the priority of the nearest section around
//!   it that has one.
//!
//! What the bullets weigh tells how many it takes, and the documents without so many and without one fewer show it. Where they
//! show something else, as when a heading goes with the last bullet below it, they tell how much more or less it takes.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::budget::Budget;
use super::builtin::Compactor;
use super::kept::Terms;
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::text::{Span, Timestamp, fold_name};

/// How many times what bullets weigh says how many go. Where it is always wrong, halving is faster.
const FORECASTS: usize = 6;

/// Returns the document with what `terms` are about compacted.
pub(super) fn compact(doc: &MemoryDoc, terms: &Terms<'_>) -> MemoryDoc {
    let compactor = Compactor::new(doc, terms);
    let clean = compactor.cleaned(doc.clone());
    let fits = |doc: &MemoryDoc| terms.budget.exceeded_by(doc, compactor.scope(doc)).is_none();
    if fits(&clean.doc) {
        return clean.doc;
    }
    let order = expendable(&compactor, &clean.doc);
    let without = |count: usize| compactor.cleaned_without(&clean, order.get(..count).unwrap_or(&order));
    let weights = Weights::of(&clean.doc, &order);
    let enough = |count: usize, made: &MemoryDoc| {
        weights.enough(&weights.needed(count, made, compactor.scope(made), terms.budget))
    };
    // As few as it takes: sizes fall as bullets go.
    let (mut low, mut high, mut last) = (order.len().min(1), order.len(), None);
    let (mut forecast, mut tries) = (enough(0, &clean.doc), 0);
    while low < high {
        let middle = if tries < FORECASTS { forecast.clamp(low, high - 1) } else { low.midpoint(high) };
        let made = without(middle);
        (forecast, tries) = (enough(middle, &made), tries + 1);
        if fits(&made) { (high, last) = (middle, Some(made)) } else { low = middle + 1 }
    }
    last.unwrap_or_else(|| without(low))
}

/// What bullets weigh that go one after the other.
struct Weights<'a> {
    doc: &'a MemoryDoc,
    /// The texts of all, and where each ends, from 0 on.
    texts: String,
    ends: Vec<usize>,
}

impl<'a> Weights<'a> {
    /// Weighs bullets, children before their parents.
    fn of(doc: &'a MemoryDoc, order: &[BulletRef<'_>]) -> Self {
        let (mut texts, mut ends) = (String::new(), vec![0]);
        for bullet in order {
            let mut from = bullet.extent.start();
            for child in bullet.children() {
                texts.push_str(Span::new(from, child.extent.start()).of(doc.text()));
                from = child.extent.end();
            }
            texts.push_str(Span::new(from, bullet.extent.end()).of(doc.text()));
            ends.push(texts.len());
        }
        Self { doc, texts, ends }
    }

    fn gone(&self, count: usize) -> &str {
        let end = self.ends.get(count).copied().unwrap_or(self.texts.len());
        Span::new(0, end).of(&self.texts)
    }

    /// Returns how much must go for the rest to keep to `budget`, as the document shows it that was made without the first
    /// `count`.
    fn needed(&self, count: usize, made: &MemoryDoc, scope: Span, budget: Budget) -> Budget {
        let gone = self.gone(count);
        let tokens = |limit| (self.doc.rules().tokens(gone) + made.tokens_of(scope)).saturating_sub(limit);
        let bytes = |limit| (gone.len() + scope.len()).saturating_sub(limit);
        Budget { tokens: budget.tokens.map(tokens), bytes: budget.bytes.map(bytes) }
    }

    /// Returns how many it takes for so much to go.
    fn enough(&self, needed: &Budget) -> usize {
        let is_short = |end: &usize| {
            let gone = Span::new(0, *end).of(&self.texts);
            needed.bytes.is_some_and(|bytes| gone.len() < bytes)
                || needed.tokens.is_some_and(|tokens| self.doc.rules().tokens(gone) < tokens)
        };
        self.ends.partition_point(is_short)
    }
}

/// Returns the bullets that may go to save room, in the order in which they go.
fn expendable<'d>(compactor: &Compactor<'_>, doc: &'d MemoryDoc) -> Vec<BulletRef<'d>> {
    let ranks = ranks(doc);
    let mut children = vec![0_usize; doc.outline().bullets().len()];
    for parent in doc.bullets().filter_map(BulletRef::parent) {
        children.get_mut(parent.index()).into_iter().for_each(|count| *count += 1);
    }
    let mut may_go = vec![false; children.len()];
    let entry = |bullet: BulletRef<'d>| {
        let rank = bullet.section().and_then(|section| ranks.get(&section).copied()).unwrap_or(usize::MAX);
        Reverse((rank, bullet.dated(), bullet))
    };
    let mut next: BinaryHeap<Reverse<(usize, Option<Timestamp>, BulletRef<'d>)>> = BinaryHeap::new();
    for bullet in compactor.bullets(doc).filter(|bullet| !compactor.protects(*bullet)) {
        may_go.get_mut(bullet.index()).into_iter().for_each(|may_go| *may_go = true);
        next.extend((children.get(bullet.index()) == Some(&0)).then(|| entry(bullet)));
    }
    let mut order = Vec::new();
    while let Some(Reverse((_, _, bullet))) = next.pop() {
        order.push(bullet);
        let Some(parent) = bullet.parent() else { continue };
        let Some(count) = children.get_mut(parent.index()) else { continue };
        *count -= 1;
        if *count == 0 && may_go.get(parent.index()) == Some(&true) {
            next.push(entry(parent));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::chosen::Chosen;
    use super::super::kept::Kept;
    use super::*;
    use crate::document::{Policy, Rules};

    const LINES: [&str; 14] = [
        "- Likes tea",
        "- likes  tea",
        "- [since: 2026-01-02] Lives in Rome, 7",
        "- [since: 2026-01-01] Has a cat",
        "- [pinned] Never fly",
        "- [expires: 2020-01-01] Has a cold",
        "  - Contact: Dr. Żak",
        "    - [work] at Acme",
        "  # a comment",
        "## Topic",
        "### Low",
        "",
        "A line of prose",
        "1. call Bob",
    ];

    /// Halves as often as it takes, and cleans all up each time.
    fn halved(doc: &MemoryDoc, terms: &Terms<'_>) -> MemoryDoc {
        let compactor = Compactor::new(doc, terms);
        let clean = compactor.cleaned(doc.clone()).doc;
        let fits = |doc: &MemoryDoc| terms.budget.exceeded_by(doc, compactor.scope(doc)).is_none();
        let order = expendable(&compactor, &clean);
        let without = |count: usize| {
            let gone = Chosen::of(&clean, order.iter().take(count).copied());
            compactor.cleaned(compactor.without(&clean, &gone)).doc
        };
        let (mut low, mut high) = (0, order.len());
        while low < high && !fits(&clean) {
            let middle = low.midpoint(high);
            if fits(&without(middle)) { high = middle } else { low = middle + 1 }
        }
        without(if fits(&clean) { 0 } else { low })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_bullets_weigh_tells_how_many_go_as_halving_does(
            lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..60),
            share in 0_usize..110,
            counts_bytes in any::<bool>(),
        ) {
            let rules = Rules::new(Policy::default().with_section_priority(["Low"])).unwrap_or_default();
            let doc = MemoryDoc::with_rules(lines.join("\n"), Arc::new(rules));
            let budget = match counts_bytes {
                true => Budget { tokens: None, bytes: Some(doc.text().len() * share / 100) },
                false => Budget { tokens: Some(doc.tokens() * share / 100), bytes: None },
            };
            let now = Timestamp::from_seconds(1_795_251_600);
            let terms = Terms { scope: doc.span(), budget, kept: &Kept::default(), now };
            let (made, oracle) = (compact(&doc, &terms), halved(&doc, &terms));
            prop_assert_eq!(made.text(), oracle.text());
        }
    }
}
