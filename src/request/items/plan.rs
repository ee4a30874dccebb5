//! The planner of `edit_items`: locates every edit in the document as it was seen, then composes one edit.

use super::find::{between_owners, check_index, check_selector, different_lists, has_owner_of, select};
use super::{Annotation, Children, Destination, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::document::{BulletRef, PINNED, flawed_lifetime, is_attribute, missing_start};
use crate::edit::compose::{BulletPlace, Item, Mark, Spot};
use crate::edit::{Edit, ItemFlaw, Part, PartStatus};
use crate::locate::{
    BulletTest, CheckboxState, Code, Found, LocateError, Matches, Scope, Selector, Target, indexed_bullets, place_of,
};
use crate::request::bullet_plan::{Addition, BulletPlan, read_at, rewording, too_many};
use crate::request::{Argument, Refusal, Request, RequestError, View, claims::Claim};
use crate::text::{Content, Line, excerpt};

impl Request for Items {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        if self.edits.is_empty() {
            return Err(Refusal::invalid(Argument::Edits, "at least one edit", "none").into());
        }
        let bullets = BulletPlan::new(view, self.edits.len())?;
        let mut planner = ItemPlanner { bullets, moving: Vec::new() };
        let (added, others): (Vec<_>, Vec<_>) =
            self.edits.iter().enumerate().partition(|(_, edit)| planner.is_addition(edit));
        for (number, edit) in others.into_iter().chain(added) {
            let planned = planner.part(number, edit);
            planner.bullets.record(number, planned);
        }
        planner.bullets.compose(&[])
    }
}

/// The plan of a request, while its parts are located.
pub(super) struct ItemPlanner<'a> {
    pub(super) bullets: BulletPlan<'a>,
    /// The bullets that the current edit moves, in document order: all that it names.
    moving: Vec<BulletRef<'a>>,
}

impl<'a> ItemPlanner<'a> {
    fn part(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
        self.moving.clear();
        match edit.count {
            Some(count) if count != 1 => self.counted(number, edit, count),
            _ => self.one(number, edit),
        }
    }

    /// Plans an edit of one bullet.
    fn one(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
        match &edit.op {
            ItemOp::Insert { item, to } => self.insert(number, edit, item, to),
            ItemOp::Update { item } => self.update(number, edit, item),
            ItemOp::Upsert { item, to } => self.upsert(number, edit, item, to),
            ItemOp::Delete { children } => self.delete(number, self.find(edit)?, *children),
            ItemOp::Reorder { to } => self.reorder(number, edit, to),
            ItemOp::Tag { tags } => self.mark(number, edit, Mark::Add(written_tags(tags)?)),
            ItemOp::Untag { tags } => self.mark(number, edit, Mark::Remove(named_tags(tags)?)),
            ItemOp::Annotate(annotation) => self.mark(number, edit, self.mark_of(annotation)),
        }
    }

    /// Returns true if an edit writes a new bullet. Such edits are planned last, as a new bullet is compared with the
    /// bullets that the other edits leave.
    fn is_addition(&self, edit: &ItemEdit) -> bool {
        match edit.op {
            ItemOp::Insert { .. } => true,
            ItemOp::Upsert { .. } => {
                let find = || select(&edit.target, &self.bullets, Scope::Document);
                edit.target.names_no_bullet() || self.bullets.names.without_help(find).is_err()
            }
            _ => false,
        }
    }

    /// Changes the checkbox, the tags, the pin or the lifetime of a bullet.
    fn mark(&mut self, number: usize, edit: &ItemEdit, mut mark: Mark) -> Result<Part, Refusal> {
        let found = self.find(edit)?;
        let claims = Claim::of_mark(&mark);
        let ends = matches!(mark, Mark::Add(_)) && claims.contains(&Claim::Lifetime);
        claims.into_iter().try_for_each(|claim| self.bullets.claim(number, found.at, claim))?;
        if let Mark::Add(tags) = &mut mark {
            check_end(found.at, tags)?;
            tags.extend(self.start_of(found.at, tags));
        }
        let status = self.bullets.changes.mark(number, found.at, &mark);
        let expired = self.bullets.expired(found.at).filter(|_| ends);
        Ok(Part::new(status).with_healed(found.healed).with_warnings(expired))
    }

