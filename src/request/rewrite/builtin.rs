//! The built-in compactor: deterministic, and without a model.
//!
//! It drops what has expired, duplicates, empty sections and runs of blank lines, again and again until nothing of it is left;
//! then, over budget, bullets that somebody may still want, as `room.rs` chooses them. Else nothing is lost:
//!
//! - Bullets are duplicates as `twins.rs` says.
//! - A bullet below which something stays does not go: neither one that has expired, of which its children would say something
//!   else by themselves, nor a duplicate with children that its twin does not have.
//! - Where the text without bullets would be read otherwise, they stay.
//! - A heading that carries an ID stays, although nothing stands below it.

use std::collections::{HashMap, HashSet};

use super::chosen::Chosen;
use super::kept::Terms;
use super::sayings::free_bullets;
use super::twins::Twins;
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::compose::{BulletChanges, arrange_sections};
use crate::edit::{Draft, Edit, EditBuilder, Part, PartStatus, Promise};
use crate::text::{Line, Lines, Span, fold_name, is_blank};

/// What drops what says nothing in a document.
pub(super) struct Compactor<'a> {
    terms: &'a Terms<'a>,
    /// Where the scope starts, and how much stands behind it: the rest of the document stays.
    start: usize,
    behind: usize,
}

/// A document in which nothing is left to drop that says nothing.
pub(super) struct Clean {
    pub(super) doc: MemoryDoc,
    /// No bullet has expired or says what another one says; else they could not go as they stand.
    is_settled: bool,
}

impl<'a> Compactor<'a> {
    pub(super) fn new(doc: &MemoryDoc, terms: &'a Terms<'a>) -> Self {
        Self { terms, start: terms.scope.start(), behind: doc.text().len() - terms.scope.end() }
    }
}

impl Compactor<'_> {
    pub(super) fn scope(&self, doc: &MemoryDoc) -> Span {
        Span::new(self.start, doc.text().len().saturating_sub(self.behind).max(self.start))
    }

    pub(super) fn protects(&self, bullet: BulletRef<'_>) -> bool {
        self.terms.protects(bullet)
    }

    /// Drops all that says nothing, until nothing of it is left.
    pub(super) fn cleaned(&self, mut doc: MemoryDoc) -> Clean {
        loop {
            let before = doc.revision();
            let spare = self.spare(&doc);
            let is_settled = spare.expired.is_empty() && spare.repeated.is_empty();
            doc = self.without_spare_lines(self.without(&doc, &spare.droppable()));
            if is_settled || doc.revision() == before {
                return Clean { doc, is_settled };
            }
        }
    }

    /// Drops some bullets, children before their parents, and what then says nothing.
    pub(super) fn cleaned_without(&self, clean: &Clean, gone: &[BulletRef<'_>]) -> MemoryDoc {
        let made = self.without(&clean.doc, &Chosen::of(&clean.doc, gone.iter().copied()));
        // Where bullets only go, none expires and none comes to say what another one says.
        if clean.is_settled { self.without_spare_lines(made) } else { self.cleaned(made).doc }
    }

    /// Drops empty sections and runs of blank lines, until there are none.
    fn without_spare_lines(&self, mut doc: MemoryDoc) -> MemoryDoc {
        loop {
            let before = doc.revision();
            doc = self.without_blank_runs(&self.without_empty_sections(&doc));
            if doc.revision() == before {
                return doc;
            }
        }
    }

    /// Iterates over the bullets that the compaction may look at.
    pub(super) fn bullets<'d>(&self, doc: &'d MemoryDoc) -> impl Iterator<Item = BulletRef<'d>> + use<'d> {
        let scope = self.scope(doc);
        free_bullets(doc).filter(move |bullet| scope.contains(bullet.line.start()))
    }

    /// Returns the bullets that say nothing that anybody still wants.
    fn spare<'d>(&self, doc: &'d MemoryDoc) -> Spare<'d> {
        let is_expired = |bullet: &BulletRef<'_>| !self.protects(*bullet) && bullet.is_expired(self.terms.now);
        let bullets: Vec<_> = self.bullets(doc).collect();
        let expired = Chosen::of(doc, bullets.iter().copied().filter(is_expired));
        let gone = whole(doc, &bullets, |bullet| expired.has(bullet));
        let repeated = Chosen::of(doc, self.duplicates(doc, &bullets, &gone));
        Spare { doc, bullets, expired, repeated }
    }

    /// Returns the bullets that say what another one says: a protected one, else the first. Those that are `gone`, with all that is
    /// nested in them, say nothing.
    fn duplicates<'d>(&self, doc: &'d MemoryDoc, bullets: &[BulletRef<'d>], gone: &Chosen) -> Vec<BulletRef<'d>> {
        let staying = || bullets.iter().copied().filter(|bullet| !gone.has(*bullet));
        let twins = Twins::among(doc, staying());
        let mut same: HashMap<usize, Vec<BulletRef<'d>>> = HashMap::new();
        for (bullet, first) in staying().filter_map(|bullet| Some((bullet, twins.first(bullet)?))) {
            same.entry(first).or_default().push(bullet);
        }
        same.values().flat_map(|members| self.superfluous(members)).collect()
    }

    /// Returns which of some bullets that say the same may go: all but the protected ones, or but the first.
    fn superfluous<'d>(&self, same: &[BulletRef<'d>]) -> Vec<BulletRef<'d>> {
        let is_free = |bullet: &BulletRef<'_>| !self.terms.protects(*bullet);
        let kept = usize::from(same.iter().all(is_free));
        same.iter().copied().filter(is_free).skip(kept).collect()
    }

    /// Drops bullets below which nothing stays; where that would make something else of what stands behind them, none.
    pub(super) fn without(&self, doc: &MemoryDoc, gone: &Chosen) -> MemoryDoc {
        let made = if gone.is_empty() { None } else { removed(doc, gone.iter(doc)) };
        made.unwrap_or_else(|| doc.clone())
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
        made(doc, |edit| arrange_sections(doc, &empty, Vec::new(), edit))
    }

    /// Leaves one of each run of blank lines, where they mean nothing: not in fences, bullets, front matter and reserved
    /// sections.
    fn without_blank_runs(&self, doc: &MemoryDoc) -> MemoryDoc {
        let outline = doc.outline();
        let mut above = None;
        let scope = self.scope(doc);
        let below = Span::new(scope.start().max(outline.body_start()), scope.end());
        let is_idle =
            |at: usize| !outline.is_fenced(at) && doc.bullet_at(at).is_none() && doc.reserved_section_at(at).is_none();
        let is_superfluous = |line: &Line| {
            let blank = is_blank(line.text.of(doc.text())).then_some(line.full.start());
            let run = std::mem::replace(&mut above, blank).zip(blank);
            run.is_some_and(|(above, at)| is_idle(above) && is_idle(at))
        };
        let lines: Vec<Line> = Lines::within(doc.text(), below).filter(is_superfluous).collect();
        made(doc, |edit| {
            for line in lines {
                edit.replace(line.full, "", Promise::Lines);
            }
        })
    }
}

