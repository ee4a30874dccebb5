//! The built-in compactor: deterministic, and without a model.
//!
//! It drops what has expired, duplicates, empty sections and runs of blank lines, again and again until nothing of it is left;
//! then, over budget, as few bullets as it takes, the oldest unpinned ones of the sections of lowest priority first. Nothing
//! is lost that somebody may still want:
//!
//! - Bullets are duplicates if they stand in the same section and block, below parents that say the same, with the same
//!   checkbox and the same tags but for protected ones: `- status: done` below two projects are two facts.
//! - Children of an expired bullet that have not expired themselves stay, and move up a level. A duplicate with children that
//!   its twin does not have stays, and over budget a bullet goes only after its children.
//! - Where the text without a bullet would be read otherwise, as where a comment `# …` in a child that moves up would become a
//!   heading, the bullet stays.
//! - Sections of no declared priority come after all that have one; a subsection has the priority of the nearest section
//!   around it that has one.
//! - A heading that carries an ID stays, although nothing stands below it.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use super::clauses::folded;
use super::kept::Terms;
use super::sayings::free_bullets;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::{BulletChanges, delete_sections};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::text::{Line, Lines, Span, Timestamp, fold_name, is_blank};

/// Returns the document with what `terms` are about compacted.
pub(super) fn compact(doc: &MemoryDoc, terms: &Terms<'_>) -> MemoryDoc {
    let compactor = Compactor { terms, start: terms.scope.start(), behind: doc.text().len() - terms.scope.end() };
    let clean = compactor.cleaned(doc.clone());
    if compactor.fits(&clean) {
        return clean;
    }
    let order = compactor.expendable(&clean);
    let without = |count: usize| {
        let gone: HashSet<_> = order.iter().take(count).copied().collect();
        compactor.cleaned(compactor.without(&clean, &gone))
    };
    // As few as it takes: sizes fall as bullets go.
    let (mut low, mut high) = (0, order.len());
    while low < high {
        let middle = low.midpoint(high);
        if compactor.fits(&without(middle)) { high = middle } else { low = middle + 1 }
    }
    without(low)
}

struct Compactor<'a> {
    terms: &'a Terms<'a>,
    /// Where the scope starts, and how much stands behind it: the rest of the document stays.
    start: usize,
    behind: usize,
}

