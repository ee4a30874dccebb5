//! The built-in compactor. Its first steps lose no live fact: they drop expired bullets, duplicates, empty sections and
//! runs of blank lines, again and again until there are none. If the text is still over budget, it drops as few unpinned
//! bullets as necessary: first those of the sections that may be dropped, then those of the sections of lowest priority,
//! of each the oldest first.
//!
//! - A bullet with a child that stays is not dropped: without its parent, the child would mean something else.
//! - Bullets stay if other lines, or the numbers of a list, would be read as something else without them.
//! - A heading with an ID stays, even if its section is empty.
//! - To make room, a bullet is dropped only after its children.
//! - Sections without a declared priority come after all that have one. A subsection has the priority of the nearest
//!   section around it that has one.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::entries::equal_bullets;
use super::ledger::{Ledger, free_bullets};
use super::terms::Terms;
use crate::document::{BulletRef, Excess, MemoryDoc, SectionRef, Unit, is_ordered};
use crate::edit::compose::{BulletChanges, Lists, arrange_sections, owner};
use crate::edit::{Draft, EditBuilder, Part, PartStatus, Promise, guard};
use crate::text::{Line, Span, fold_name, is_blank};

/// A document after the first steps.
pub(super) struct CleanDoc {
    pub(super) doc: MemoryDoc,
    /// Whether no unprotected bullet has expired or is a duplicate. That stays true if more bullets are dropped.
    is_settled: bool,
}

/// The built-in compactor for one document.
pub(super) struct Compactor<'a> {
    pub(super) old: &'a MemoryDoc,
    pub(super) terms: &'a Terms<'a>,
}

