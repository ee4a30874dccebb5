//! New bullets: where they go, what number they bring, and whether they are there already.

use super::super::new_bullet::{NewBullet, tagged_alike, tags_taken};
use super::super::{Duplicate, Refusal};
use super::plan::{Planner, invalid, list_of, read};
use super::{Destination, ItemEdit, ItemOp, ItemPlace, NewItem};
use crate::document::{BulletRef, SectionRef};
use crate::edit::compose::Spot;
use crate::edit::{Part, PartStatus};
use crate::locate::{Counting, Found, Scope, Selector, listed};

/// With how many bullets of one content a new one is compared.
const COMPARED: usize = 16;

/// A bullet that the request inserts.
pub(super) struct Inserted<'a> {
    number: usize,
    list: Scope<'a>,
    new: NewBullet<'a>,
}

/// Where a bullet is to be inserted.
#[derive(Clone, Copy)]
struct Goal<'a, 'r> {
    /// The section or block that it would stand in.
    list: Scope<'a>,
    /// What the request says of the place, and within what.
    scope: Scope<'a>,
    to: &'r Destination,
}

impl<'a> Planner<'a> {
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
        let (list, warnings) = (Self::list_of(scope.at, spot.at), tags_taken(&made.item));
        let healed = [&*scope.healed, &*spot.healed, made.item.healed()].concat();
        let goal = Goal { list, scope: scope.at, to };
        let mut status = PartStatus::AlreadyApplied;
        if new.allow_duplicate || !self.is_there(number, &made, goal)? {
            status = PartStatus::Applied;
            self.claim_place(number, spot.at)?;
            self.written.push(Inserted { number, list, new: made.clone() });
            made.insert(&mut self.changes, number);
        }
        Ok(Part::new(status).with_healed(healed).with_warnings(warnings))
    }

    fn list_to_fill(&self, edit: &ItemEdit, to: &Destination) -> Result<Found<Scope<'a>>, Refusal> {
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
    fn list_of(scope: Scope<'a>, spot: Spot<'a>) -> Scope<'a> {
        match spot {
            Spot::Before(bullet) | Spot::After(bullet) | Spot::Under(bullet) if scope == Scope::Document => {
                list_of(bullet)
            }
            _ => scope,
        }
    }

    /// Reports whether the bullet is in its list, nested ones included, and will stay.
    ///
    /// # Errors
    ///
    /// It is, with other tags, or at another place than the one that is asked for.
    fn is_there(&self, number: usize, new: &NewBullet<'a>, goal: Goal<'a, '_>) -> Result<bool, Refusal> {
        let (list, to) = (goal.list, goal.to);
        let is_same = |bullet: &BulletRef<'a>| new.is_said_by(*bullet) && !self.changes.changes_content(*bullet);
        let alike = listed(self.doc(), list, Counting::Nested).into_iter().filter(is_same);
        let mut alike = alike.take(COMPARED).map(|bullet| self.duplicate(bullet, new, goal)).peekable();
        if let Some(first) = alike.peek().cloned() {
            let is_it = |duplicate: Duplicate| duplicate.is_tagged_alike() && duplicate.to.is_none();
            return if alike.any(is_it) { Ok(true) } else { Err(Refusal::DuplicateBullet(Box::new(first))) };
        }
        let is_twin = |other: &&Inserted<'_>| other.list == list && other.new.is_twin_of(new);
        let Some(twin) = self.written.iter().find(is_twin) else { return Ok(false) };
        let is_elsewhere = to.place.is_some() && twin.new.spot != new.spot;
        match tagged_alike(&new.item, &twin.new.item) && !is_elsewhere {
            true => Ok(true),
            false => Err(Refusal::InsertedTwice { first: twin.number, second: number }),
        }
    }

    /// Returns what would make the bullet that is there the one that is asked for.
    fn duplicate(&self, bullet: BulletRef<'a>, new: &NewBullet<'a>, goal: Goal<'a, '_>) -> Duplicate {
        let spot = || goal.to.spot(&self.names, goal.scope, Some(bullet));
        let is_elsewhere = goal.to.place.is_some() && !spot().is_ok_and(|spot| self.changes.stands_at(bullet, spot.at));
        let to = is_elsewhere.then(|| self.by_keys(bullet, new.spot, goal.to));
        Duplicate { to, ..new.duplicate_of(bullet) }
    }

    /// Returns a destination in words that hold for a bullet which is named by its key.
    fn by_keys(&self, bullet: BulletRef<'a>, spot: Spot<'a>, to: &Destination) -> Destination {
        let mut named = Destination { section: to.section.clone(), block: to.block.clone(), place: to.place.clone() };
        if named.section.is_none() && named.block.is_none() {
            named.block = bullet.block().map(|block| block.id().to_owned());
            let section = bullet.section().filter(|_| named.block.is_none());
            named.section = section.and_then(SectionRef::unique_name);
        }
        let by_key = |bullet: BulletRef<'_>| Selector::by_key(bullet.key().as_str());
        named.place = named.place.map(|place| match (place, spot) {
            (ItemPlace::Under(_), spot) => ItemPlace::Under(Box::new(spot.parent().map(by_key).unwrap_or_default())),
            (ItemPlace::Before(_), Spot::Before(sibling)) => ItemPlace::Before(Box::new(by_key(sibling))),
            (ItemPlace::After(_), Spot::After(sibling)) => ItemPlace::After(Box::new(by_key(sibling))),
            (place, _) => place,
        });
        named
    }
}
