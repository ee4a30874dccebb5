//! Where a bullet goes: a place in the list of a section or block, or below another bullet.

use crate::locate::Selector;
use crate::text::Content;

/// Where a bullet goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The section, by title or path. Default: that of the target.
    pub section: Option<Content>,
    /// The block, by ID. Default: that of the target.
    pub block: Option<Content>,
    /// The place in it. Default: behind all others; what is there already may stay where it is.
    pub place: Option<ItemPlace>,
}

/// A place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemPlace {
    /// Before all others.
    First,
    /// Behind all others.
    Last,
    /// The place that has this index afterwards, if nothing else changes.
    Index(i64),
    /// Before this bullet, as its sibling.
    Before(Box<Selector>),
    /// Behind this bullet, as its sibling.
    After(Box<Selector>),
    /// Below this bullet, as the last of its children.
    Under(Box<Selector>),
}

impl Destination {
    /// Goes to a place of the target's list.
    pub fn at(place: ItemPlace) -> Self {
        Self { place: Some(place), ..Self::default() }
    }

    /// Goes behind the last bullet of a section.
    pub fn in_section(name: impl Into<Content>) -> Self {
        Self { section: Some(name.into()), ..Self::default() }
    }

    /// Returns true if it is below a bullet.
    pub(super) const fn is_under(&self) -> bool {
        matches!(self.place, Some(ItemPlace::Under(_)))
    }

    /// Reports whether it names the bullet beside or below which the other goes.
    pub(super) const fn is_by_bullet(&self) -> bool {
        matches!(self.place, Some(ItemPlace::Before(_) | ItemPlace::After(_) | ItemPlace::Under(_)))
    }
}