impl Compactor<'_> {
    fn scope(&self, doc: &MemoryDoc) -> Span {
        Span::new(self.start, doc.text().len().saturating_sub(self.behind).max(self.start))
    }

    fn fits(&self, doc: &MemoryDoc) -> bool {
        self.terms.budget.exceeded_by(doc, self.scope(doc)).is_none()
    }

    /// Drops all that says nothing, until nothing of it is left.
    fn cleaned(&self, mut doc: MemoryDoc) -> MemoryDoc {
        loop {
            let before = doc.revision();
            doc = self.without(&doc, &self.droppable(&doc));
            doc = self.without_empty_sections(&doc);
            doc = self.without_blank_runs(&doc);
            if doc.revision() == before {
                return doc;
            }
        }
    }

    /// Iterates over the bullets that the compaction may look at.
    fn bullets<'d>(&self, doc: &'d MemoryDoc) -> impl Iterator<Item = BulletRef<'d>> + use<'d> {
        let scope = self.scope(doc);
        free_bullets(doc).filter(move |bullet| scope.contains(bullet.line.start()))
    }

    /// Returns the bullets that have expired, and duplicates.
    fn droppable<'d>(&self, doc: &'d MemoryDoc) -> HashSet<BulletRef<'d>> {
        let is_expired = |bullet: &BulletRef<'_>| !self.terms.protects(*bullet) && bullet.is_expired(self.terms.now);
        let bullets: Vec<_> = self.bullets(doc).collect();
        let mut gone: HashSet<_> = bullets.iter().copied().filter(is_expired).collect();
        let duplicates = self.duplicates(&bullets, &gone);
        // From the innermost: a duplicate goes only if nothing that stays is nested in it.
        let mut holding: HashSet<BulletRef<'_>> = HashSet::new();
        for bullet in bullets.into_iter().rev() {
            if duplicates.contains(&bullet) && !holding.contains(&bullet) {
                gone.insert(bullet);
            }
            if !gone.contains(&bullet) || holding.contains(&bullet) {
                holding.extend(bullet.parent());
            }
        }
        gone
    }

    /// Returns the bullets that say what another one says: a protected one, else the first. Those that are `gone` say nothing.
    fn duplicates<'d>(&self, bullets: &[BulletRef<'d>], gone: &HashSet<BulletRef<'d>>) -> HashSet<BulletRef<'d>> {
        let mut classes: HashMap<Class<'d>, usize> = HashMap::new();
        let mut class_of: HashMap<BulletRef<'d>, usize> = HashMap::new();
        let mut members: Vec<Vec<BulletRef<'d>>> = Vec::new();
        for bullet in bullets.iter().copied() {
            let parent = bullet.parent().and_then(|parent| class_of.get(&parent).copied());
            if gone.contains(&bullet) {
                // Its children move up.
                class_of.extend(parent.map(|parent| (bullet, parent)));
                continue;
            }
            let class = Class {
                section: bullet.section(),
                block: bullet.block(),
                parent,
                checkbox: bullet.checkbox().map(str::to_lowercase),
                tags: unprotected_tags(bullet),
                content: folded(&bullet.content()),
            };
            let next = members.len();
            // A bullet that says nothing says it alone.
            let class = if class.content.is_empty() { next } else { *classes.entry(class).or_insert(next) };
            class_of.insert(bullet, class);
            match members.get_mut(class) {
                Some(members) => members.push(bullet),
                None => members.push(vec![bullet]),
            }
        }
        members.iter().flat_map(|members| self.superfluous(members)).collect()
    }

    /// Returns which of some bullets that say the same may go: all but the protected ones, or but the first.
    fn superfluous<'d>(&self, same: &[BulletRef<'d>]) -> Vec<BulletRef<'d>> {
        let is_free = |bullet: &BulletRef<'_>| !self.terms.protects(*bullet);
        let kept = usize::from(same.iter().all(is_free));
        same.iter().copied().filter(is_free).skip(kept).collect()
    }

    /// Drops bullets. Children that stay move up a level; where that would make something else of what they say, or of what
    /// stands behind them, only the bullets go that take none along, or none at all.
    fn without(&self, doc: &MemoryDoc, gone: &HashSet<BulletRef<'_>>) -> MemoryDoc {
        if gone.is_empty() {
            return doc.clone();
        }
        let goes_whole = |bullet: &BulletRef<'_>| doc.bullets_within(bullet.extent).all(|inner| gone.contains(&inner));
        let (whole, lifting): (Vec<_>, Vec<_>) = gone.iter().copied().partition(goes_whole);
        let all = [&*whole, &*lifting].concat();
        removed(doc, all, &lifting).or_else(|| removed(doc, whole, &[])).unwrap_or_else(|| doc.clone())
    }

    fn without_empty_sections(&self, doc: &MemoryDoc) -> MemoryDoc {
        let required = &doc.policy().required_sections;
        let stays = |section: SectionRef<'_>| {
            let title = fold_name(section.title());
            section.block().is_some()
                || !is_blank(section.body.of(doc.text()))
                || required.iter().any(|name| fold_name(name) == title)
                || section.ancestors().any(|around| around.reserved_name().is_some())
                || self.terms.kept.lines.contains_key(section.line_text())
        };
        // A section that stays keeps those around it.
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
            // The section that is rewritten stays itself.
            let is_inside = is_whole || (scope.covers(section.extent) && section.extent.start() > scope.start());
            is_inside && !staying.contains(section) && section.parent().is_none_or(|parent| staying.contains(&parent))
        };
        let empty: Vec<_> = doc.sections().filter(goes).map(|section| (0, section)).collect();
        made(doc, |edit| drop(delete_sections(&empty, edit)))
    }

    /// Leaves one of each run of blank lines, where they mean nothing: not in fences, bullets, front matter and reserved
    /// sections.
    fn without_blank_runs(&self, doc: &MemoryDoc) -> MemoryDoc {
        let outline = doc.outline();
        let mut is_run = false;
        let scope = self.scope(doc);
        let below = Span::new(scope.start().max(outline.body_start()), scope.end());
        let is_superfluous = |line: &Line| {
            let at = line.full.start();
            let is_idle = is_blank(line.text.of(doc.text()))
                && !outline.is_fenced(at)
                && doc.bullet_at(at).is_none()
                && doc.reserved_section_at(at).is_none();
            std::mem::replace(&mut is_run, is_idle) && is_idle
        };
        let lines: Vec<Line> = Lines::within(doc.text(), below).filter(is_superfluous).collect();
        made(doc, |edit| {
            for line in lines {
                edit.replace(line.full, "", Promise::Lines);
            }
        })
    }

    /// Returns the bullets that may go to save room, in the order in which they go.
    fn expendable<'d>(&self, doc: &'d MemoryDoc) -> Vec<BulletRef<'d>> {
        let ranks = ranks(doc);
        let mut children: HashMap<BulletRef<'d>, usize> = HashMap::new();
        for parent in doc.bullets().filter_map(BulletRef::parent) {
            *children.entry(parent).or_default() += 1;
        }
        let may_go: HashSet<_> = self.bullets(doc).filter(|bullet| !self.terms.protects(*bullet)).collect();
        let entry = |bullet: BulletRef<'d>| {
            let rank = bullet.section().and_then(|section| ranks.get(&section).copied()).unwrap_or(usize::MAX);
            Reverse((rank, bullet.dated(), bullet))
        };
        let mut next: BinaryHeap<Reverse<(usize, Option<Timestamp>, BulletRef<'d>)>> =
            may_go.iter().copied().filter(|bullet| !children.contains_key(bullet)).map(entry).collect();
        let mut order = Vec::new();
        while let Some(Reverse((_, _, bullet))) = next.pop() {
            order.push(bullet);
            let Some(parent) = bullet.parent() else { continue };
            if let Some(count) = children.get_mut(&parent) {
                *count -= 1;
                if *count == 0 && may_go.contains(&parent) {
                    next.push(entry(parent));
                }
            }
        }
        order
    }
}

