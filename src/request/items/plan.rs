//! Planning: every edit is located in the document as it was seen; then all are composed together.

use super::super::bound::{check_parts, help_first};
use super::super::claims::{Claim, Claims};
use super::super::new_bullet::{Addition, tags_taken};
use super::super::{Argument, BulletRefusal, Failure, Refusal, RequestError};
use super::find::Care;
use super::{Children, Destination, ItemEdit, ItemOp, Items, NewItem};
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{BulletChanges, BulletPlace, Item, Spot};
use crate::edit::{Edit, EditBuilder, Part, PartStatus};
use crate::locate::{Found, Names, Rung, Scope, unescape};
use crate::text::Content;

/// Plans all edits of a request.
pub(super) fn plan(items: &Items, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    if items.edits.is_empty() {
        return Err(Refusal::invalid(Argument::Edits, "at least one edit", "none").into());
    }
    check_parts(items.edits.len(), doc)?;
    let mut planner = Planner {
        names: Names::new(doc),
        changes: BulletChanges::new(doc),
        claims: Claims::default(),
        additions: Vec::new(),
    };
    // Help is looked for when it is known which parts fail first.
    planner.names.withhold_help();
    let mut order: Vec<_> = items.edits.iter().enumerate().collect();
    order.sort_by_cached_key(|(_, edit)| planner.turn(edit));
    let mut parts: Vec<Option<Part>> = vec![None; items.edits.len()];
    let mut failures = Vec::new();
    for (number, edit) in order {
        match (planner.edit(number, edit), parts.get_mut(number)) {
            (Ok(part), Some(slot)) => *slot = Some(part),
            (Ok(_), None) => {}
            (Err(refusal), _) => failures.push(Failure::new(number, refusal)),
        }
    }
    failures.extend(planner.claims.uprooted());
    failures.sort_by_key(|failure| failure.part);
    planner.names.give_help();
    help_first(&mut failures, |number| planner.edit(number, items.edits.get(number)?).err());
    RequestError::from_failures(failures).map_or(Ok(()), Err)?;
    let mut edit = EditBuilder::new(doc);
    for part in parts.into_iter().flatten() {
        edit.part(part);
    }
    planner.changes.compose(&mut edit);
    Ok(edit.finish()?)
}

pub(super) struct Planner<'a> {
    pub(super) names: Names<'a>,
    pub(super) changes: BulletChanges<'a>,
    pub(super) claims: Claims<'a>,
    /// What is inserted so far.
    pub(super) additions: Vec<Addition<'a>>,
}

impl<'a> Planner<'a> {
    /// Returns when an edit has its turn, so that several on one bullet come to the same whatever their order: its text, then
    /// the tags that go, then those that come. What is inserted is compared with what will be there: so last.
    fn turn(&self, edit: &ItemEdit) -> usize {
        match edit.op {
            ItemOp::Update { .. } => 0,
            ItemOp::Upsert { .. } if self.is_there_to_update(edit) => 0,
            ItemOp::Untag { .. } => 1,
            ItemOp::Tag { .. } => 2,
            ItemOp::Delete { .. } | ItemOp::Reorder { .. } => 3,
            ItemOp::Upsert { .. } | ItemOp::Insert { .. } => 4,
        }
    }

    fn is_there_to_update(&self, edit: &ItemEdit) -> bool {
        !edit.target.names_no_bullet() && edit.target.find(&self.names, Scope::Document).is_ok()
    }

