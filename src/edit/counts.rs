//! How many bullets an edit added, removed, changed and moved, told from its splices alone.

use std::collections::HashMap;

use serde::Serialize;

use super::draft::Draft;
use crate::document::{BulletId, MemoryDoc};
use crate::text::Span;

/// What became of bullets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
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
        let mut gone: HashMap<String, usize> = HashMap::new();
        let mut come: Vec<String> = Vec::new();
        let mut last_touched = None;
        for (removed, written, _) in draft.splices() {
            let mut old: Vec<_> = lines(draft.old, removed);
            let mut new: Vec<_> = lines(&draft.new, written);
            cancel(draft, &mut old, &mut new);
            if old.is_empty() && new.is_empty() {
                // Nothing starts here: the text of the bullet around it changes.
                let around = touched_around(draft.old, removed).filter(|bullet| last_touched != Some(*bullet));
                let is_blank =
                    removed.of(draft.old.text()).trim().is_empty() && written.of(draft.new.text()).trim().is_empty();
                if let (Some(bullet), false) = (around, is_blank) {
                    counts.changed += 1;
                    last_touched = Some(bullet);
                }
                continue;
            }
            let paired = old.len().min(new.len());
            counts.changed += paired;
            for bullet in old.into_iter().skip(paired) {
                *gone.entry(draft.old.folded_content(bullet).into_owned()).or_default() += 1;
            }
            come.extend(new.into_iter().skip(paired).map(|bullet| draft.new.folded_content(bullet).into_owned()));
        }
        for content in come {
            match gone.get_mut(&content).filter(|count| **count > 0) {
                Some(count) => {
                    *count -= 1;
                    counts.moved += 1;
                }
                None => counts.added += 1,
            }
        }
        counts.removed = gone.values().sum();
        counts
    }
}

impl BulletCounts {
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            added: self.added + other.added,
            removed: self.removed + other.removed,
            changed: self.changed + other.changed,
            moved: self.moved + other.moved,
        }
    }
}

/// Returns the bullets whose markers stand inside `span`.
fn lines(doc: &MemoryDoc, span: Span) -> Vec<BulletId> {
    let has_marker =
        |id: &BulletId| doc.outline().bullet(*id).is_some_and(|bullet| span.contains(bullet.marker.start()));
    let from = doc.lines().start(doc.lines().index_at(span.start()));
    doc.outline().bullets_within(Span::new(from, span.end())).filter(has_marker).collect()
}

/// Takes out of both lists the bullets that a splice writes as they were.
fn cancel(draft: &Draft<'_>, old: &mut Vec<BulletId>, new: &mut Vec<BulletId>) {
    let line = |doc: &'_ MemoryDoc, id: BulletId| {
        doc.outline().bullet(id).map_or("", |bullet| bullet.line.of(doc.text())).trim_end().to_owned()
    };
    let mut kept: HashMap<String, usize> = HashMap::new();
    for id in old.iter() {
        *kept.entry(line(draft.old, *id)).or_default() += 1;
    }
    let mut same: HashMap<String, usize> = HashMap::new();
    new.retain(|id| {
        let text = line(&draft.new, *id);
        match kept.get_mut(&text).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                *same.entry(text).or_default() += 1;
                false
            }
            None => true,
        }
    });
    old.retain(|id| match same.get_mut(&line(draft.old, *id)).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
}

/// Returns the bullet whose text goes on at `span`.
fn touched_around(doc: &MemoryDoc, span: Span) -> Option<BulletId> {
    let at = if span.is_empty() { span.start().saturating_sub(1) } else { span.start() };
    doc.outline().bullet_at(at)
}
