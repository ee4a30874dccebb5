//! Planning: every edit is located in the document as it was seen; then all are composed together.

use super::super::bullet_plan::{BulletPlan, PlanParts};
use super::super::claims::Claim;
use super::super::{Argument, Refusal, RequestError, View};
use super::find::Care;
use super::planner::{Planner, list_of, named_tags, read, written_tags};
use super::spot::{between_owners, has_owner_of};
use super::{Annotation, Children, Destination, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::document::{BulletRef, PINNED, end_of, is_lifetime};
use crate::edit::compose::{Mark, Spot, Tags};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::{Counting, Found, Scope, listed, place_of};
use crate::text::{Content, Lines, Timestamp};

pub(super) fn plan(items: &Items, view: &View<'_>) -> Result<Edit, RequestError> {
    if items.edits.is_empty() {
        return Err(Refusal::invalid(Argument::Edits, "at least one edit", "none").into());
    }
    let mut planner =
        Planner { bullets: BulletPlan::new(view.doc, items.edits.len())?, known: view.known, now: view.now };
    let mut order: Vec<_> = items.edits.iter().enumerate().collect();
    order.sort_by_cached_key(|(_, edit)| planner.is_addition(edit));
    let parts = planner.parts(&order)?;
    let mut edit = EditBuilder::new(view.doc);
    planner.bullets.compose(parts.into_iter().map(|(_, part)| part), &mut edit);
    Ok(edit.finish()?)
}

impl<'a> PlanParts<'a> for Planner<'a> {
    type Asked = ItemEdit;

    fn bullets(&mut self) -> &mut BulletPlan<'a> {
        &mut self.bullets
    }

    fn part(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
        match edit.count {
            Some(count) if count != 1 => self.counted(number, edit, count),
            _ => self.one(number, edit),
        }
    }
}

impl<'a> Planner<'a> {
    /// Plans an edit of one bullet.
    pub(super) fn one(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
        match &edit.op {
            ItemOp::Insert { item, to } => self.insert(number, edit, item, to),
            ItemOp::Update { item } => {
                let found = self.find(edit, Care::Needed)?;
                self.update(number, found, item)
            }
            ItemOp::Upsert { item, to } => self.upsert(number, edit, item, to),
            ItemOp::Delete { children } => {
                let found = self.find(edit, Care::Needed)?;
                self.delete(number, found, *children)
            }
            ItemOp::Reorder { to } => self.reorder(number, edit, to),
            ItemOp::Tag { tags } => self.tag(number, edit, tags),
            ItemOp::Untag { tags } => self.untag(number, edit, tags),
            ItemOp::Annotate(annotation) => self.annotate(number, edit, annotation),
        }
    }

    /// Returns true if an edit writes a new bullet: that is compared with what will be there, and so planned last.
    fn is_addition(&self, edit: &ItemEdit) -> bool {
        match edit.op {
            ItemOp::Insert { .. } => true,
            ItemOp::Upsert { .. } => !self.is_there_to_update(edit),
            _ => false,
        }
    }

    fn is_there_to_update(&self, edit: &ItemEdit) -> bool {
        let find = || edit.target.find(self.names(), Scope::Document);
        !edit.target.names_no_bullet() && self.names().without_help(find).is_ok()
    }

    fn tag(&mut self, number: usize, edit: &ItemEdit, tags: &[Content]) -> Result<Part, Refusal> {
        let (found, tags) = (self.find(edit, Care::NotNeeded)?, written_tags(tags)?);
        self.bullets.claim_tags(number, found.at, &tags)?;
        let mut own = Tags::of(found.at);
        own.add(&tags);
        let own: Vec<_> = own.iter().collect();
        let end = tags.iter().any(|tag| is_lifetime(tag)).then(|| end_of(&own)).flatten();
        let expired = self.expired(found.at, end);
        Ok(self.bullets.mark(number, found, &Mark::Add(tags)).with_warnings(expired))
    }

    fn untag(&mut self, number: usize, edit: &ItemEdit, tags: &[Content]) -> Result<Part, Refusal> {
        let (found, tags) = (self.find(edit, Care::NotNeeded)?, named_tags(tags)?);
        self.bullets.claim_tags(number, found.at, &tags)?;
        Ok(self.bullets.mark(number, found, &Mark::Remove(tags)))
    }

    fn annotate(&mut self, number: usize, edit: &ItemEdit, annotation: &Annotation) -> Result<Part, Refusal> {
        let expiry = if let Annotation::SetTtl(expiry) = annotation { Some(expiry) } else { None };
        if let Some(nothing) = expiry.filter(|expiry| expiry.is_nothing()) {
            return Err(Refusal::invalid(Argument::Lifetime, "a duration of more than 0", format!("`{nothing}`")));
        }
        let (found, now) = (self.find(edit, Care::NotNeeded)?, self.now);
        let (claim, mark) = match annotation {
            Annotation::Check => (Claim::Checkbox, Mark::Check),
            Annotation::Uncheck => (Claim::Checkbox, Mark::Uncheck),
            Annotation::Pin => (Claim::Pin, Mark::Add(vec![PINNED.to_owned()])),
            Annotation::Unpin => (Claim::Pin, Mark::Unpin),
            Annotation::SetTtl(expiry) => (Claim::Lifetime, Mark::Add(expiry.tags(now))),
            Annotation::ClearTtl => (Claim::Lifetime, Mark::ClearLifetime),
        };
        self.bullets.claim(number, found.at, claim)?;
        let expired = self.expired(found.at, expiry.map(|expiry| expiry.end(now)));
        Ok(self.bullets.mark(number, found, &mark).with_warnings(expired))
    }

