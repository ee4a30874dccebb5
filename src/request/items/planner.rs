//! A plan of edits of bullets that is being made, and how the texts and tags of a request are read for it.

use super::super::bullet_plan::BulletPlan;
use super::super::{Argument, Known, Refusal};
use super::NewItem;
use crate::document::{BulletRef, MemoryDoc, is_attribute};
use crate::edit::ItemFlaw;
use crate::edit::compose::{BulletPlace, Item, Tags};
use crate::locate::{Names, Scope};
use crate::text::{Content, Timestamp, excerpt};

/// A plan that is being made.
pub(super) struct Planner<'a> {
    pub(super) bullets: BulletPlan<'a>,
    pub(super) known: Option<&'a Known>,
    pub(super) now: Timestamp,
}

impl<'a> Planner<'a> {
    pub(super) const fn names(&self) -> &Names<'a> {
        &self.bullets.names
    }

    pub(super) fn doc(&self) -> &'a MemoryDoc {
        self.bullets.doc()
    }
}

/// Returns the block that a bullet stands in, else its section, else the document.
pub(super) fn list_of(bullet: BulletRef<'_>) -> Scope<'_> {
    bullet.block().map(Scope::Block).or_else(|| bullet.section().map(Scope::Section)).unwrap_or(Scope::Document)
}

/// Reads a text for its place, with the tags that are given beside it.
pub(super) fn read(text: &str, new: &NewItem, place: &BulletPlace) -> Result<Item, Refusal> {
    let tags = if new.tags.is_empty() { Vec::new() } else { written_tags(&new.tags)? };
    Ok(Item::read(text, place)?.with_tags(&tags)?)
}

/// Checks that tags can be written as such: `[x]` would read as a checkbox, and of two ends nobody knows which is meant.
pub(super) fn written_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let tags = named_tags(tags)?;
    if let Some(tag) = tags.iter().find(|tag| matches!(tag.as_str(), "x" | "X")) {
        return Err(Refusal::invalid(Argument::Tags, "tags that do not read as a checkbox", format!("`[{tag}]`")));
    }
    for names in [["ttl", "expires"].as_slice(), &["since"]] {
        let mut said = tags.iter().filter(|tag| names.iter().any(|name| is_attribute(tag, name)));
        let first = said.next();
        if let (Some(first), Some(second)) = (first, said.find(|tag| Some(*tag) != first)) {
            let given = format!("`[{first}]` and `[{second}]`");
            return Err(Refusal::invalid(Argument::Tags, "tags that say one end, counted from one start", given));
        }
    }
    let mut written = Tags::default();
    written.add(&tags);
    match written.unreadable() {
        Some(tag) => Err(ItemFlaw::Lifetime { tag: tag.to_owned() }.into()),
        None => Ok(tags),
    }
}

/// Checks that each could be a tag.
pub(super) fn named_tags(tags: &[Content]) -> Result<Vec<String>, Refusal> {
    let is_tag = |tag: &&Content| {
        !tag.trim().is_empty() && !tag.contains(|c: char| matches!(c, '[' | ']' | ',') || c.is_control())
    };
    if let Some(bad) = tags.iter().find(|tag| !is_tag(tag)) {
        return Err(Refusal::invalid(
            Argument::Tags,
            "tags without brackets, commas and line breaks",
            excerpt(bad, 80),
        ));
    }
    if tags.is_empty() {
        return Err(Refusal::invalid(Argument::Tags, "at least one tag", "none"));
    }
    Ok(tags.iter().map(|tag| tag.trim().to_owned()).collect())
}
