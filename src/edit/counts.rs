//! How many bullets an edit added, removed, changed and moved, told from its splices alone.

use serde::Serialize;

use super::Draft;
use super::carry::Carry;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, Tally};

/// What became of bullets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, derive_more::Add)]
#[non_exhaustive]
pub struct BulletCounts {
    /// Bullets that are new.
    pub added: usize,
    /// Bullets that are gone.
    pub removed: usize,
    /// Bullets whose text, tags or checkbox are others.
    pub changed: usize,
    /// Bullets that stand elsewhere, with the content they had.
    pub moved: usize,
}

impl BulletCounts {
    pub(super) fn new(draft: &Draft<'_>) -> Self {
        let mut counts = Self::default();
        let (mut gone, mut come) = (Vec::new(), Vec::new());
        let (carry, mut last_touched) = (Carry::of(draft), None);
        for (removed, written, _) in draft.splices() {
            let mut old: Vec<_> = marked_in(draft.old, removed);
            let mut new: Vec<_> = marked_in(&draft.new, written);
            cancel(&mut old, &mut new);
            if old.is_empty() && new.is_empty() {
                // Nothing starts here: the text of the bullet around it changes, if that stays.
                let stays = |bullet: &BulletRef<'_>| {
                    last_touched != Some(*bullet)
                        && carry.survivor(bullet.marker.start()).is_some_and(|at| begins(&draft.new, at))
                };
                let around = touched_around(draft.old, removed).filter(stays);
                let is_blank =
                    removed.of(draft.old.text()).trim().is_empty() && written.of(draft.new.text()).trim().is_empty();
                let now = || touched_around(&draft.new, Span::new(written.start(), written.start()));
                let is_behind = |bullet: &BulletRef<'_>| {
                    removed.is_empty() && now().is_some_and(|now| now.wording() == bullet.wording())
                };
                if let (Some(bullet), false) = (around.filter(|bullet| !is_behind(bullet)), is_blank) {
                    counts.changed += 1;
                    last_touched = Some(bullet);
                }
                continue;
            }
            let paired = old.len().min(new.len());
            counts.changed += paired;
            // More of its text may change behind its marker.
            last_touched = paired.checked_sub(1).and_then(|last| old.get(last).copied()).or(last_touched);
            gone.extend(old.into_iter().skip(paired).map(BulletRef::folded_content));
            come.extend(new.into_iter().skip(paired).map(BulletRef::folded_content));
        }
        if [draft.old, &draft.new].iter().any(|doc| !doc.outline().fences().is_empty()) {
            // What a fence takes in or lets out is not written.
            let is_gone = |at: usize| carry.survivor(at).is_some_and(|at| !begins(&draft.new, at));
            let is_come = |at: usize| carry.origin(at).is_some_and(|at| !begins(draft.old, at));
            let old = draft.parsed_of_old().flat_map(|span| draft.old.bullets_within(span));
            let new = draft.parsed_of_new().flat_map(|span| draft.new.bullets_within(span));
            gone.extend(old.filter(|bullet| is_gone(bullet.marker.start())).map(BulletRef::folded_content));
            come.extend(new.filter(|bullet| is_come(bullet.marker.start())).map(BulletRef::folded_content));
        }
        let mut left: Tally<&str> = gone.iter().map(|content| &**content).collect();
        counts.moved = come.iter().filter(|content| left.take(&***content)).count();
        counts.added = come.len() - counts.moved;
        counts.removed = gone.len() - counts.moved;
        counts
    }
}

/// Reports whether the marker of a bullet starts at a place.
fn begins(doc: &MemoryDoc, at: usize) -> bool {
    doc.bullet_at(at).is_some_and(|bullet| bullet.marker.start() == at)
}

/// Returns the bullets whose markers stand inside `span`.
fn marked_in(doc: &MemoryDoc, span: Span) -> Vec<BulletRef<'_>> {
    let from = doc.lines().start(doc.lines().index_at(span.start()));
    let bullets = doc.bullets_within(Span::new(from, span.end()));
    bullets.filter(|bullet| span.contains(bullet.marker.start())).collect()
}

/// Takes out of both lists the bullets that a splice writes as they were.
fn cancel(old: &mut Vec<BulletRef<'_>>, new: &mut Vec<BulletRef<'_>>) {
    fn text<'d>(bullet: &BulletRef<'d>) -> &'d str {
        bullet.line_text().trim_end()
    }
    let (mut before, mut after): (Tally<&str>, Tally<&str>) =
        (old.iter().map(text).collect(), new.iter().map(text).collect());
    old.retain(|bullet| !after.take(text(bullet)));
    new.retain(|bullet| !before.take(text(bullet)));
}

/// Returns the bullet whose text goes on at `span`.
fn touched_around(doc: &MemoryDoc, span: Span) -> Option<BulletRef<'_>> {
    // Above the first line, no text goes on.
    let at = if span.is_empty() { span.start().checked_sub(1)? } else { span.start() };
    doc.bullet_at(at)
}
