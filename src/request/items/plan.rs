//! Planning: every edit is located in the document as it was seen; then all are composed together.

use super::super::bound::check_parts;
use super::super::{Failure, Refusal, RequestError};
use super::{Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
use crate::document::{BulletId, MemoryDoc};
use crate::edit::compose::{BulletChanges, Item, Spot};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Warning};
use crate::locate::{
    BulletTest, Counting, Fix, Found, LocateError, Names, Rung, Scope, Sought, bullets_by_tests, index_of, listed,
    stands_there,
};

/// Plans all edits of a request.
pub(super) fn plan(items: &Items, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    if items.edits.is_empty() {
        return Err(RequestError::of(0, invalid("edits", "at least one edit", "none")));
    }
    check_parts(items.edits.len(), doc)?;
    let names = Names::new(doc);
    let mut planner = Planner { names, changes: BulletChanges::new(doc), written: Vec::new() };
    let mut parts: Vec<Option<Part>> = vec![None; items.edits.len()];
    let mut failures = Vec::new();
    // What is inserted is compared with what will be there: so last.
    for is_insertion in [false, true] {
        for (number, edit) in items.edits.iter().enumerate() {
            if matches!(edit.op, ItemOp::Insert { .. }) != is_insertion {
                continue;
            }
            match planner.edit(number, edit) {
                Ok(part) => parts.iter_mut().skip(number).take(1).for_each(|slot| *slot = Some(part.clone())),
                Err(refusal) => failures.push(Failure::new(number, refusal)),
            }
        }
    }
    failures.sort_by_key(|failure| failure.part);
    if let Some(error) = RequestError::from_failures(failures) {
        return Err(error);
    }
    let mut edit = EditBuilder::new(doc);
    for part in parts.into_iter().flatten() {
        edit.part(part);
    }
    planner.changes.compose(&mut edit);
    edit.finish().map_err(|overlap| RequestError::of(overlap.first, overlap))
}

struct Planner<'a> {
    names: Names<'a>,
    changes: BulletChanges<'a>,
    /// What is inserted so far, by list.
    written: Vec<(Scope, String)>,
}

/// Whether an edit's target is sure enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    /// An index alone is not, and under a strict policy a text neither.
    Needed,
    /// Whatever finds one bullet is.
    NotNeeded,
}

impl<'a> Planner<'a> {
    fn edit(&mut self, number: usize, edit: &ItemEdit) -> Result<Part, Refusal> {
        match &edit.op {
            ItemOp::Insert { item, to } => self.insert(number, edit, item, to),
            ItemOp::Update { item } => {
                let (found, read) = (self.find(edit, Care::Needed)?, read(item)?);
                self.update(number, found, &read)
            }
            ItemOp::Upsert { item, to } => self.upsert(number, edit, item, to),
            ItemOp::Delete { children } => {
                let found = self.find(edit, Care::Needed)?;
                self.delete(number, found, *children)
            }
            ItemOp::Reorder { to } => self.reorder(number, edit, to),
            ItemOp::Tag { tags } => {
                let found = self.find(edit, Care::NotNeeded)?;
                self.changes.claim(number, found.at)?;
                let is_changed = self.changes.tag(number, found.at, &checked(tags)?);
                Ok(part(is_changed, PartStatus::AlreadyApplied, found.healed))
            }
            ItemOp::Untag { tags } => {
                let found = self.find(edit, Care::NotNeeded)?;
                self.changes.claim(number, found.at)?;
                let is_changed = self.changes.untag(number, found.at, &checked(tags)?);
                Ok(part(is_changed, PartStatus::NoChange, found.healed))
            }
        }
    }

