//! Where a bullet goes: a place in the list of a section or block, or below another bullet.

use super::super::Refusal;
use crate::document::{BulletRef, SectionRef};
use crate::edit::compose::Spot;
use crate::locate::{
    Counting, Fix, Found, LocateError, Names, OutOfRange, Scope, SelectError, Selector, beyond_last, listed, place_of,
};
use crate::text::Size;

/// Where a bullet goes.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The section, by title or path. Default: that of the target.
    pub section: Option<String>,
    /// The block, by ID. Default: that of the target.
    pub block: Option<String>,
    /// The place in it. Default: behind all others; what is there already may stay where it is.
    pub place: Option<ItemPlace>,
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
    pub(super) fn scope<'a>(&self, names: &Names<'a>, target: &Selector) -> Result<Option<Found<Scope<'a>>>, Refusal> {
        let own = self.list();
        let list = if own.names_no_list() { target } else { &own };
        if list.names_no_list() {
            return Ok(None);
        }
        Ok(Some(list.scope(names, Scope::Document)?))
    }

    /// Reports whether it names the bullet beside or below which the other goes.
    pub(super) const fn is_by_bullet(&self) -> bool {
        matches!(self.place, Some(ItemPlace::Before(_) | ItemPlace::After(_) | ItemPlace::Under(_)))
    }

    /// Finds the spot in `scope`; `moving` is not counted.
    pub(super) fn spot<'a>(
        &self,
        names: &Names<'a>,
        scope: Scope<'a>,
        moving: Option<BulletRef<'a>>,
    ) -> Result<Found<Spot<'a>>, Refusal> {
        let doc = names.doc();
        let at = match &self.place {
            Some(ItemPlace::First) => Spot::at_place(doc, scope, moving, 0),
            Some(ItemPlace::Last) | None => Spot::last(doc, scope, moving),
            Some(ItemPlace::Index(index)) => {
                let places = Spot::places(doc, scope, moving);
                let place = place_of(doc, *index, places).map_err(|out| match out {
                    OutOfRange::Below => SelectError::BelowBase(*index, doc.policy().index_base.first()),
                    OutOfRange::Beyond => beyond_last(*index, listed(doc, scope, Counting::TopLevel).len()).into(),
                })?;
                Spot::at_place(doc, scope, moving, place)
            }
            Some(ItemPlace::Before(selector)) => {
                let found = self.beside(names, scope, "before", selector)?;
                return Ok(Found { at: Spot::Before(found.at), healed: found.healed });
            }
            Some(ItemPlace::After(selector)) => {
                let found = self.beside(names, scope, "after", selector)?;
                return Ok(Found { at: Spot::After(found.at), healed: found.healed });
            }
            Some(ItemPlace::Under(selector)) => {
                let found = self.beside(names, scope, "under", selector)?;
                return Ok(Found { at: Spot::under(found.at, moving), healed: found.healed });
            }
        };
        Ok(Found::exactly(at))
    }

    /// Finds the bullet that a place names; where it stands elsewhere, or there are several, the help names it by its key.
    fn beside<'a>(
        &self,
        names: &Names<'a>,
        scope: Scope<'a>,
        side: &'static str,
        selector: &Selector,
    ) -> Result<Found<BulletRef<'a>>, Refusal> {
        if selector.names_no_bullet() {
            return Err(Refusal::InvalidArgument {
                argument: "to",
                expected: "a bullet to go before, after or under",
                found: "a selector that names none".to_owned(),
            });
        }
        let mut error = match selector.find(names, scope) {
            Err(SelectError::Locate(error)) => error,
            other => return Ok(other?),
        };
        match &mut error {
            LocateError::Ambiguous { matches, .. } => matches.rephrase(|fix| match fix {
                Fix::UseKey(key) => Fix::Beside { section: self.section.clone(), block: self.block.clone(), side, key },
                other => other,
            }),
            LocateError::NotFound { help, .. } if names.may_help() => {
                let mut anywhere = selector.clone();
                (anywhere.section, anywhere.block) = (None, None);
                help.fix = anywhere.find(names, Scope::Document).ok().and_then(|found| elsewhere(found.at, side));
            }
            LocateError::NotFound { .. } | LocateError::TooCostly => {}
        }
        Err(error.into())
    }
}

/// Names a place beside a bullet together with the list that the bullet stands in.
fn elsewhere(bullet: BulletRef<'_>, side: &'static str) -> Option<Fix> {
    if bullet.doc().reserved_section_at(bullet.line.start()).is_some() {
        return None;
    }
    let block = bullet.block().map(|block| block.id().to_owned());
    let section = bullet.section().filter(|_| block.is_none()).and_then(SectionRef::unique_name);
    let is_named = block.is_some() || section.is_some();
    is_named.then(|| Fix::Beside { section, block, side, key: bullet.key().to_string() })
}
