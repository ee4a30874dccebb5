//! The spot that a destination names.

use super::super::{Argument, Refusal};
use super::{Destination, ItemPlace};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{Spot, competing_labels};
use crate::locate::{Code, Fix, Found, LocateError, Names, Relation, Scope, SelectError, Selector, listed, place_of};

use crate::text::Content;

impl Destination {
    /// Returns the list that it names itself, or `target` does; `None` if neither names one.
    pub(super) fn scope<'a>(&self, names: &Names<'a>, target: &Selector) -> Result<Option<Found<Scope<'a>>>, Refusal> {
        let mut list = Selector::default();
        let named = if self.names_list() { (&self.section, &self.block) } else { (&target.section, &target.block) };
        (list.section, list.block) = (named.0.clone(), named.1.clone());
        if list.names_no_list() { Ok(None) } else { Ok(Some(list.scope(names, Scope::Document)?)) }
    }

    /// Finds the spot in `scope`; `moving` is not counted.
    pub(super) fn spot<'a>(
        &self,
        names: &Names<'a>,
        scope: Scope<'a>,
        moving: Option<BulletRef<'a>>,
    ) -> Result<Found<Spot<'a>>, Refusal> {
        let doc = names.doc();
        let beside = |side, selector| self.beside(names, scope, side, selector);
        let at = match &self.place {
            Some(ItemPlace::Before(selector)) => return Ok(beside(Relation::Before, selector)?.map(Spot::Before)),
            Some(ItemPlace::After(selector)) => return Ok(beside(Relation::After, selector)?.map(Spot::After)),
            Some(ItemPlace::Under(selector)) => {
                return Ok(beside(Relation::Under, selector)?.map(|bullet| Spot::under(bullet, moving)));
            }
            Some(ItemPlace::First) => {
                if scope == Scope::Document {
                    check_labels(doc, scope)?;
                }
                Spot::at_place(doc, scope, moving, 0)
            }
            Some(ItemPlace::Last) | None => {
                check_labels(doc, scope)?;
                Spot::last(doc, scope, moving)
            }
            Some(ItemPlace::Index(index)) => {
                let places = Spot::places(doc, scope, moving);
                let place = place_of(doc, *index, places, listed(doc, scope).len())?;
                check_border(doc, scope, moving, place)?;
                Spot::at_place(doc, scope, moving, place)
            }
        };
        Ok(Found::exactly(at))
    }

    /// Finds the bullet that a place names; where there are several, the help names each by its key.
    fn beside<'a>(
        &self,
        names: &Names<'a>,
        scope: Scope<'a>,
        side: Relation,
        selector: &Selector,
    ) -> Result<Found<BulletRef<'a>>, Refusal> {
        if selector.names_no_bullet() {
            let expected = "a bullet to go before, after or under";
            return Err(Refusal::invalid(Argument::Place, expected, "a selector that names none"));
        }
        let mut error = match selector.find(names, scope) {
            Err(SelectError::Locate(error)) => error,
            Ok(found) if !scope.span(names.doc()).covers(found.at.line) => return Err(different_lists()),
            other => return Ok(other?),
        };
        match &mut error {
            LocateError::Ambiguous { matches, .. } => matches.rephrase(|fix| match fix {
                Fix::UseKey(key) => {
                    Some(Fix::Beside { section: self.section.clone(), block: self.block.clone(), side, key })
                }
                other => Some(other),
            }),
            LocateError::NotFound { help, .. } => help.fix = None,
        }
        Err(error.into())
    }
}

/// The refusal of a place that is named by two lists, neither of which stands in the other.
pub(super) fn different_lists() -> Refusal {
    Refusal::impossible(Code::InvalidArguments, "the target and the place of the bullet name different lists")
}

/// Refuses to append to a section of which several labels own all bullets.
fn check_labels(doc: &MemoryDoc, scope: Scope<'_>) -> Result<(), Refusal> {
    let labels: Vec<_> = competing_labels(doc, scope).into_iter().map(|label| label.name().into()).collect();
    if labels.is_empty() { Ok(()) } else { Err(Refusal::needs_anchor(labels)) }
}

/// Refuses a place by index between two bullets of different labels or blocks: nothing says which owns what is written there.
fn check_border(doc: &MemoryDoc, scope: Scope<'_>, moving: Option<BulletRef<'_>>, place: usize) -> Result<(), Refusal> {
    let mut list = listed(doc, scope);
    list.retain(|bullet| Some(*bullet) != moving);
    let before = place.checked_sub(1).and_then(|before| list.get(before));
    match before.zip(list.get(place)) {
        Some((before, behind)) if !has_owner_of(*before, *behind) => Err(between_owners(&[*before, *behind])),
        _ => Ok(()),
    }
}

/// Reports whether two bullets stand in one section, in one block and below one label.
pub(super) fn has_owner_of(bullet: BulletRef<'_>, other: BulletRef<'_>) -> bool {
    let owners = |bullet: BulletRef<'_>| {
        (bullet.section().map(|at| at.line), bullet.block().map(|at| at.line), bullet.label().map(|at| at.line))
    };
    owners(bullet) == owners(other)
}

/// Refuses a place among bullets of several labels or blocks, and names these.
pub(super) fn between_owners(bullets: &[BulletRef<'_>]) -> Refusal {
    let owner = |bullet: &BulletRef<'_>| {
        let label = bullet.label().map(|label| label.name().into());
        label.or_else(|| bullet.block().map(|block| block.id().into()))
    };
    let mut owners: Vec<Content> = bullets.iter().filter_map(owner).collect();
    owners.dedup();
    Refusal::needs_anchor(owners)
}