    fn doc(&self) -> &'a MemoryDoc {
        self.names.doc()
    }

    /// Finds the bullet that an edit names, and compares it with what was seen.
    fn find(&self, edit: &ItemEdit, care: Care) -> Result<Found<BulletId>, Refusal> {
        let mut found = edit.target.find(&self.names, Scope::Document)?;
        if care == Care::Needed {
            self.check_care(edit, found.at)?;
        }
        found.healed.extend(self.check_evidence(edit, found.at)?);
        Ok(found)
    }

    /// Refuses a target that is named by an index alone; under a strict policy, by a text alone too.
    fn check_care(&self, edit: &ItemEdit, bullet: BulletId) -> Result<(), Refusal> {
        let (doc, target) = (self.doc(), &edit.target);
        let has_text = target.contains.is_some() || target.starts_with.is_some() || target.equals.is_some();
        let is_enough = !edit.evidence.is_none()
            || target.key.is_some()
            || (has_text && !doc.policy().strict)
            || self.has_unique_tag(edit)?;
        if is_enough {
            return Ok(());
        }
        let key = doc.key(bullet).map(|key| Fix::UseKey(key.to_string()));
        let content = doc.content(bullet).split('\n').next().unwrap_or_default().to_owned();
        let expect = (!content.trim().is_empty() && content.len() <= 400).then_some(Fix::ExpectText(content));
        let (expected, fix) = if has_text {
            ("this memory asks for `expect`, `neighbors`, `key` or a unique tag", key)
        } else {
            ("an index needs `expect` or `neighbors` beside it, or a key or a text instead", expect.or(key))
        };
        Err(Refusal::ContextTooThin { expected: expected.to_owned(), fix })
    }

    fn has_unique_tag(&self, edit: &ItemEdit) -> Result<bool, Refusal> {
        let Some(tag) = &edit.target.tag else { return Ok(false) };
        let doc = self.doc();
        let span = edit.target.scope(&self.names, Scope::Document)?.at.span(doc);
        let bullets: Vec<_> = doc.outline().bullets_within(span).collect();
        Ok(bullets_by_tests(doc, &bullets, &[BulletTest::Tag(tag.clone())]).at.len() == 1)
    }

    /// Compares the bullet and its neighbors with what was seen.
    fn check_evidence(&self, edit: &ItemEdit, bullet: BulletId) -> Result<Vec<Rung>, Refusal> {
        let Evidence { expect, before, after } = &edit.evidence;
        let mut healed = Vec::new();
        if let Some(expect) = expect {
            healed.extend(
                self.begins(bullet, expect, "the bullet").map_err(|error| self.with_index(edit, expect, error))?,
            );
        }
        let siblings = self.siblings(bullet);
        let own = siblings.iter().position(|id| *id == bullet);
        let neighbors = [
            (before, own.and_then(|own| own.checked_sub(1)), "the bullet before"),
            (after, own.map(|own| own + 1), "the bullet after"),
        ];
        for (seen, place, which) in neighbors {
            let Some(seen) = seen else { continue };
            match place.and_then(|place| siblings.get(place)) {
                None if seen.trim().is_empty() => {}
                Some(neighbor) if !seen.trim().is_empty() => healed.extend(self.begins(*neighbor, seen, which)?),
                other => {
                    let what = Sought::Bullet(match other {
                        Some(_) => format!("has no {}", which.trim_start_matches("the ")),
                        None => format!("is {which} and starts with `{seen}`"),
                    });
                    return Err(stands_there(self.doc(), other.copied().unwrap_or(bullet), seen, what).into());
                }
            }
        }
        Ok(healed)
    }

    /// Checks that the content of a bullet begins with `seen`.
    fn begins(&self, bullet: BulletId, seen: &str, which: &str) -> Result<Vec<Rung>, LocateError> {
        let test = BulletTest::StartsWith(seen.to_owned());
        let found = bullets_by_tests(self.doc(), &[bullet], std::slice::from_ref(&test));
        if found.at.is_empty() {
            let what = Sought::Bullet(format!("is {which} and {test}"));
            return Err(stands_there(self.doc(), bullet, seen, what));
        }
        Ok(found.healed)
    }

    /// Offers the index of the one bullet of the list that begins as expected.
    fn with_index(&self, edit: &ItemEdit, expect: &str, mut error: LocateError) -> LocateError {
        let (Some(_), LocateError::NotFound { help, .. }) = (edit.target.index, &mut error) else { return error };
        let Ok(scope) = edit.target.scope(&self.names, Scope::Document) else { return error };
        let counting = if edit.target.nested { Counting::Nested } else { Counting::TopLevel };
        let list = listed(self.doc(), scope.at, counting);
        let mut tests = edit.target.tests();
        tests.push(BulletTest::StartsWith(expect.to_owned()));
        if let [only] = bullets_by_tests(self.doc(), &list, &tests).at.as_slice() {
            let place = list.iter().position(|id| id == only);
            help.fix = place.map(|place| Fix::UseIndex(index_of(self.doc(), place)));
        }
        error
    }

    fn siblings(&self, bullet: BulletId) -> Vec<BulletId> {
        let outline = self.doc().outline();
        let list = |id: BulletId| outline.bullet(id).map(|bullet| (bullet.parent, bullet.section));
        outline.bullets_within(self.doc().span()).filter(|id| list(*id) == list(bullet)).collect()
    }

    fn update(&mut self, number: usize, found: Found<BulletId>, item: &Item) -> Result<Part, Refusal> {
        self.changes.claim(number, found.at)?;
        let is_changed = self.changes.update(number, found.at, item);
        Ok(part(is_changed, PartStatus::AlreadyApplied, found.healed).with_warnings(tags_taken(item)))
    }

    fn delete(&mut self, number: usize, found: Found<BulletId>, children: Children) -> Result<Part, Refusal> {
        let doc = self.doc();
        let extent = doc.outline().bullet(found.at).map_or(doc.span(), |bullet| bullet.extent);
        let count = doc.outline().bullets_within(extent).count().saturating_sub(1);
        self.changes.claim(number, found.at)?;
        match children {
            Children::Refuse if count > 0 => {
                return Err(Refusal::HasChildren { line: doc.line_number(extent.start()), count });
            }
            Children::Keep => self.changes.remove_alone(number, found.at),
            Children::Refuse | Children::Delete => self.changes.remove(number, found.at),
        }
        Ok(part(true, PartStatus::Applied, found.healed))
    }

    fn reorder(&mut self, number: usize, edit: &ItemEdit, to: &Destination) -> Result<Part, Refusal> {
        let found = self.find(edit, Care::NotNeeded)?;
        let own = || {
            let bullet = self.doc().outline().bullet(found.at)?;
            bullet.block.map(Scope::Block).or_else(|| bullet.section.map(Scope::Section))
        };
        let named = to.scope(&self.names, &edit.target)?;
        let scope = named.unwrap_or_else(|| Found::exactly(own().unwrap_or(Scope::Document)));
        // A sibling that is named may stand anywhere, unless the destination says where.
        let is_free = to.section.is_none() && to.block.is_none();
        let by_sibling = matches!(to.place, ItemPlace::Before(_) | ItemPlace::After(_));
        let within = if is_free && by_sibling && edit.target.names_no_list() { Scope::Document } else { scope.at };
        let spot = to.spot(&self.names, within, Some(found.at))?;
        if self.changes.is_inside(spot.at, found.at) {
            return Err(invalid("to", "a place outside the bullet that is moved", "one of its own children"));
        }
        self.changes.claim(number, found.at)?;
        let is_changed = self.changes.move_to(number, found.at, spot.at);
        let healed = [found.healed, scope.healed, spot.healed].concat();
        Ok(part(is_changed, PartStatus::AlreadyApplied, healed))
    }

    fn upsert(&mut self, number: usize, edit: &ItemEdit, item: &NewItem, to: &Destination) -> Result<Part, Refusal> {
        if edit.target.names_no_bullet() {
            return self.insert(number, edit, item, to);
        }
        match edit.target.find(&self.names, Scope::Document) {
            Ok(_) => {
                let (found, read) = (self.find(edit, Care::Needed)?, read(item)?);
                self.update(number, found, &read)
            }
            Err(error) if error.is_absence() => self.insert(number, edit, item, to),
            Err(error) => Err(error.into()),
        }
    }

    fn insert(&mut self, number: usize, edit: &ItemEdit, new: &NewItem, to: &Destination) -> Result<Part, Refusal> {
        let is_insert = matches!(edit.op, ItemOp::Insert { .. });
        if is_insert && !edit.target.names_no_bullet() {
            if let Some(error) = edit.target.block_by_key(self.doc()) {
                return Err(error.into());
            }
            return Err(invalid(
                "target",
                "a section or block alone, the place goes into `to`",
                "a selector of a bullet",
            ));
        }
        let item = read(new)?;
        let by_sibling = matches!(to.place, ItemPlace::Before(_) | ItemPlace::After(_));
        let outline = self.doc().outline();
        let scope = match to.scope(&self.names, &edit.target)? {
            Some(scope) => scope,
            None if by_sibling || (outline.sections().is_empty() && outline.blocks().is_empty()) => {
                Found::exactly(Scope::Document)
            }
            None => return Err(invalid("target", "the section or block to insert into", "neither")),
        };
        let spot = to.spot(&self.names, scope.at, None)?;
        let healed = [scope.healed, spot.healed].concat();
        let list = self.list_of(scope.at, spot.at);
        let content = item.folded_content();
        let is_there = !new.allow_duplicate && self.is_there(list, &content);
        let warnings = tags_taken(&item);
        if !is_there {
            self.written.push((list, content));
            self.changes.insert(number, spot.at, item);
        }
        Ok(part(!is_there, PartStatus::AlreadyApplied, healed).with_warnings(warnings))
    }

    /// Returns the section or block that a bullet at `spot` would stand in.
    fn list_of(&self, scope: Scope, spot: Spot) -> Scope {
        let (Spot::Before(id) | Spot::After(id)) = spot else { return scope };
        let bullet = self.doc().outline().bullet(id);
        let own = bullet.and_then(|b| b.block.map(Scope::Block).or_else(|| b.section.map(Scope::Section)));
        if scope == Scope::Document { own.unwrap_or(scope) } else { scope }
    }

    /// Reports whether a bullet of the list, nested ones included, has this content and will keep it.
    fn is_there(&self, list: Scope, content: &str) -> bool {
        let stands = |id: &BulletId| self.doc().folded_content(*id) == content && !self.changes.changes_content(*id);
        listed(self.doc(), list, Counting::Nested).iter().any(stands)
            || self.written.iter().any(|(scope, written)| *scope == list && written == content)
    }
}

