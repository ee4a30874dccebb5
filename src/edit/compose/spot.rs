//! Spots: where in a list a bullet is written.

use super::list::append_point;
use crate::document::{BulletId, MemoryDoc};
use crate::locate::{Counting, Scope, listed};
use crate::text::Span;

/// Where a bullet is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// Right before this one, as its sibling.
    Before(BulletId),
    /// Behind this one and all that belongs to it, as its sibling.
    After(BulletId),
    /// As the first child of this one.
    Under(BulletId),
    /// Into a section or block that has no bullet of its own.
    Into(Scope),
}

impl Spot {
    /// Returns the spot in `scope` at which a bullet has `place`, from 0, among the others; `moving` is not counted.
    pub(crate) fn at_place(doc: &MemoryDoc, scope: Scope, moving: Option<BulletId>, place: usize) -> Self {
        let others = others(doc, scope, moving);
        match place.checked_sub(1).and_then(|before| others.get(before)) {
            Some(before) => Self::After(*before),
            None => others
                .first()
                .filter(|id| is_direct(doc, scope, **id))
                .map_or_else(|| Self::into(doc, scope, moving), |first| Self::Before(*first)),
        }
    }

    /// Returns the spot behind the last bullet of `scope`; in a section, behind the last that belongs to no block.
    pub(crate) fn last(doc: &MemoryDoc, scope: Scope, moving: Option<BulletId>) -> Self {
        let last = others(doc, scope, moving).into_iter().rfind(|id| is_direct(doc, scope, *id));
        last.map_or_else(|| Self::into(doc, scope, moving), Self::After)
    }

    /// Returns the spot behind the last child of `parent`; `moving` is not counted.
    pub(crate) fn under(doc: &MemoryDoc, parent: BulletId, moving: Option<BulletId>) -> Self {
        let children: Vec<_> = doc.outline().children(parent).collect();
        let last = children.iter().rfind(|id| Some(**id) != moving).copied();
        // An only child stands there already.
        let only = moving.filter(|id| children.contains(id));
        last.or(only).map_or(Self::Under(parent), Self::After)
    }

    /// Returns the bullet whose child is written there.
    pub(crate) fn parent(self, doc: &MemoryDoc) -> Option<BulletId> {
        match self {
            Self::Before(sibling) | Self::After(sibling) => doc.outline().bullet(sibling)?.parent,
            Self::Under(parent) => Some(parent),
            Self::Into(_) => None,
        }
    }

    /// Returns how many places there are in `scope` for a bullet.
    pub(crate) fn places(doc: &MemoryDoc, scope: Scope, moving: Option<BulletId>) -> usize {
        others(doc, scope, moving).len() + 1
    }

    fn into(doc: &MemoryDoc, scope: Scope, moving: Option<BulletId>) -> Self {
        let only =
            moving.filter(|id| is_direct(doc, scope, *id) && listed(doc, scope, Counting::TopLevel).contains(id));
        only.map_or(Self::Into(scope), Self::After)
    }

    /// Returns the offset of the line behind which, or in whose place, the bullet is written.
    pub(super) fn offset(self, doc: &MemoryDoc) -> usize {
        let extent = |id: BulletId| doc.outline().bullet(id).map_or(Span::at(0), |bullet| bullet.extent);
        match self {
            Self::Before(id) => extent(id).start(),
            Self::After(id) | Self::Under(id) => extent(id).end(),
            Self::Into(scope) => append_point(doc, scope),
        }
    }
}

fn others(doc: &MemoryDoc, scope: Scope, moving: Option<BulletId>) -> Vec<BulletId> {
    let mut others = listed(doc, scope, Counting::TopLevel);
    others.retain(|id| Some(*id) != moving);
    others
}

/// Reports whether a bullet in a section belongs to no block that is only a part of the section.
fn is_direct(doc: &MemoryDoc, scope: Scope, id: BulletId) -> bool {
    let Scope::Section(section) = scope else { return true };
    let own = doc.outline().section(section).and_then(|section| section.block);
    doc.outline().bullet(id).is_some_and(|bullet| bullet.block == own)
}
