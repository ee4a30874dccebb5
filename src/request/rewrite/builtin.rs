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

use super::gate::Terms;
use super::sayings::{folded, free_bullets};
use crate::document::{BlockId, BulletId, MemoryDoc, SectionId};
use crate::edit::compose::{BulletChanges, delete_sections};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::text::{Lines, Span, Timestamp, fold_name, is_blank};

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
    fn bullets<'d>(&self, doc: &'d MemoryDoc) -> impl Iterator<Item = BulletId> + 'd {
        let scope = self.scope(doc);
        let starts_inside =
            move |id: &BulletId| doc.outline().bullet(*id).is_some_and(|bullet| scope.contains(bullet.line.start()));
        free_bullets(doc).filter(starts_inside)
    }

    /// Returns the bullets that have expired, and duplicates.
    fn droppable(&self, doc: &MemoryDoc) -> HashSet<BulletId> {
        let is_expired = |id: &BulletId| !self.terms.protects(doc, *id) && doc.is_expired(*id, self.terms.now);
        let bullets: Vec<_> = self.bullets(doc).collect();
        let mut gone: HashSet<_> = bullets.iter().copied().filter(is_expired).collect();
        let duplicates = self.duplicates(doc, &bullets, &gone);
        // From the innermost: a duplicate goes only if nothing that stays is nested in it.
        let mut holding: HashSet<BulletId> = HashSet::new();
        for id in bullets.into_iter().rev() {
            if duplicates.contains(&id) && !holding.contains(&id) {
                gone.insert(id);
            }
            if !gone.contains(&id) || holding.contains(&id) {
                holding.extend(doc.outline().bullet(id).and_then(|bullet| bullet.parent));
            }
        }
        gone
    }

    /// Returns the bullets that say what another one says: a protected one, else the first. Those that are `gone` say nothing.
    fn duplicates(&self, doc: &MemoryDoc, bullets: &[BulletId], gone: &HashSet<BulletId>) -> HashSet<BulletId> {
        let mut classes: HashMap<Class, usize> = HashMap::new();
        let mut class_of: HashMap<BulletId, usize> = HashMap::new();
        let mut members: Vec<Vec<BulletId>> = Vec::new();
        for id in bullets.iter().copied() {
            let Some(bullet) = doc.outline().bullet(id) else { continue };
            let parent = bullet.parent.and_then(|parent| class_of.get(&parent).copied());
            if gone.contains(&id) {
                // Its children move up.
                class_of.extend(parent.map(|parent| (id, parent)));
                continue;
            }
            let class = Class {
                list: (bullet.section, bullet.block),
                parent,
                checkbox: bullet.checkbox.map(|checkbox| checkbox.of(doc.text()).to_lowercase()),
                tags: self.unprotected_tags(doc, id),
                content: folded(&doc.content(id)),
            };
            let next = members.len();
            // A bullet that says nothing says it alone.
            let class = if class.content.is_empty() { next } else { *classes.entry(class).or_insert(next) };
            class_of.insert(id, class);
            match members.get_mut(class) {
                Some(members) => members.push(id),
                None => members.push(vec![id]),
            }
        }
        members.iter().flat_map(|members| self.superfluous(doc, members)).collect()
    }

    fn unprotected_tags(&self, doc: &MemoryDoc, id: BulletId) -> BTreeSet<String> {
        doc.tags(id).into_iter().filter(|tag| !doc.policy().protects(tag)).map(str::to_owned).collect()
    }

    /// Returns which of some bullets that say the same may go: all but the protected ones, or but the first.
    fn superfluous(&self, doc: &MemoryDoc, same: &[BulletId]) -> Vec<BulletId> {
        let is_free = |id: &BulletId| !self.terms.protects(doc, *id);
        let kept = usize::from(same.iter().all(is_free));
        same.iter().copied().filter(is_free).skip(kept).collect()
    }

    /// Drops bullets. Children that stay move up a level; where that would make something else of what they say, or of what
    /// stands behind them, only the bullets go that take none along, or none at all.
    fn without(&self, doc: &MemoryDoc, gone: &HashSet<BulletId>) -> MemoryDoc {
        if gone.is_empty() {
            return doc.clone();
        }
        let goes_whole = |id: &BulletId| {
            let extent = doc.outline().bullet(*id).map_or(Span::at(0), |bullet| bullet.extent);
            doc.outline().bullets_within(extent).all(|inner| gone.contains(&inner))
        };
        let (whole, lifting): (Vec<_>, Vec<_>) = gone.iter().copied().partition(goes_whole);
        let all = [&*whole, &*lifting].concat();
        removed(doc, all, &lifting).or_else(|| removed(doc, whole, &[])).unwrap_or_else(|| doc.clone())
    }

    fn without_empty_sections(&self, doc: &MemoryDoc) -> MemoryDoc {
        let outline = doc.outline();
        let required = &doc.policy().required_sections;
        let stays = |id: SectionId| {
            let Some(section) = outline.section(id) else { return true };
            let title = fold_name(doc.section_title(id));
            section.block.is_some()
                || !is_blank(section.body.of(doc.text()))
                || required.iter().any(|name| fold_name(name) == title)
                || outline.ancestors(id).any(|ancestor| doc.reserved_name_of(ancestor).is_some())
                || self.terms.kept.lines.contains_key(section.line.of(doc.text()).trim_end_matches(['\r', '\n']))
        };
        // A section that stays keeps those around it.
        let mut staying: HashSet<SectionId> = HashSet::new();
        for id in outline.section_ids().rev() {
            if staying.contains(&id) || stays(id) {
                staying.extend(outline.section(id).and_then(|section| section.parent));
                staying.insert(id);
            }
        }
        let scope = self.scope(doc);
        let is_whole = scope == doc.span();
        let goes = |id: &SectionId| {
            let section = outline.section(*id).filter(|_| !staying.contains(id));
            section.is_some_and(|section| {
                // The section that is rewritten stays itself.
                let is_inside = is_whole || (scope.covers(section.extent) && section.extent.start() > scope.start());
                is_inside && section.parent.is_none_or(|parent| staying.contains(&parent))
            })
        };
        let empty: Vec<_> = outline.section_ids().filter(goes).map(|id| (0, id)).collect();
        if empty.is_empty() {
            return doc.clone();
        }
        let mut edit = EditBuilder::new(doc);
        delete_sections(doc, &empty, &mut edit);
        made(doc, edit)
    }

    /// Leaves one of each run of blank lines, where they mean nothing: not in fences, bullets, front matter and reserved
    /// sections.
    fn without_blank_runs(&self, doc: &MemoryDoc) -> MemoryDoc {
        let mut edit = EditBuilder::new(doc);
        let outline = doc.outline();
        let mut is_run = false;
        let scope = self.scope(doc);
        for line in Lines::within(doc.text(), Span::new(scope.start().max(outline.body_start()), scope.end())) {
            let at = line.full.start();
            let is_idle = is_blank(line.text.of(doc.text()))
                && !outline.is_fenced(at)
                && outline.bullet_at(at).is_none()
                && doc.reserved_section_at(at).is_none();
            if is_idle && is_run {
                edit.replace(line.full, "", Promise::Lines);
            }
            is_run = is_idle;
        }
        made(doc, edit)
    }

    /// Returns the bullets that may go to save room, in the order in which they go.
    fn expendable(&self, doc: &MemoryDoc) -> Vec<BulletId> {
        let outline = doc.outline();
        let ranks = ranks(doc);
        let mut children: HashMap<BulletId, usize> = HashMap::new();
        for id in outline.bullets_within(doc.span()) {
            if let Some(parent) = outline.bullet(id).and_then(|bullet| bullet.parent) {
                *children.entry(parent).or_default() += 1;
            }
        }
        let may_go: HashSet<_> = self.bullets(doc).filter(|id| !self.terms.protects(doc, *id)).collect();
        let entry = |id: BulletId| {
            let section = outline.bullet(id).and_then(|bullet| bullet.section);
            let rank = section.and_then(|section| ranks.get(&section).copied()).unwrap_or(usize::MAX);
            Reverse((rank, doc.dated(id), id))
        };
        let mut next: BinaryHeap<Reverse<(usize, Option<Timestamp>, BulletId)>> =
            may_go.iter().copied().filter(|id| !children.contains_key(id)).map(entry).collect();
        let mut order = Vec::new();
        while let Some(Reverse((_, _, id))) = next.pop() {
            order.push(id);
            let Some(parent) = outline.bullet(id).and_then(|bullet| bullet.parent) else { continue };
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

/// What bullets have in common that say the same at the same place.
#[derive(PartialEq, Eq, Hash)]
struct Class {
    list: (Option<SectionId>, Option<BlockId>),
    parent: Option<usize>,
    checkbox: Option<String>,
    tags: BTreeSet<String>,
    content: String,
}

/// Returns the rank of each section that has a declared priority, or stands in one that has: lowest first.
fn ranks(doc: &MemoryDoc) -> HashMap<SectionId, usize> {
    let declared: HashMap<_, _> =
        doc.policy().section_priority.iter().zip(0..).map(|(name, rank)| (fold_name(name), rank)).collect();
    let mut ranks: HashMap<SectionId, usize> = HashMap::new();
    for id in doc.outline().section_ids().filter(|_| !declared.is_empty()) {
        let names = [fold_name(doc.section_title(id)), fold_name(&doc.section_path(id))];
        let own = names.iter().find_map(|name| declared.get(name).copied());
        let parent = doc.outline().section(id).and_then(|section| section.parent);
        let rank = own.or_else(|| parent.and_then(|parent| ranks.get(&parent).copied()));
        ranks.extend(rank.map(|rank| (id, rank)));
    }
    ranks
}

/// Returns the document without some bullets, of which those that are `lifting` leave children behind; `None` if that would make
/// another node of a line that stays: a comment `# …` that moves up a level could become a heading.
fn removed(doc: &MemoryDoc, mut gone: Vec<BulletId>, lifting: &[BulletId]) -> Option<MemoryDoc> {
    let lifting: HashSet<_> = lifting.iter().collect();
    let mut changes = BulletChanges::new(doc);
    gone.sort_unstable();
    let (mut handled, mut count) = (0, 0);
    for id in &gone {
        let extent = doc.outline().bullet(*id).map_or(Span::at(0), |bullet| bullet.extent);
        if extent.start() < handled {
            // Its parent goes too. What stays of both is lifted step by step.
            continue;
        }
        handled = extent.end();
        if lifting.contains(id) {
            changes.remove_alone(0, *id);
            count += 1;
        } else {
            changes.remove(0, *id);
            count += doc.outline().bullets_within(extent).count();
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
fn made(doc: &MemoryDoc, edit: EditBuilder) -> MemoryDoc {
    let edit = edit.finish().unwrap_or_else(|_| Edit::nothing(doc));
    match edit.splices().is_empty() {
        true => doc.clone(),
        false => MemoryDoc::with_rules(edit.apply_to(doc.text()), doc.rules().clone()),
    }
}
