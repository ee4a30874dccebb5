//! What an edit leaves as it is, where it is: of that nothing can be lost, whatever else is compared.

use std::borrow::Cow;

use super::sayings::free_bullets;
use crate::document::{BlockRef, BulletRef};
use crate::edit::{Carry, Draft};

/// The bullets of a text that an edit leaves as they are, in the block that they stood in.
pub(super) struct Unmoved<'a> {
    /// Of each bullet of the old text, what it is in the new one.
    now: Vec<Option<BulletRef<'a>>>,
    carry: Carry<'a>,
}

impl<'a> Unmoved<'a> {
    pub(super) fn of(draft: &'a Draft<'a>) -> Self {
        let carry = Carry::of(draft);
        let there: Vec<BulletRef<'a>> = free_bullets(&draft.new).collect();
        let now = |old: BulletRef<'a>| {
            let start = carry.survivor(old.line.start())?;
            let at = there.binary_search_by_key(&start, |new| new.line.start()).ok()?;
            there.get(at).copied().filter(|new| is_alike(old, *new))
        };
        Self { now: draft.old.bullets().map(now).collect(), carry }
    }

    /// Returns where the byte at `offset` of the old text stands.
    pub(super) fn survivor(&self, offset: usize) -> Option<usize> {
        self.carry.survivor(offset)
    }

    /// Reports whether a bullet of the old text is there.
    pub(super) fn holds(&self, old: BulletRef<'_>) -> bool {
        self.now(old).is_some()
    }

    /// Reports whether it is there below those that it was nested in.
    pub(super) fn holds_in_place(&self, old: BulletRef<'_>) -> bool {
        let above = old.ancestors().map(|above| self.now(above));
        self.now(old).is_some_and(|new| above.eq(new.ancestors().map(Some)))
    }

    fn now(&self, old: BulletRef<'_>) -> Option<BulletRef<'a>> {
        self.now.get(old.index()).copied().flatten()
    }
}

fn is_alike(old: BulletRef<'_>, new: BulletRef<'_>) -> bool {
    // What a bullet says follows from its lines: where they are the same, it need not be put together. The first, with the marker, is:
    // a text that is rewritten differs by whole lines.
    let is_same = old.extent.of(old.doc().text()) == new.extent.of(new.doc().text());
    old.block().map(BlockRef::id) == new.block().map(BlockRef::id) && (is_same || said(old) == said(new))
}

/// Returns the checkbox, the tags and the content.
fn said(bullet: BulletRef<'_>) -> (&str, Cow<'_, str>) {
    (bullet.marks().of(bullet.doc().text()), bullet.content())
}