impl Compactor<'_> {
    /// Returns the part that is compacted in `doc`, a shorter version of the old document.
    fn scope(&self, doc: &MemoryDoc) -> Span {
        self.terms.scope_in(self.old, doc)
    }

    /// Drops expired bullets, duplicates, empty sections and runs of blank lines, until there are none.
    pub(super) fn cleaned(&self, mut doc: MemoryDoc) -> CleanDoc {
        loop {
            let before = doc.revision();
            let bullets: Vec<_> = self.bullets(&doc).collect();
            let mut spare = self.spare(&doc, &bullets);
            // In lists with numbers, bullets come to be equal where others go between them.
            let is_settled = spare.is_empty() && !bullets.iter().any(|bullet| is_ordered(bullet.marker()));
            keep_parents(&bullets, &mut spare);
            doc = self.without_spare_lines(&self.without(&doc, &spare));
            if is_settled || doc.revision() == before {
                return CleanDoc { doc, is_settled };
            }
        }
    }

    /// Drops empty sections and runs of blank lines.
    fn without_spare_lines(&self, doc: &MemoryDoc) -> MemoryDoc {
        self.without_blank_runs(&self.without_empty_sections(doc))
    }

    /// Drops these bullets from a clean document, and makes the first steps again.
    fn cleaned_without(&self, clean: &CleanDoc, bullets: Option<&[BulletRef<'_>]>) -> MemoryDoc {
        let made = self.without(&clean.doc, &bullets.into_iter().flatten().copied().collect());
        if clean.is_settled { self.without_spare_lines(&made) } else { self.cleaned(made).doc }
    }

    /// Drops these bullets, with all that is nested in them. If another line or number would then be read as something
    /// else, the first bullet below each label stays, and so do the other bullets beside numbered ones. If that does not
    /// help, all bullets stay.
    fn without(&self, doc: &MemoryDoc, dropped: &HashSet<BulletRef<'_>>) -> MemoryDoc {
        let bullets = || doc.bullets().filter(|bullet| dropped.contains(bullet));
        let others = || {
            let firsts: HashSet<_> = doc.labels().filter_map(|label| label.bullets().next()).collect();
            let (items, rest): (Vec<_>, Vec<_>) = doc.bullets().partition(|bullet| is_ordered(bullet.marker()));
            let owners: HashSet<_> = items.into_iter().map(owner).collect();
            let beside: HashSet<_> = rest.into_iter().filter(|bullet| owners.contains(&owner(*bullet))).collect();
            self.removed(doc, bullets().filter(|bullet| !firsts.contains(bullet) && !beside.contains(bullet)))
        };
        let made = (!dropped.is_empty()).then(|| self.removed(doc, bullets()).or_else(others)).flatten();
        made.unwrap_or_else(|| doc.clone())
    }

    /// Returns the document without the bullets of `gone`, in document order, and all that is nested in them. `None` if
    /// another line or number would then be read as something else.
    fn removed<'d>(&self, doc: &'d MemoryDoc, gone: impl Iterator<Item = BulletRef<'d>>) -> Option<MemoryDoc> {
        let mut changes = BulletChanges::new(doc);
        let mut handled = 0;
        for bullet in gone {
            // A bullet nested in a removed one is removed with it.
            if bullet.extent.start() >= handled {
                handled = bullet.extent.end();
                changes.remove(0, bullet);
            }
        }
        let mut edit = EditBuilder::new(doc);
        edit.part(Part::new(PartStatus::Applied));
        changes.compose(&mut edit);
        let edit = edit.finish().ok()?;
        let draft = Draft::new(doc, &edit);
        guard::check_text(&draft).ok().filter(|()| self.keeps_numbers(&draft.new)).map(|()| draft.new)
    }

    /// Returns true if each item of an ordered list has the number that it had in the old document, or one that only counts,
    /// there and here.
    fn keeps_numbers(&self, doc: &MemoryDoc) -> bool {
        // In most documents all lists count.
        if [self.old, doc].iter().all(|doc| numbered_items(doc).all(|(_, number, _)| number.is_none())) {
            return true;
        }
        let keys =
            |(item, number, marker): (BulletRef<'_>, _, _)| [number, Some(marker)].map(|own| (item.wording(), own));
        let known: HashSet<_> = numbered_items(self.old).flat_map(keys).collect();
        numbered_items(doc).all(|item| keys(item).iter().any(|key| known.contains(key)))
    }

    /// Iterates over the bullets in the scope of the compaction, outside of reserved sections.
    fn bullets<'d>(&self, doc: &'d MemoryDoc) -> impl Iterator<Item = BulletRef<'d>> + use<'d> {
        let scope = self.scope(doc);
        free_bullets(doc).filter(move |bullet| scope.contains(bullet.line.start()))
    }

    /// Returns the expired bullets and the duplicates among `bullets`, which are in document order.
    fn spare<'d>(&self, doc: &'d MemoryDoc, bullets: &[BulletRef<'d>]) -> HashSet<BulletRef<'d>> {
        let is_expired = |bullet: &&BulletRef<'_>| bullet.is_expired(self.terms.now) && !self.terms.protects(**bullet);
        let mut spare: HashSet<_> = bullets.iter().filter(is_expired).copied().collect();
        let mut going = spare.clone();
        keep_parents(bullets, &mut going);
        let staying: Vec<_> = bullets.iter().copied().filter(|bullet| !going.contains(bullet)).collect();
        spare.extend(self.duplicates(doc, &staying));
        spare
    }

    /// Returns the duplicates that may be dropped. Of equal bullets, the protected ones stay; if none is protected, the
    /// first stays.
    fn duplicates<'d>(&self, doc: &'d MemoryDoc, bullets: &[BulletRef<'d>]) -> Vec<BulletRef<'d>> {
        let mut spare = Vec::new();
        for group in equal_bullets(doc, bullets.iter().copied()) {
            let free: Vec<_> = group.iter().filter(|bullet| !self.terms.protects(**bullet)).collect();
            let kept = usize::from(free.len() == group.len());
            spare.extend(free.into_iter().skip(kept));
        }
        spare
    }

    fn without_empty_sections(&self, doc: &MemoryDoc) -> MemoryDoc {
        let required = &doc.policy().required_sections;
        let written: HashSet<&str> = self.terms.pinned.lines.iter().map(|(_, line)| line.as_str()).collect();
        let stays = |section: SectionRef<'_>| {
            let title = fold_name(section.title());
            section.block().is_some()
                || !is_blank(section.body.of(doc.text()))
                || required.iter().any(|name| fold_name(name) == title)
                || section.ancestors().any(|around| around.reserved_name().is_some())
                || written.contains(section.line_text())
        };
        // If a section stays, its parents stay too.
        let mut staying: HashSet<SectionRef<'_>> = HashSet::new();
        for section in doc.sections().rev() {
            if staying.contains(&section) || stays(section) {
                staying.extend(section.parent());
                staying.insert(section);
            }
        }
        let scope = self.scope(doc);
        let is_whole = scope == doc.span();
        let goes = |section: &SectionRef<'_>| {
            // The section that is rewritten is not dropped itself.
            let is_inside = is_whole || (scope.covers(section.extent) && section.extent.start() > scope.start());
            is_inside && !staying.contains(section) && section.parent().is_none_or(|parent| staying.contains(&parent))
        };
        let empty: Vec<_> = doc.sections().filter(goes).map(|section| (0, section)).collect();
        let mut edit = EditBuilder::new(doc);
        arrange_sections(doc, &empty, Vec::new(), &mut edit);
        result(doc, edit)
    }

    /// Drops all but one line of each run of blank lines. Runs in fences, bullets, front matter and reserved sections stay.
    fn without_blank_runs(&self, doc: &MemoryDoc) -> MemoryDoc {
        let outline = doc.outline();
        let mut above = None;
        let scope = self.scope(doc);
        let below = Span::new(scope.start().max(outline.body_start), scope.end());
        let is_idle =
            |at: usize| !outline.is_fenced(at) && doc.bullet_at(at).is_none() && doc.reserved_section_at(at).is_none();
        let is_superfluous = |line: &Line| {
            let blank = is_blank(line.text.of(doc.text())).then_some(line.full.start());
            let run = std::mem::replace(&mut above, blank).zip(blank);
            run.is_some_and(|(above, at)| is_idle(above) && is_idle(at))
        };
        let mut edit = EditBuilder::new(doc);
        for line in Line::all_within(doc.text(), below).filter(is_superfluous) {
            edit.replace(line.full, "", Promise::Lines);
        }
        result(doc, edit)
    }

    /// Returns the bullets that may be dropped to make room, in the order in which they are dropped: first those of the
    /// sections that may be dropped, then by `key`. Children come before their parents.
    fn in_order<'d, K: Ord + Clone>(&self, doc: &'d MemoryDoc, key: impl Fn(BulletRef<'d>) -> K) -> Vec<BulletRef<'d>> {
        let bullets = self.bullets(doc).filter(|bullet| !self.terms.protects(*bullet));
        // For each bullet, the largest key of itself and all bullets nested in it, and the last of these bullets.
        let released = self.terms.released(doc);
        let is_kept = |bullet: BulletRef<'_>| !released.iter().any(|span| span.contains(bullet.line.start()));
        let bullets = bullets.map(|bullet| (bullet, ((is_kept(bullet), key(bullet)), bullet)));
        let mut keys: HashMap<BulletRef<'d>, ((bool, K), BulletRef<'d>)> = bullets.collect();
        for (own, parent) in doc.bullets().rev().filter_map(|bullet| Some((bullet, bullet.parent()?))) {
            match (keys.get(&own).cloned(), keys.get_mut(&parent)) {
                (Some((key, last)), Some(parent)) => *parent = (key.max(parent.0.clone()), last.max(parent.1)),
                // If a child stays, its parent stays too.
                (None, _) => drop(keys.remove(&parent)),
                (_, None) => {}
            }
        }
        let mut order: Vec<_> = keys.into_iter().map(|(bullet, (key, last))| (key, last, Reverse(bullet))).collect();
        order.sort_unstable();
        order.into_iter().map(|(.., Reverse(bullet))| bullet).collect()
    }
}