    /// Warns of an end that has passed already.
    fn expired(&self, bullet: BulletRef<'_>, end: Option<Timestamp>) -> Option<Warning> {
        let is_pinned = || bullet.is_pinned_with_parents();
        end.filter(|end| *end <= self.now).map(|end| Warning::Expired { end, is_pinned: is_pinned() })
    }

    fn update(&mut self, number: usize, found: Found<BulletRef<'a>>, new: &NewItem) -> Result<Part, Refusal> {
        self.bullets.update(number, found, &new.text, |text, place| read(text, new, place))
    }

    fn delete(&mut self, number: usize, found: Found<BulletRef<'a>>, children: Children) -> Result<Part, Refusal> {
        if children == Children::Refuse {
            return self.bullets.delete(number, found);
        }
        self.bullets.claim(number, found.at, Claim::Whole)?;
        match children {
            Children::Keep => {
                let spot = Spot::Before(found.at);
                found.at.children().try_for_each(|child| self.check_number(child, spot))?;
                self.bullets.changes.remove_alone(number, found.at);
            }
            Children::Refuse | Children::Delete => self.bullets.changes.remove(number, found.at),
        }
        Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
    }

    fn reorder(&mut self, number: usize, edit: &ItemEdit, to: &Destination) -> Result<Part, Refusal> {
        let found = self.find(edit, Care::NotNeeded)?;
        let spot = self.spot_of(edit, found.at, to)?;
        if spot.at.is_inside(found.at) {
            let is_under_itself = matches!(to.place, Some(ItemPlace::Under(_))) && spot.at.parent() == Some(found.at);
            let named = if is_under_itself { "that bullet itself" } else { "one of its own children" };
            return Err(Refusal::invalid(Argument::Place, "a place outside the bullet that is moved", named));
        }
        self.check_number(found.at, spot.at)?;
        self.bullets.check_fence(spot.at)?;
        self.claim_neighbor(number, to, spot.at)?;
        self.bullets.claim(number, found.at, Claim::Place)?;
        let lines = Lines::within(self.doc().text(), found.at.extent).count();
        self.bullets.indent(lines, spot.at.indentation())?;
        let status = self.bullets.changes.move_to(number, found.at, spot.at);
        let healed = [found.healed, spot.healed].concat();
        Ok(Part::new(status).with_healed(healed))
    }

    /// Refuses a list in which the number of a bullet would be lost, or in which it would have none.
    fn check_number(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> Result<(), Refusal> {
        match self.bullets.changes.may_come(bullet, spot) {
            true => Ok(()),
            false => {
                let expected =
                    "a list that counts, or none that does, on both sides: numbers are part of what such a list says";
                Err(Refusal::invalid(Argument::Place, expected, format!("`{}` in another", bullet.marker())))
            }
        }
    }

    /// Finds the spot that a bullet which moves goes to.
    fn spot_of(&self, edit: &ItemEdit, bullet: BulletRef<'a>, to: &Destination) -> Result<Found<Spot<'a>>, Refusal> {
        // Without a list a place is one in the bullet's own; a bullet that is named may stand anywhere.
        if to.section.is_some() || to.block.is_some() {
            let scope = to.scope(self.names(), &edit.target)?.unwrap_or_else(|| Found::exactly(list_of(bullet)));
            return Ok(to.spot(self.names(), scope.at, Some(bullet))?.behind(scope.healed));
        }
        if to.is_by_bullet() {
            return to.spot(self.names(), Scope::Document, Some(bullet));
        }
        self.spot_among_siblings(bullet, to).map(Found::exactly)
    }

    /// Returns the spot that a place without a list names: among the bullets that have the owner of the one that moves.
    fn spot_among_siblings(&self, bullet: BulletRef<'a>, to: &Destination) -> Result<Spot<'a>, Refusal> {
        let mut others = match bullet.parent() {
            Some(parent) => parent.children().collect(),
            None => listed(self.doc(), list_of(bullet), Counting::TopLevel),
        };
        others.retain(|other| *other != bullet && other.section() == bullet.section());
        let is_own = |other: &BulletRef<'a>| has_owner_of(*other, bullet);
        let before = match to.place {
            Some(ItemPlace::First) => None,
            Some(ItemPlace::Index(index)) => {
                // An index counts the whole list of the section or block; it may not lead to another label.
                let place = place_of(self.doc(), index, others.len() + 1)
                    .map_err(|out| out.error(self.doc(), index, others.len()))?;
                let before = place.checked_sub(1).and_then(|before| others.get(before)).copied();
                let is_there = before.iter().chain(others.get(place)).all(is_own);
                if !is_there {
                    return Err(between_owners(&others));
                }
                before
            }
            _ => others.iter().copied().rfind(is_own),
        };
        let first = others.iter().copied().find(is_own).map_or(Spot::After(bullet), Spot::Before);
        Ok(before.map_or(first, Spot::After))
    }

    fn upsert(&mut self, number: usize, edit: &ItemEdit, item: &NewItem, to: &Destination) -> Result<Part, Refusal> {
        if edit.target.names_no_bullet() {
            return self.insert(number, edit, item, to);
        }
        match edit.target.find(self.names(), Scope::Document) {
            Ok(_) => {
                let found = self.find(edit, Care::Needed)?;
                self.update(number, found, item)
            }
            Err(error) if error.is_absence() => match edit.target.likeness(self.names()) {
                Some(error) => Err(error.into()),
                None => self.insert(number, edit, item, to),
            },
            Err(error) => Err(error.into()),
        }
    }
}