    /// Returns the start, which is now, of a TTL that a bullet gets by new tags and that has none.
    fn start_of(&self, bullet: BulletRef<'a>, new: &[String]) -> Option<String> {
        let (new, own) = (new.iter().map(String::as_str), bullet.tags());
        let mut ttl = new.clone().filter(|tag| is_attribute(tag, "ttl") && !own.contains(tag));
        ttl.next()
            .and_then(|_| missing_start(&new.chain(own.iter().copied()).collect::<Vec<_>>(), self.bullets.view.now))
    }

    /// Returns the change of tags or checkbox that an annotation stands for.
    fn mark_of(&self, annotation: &Annotation) -> Mark {
        match annotation {
            Annotation::SetTtl(expiry) => Mark::Add(expiry.tags(self.bullets.view.now)),
            Annotation::ClearTtl => Mark::Remove(vec!["ttl".to_owned(), "expires".to_owned()]),
            Annotation::Pin => Mark::Add(vec![PINNED.to_owned()]),
            Annotation::Unpin => Mark::Unpin,
            Annotation::Check => Mark::Checkbox(CheckboxState::Done),
            Annotation::Uncheck => Mark::Checkbox(CheckboxState::Open),
        }
    }

    fn update(&mut self, number: usize, edit: &ItemEdit, new: &NewItem) -> Result<Part, Refusal> {
        let found = self.find(edit)?;
        let sought = edit.target.says.iter().filter_map(BulletTest::text);
        let text = rewording(&found, sought, &new.text);
        self.bullets.update(number, found, &text, |text, place| read(text, new, place))
    }

    fn delete(&mut self, number: usize, found: Found<BulletRef<'a>>, children: Children) -> Result<Part, Refusal> {
        if children == Children::Refuse {
            return self.bullets.delete(number, found);
        }
        self.bullets.claim(number, found.at, Claim::Whole)?;
        if children == Children::Keep {
            let spot = Spot::Before(found.at);
            found.at.children().try_for_each(|child| self.check_number(child, spot))?;
            self.bullets.lift_children(number, found.at);
        } else {
            self.bullets.changes.remove(number, found.at);
        }
        Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
    }

    fn reorder(&mut self, number: usize, edit: &ItemEdit, to: &Destination) -> Result<Part, Refusal> {
        let found = self.find(edit)?;
        if self.moving.is_empty() {
            self.moving.push(found.at);
        }
        let spot = self.spot_of(edit, found.at, to)?;
        let is_moving = |bullet: BulletRef<'a>| self.moving.len() > 1 && self.moving.contains(&bullet);
        let is_own_place = to.is_by_bullet() && spot.at.sibling().is_some_and(is_moving);
        if spot.at.is_inside(found.at) || is_own_place {
            let named = "that bullet itself or one of its own children";
            return Err(Refusal::invalid(Argument::Place, "a place outside the bullet that is moved", named));
        }
        self.check_number(found.at, spot.at)?;
        self.bullets.check_fence(spot.at)?;
        self.claim_neighbor(number, to, spot.at)?;
        self.bullets.claim(number, found.at, Claim::Place)?;
        let lines = Line::all_within(self.bullets.doc().text(), found.at.extent).count();
        self.bullets.indent(lines, spot.at.indentation())?;
        let status = self.bullets.move_to(number, found.at, spot.at);
        Ok(Part::new(status).with_healed([found.healed, spot.healed].concat()))
    }