/// Returns the document with the scope of `terms` compacted to their budget.
pub(super) fn compact(doc: &MemoryDoc, terms: &Terms<'_>) -> MemoryDoc {
    let compactor = Compactor { old: doc, terms };
    let clean = compactor.cleaned(doc.clone());
    let exceeded_by = |doc: &MemoryDoc| terms.budget.exceeded_by(doc, compactor.scope(doc));
    let Some(Excess { unit, used, limit }) = exceeded_by(&clean.doc) else { return clean.doc };
    let ranks = ranks(&clean.doc);
    let order = compactor.in_order(&clean.doc, |bullet| {
        let rank = bullet.section().and_then(|section| ranks.get(&section).copied()).unwrap_or(usize::MAX);
        (rank, bullet.dated())
    });
    // Dropping bullets is slow. The number that must be dropped is first estimated by the sizes of their texts.
    let own_text = |bullet: &BulletRef<'_>| {
        let end = bullet.children().next().map_or(bullet.extent.end(), |child| child.line.start());
        Span::new(bullet.line.start(), end).of(clean.doc.text())
    };
    let (mut texts, mut ends) = (String::new(), Vec::with_capacity(order.len()));
    for bullet in &order {
        ends.push(texts.len());
        texts.push_str(own_text(bullet));
    }
    let forecast = ends.partition_point(|end| {
        let gone = Span::new(0, *end).of(&texts);
        let size = if unit == Unit::Tokens { clean.doc.rules().tokens(gone) } else { gone.len() };
        used.saturating_sub(size) > limit
    });
    // The more bullets are dropped, the smaller the document: the number can be searched for.
    let mut made = None;
    let least = first_near(forecast, order.len(), |count| {
        let doc = compactor.cleaned_without(&clean, order.get(..count));
        let fits = exceeded_by(&doc).is_none();
        made = if fits { Some(doc) } else { made.take() };
        fits
    });
    made.unwrap_or_else(|| compactor.cleaned_without(&clean, order.get(..least)))
}

