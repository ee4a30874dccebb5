//! New bullets: where they go, what number they bring, and whether they are there already.

use super::super::new_bullet::{NewBullet, tagged_alike, tags_taken};
use super::super::{Duplicate, Refusal};
use super::plan::{Planner, invalid, part, read};
use super::{Destination, ItemEdit, ItemOp, ItemPlace, NewItem};
use crate::document::BulletId;
use crate::edit::compose::Spot;
use crate::edit::{Part, PartStatus};
use crate::locate::{Counting, Found, Scope, Selector, listed};

/// With how many bullets of one content a new one is compared.
const COMPARED: usize = 16;

/// A bullet that the request inserts.
pub(super) struct Inserted {
    number: usize,
    list: Scope,
    new: NewBullet,
}

/// How a bullet that is there differs from the one that is to be inserted.
struct Differs {
    tags: bool,
    place: bool,
}

impl Planner<'_> {
    pub(super) fn insert(
        &mut self,
        number: usize,
        edit: &ItemEdit,
        new: &NewItem,
        to: &Destination,
    ) -> Result<Part, Refusal> {
        let is_insert = matches!(edit.op, ItemOp::Insert { .. });
        if is_insert && !edit.target.names_no_bullet() {
            if let Some(error) = edit.target.block_by_key(self.doc()) {
                return Err(error.into());
            }
            let expected = "a section or block alone, the place goes into `to`";
            return Err(invalid("target", expected, "a selector of a bullet"));
        }
        let scope = self.list_to_fill(edit, to)?;
        let spot = to.spot(&self.names, scope.at, None)?;
        let made = NewBullet::read(&self.changes, spot.at, &new.text, |text, place| read(text, new, place))?;
        let (list, warnings) = (self.list_of(scope.at, spot.at), tags_taken(&made.item));
        let healed = [&*scope.healed, &*spot.healed, made.item.healed()].concat();
        let is_there = !new.allow_duplicate && self.is_there(number, &made, (list, scope.at, to))?;
        if !is_there {
            self.claim_place(number, spot.at)?;
            self.written.push(Inserted { number, list, new: made.clone() });
            made.insert(&mut self.changes, number);
        }
        Ok(part(!is_there, PartStatus::AlreadyApplied, healed).with_warnings(warnings))
    }

    fn list_to_fill(&self, edit: &ItemEdit, to: &Destination) -> Result<Found<Scope>, Refusal> {
        let outline = self.doc().outline();
        match to.scope(&self.names, &edit.target)? {
            Some(scope) => Ok(scope),
            None if to.is_by_bullet() || (outline.sections().is_empty() && outline.blocks().is_empty()) => {
                Ok(Found::exactly(Scope::Document))
            }
            None => Err(invalid("target", "the section or block to insert into", "neither")),
        }
    }

    /// Returns the section or block that a bullet at `spot` would stand in.
    fn list_of(&self, scope: Scope, spot: Spot) -> Scope {
        let (Spot::Before(id) | Spot::After(id) | Spot::Under(id)) = spot else { return scope };
        let bullet = self.doc().outline().bullet(id);
        let own = bullet.and_then(|b| b.block.map(Scope::Block).or_else(|| b.section.map(Scope::Section)));
        if scope == Scope::Document { own.unwrap_or(scope) } else { scope }
    }

    /// Reports whether the bullet is in its list, nested ones included, and will stay.
    ///
    /// # Errors
    ///
    /// It is, with other tags, or at another place than the one that is asked for.
    fn is_there(
        &self,
        number: usize,
        new: &NewBullet,
        (list, scope, to): (Scope, Scope, &Destination),
    ) -> Result<bool, Refusal> {
        let doc = self.doc();
        let is_same = |id: &BulletId| new.is_said_by(doc, *id) && !self.changes.changes_content(*id);
        let alike: Vec<_> = listed(doc, list, Counting::Nested).into_iter().filter(is_same).collect();
        let differs = alike.iter().take(COMPARED).map(|id| self.differs(*id, new, (scope, to))).collect::<Vec<_>>();
        if differs.iter().any(|differs| !differs.tags && !differs.place) {
            return Ok(true);
        }
        if let (Some(id), Some(differs)) = (alike.first(), differs.first()) {
            return Err(Refusal::DuplicateBullet(Box::new(self.duplicate(*id, new, (differs, to)))));
        }
        let is_twin = |other: &&Inserted| other.list == list && other.new.is_twin_of(new);
        let Some(twin) = self.written.iter().find(is_twin) else { return Ok(false) };
        let is_elsewhere = to.place.is_some() && twin.new.spot != new.spot;
        match tagged_alike(&new.item, &twin.new.item) && !is_elsewhere {
            true => Ok(true),
            false => Err(Refusal::InsertedTwice { first: twin.number, second: number }),
        }
    }

    fn differs(&self, id: BulletId, new: &NewBullet, (scope, to): (Scope, &Destination)) -> Differs {
        let (tag, untag) = new.other_tags(self.doc(), id);
        let stands_there =
            || to.spot(&self.names, scope, Some(id)).is_ok_and(|spot| self.changes.stands_at(id, spot.at));
        Differs { tags: !(tag.is_empty() && untag.is_empty()), place: to.place.is_some() && !stands_there() }
    }

    /// Returns what would make the bullet that is there the one that is asked for.
    fn duplicate(&self, id: BulletId, new: &NewBullet, (differs, to): (&Differs, &Destination)) -> Duplicate {
        let to = differs.place.then(|| self.by_keys(id, new.spot, to));
        Duplicate::of((self.doc(), id), new.other_tags(self.doc(), id), to)
    }

    /// Returns a destination in words that hold for a bullet which is named by its key.
    fn by_keys(&self, id: BulletId, spot: Spot, to: &Destination) -> Destination {
        let doc = self.doc();
        let bullet = doc.outline().bullet(id);
        let mut named = Destination { section: to.section.clone(), block: to.block.clone(), place: to.place.clone() };
        if named.section.is_none() && named.block.is_none() {
            named.block =
                bullet.and_then(|bullet| bullet.block).map(|block| doc.block_id(block).to_owned()).map(Into::into);
            let section = bullet.and_then(|bullet| bullet.section).filter(|_| named.block.is_none());
            named.section = section.and_then(|section| self.names.unique(section)).map(Into::into);
        }
        let by_key = |id: BulletId| Selector::by_key(doc.key(id).map(|key| key.to_string()).unwrap_or_default());
        named.place = named.place.map(|place| match (place, spot) {
            (ItemPlace::Under(_), spot) => ItemPlace::Under(Box::new(spot.parent(doc).map(by_key).unwrap_or_default())),
            (ItemPlace::Before(_), Spot::Before(sibling)) => ItemPlace::Before(Box::new(by_key(sibling))),
            (ItemPlace::After(_), Spot::After(sibling)) => ItemPlace::After(Box::new(by_key(sibling))),
            (place, _) => place,
        });
        named
    }
}
