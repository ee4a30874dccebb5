//! A bullet that is to be written, and whether one that is there says the same.

use std::collections::HashSet;

use super::{BulletRefusal, Duplicate, Refusal};
use crate::document::{BulletRef, bullet_start, is_lifetime};
use crate::edit::Warning;
use crate::edit::compose::{BulletChanges, BulletPlace, Item, Numbered, Spot};
use crate::locate::{Scope, is_ordered};
use crate::text::{Content, excerpt, fold_white_space, is_blank};

/// With how many bullets of one content a new one is compared.
const COMPARED: usize = 16;

/// A new bullet at its spot.
#[derive(Clone)]
pub(super) struct NewBullet<'a> {
    pub(super) item: Item,
    /// Its number, where numbers are no count.
    marker: Option<String>,
    /// Whether its text brings that.
    brings_number: bool,
    pub(super) spot: Spot<'a>,
}

impl<'a> NewBullet<'a> {
    /// Reads a text as a bullet at `spot`; where numbers are no count, one that the text begins with is its number.
    ///
    /// # Errors
    ///
    /// It brings no number there, and does not go on from the last; or `read` finds it to be no bullet.
    pub(super) fn read(
        changes: &BulletChanges<'a>,
        spot: Spot<'a>,
        text: &str,
        read: impl FnOnce(&str, &BulletPlace) -> Result<Item, Refusal>,
    ) -> Result<Self, Refusal> {
        let place = changes.place_at(spot);
        let Numbered::Said { beside, next } = changes.numbered(spot) else {
            return Ok(Self { item: read(text, &place)?, marker: None, brings_number: false, spot });
        };
        if let Some(marker) = number_in(text) {
            let own = BulletPlace { marker: marker.to_owned(), ..BulletPlace::plain() };
            let item = read(text, &own)?.with_its_number();
            return Ok(Self { item, marker: Some(own.marker), brings_number: true, spot });
        }
        match next {
            Some(next) => Ok(Self { item: read(text, &place)?, marker: Some(next), brings_number: false, spot }),
            None => {
                let text = excerpt(&format!("{beside} {}", text.trim()), 200).into();
                Err(BulletRefusal::NeedsNumber { text, beside: beside.into() }.into())
            }
        }
    }

    /// Writes it.
    pub(super) fn insert(self, changes: &mut BulletChanges<'a>, part: usize) {
        changes.insert(part, self.spot, self.item, self.marker.filter(|_| self.brings_number));
    }

    /// Reports whether a bullet that is there has its content, its checkbox, and its number, where that says something.
    fn is_said_by(&self, bullet: BulletRef<'_>) -> bool {
        is_checked(bullet.checkbox()) == is_checked(self.item.checkbox.as_deref())
            && self.marker.as_deref().is_none_or(|marker| marker == bullet.marker())
            && bullet.folded_content() == self.item.folded_content()
    }

    /// Returns how a bullet that is there differs in its tags.
    pub(super) fn duplicate_of(&self, bullet: BulletRef<'_>) -> Duplicate {
        let own: Vec<_> = bullet.tags().into_iter().map(str::to_owned).collect();
        let asked = self.item.groups.concat();
        let untag = contents(missing(&own, &asked));
        Duplicate {
            line: bullet.line_number(),
            key: bullet.key().into(),
            tag: contents(missing(&asked, &own)),
            is_kept: untag.iter().any(|tag| bullet.doc().policy().protects(tag) || is_lifetime(tag)),
            untag,
            to: None,
        }
    }
}

/// A new bullet that a part of a request asks for.
pub(super) struct Addition<'a> {
    pub(super) part: usize,
    /// The section or block that it would stand in.
    pub(super) list: Scope<'a>,
    pub(super) new: NewBullet<'a>,
    /// Whether the part says where in the list it is to stand.
    pub(super) is_placed: bool,
}

impl<'a> Addition<'a> {
    /// Reports whether it is in its list, and will stay, or is one of those `written`; `duplicate`
    /// compares it with one that says the same.
    ///
    /// # Errors
    ///
    /// It is, with other tags, or at another place than the one that is asked for.
    pub(super) fn is_there(
        &self,
        written: &[Self],
        changes: &BulletChanges<'a>,
        duplicate: impl Fn(BulletRef<'a>) -> Duplicate,
    ) -> Result<bool, Refusal> {
        let Self { part, list, new, is_placed } = self;
        let is_same = |bullet: &BulletRef<'a>| {
            new.spot.is_beside(*bullet) && !changes.changes_content(*bullet) && new.is_said_by(*bullet)
        };
        let alike = changes.doc().bullets_of_digest(new.item.folded_content()).filter(is_same);
        let mut alike = alike.take(COMPARED).map(duplicate).peekable();
        if let Some(first) = alike.peek().cloned() {
            let is_it = |duplicate: Duplicate| duplicate.is_tagged_alike() && duplicate.to.is_none();
            return if alike.any(is_it) { Ok(true) } else { Err(BulletRefusal::Duplicate(Box::new(first)).into()) };
        }
        let is_twin = |other: &&Self| {
            other.list == *list
                && other.new.spot.parent() == new.spot.parent()
                && says_the_same(&other.new.item, &new.item)
                && other.new.marker == new.marker
        };
        let Some(twin) = written.iter().find(is_twin) else { return Ok(false) };
        let is_elsewhere = *is_placed && twin.new.spot != new.spot;
        match tagged_alike(&new.item, &twin.new.item) && !is_elsewhere {
            true => Ok(true),
            false => Err(BulletRefusal::InsertedTwice { first: twin.part, second: *part }.into()),
        }
    }
}

fn contents(texts: Vec<String>) -> Vec<Content> {
    texts.into_iter().map(Into::into).collect()
}

/// Reports the tags that stood at the beginning of a text.
pub(super) fn tags_taken(item: &Item) -> Option<Warning> {
    let tags = item.tags_in_text();
    (!tags.is_empty()).then(|| Warning::TagsTaken { tags: tags.iter().map(Into::into).collect() })
}

/// Reports whether two texts of bullets have one content and one checkbox.
pub(super) fn says_the_same(one: &Item, other: &Item) -> bool {
    one.folded_content() == other.folded_content()
        && is_checked(one.checkbox.as_deref()) == is_checked(other.checkbox.as_deref())
}

/// Reports whether two texts of bullets bring the same tags, in any order.
pub(super) fn tagged_alike(one: &Item, other: &Item) -> bool {
    let (one, other) = (one.groups.concat(), other.groups.concat());
    missing(&one, &other).is_empty() && missing(&other, &one).is_empty()
}

/// Returns the number that the first line of a text begins with, as a marker.
fn number_in(text: &str) -> Option<&str> {
    let first = text.split('\n').find(|line| !is_blank(line))?;
    first.get(bullet_start(first)?.marker).filter(|marker| is_ordered(marker))
}

/// Reports whether a checkbox is checked; `None` without one.
fn is_checked(checkbox: Option<&str>) -> Option<bool> {
    checkbox.map(|checkbox| checkbox != "[ ]")
}

/// Returns the tags that `other` lacks.
fn missing(tags: &[String], other: &[String]) -> Vec<String> {
    let known: HashSet<_> = other.iter().map(|tag| fold_white_space(tag)).collect();
    tags.iter().filter(|tag| !known.contains(&fold_white_space(tag))).cloned().collect()
}
