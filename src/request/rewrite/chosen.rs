//! [`Chosen`]: some of the bullets of a document.

use crate::document::{BulletRef, MemoryDoc};

/// Some of the bullets of a document.
pub(super) struct Chosen {
    // Invariant: one for each bullet of the document, and `count` of them are chosen.
    is_chosen: Vec<bool>,
    count: usize,
}

impl Chosen {
    /// Returns none of the bullets.
    pub(super) fn none(doc: &MemoryDoc) -> Self {
        Self { is_chosen: vec![false; doc.outline().bullets().len()], count: 0 }
    }

    /// Returns these of the bullets.
    pub(super) fn of<'d>(doc: &MemoryDoc, bullets: impl IntoIterator<Item = BulletRef<'d>>) -> Self {
        let mut chosen = Self::none(doc);
        bullets.into_iter().for_each(|bullet| chosen.add(bullet));
        chosen
    }

    pub(super) fn add(&mut self, bullet: BulletRef<'_>) {
        if let Some(is_chosen) = self.is_chosen.get_mut(bullet.index()) {
            self.count += usize::from(!std::mem::replace(is_chosen, true));
        }
    }

    pub(super) fn has(&self, bullet: BulletRef<'_>) -> bool {
        self.is_chosen.get(bullet.index()) == Some(&true)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Iterates over them, in the order of the document that they are of.
    pub(super) fn iter<'d>(&self, doc: &'d MemoryDoc) -> impl Iterator<Item = BulletRef<'d>> {
        doc.bullets().filter(|bullet| self.has(*bullet))
    }
}
