//! Planning: every edit is located in the document as it was seen; then all are composed together.

use super::super::bullet_plan::{BulletPlan, PlanParts};
use super::super::claims::Claim;
use super::super::{Argument, Refusal, RequestError, View};
use super::find::Care;
use super::planner::{Planner, list_of, named_tags, read, written_tags};
use super::{Annotation, Children, Destination, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::document::{BulletRef, end_of, is_attribute, is_lifetime};
use crate::edit::compose::{Mark, Spot};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::{Found, Scope};
use crate::text::{Content, Lines, Timestamp, sort_by_key};

pub(super) fn plan(items: &Items, view: &View<'_>) -> Result<Edit, RequestError> {
    if items.edits.is_empty() {
        return Err(Refusal::invalid(Argument::Edits, "at least one edit", "none").into());
    }
    let mut planner = Planner { bullets: BulletPlan::new(view.doc, items.edits.len())?, now: view.now };
    let mut order: Vec<_> = items.edits.iter().enumerate().collect();
    order.sort_by_cached_key(|(_, edit)| planner.turn(edit));
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
}

impl<'a> Planner<'a> {
    /// Returns when an edit has its turn, so that several on one bullet come to the same whatever their order: its text, then
    /// the tags that go, then those that come. What is inserted is compared with what will be there: so last.
    fn turn(&self, edit: &ItemEdit) -> usize {
        match edit.op {
            ItemOp::Update { .. } => 0,
            ItemOp::Upsert { .. } if self.is_there_to_update(edit) => 0,
            ItemOp::Untag { .. } => 1,
            ItemOp::Tag { .. } | ItemOp::Annotate(_) => 2,
            ItemOp::Delete { .. } | ItemOp::Reorder { .. } => 3,
            ItemOp::Upsert { .. } | ItemOp::Insert { .. } => 4,
        }
    }

    fn is_there_to_update(&self, edit: &ItemEdit) -> bool {
        let find = || edit.target.find(self.names(), Scope::Document);
        !edit.target.names_no_bullet() && self.names().without_help(find).is_ok()
    }

    /// Adds tags. A lifetime takes the place of the one that is there, as [`SetTtl`](Annotation::SetTtl) has it.
    fn tag(&mut self, number: usize, edit: &ItemEdit, tags: &[Content]) -> Result<Part, Refusal> {
        let (found, tags) = (self.find(edit, Care::NotNeeded)?, written_tags(tags)?);
        self.claim(number, found.at, Claim::Tag(tags.clone()))?;
        let says_lifetime = tags.iter().any(|tag| is_lifetime(tag));
        if says_lifetime {
            // Once for a bullet: its own tags, which may be many, are read for it.
            self.claim(number, found.at, Claim::Annotate)?;
        }
        if !says_lifetime || !found.at.tags().into_iter().any(is_lifetime) {
            let expired = self.expired(found.at, end_of(&tags));
            return Ok(self.mark(number, found, Mark::Add(tags)).with_warnings(expired));
        }
        let (lifetime, others) = lifetime_of(found.at, tags);
        let expired = self.expired(found.at, end_of(&lifetime));
        if !lifetime.is_empty() {
            self.bullets.changes.mark(number, found.at, Mark::Keep(lifetime));
        }
        let part = match others.is_empty() {
            true => Part::new(PartStatus::Applied).with_healed(found.healed),
            false => self.mark(number, found, Mark::Add(others)),
        };
        Ok(part.with_warnings(expired))
    }

    fn untag(&mut self, number: usize, edit: &ItemEdit, tags: &[Content]) -> Result<Part, Refusal> {
        let (found, tags) = (self.find(edit, Care::NotNeeded)?, named_tags(tags)?);
        self.claim(number, found.at, Claim::Untag(tags.clone()))?;
        Ok(self.mark(number, found, Mark::Remove(tags)))
    }

    fn annotate(&mut self, number: usize, edit: &ItemEdit, annotation: &Annotation) -> Result<Part, Refusal> {
        let expiry = if let Annotation::SetTtl(expiry) = annotation { Some(expiry) } else { None };
        if let Some(nothing) = expiry.filter(|expiry| expiry.is_nothing()) {
            return Err(Refusal::invalid(Argument::Lifetime, "a duration of more than 0", format!("`{nothing}`")));
        }
        let (found, now) = (self.find(edit, Care::NotNeeded)?, self.now);
        self.claim(number, found.at, Claim::Annotate)?;
        let mark = match annotation {
            Annotation::Pin => Mark::Pin,
            Annotation::Unpin => Mark::Unpin,
            Annotation::SetTtl(expiry) => Mark::Keep(expiry.tags(now)),
            Annotation::ClearTtl => Mark::KeepForever,
        };
        let expired = self.expired(found.at, expiry.map(|expiry| expiry.end(now)));
        Ok(self.mark(number, found, mark).with_warnings(expired))
    }

    /// Warns of an end that has passed already.
    fn expired(&self, bullet: BulletRef<'_>, end: Option<Timestamp>) -> Option<Warning> {
        let is_pinned = || bullet.is_pinned_with_parents();
        end.filter(|end| *end <= self.now).map(|end| Warning::Expired { end, is_pinned: is_pinned() })
    }

    /// Marks a bullet. What becomes of it is told when all marks are made.
    fn mark(&mut self, number: usize, found: Found<BulletRef<'a>>, mark: Mark) -> Part {
        self.bullets.changes.mark(number, found.at, mark);
        Part::new(PartStatus::Applied).with_healed(found.healed)
    }

    fn claim(&mut self, number: usize, bullet: BulletRef<'a>, claim: Claim) -> Result<(), Refusal> {
        self.bullets.claim(number, bullet, claim)
    }

    fn update(&mut self, number: usize, found: Found<BulletRef<'a>>, new: &NewItem) -> Result<Part, Refusal> {
        self.bullets.update(number, found, &new.text, |text, place| read(text, new, place))
    }

    fn delete(&mut self, number: usize, found: Found<BulletRef<'a>>, children: Children) -> Result<Part, Refusal> {
        if children == Children::Refuse {
            return self.bullets.delete(number, found);
        }
        self.claim(number, found.at, Claim::Delete)?;
        match children {
            Children::Keep => self.bullets.changes.remove_alone(number, found.at),
            Children::Delete | Children::Refuse => self.bullets.changes.remove(number, found.at),
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
        self.bullets.claim_move(number, found.at, spot.at.parent())?;
        let lines = Lines::within(self.doc().text(), found.at.extent).count();
        self.bullets.indent(lines, spot.at.indentation())?;
        let status = self.bullets.changes.move_to(number, found.at, spot.at);
        let healed = [found.healed, spot.healed].concat();
        Ok(Part::new(status).with_healed(healed))
    }

    /// Finds the spot that a bullet which moves goes to.
    pub(super) fn spot_of(
        &self,
        edit: &ItemEdit,
        bullet: BulletRef<'a>,
        to: &Destination,
    ) -> Result<Found<Spot<'a>>, Refusal> {
        let named = to.scope(self.names(), &edit.target)?;
        let scope = named.unwrap_or_else(|| Found::exactly(list_of(bullet)));
        // A sibling that is named may stand anywhere, unless the destination says where.
        let is_free = to.section.is_none() && to.block.is_none();
        let within =
            if is_free && to.is_by_bullet() && edit.target.names_no_list() { Scope::Document } else { scope.at };
        let spot = to.spot(self.names(), within, Some(bullet))?;
        Ok(Found { at: spot.at, healed: [scope.healed, spot.healed].concat() })
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

/// Divides tags that are to come to a bullet into what says how long it lasts, with the start that it has, and all others.
fn lifetime_of(bullet: BulletRef<'_>, tags: Vec<String>) -> (Vec<String>, Vec<String>) {
    let is_in = |tags: &[String], name: &str| tags.iter().any(|tag| is_attribute(tag, name));
    let own = bullet.tags();
    let has_ttl = is_in(&tags, "ttl") || own.iter().any(|tag| is_attribute(tag, "ttl"));
    let is_meant = |tag: &String| is_lifetime(tag) && (has_ttl || !is_attribute(tag, "since"));
    let (mut lifetime, others): (Vec<_>, Vec<_>) = tags.into_iter().partition(is_meant);
    // Half of what a time to live says leaves the other half as it is.
    for (given, kept) in [("ttl", "since"), ("since", "ttl")] {
        if is_in(&lifetime, given) && !is_in(&lifetime, kept) {
            lifetime.extend(own.iter().find(|tag| is_attribute(tag, kept)).map(|tag| (*tag).to_owned()));
        }
    }
    sort_by_key(&mut lifetime, |tag| !is_attribute(tag, "ttl"));
    (lifetime, others)
}
