//! New bullets: where they go, what number they bring, and whether they are there already.

use super::super::new_bullet::{Addition, NewBullet, tags_taken};
use super::super::{Argument, BulletRefusal, Duplicate, Refusal};
use super::planner::{Planner, list_of, read};
use super::{Destination, ItemEdit, ItemOp, ItemPlace, NewItem};
use crate::document::{BulletRef, SectionRef};
use crate::edit::compose::Spot;
use crate::edit::{Part, PartStatus};
use crate::locate::{Found, Scope, Selector};

/// What the request says of the place of a bullet, and within what.
#[derive(Clone, Copy)]
struct Goal<'a, 'r> {
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
            return Err(Refusal::invalid(Argument::List, "a section or block alone", "a selector of a bullet"));
        }
        let scope = self.list_to_fill(edit, to)?;
        let spot = to.spot(self.names(), scope.at, None)?;
        let made = NewBullet::read(&self.bullets.changes, spot.at, &new.text, |text, place| read(text, new, place))?;
        let healed = [&*scope.healed, &*spot.healed, made.item.healed()].concat();
        let part = Part::new(PartStatus::AlreadyApplied).with_healed(healed).with_warnings(tags_taken(&made.item));
        let (list, goal) = (Self::list_of(scope.at, spot.at), Goal { scope: scope.at, to });
        let addition = Addition { part: number, list, new: made, is_placed: to.place.is_some() };
        let duplicate = |bullet| self.duplicate(bullet, &addition.new, goal);
        if !new.allow_duplicate && addition.is_there(&self.bullets.additions, &self.bullets.changes, duplicate)? {
            return Ok(part);
        }
        let warning = self.bullets.add(addition)?;
        Ok(Part { status: PartStatus::Applied, ..part }.with_warnings(warning))
    }

    fn list_to_fill(&self, edit: &ItemEdit, to: &Destination) -> Result<Found<Scope<'a>>, Refusal> {
        let (outline, is_insert) = (self.doc().outline(), matches!(edit.op, ItemOp::Insert { .. }));
        match to.scope(self.names(), &edit.target)? {
            // Which list a bullet stands in that it goes beside, that one says.
            Some(scope) if is_insert && !edit.target.names_no_list() && !to.is_by_bullet() => {
                let around = edit.target.scope(self.names(), Scope::Document)?.at.span(self.doc());
                let list = Destination { place: None, ..to.clone() };
                let is_in_it = around.covers(scope.at.span(self.doc()));
                if is_in_it { Ok(scope) } else { Err(BulletRefusal::TwoLists { list: Box::new(list) }.into()) }
            }
            Some(scope) => Ok(scope),
            None if to.is_by_bullet() || (outline.sections().is_empty() && outline.blocks().is_empty()) => {
                Ok(Found::exactly(Scope::Document))
            }
            None => Err(Refusal::invalid(Argument::Bullet, "the section or block to insert into", "neither")),
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

    /// Returns what would make the bullet that is there the one that is asked for.
    fn duplicate(&self, bullet: BulletRef<'a>, new: &NewBullet<'a>, goal: Goal<'a, '_>) -> Duplicate {
        let mut to = goal.to.clone();
        let found = |to: &Destination| to.spot(self.names(), goal.scope, Some(bullet)).ok().map(|spot| spot.at);
        // The last place that one more would have is beyond those that there are: what is there has it at the end.
        if matches!(to.place, Some(ItemPlace::Index(_))) && found(&to).is_none() {
            to.place = Some(ItemPlace::Last);
        }
        // Beside another bullet is beside it whichever moves there.
        let spot = || match (&to.place, new.spot.parent()) {
            (Some(ItemPlace::Before(_) | ItemPlace::After(_)), _) => Some(new.spot),
            (Some(ItemPlace::Under(_)), Some(parent)) => Some(Spot::under(parent, Some(bullet))),
            _ => found(&to),
        };
        let is_elsewhere =
            to.place.is_some() && !spot().is_some_and(|spot| self.bullets.changes.stands_at(bullet, spot));
        let to = is_elsewhere.then(|| Self::by_keys(bullet, new.spot, to));
        Duplicate { to, ..new.duplicate_of(bullet) }
    }

    /// Returns a destination in words that hold for a bullet which is named by its key.
    pub(super) fn by_keys(bullet: BulletRef<'a>, spot: Spot<'a>, mut named: Destination) -> Destination {
        if named.section.is_none() && named.block.is_none() {
            named.block = bullet.block().map(|block| block.id().into());
            let section = bullet.section().filter(|_| named.block.is_none());
            named.section = section.and_then(SectionRef::asked_name).map(Into::into);
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