fn unprotected_tags(bullet: BulletRef<'_>) -> BTreeSet<String> {
    let is_free = |tag: &&str| !bullet.doc().policy().protects(tag);
    bullet.tags().into_iter().filter(is_free).map(str::to_owned).collect()
}

/// What bullets have in common that say the same at the same place.
#[derive(PartialEq, Eq, Hash)]
struct Class<'a> {
    section: Option<SectionRef<'a>>,
    block: Option<BlockRef<'a>>,
    parent: Option<usize>,
    checkbox: Option<String>,
    tags: BTreeSet<String>,
    content: String,
}

/// Returns the rank of each section that has a declared priority, or stands in one that has: lowest first.
fn ranks(doc: &MemoryDoc) -> HashMap<SectionRef<'_>, usize> {
    let declared: HashMap<_, _> =
        doc.policy().section_priority.iter().zip(0..).map(|(name, rank)| (fold_name(name), rank)).collect();
    let mut ranks: HashMap<SectionRef<'_>, usize> = HashMap::new();
    for section in doc.sections().filter(|_| !declared.is_empty()) {
        let names = [fold_name(section.title()), fold_name(&section.path())];
        let own = names.iter().find_map(|name| declared.get(name).copied());
        let rank = own.or_else(|| section.parent().and_then(|parent| ranks.get(&parent).copied()));
        ranks.extend(rank.map(|rank| (section, rank)));
    }
    ranks
}

/// Returns the document without some bullets, of which those that are `lifting` leave children behind; `None` if that would make
/// another node of a line that stays: a comment `# …` that moves up a level could become a heading.
fn removed<'d>(doc: &'d MemoryDoc, mut gone: Vec<BulletRef<'d>>, lifting: &[BulletRef<'d>]) -> Option<MemoryDoc> {
    let lifting: HashSet<_> = lifting.iter().collect();
    let mut changes = BulletChanges::new(doc);
    gone.sort_unstable();
    let (mut handled, mut count) = (0, 0);
    for bullet in &gone {
        if bullet.extent.start() < handled {
            // Its parent goes too. What stays of both is lifted step by step.
            continue;
        }
        handled = bullet.extent.end();
        if lifting.contains(bullet) {
            changes.remove_alone(0, *bullet);
            count += 1;
        } else {
            changes.remove(0, *bullet);
            count += doc.bullets_within(bullet.extent).count();
        }
    }
    let mut edit = EditBuilder::new(doc);
    edit.part(Part::new(PartStatus::Applied));
    changes.compose(&mut edit);
    let edit = edit.finish().ok()?;
    let made = MemoryDoc::with_rules(edit.apply_to(doc.text()), doc.rules().clone());
    let (old, new) = (doc.outline(), made.outline());
    let is_alike = new.bullets().len() + count == old.bullets().len()
        && new.sections().len() == old.sections().len()
        && new.blocks().len() == old.blocks().len()
        && new.fences().len() <= old.fences().len()
        && new.front_matter().is_some() == old.front_matter().is_some();
    is_alike.then_some(made)
}

/// Returns the document with the edit made. Overlaps cannot be: each part of it is removed once.
fn made(doc: &MemoryDoc, compose: impl FnOnce(&mut EditBuilder)) -> MemoryDoc {
    let mut edit = EditBuilder::new(doc);
    compose(&mut edit);
    let edit = edit.finish().unwrap_or_else(|_| Edit::nothing(doc));
    match edit.splices().is_empty() {
        true => doc.clone(),
        false => MemoryDoc::with_rules(edit.apply_to(doc.text()), doc.rules().clone()),
    }
}
