//! Where a bullet goes: a place in the list of a section or block (SPEC § 9).

use super::super::Refusal;
use crate::document::BulletId;
use crate::edit::compose::Spot;
use crate::locate::{Found, Names, OutOfRange, Scope, SelectError, Selector, beyond_last, place_of};
use crate::text::Size;

/// Where a bullet goes.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The section, by title or path. Default: that of the target.
    pub section: Option<String>,
    /// The block, by ID. Default: that of the target.
    pub block: Option<String>,
    /// The place in it.
    pub place: ItemPlace,
}

impl std::fmt::Debug for Destination {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Destination")
            .field("section", &self.section.as_deref().map(Size))
            .field("block", &self.block.as_deref().map(Size))
            .field("place", &self.place)
            .finish()
    }
}

/// A place in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ItemPlace {
    /// Before all others.
    First,
    /// Behind all others.
    #[default]
    Last,
    /// The place with this index, counted afterwards.
    Index(i64),
    /// Before this bullet, as its sibling.
    Before(Box<Selector>),
    /// Behind this bullet, as its sibling.
    After(Box<Selector>),
}

impl Destination {
    /// Goes to a place of the target's list.
    pub fn at(place: ItemPlace) -> Self {
        Self { place, ..Self::default() }
    }

    /// Goes behind the last bullet of a section.
    pub fn in_section(name: impl Into<String>) -> Self {
        Self { section: Some(name.into()), ..Self::default() }
    }

    /// Goes behind the last bullet of a block.
    pub fn in_block(id: impl Into<String>) -> Self {
        Self { block: Some(id.into()), ..Self::default() }
    }

    fn list(&self) -> Selector {
        let mut list = Selector::default();
        list.section.clone_from(&self.section);
        list.block.clone_from(&self.block);
        list
    }

    /// Returns the list that it names itself, or `target` does; `None` if neither names one.
    pub(super) fn scope(&self, names: &Names<'_>, target: &Selector) -> Result<Option<Found<Scope>>, Refusal> {
        let own = self.list();
        let list = if own.names_no_list() { target } else { &own };
        if list.names_no_list() {
            return Ok(None);
        }
        Ok(Some(list.scope(names, Scope::Document)?))
    }

    /// Finds the spot in `scope`; `moving` is not counted.
    pub(super) fn spot(
        &self,
        names: &Names<'_>,
        scope: Scope,
        moving: Option<BulletId>,
    ) -> Result<Found<Spot>, Refusal> {
        let doc = names.doc();
        let sibling = |selector: &Selector| -> Result<_, Refusal> {
            if selector.names_no_bullet() {
                return Err(Refusal::InvalidArgument {
                    argument: "to",
                    expected: "a bullet to go before or after",
                    found: "a selector that names none".to_owned(),
                });
            }
            Ok(selector.find(names, scope)?)
        };
        let at = match &self.place {
            ItemPlace::First => Spot::at_place(doc, scope, moving, 0),
            ItemPlace::Last => Spot::last(doc, scope, moving),
            ItemPlace::Index(index) => {
                let places = Spot::places(doc, scope, moving);
                let place = place_of(doc, *index, places).map_err(|out| match out {
                    OutOfRange::Below => SelectError::BelowBase(*index, doc.policy().index_base.first()),
                    OutOfRange::Beyond => beyond_last(*index, places.saturating_sub(1)).into(),
                })?;
                Spot::at_place(doc, scope, moving, place)
            }
            ItemPlace::Before(selector) => {
                let found = sibling(selector)?;
                return Ok(Found { at: Spot::Before(found.at), healed: found.healed });
            }
            ItemPlace::After(selector) => {
                let found = sibling(selector)?;
                return Ok(Found { at: Spot::After(found.at), healed: found.healed });
            }
        };
        Ok(Found { at, healed: Vec::new() })
    }
}