    /// Refuses to move a bullet to a list in which its number would be lost, or would be missing.
    fn check_number(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> Result<(), Refusal> {
        if self.bullets.changes.may_move(bullet, spot) {
            return Ok(());
        }
        let expected = "a list of the same kind: numbers that count 1, 2, 3 …, or numbers that are part of the text";
        Err(Refusal::invalid(Argument::Place, expected, format!("`{}` in another", bullet.marker())))
    }

    /// Finds the spot to which a bullet is moved.
    fn spot_of(&self, edit: &ItemEdit, bullet: BulletRef<'a>, to: &Destination) -> Result<Found<Spot<'a>>, Refusal> {
        // If the destination names no list, an index counts in the bullet's own list, and a neighbor may be anywhere.
        if to.names_list() {
            let scope = to.scope(&self.bullets.names, &edit.target)?.unwrap_or_else(|| Found::exact(list_of(bullet)));
            return Ok(to.spot(&self.bullets, scope.at, &self.moving)?.with_earlier(scope.healed));
        }
        if to.is_by_bullet() {
            return to.spot(&self.bullets, Scope::Document, &self.moving);
        }
        self.spot_among_siblings(bullet, to).map(Found::exact)
    }

    /// Returns the spot of a place without a list. It is among the siblings of the moved bullet that have the same section,
    /// block and label.
    fn spot_among_siblings(&self, bullet: BulletRef<'a>, to: &Destination) -> Result<Spot<'a>, Refusal> {
        let mut others = match bullet.parent() {
            Some(parent) => parent.children().collect(),
            None => indexed_bullets(self.bullets.doc(), list_of(bullet)),
        };
        others.retain(|other| self.moving.binary_search(other).is_err() && other.section() == bullet.section());
        let is_own = |other: &BulletRef<'a>| has_owner_of(*other, bullet);
        let before = match to.place {
            Some(ItemPlace::First) => None,
            Some(ItemPlace::Index(index)) => {
                // An index counts the whole list of the section or block, but may not lead to another label.
                check_index(&self.bullets, list_of(bullet), index)?;
                let place = place_of(self.bullets.doc(), index, others.len() + 1, others.len())?;
                let before = place.checked_sub(1).and_then(|before| others.get(before)).copied();
                if !before.iter().chain(others.get(place)).all(is_own) {
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
        match select(&edit.target, &self.bullets, Scope::Document) {
            Ok(_) => {
                if to.names_list() {
                    self.list_to_fill(edit, to)?;
                }
                self.update(number, edit, item)
            }
            // Only the bullet is missing: a section or block that is not found is an error. So is a bullet with a key or an
            // index, which was seen.
            Err(Refusal::Locate(LocateError::NotFound { what: Target::Bullet(_), .. }))
                if edit.target.key().is_none() && edit.target.index.is_none() =>
            {
                match edit.target.likeness(&self.bullets.names) {
                    Some(error) => Err(error.into()),
                    None => self.insert(number, edit, item, to),
                }
            }
            Err(error) => Err(error),
        }
    }

    fn insert(&mut self, number: usize, edit: &ItemEdit, new: &NewItem, to: &Destination) -> Result<Part, Refusal> {
        let is_insert = matches!(edit.op, ItemOp::Insert { .. });
        if is_insert && !edit.target.names_no_bullet() {
            return Err(Refusal::invalid(Argument::List, "a section or block alone", "a selector of a bullet"));
        }
        let scope = self.list_to_fill(edit, to)?;
        let spot = to.spot(&self.bullets, scope.at, &[])?;
        self.claim_neighbor(number, to, spot.at)?;
        let item = read_at(&self.bullets.changes, spot.at, &new.text, |text, place| read(text, new, place))?;
        let list = match spot.at {
            Spot::Before(bullet) | Spot::After(bullet) | Spot::Under(bullet) if scope.at == Scope::Document => {
                list_of(bullet)
            }
            _ => scope.at,
        };
        let addition = Addition { part: number, list, spot: spot.at, item, may_repeat: new.allow_duplicate };
        let part = self.bullets.add(addition)?;
        let healed = [scope.healed, spot.healed, part.healed.clone()].concat();
        Ok(Part { healed, ..part })
    }

    /// Records a claim on the bullet beside or below which a part writes, if the place names one.
    fn claim_neighbor(&mut self, part: usize, to: &Destination, spot: Spot<'a>) -> Result<(), Refusal> {
        let is_under = matches!(to.place, Some(ItemPlace::Under(_)));
        let named = if is_under { spot.parent() } else { spot.sibling() };
        let named = named.filter(|_| to.is_by_bullet());
        named.map_or(Ok(()), |named| self.bullets.claim(part, named, Claim::Neighbor))
    }

    /// Returns the list that a new bullet goes into. If destination and target each name a list, that of the destination
    /// must be inside that of the target.
    fn list_to_fill(&self, edit: &ItemEdit, to: &Destination) -> Result<Found<Scope<'a>>, Refusal> {
        let (doc, names, target) = (self.bullets.doc(), &self.bullets.names, &edit.target);
        let Some(scope) = to.scope(&self.bullets.names, target)? else {
            let is_one_list = doc.outline().sections.is_empty() && doc.outline().blocks.is_empty();
            let named = (to.is_by_bullet() || is_one_list).then(|| Found::exact(Scope::Document));
            let expected = "the section or block to insert into";
            return named.ok_or_else(|| Refusal::invalid(Argument::Bullet, expected, "neither"));
        };
        let around =
            if target.names_no_list() { doc.span() } else { target.scope(names, Scope::Document)?.at.span(doc) };
        if around.covers(scope.at.span(doc)) { Ok(scope) } else { Err(different_lists()) }
    }

    /// Plans an edit for each of the bullets that its target names.
    ///
    /// # Errors
    ///
    /// The target does not name exactly `count` bullets, or one of them cannot be edited in this way.
    fn counted(&mut self, number: usize, edit: &ItemEdit, count: usize) -> Result<Part, Refusal> {
        check_selector(&edit.target, &self.bullets, Scope::Document)?;
        let found = edit.target.find_all(&self.bullets.names)?;
        if found.at.len() != count {
            let spans = found.at.iter().map(|bullet| bullet.line).collect();
            let matches = Box::new(Matches::new(self.bullets.doc(), spans));
            let (what, expected) = (edit.target.target(), Some(count));
            return Err(Refusal::CountMismatch { what, expected, matches, fix: None, inside_words: 0 });
        }
        if count > Items::MOST {
            return Err(too_many(count, self.bullets.doc().outline().bullets.len()));
        }
        let mut part = Part::new(PartStatus::NoChange).with_healed(found.healed);
        self.moving.clone_from(&found.at);
        for bullet in found.at {
            self.check_care(edit)?;
            let one = ItemEdit { target: Selector::by_key(bullet.key().as_str()), count: None, ..edit.clone() };
            let planned = self.one(number, &one)?;
            part.status = if part.status == PartStatus::Applied { part.status } else { planned.status };
            part = part.with_healed(planned.healed).with_warnings(planned.warnings);
        }
        Ok(part)
    }
}

/// Returns the block of a bullet, else its section, else the document.
fn list_of(bullet: BulletRef<'_>) -> Scope<'_> {
    bullet.block().map(Scope::Block).or_else(|| bullet.section().map(Scope::Section)).unwrap_or(Scope::Document)
}

/// Reads the text of a bullet for its place, and adds the tags that the request gives beside it.
fn read(text: &str, new: &NewItem, place: &BulletPlace) -> Result<Item, Refusal> {
    let tags = if new.tags.is_empty() { Vec::new() } else { written_tags(&new.tags)? };
    Ok(Item::read(text, place)?.with_tags(&tags)?)
}

/// Refuses a `ttl` that would take away the end of a bullet's lifetime, because it has no start and would replace
/// `expires`; or a `since` that is no start, but a date of the bullet's own.
fn check_end(bullet: BulletRef<'_>, tags: &[String]) -> Result<(), Refusal> {
    let brings = |name| tags.iter().any(|tag| is_attribute(tag, name));
    let has_date = bullet.ttl().is_none() && bullet.tags().iter().any(|tag| is_attribute(tag, "since"));
    let has_start = brings("since") || bullet.dated().is_some();
    let lost = match bullet.expires_at() {
        _ if has_date => "`since`, which is a date of its own: set the end as a date",
        Some(_) if !has_start => "end: send `since` too",
        _ => return Ok(()),
    };
    let why = format!("`ttl` would replace what the bullet on line {} has as {lost}", bullet.line_number());
    if brings("ttl") { Err(Refusal::impossible(Code::InvalidArguments, why)) } else { Ok(()) }
}

/// Checks that tags can be written, and that they have at most one start and one end of a lifetime.
fn written_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let tags = named_tags(tags)?;
    let flaw = flawed_lifetime(&tags.iter().map(String::as_str).collect::<Vec<_>>()).map(ItemFlaw::lifetime);
    flaw.map_or(Ok(tags), |flaw| Err(flaw.into()))
}

/// Checks that each text can be a tag.
fn named_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let is_tag = |tag: &&Content| {
        !tag.trim().is_empty() && !tag.contains(|c: char| matches!(c, '[' | ']' | ',') || c.is_control())
    };
    if let Some(bad) = tags.iter().find(|tag| !is_tag(tag)) {
        let expected = "tags without brackets, commas and line breaks";
        return Err(Refusal::invalid(Argument::Tags, expected, excerpt(bad, 80)));
    }
    if tags.is_empty() {
        return Err(Refusal::invalid(Argument::Tags, "at least one tag", "none"));
    }
    Ok(tags.iter().map(|tag| tag.trim().to_owned()).collect())
}