fn read(new: &NewItem) -> Result<Item, Refusal> {
    let tags = if new.tags.is_empty() { Vec::new() } else { checked(&new.tags)? };
    Ok(Item::read(&new.text)?.with_tags(&tags))
}

/// Checks that tags can be written as such.
fn checked(tags: &[String]) -> Result<Vec<String>, Refusal> {
    let is_tag = |tag: &&String| {
        !tag.trim().is_empty() && !tag.contains(|c: char| matches!(c, '[' | ']' | ',') || c.is_control())
    };
    if let Some(bad) = tags.iter().find(|tag| !is_tag(tag)) {
        return Err(invalid("tags", "tags without brackets, commas and line breaks", &crate::text::excerpt(bad, 80)));
    }
    if tags.is_empty() {
        return Err(invalid("tags", "at least one tag", "none"));
    }
    Ok(tags.iter().map(|tag| tag.trim().to_owned()).collect())
}

/// Reports the tags that stood at the beginning of a text.
fn tags_taken(item: &Item) -> Option<Warning> {
    let tags = item.tags_in_text().to_vec();
    (!tags.is_empty()).then_some(Warning::TagsTaken { tags })
}

fn part(is_changed: bool, otherwise: PartStatus, healed: Vec<Rung>) -> Part {
    Part::new(if is_changed { PartStatus::Applied } else { otherwise }).with_healed(healed)
}

fn invalid(argument: &'static str, expected: &'static str, found: &str) -> Refusal {
    Refusal::InvalidArgument { argument, expected, found: found.to_owned() }
}