/// Bullets that say nothing that anybody still wants, among all that the compaction may look at.
struct Spare<'d> {
    doc: &'d MemoryDoc,
    bullets: Vec<BulletRef<'d>>,
    expired: Chosen,
    repeated: Chosen,
}

impl Spare<'_> {
    /// Returns those that may go.
    fn droppable(self) -> Chosen {
        whole(self.doc, &self.bullets, |bullet| self.expired.has(bullet) || self.repeated.has(bullet))
    }
}

/// Returns which of the bullets that may go have nothing nested in them that stays. They are given in the order of the document.
fn whole<'d>(doc: &'d MemoryDoc, bullets: &[BulletRef<'d>], may_go: impl Fn(BulletRef<'d>) -> bool) -> Chosen {
    let (mut gone, mut holding) = (Chosen::none(doc), Chosen::none(doc));
    // From the innermost.
    for bullet in bullets.iter().rev().copied() {
        if may_go(bullet) && !holding.has(bullet) {
            gone.add(bullet);
        } else {
            bullet.parent().into_iter().for_each(|parent| holding.add(parent));
        }
    }
    gone
}

/// Returns the document without some bullets and all that is nested in them; `None` if that would make another node of a line that
/// stays. They are given in the order of the document.
fn removed<'d>(doc: &'d MemoryDoc, gone: impl Iterator<Item = BulletRef<'d>>) -> Option<MemoryDoc> {
    let mut changes = BulletChanges::new(doc);
    let (mut handled, mut count) = (0, 0);
    for bullet in gone {
        if bullet.extent.start() < handled {
            // It goes with its parent.
            continue;
        }
        handled = bullet.extent.end();
        changes.remove(0, bullet);
        count += doc.bullets_within(bullet.extent).count();
    }
    let mut edit = EditBuilder::new(doc);
    edit.part(Part::new(PartStatus::Applied));
    changes.compose(&mut edit);
    let edit = edit.finish().ok()?;
    let made = Draft::new(doc, &edit).new;
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
    if edit.splices().is_empty() { doc.clone() } else { Draft::new(doc, &edit).new }
}