/// Returns the first number below `end` for which `is_met` is true, or `end` if there is none. It must be true for all
/// greater numbers too. The search begins at `near`, and goes away from it in growing steps.
fn first_near(near: usize, end: usize, mut is_met: impl FnMut(usize) -> bool) -> usize {
    let (mut first, mut met, mut step) = (0, end, 1);
    let mut next = near.min(end.saturating_sub(1));
    while first < met {
        if is_met(next) {
            met = next;
            next = met.saturating_sub(step).max(first.midpoint(met));
        } else {
            first = next + 1;
            next = (next + step).min(first.midpoint(met));
        }
        step *= 2;
    }
    met
}

/// Returns the smallest size in tokens that the scope can have without losing more than the policy allows: with the longest
/// bullets dropped. `None` if that size fits the budget.
pub(super) fn smallest_size(doc: &MemoryDoc, terms: &Terms<'_>) -> Option<usize> {
    let compactor = Compactor { old: doc, terms };
    let clean = compactor.cleaned(doc.clone());
    let order = compactor.in_order(&clean.doc, |bullet| Reverse(bullet.content().len()));
    let loses_little = |new: &MemoryDoc| Ledger::of(doc, new, terms.now).check_loss(terms).is_ok();
    let counts: Vec<usize> = (1..=order.len()).collect();
    let most = counts.partition_point(|count| loses_little(&compactor.cleaned_without(&clean, order.get(..*count))));
    let made = compactor.cleaned_without(&clean, order.get(..most));
    terms.budget.exceeded_by(&made, compactor.scope(&made)).map(|_| made.tokens_of(compactor.scope(&made)))
}

/// Returns the rank of each section that has a declared priority, itself or by a section around it. Rank 0 is dropped
/// first.
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

/// Removes each bullet from `dropped` that has a nested bullet which stays. `bullets` are in document order.
fn keep_parents<'d>(bullets: &[BulletRef<'d>], dropped: &mut HashSet<BulletRef<'d>>) {
    for bullet in bullets.iter().rev() {
        if let Some(parent) = bullet.parent().filter(|_| !dropped.contains(bullet)) {
            dropped.remove(&parent);
        }
    }
}

/// Iterates over the items of ordered lists, each with its number if that does not only count, and with its marker.
fn numbered_items(doc: &MemoryDoc) -> impl Iterator<Item = (BulletRef<'_>, Option<&str>, &str)> {
    let lists = Lists::new(doc);
    let items = doc.bullets().filter(|bullet| is_ordered(bullet.marker()));
    items.map(move |item| (item, lists.own_number(item), item.marker()))
}

/// Returns the document after the removals that are collected in `edit`. They cannot overlap, as each line is removed only
/// once.
fn result(doc: &MemoryDoc, edit: EditBuilder) -> MemoryDoc {
    edit.finish().map_or_else(|_| doc.clone(), |edit| edit.result(doc))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_that_is_met_is_found_wherever_the_search_begins() {
        for end in 0..40_usize {
            for (first, near) in (0..=end).flat_map(|first| (0..end + 3).map(move |near| (first, near))) {
                let mut asked = HashSet::new();
                let found = first_near(near, end, |number| {
                    assert!(number < end && asked.insert(number), "{number} is asked for again");
                    number >= first
                });
                assert_eq!(found, first, "below {end}, from {near}");
            }
        }
    }
}