    fn edit(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
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
            ItemOp::Tag { tags } => {
                let (found, tags) = (self.find(edit, Care::NotNeeded)?, written_tags(tags)?);
                self.claim(number, found.at, Claim::Tag(tags.clone()))?;
                Ok(Part::new(self.changes.tag(number, found.at, &tags)).with_healed(found.healed))
            }
            ItemOp::Untag { tags } => {
                let (found, tags) = (self.find(edit, Care::NotNeeded)?, named_tags(tags)?);
                self.claim(number, found.at, Claim::Untag(tags.clone()))?;
                let before = self.changes.made_checkbox(found.at);
                let status = self.changes.untag(number, found.at, &tags);
                self.check_checkbox(found.at, before)?;
                Ok(Part::new(status).with_healed(found.healed))
            }
        }
    }

    pub(super) fn doc(&self) -> &'a MemoryDoc {
        self.names.doc()
    }

    pub(super) fn claim(&mut self, number: usize, bullet: BulletRef<'a>, claim: Claim) -> Result<(), Refusal> {
        self.claims.claim(bullet, number, claim)
    }

    /// Refuses to leave a tag alone at the beginning of a bullet where it would read as a checkbox.
    fn check_checkbox(&self, bullet: BulletRef<'a>, before: Option<String>) -> Result<(), Refusal> {
        match self.changes.made_checkbox(bullet).filter(|_| before.is_none()) {
            None => Ok(()),
            Some(tag) => Err(Refusal::invalid(
                Argument::Tags,
                "tags beside which no tag is left alone that reads as a checkbox",
                tag,
            )),
        }
    }

    fn update(&mut self, number: usize, found: Found<BulletRef<'a>>, new: &NewItem) -> Result<Part, Refusal> {
        // What was sought with escapes is written with escapes, too.
        let is_escaped = found.healed.contains(&Rung::Escapes);
        let text = if is_escaped { unescape(&new.text) } else { new.text.as_str().into() };
        let item = read(&text, new, &self.changes.place_of(found.at))?;
        self.claim(number, found.at, Claim::Update(item.groups.concat()))?;
        let status = self.changes.update(number, found.at, &item);
        let healed = [&*found.healed, item.healed()].concat();
        Ok(Part::new(status).with_healed(healed).with_warnings(tags_taken(&item)))
    }

    fn delete(&mut self, number: usize, found: Found<BulletRef<'a>>, children: Children) -> Result<Part, Refusal> {
        let count = self.doc().bullets_within(found.at.extent).skip(1).count();
        if children == Children::Refuse && count > 0 {
            return Err(BulletRefusal::HasChildren { line: found.at.line_number(), count }.into());
        }
        self.claim(number, found.at, Claim::Delete)?;
        match children {
            Children::Keep => self.changes.remove_alone(number, found.at),
            Children::Refuse | Children::Delete => self.changes.remove(number, found.at),
        }
        Ok(Part::new(PartStatus::Applied).with_healed(found.healed))
    }

    fn reorder(&mut self, number: usize, edit: &ItemEdit, to: &Destination) -> Result<Part, Refusal> {
        let found = self.find(edit, Care::NotNeeded)?;
        let named = to.scope(&self.names, &edit.target)?;
        let scope = named.unwrap_or_else(|| Found::exactly(list_of(found.at)));
        // A sibling that is named may stand anywhere, unless the destination says where.
        let is_free = to.section.is_none() && to.block.is_none();
        let within =
            if is_free && to.is_by_bullet() && edit.target.names_no_list() { Scope::Document } else { scope.at };
        let spot = to.spot(&self.names, within, Some(found.at))?;
        let spot = Found { at: spot.at, healed: [scope.healed, spot.healed].concat() };
        if spot.at.is_inside(found.at) {
            return Err(Refusal::invalid(
                Argument::Place,
                "a place outside the bullet that is moved",
                "one of its own children",
            ));
        }
        self.claim(number, found.at, Claim::Move)?;
        self.claim_place(number, spot.at)?;
        let status = self.changes.move_to(number, found.at, spot.at);
        let healed = [found.healed, spot.healed].concat();
        Ok(Part::new(status).with_healed(healed))
    }

    fn upsert(&mut self, number: usize, edit: &ItemEdit, item: &NewItem, to: &Destination) -> Result<Part, Refusal> {
        if edit.target.names_no_bullet() {
            return self.insert(number, edit, item, to);
        }
        match edit.target.find(&self.names, Scope::Document) {
            Ok(_) => {
                let found = self.find(edit, Care::Needed)?;
                self.update(number, found, item)
            }
            Err(error) if error.is_absence() => self.insert(number, edit, item, to),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes that a bullet is written among the children of another.
    pub(super) fn claim_place(&mut self, number: usize, spot: Spot<'a>) -> Result<(), Refusal> {
        match spot.parent() {
            Some(parent) => self.claim(number, parent, Claim::Fill),
            None => Ok(()),
        }
    }
}

/// Returns the block that a bullet stands in, else its section, else the document.
pub(super) fn list_of(bullet: BulletRef<'_>) -> Scope<'_> {
    bullet.block().map(Scope::Block).or_else(|| bullet.section().map(Scope::Section)).unwrap_or(Scope::Document)
}

/// Reads a text for its place, with the tags that are given beside it.
pub(super) fn read(text: &str, new: &NewItem, place: &BulletPlace) -> Result<Item, Refusal> {
    let tags = if new.tags.is_empty() { Vec::new() } else { written_tags(&new.tags)? };
    Ok(Item::read(text, place)?.with_tags(&tags))
}

/// Checks that tags can be written as such: `[x]` would read as a checkbox.
fn written_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let tags = named_tags(tags)?;
    match tags.iter().find(|tag| matches!(tag.as_str(), "x" | "X")) {
        Some(tag) => Err(Refusal::invalid(Argument::Tags, "tags that do not read as a checkbox", format!("`[{tag}]`"))),
        None => Ok(tags),
    }
}

/// Checks that each could be a tag.
fn named_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let is_tag = |tag: &&Content| {
        !tag.trim().is_empty() && !tag.contains(|c: char| matches!(c, '[' | ']' | ',') || c.is_control())
    };
    if let Some(bad) = tags.iter().find(|tag| !is_tag(tag)) {
        return Err(Refusal::invalid(
            Argument::Tags,
            "tags without brackets, commas and line breaks",
            crate::text::excerpt(bad, 80),
        ));
    }
    if tags.is_empty() {
        return Err(Refusal::invalid(Argument::Tags, "at least one tag", "none"));
    }
    Ok(tags.iter().map(|tag| tag.trim().to_owned()).collect())
}
