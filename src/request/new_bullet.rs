//! A bullet that is to be written, and whether one that is there says the same.

use super::{Destination, Refusal};
use crate::document::{BulletRef, bullet_start};
use crate::edit::Warning;
use crate::edit::compose::{BulletChanges, BulletPlace, Item, Numbered, Spot};
use crate::locate::is_ordered;
use crate::text::{excerpt, fold_white_space, is_blank};

/// A new bullet at its spot.
#[derive(Clone)]
pub(super) struct NewBullet<'a> {
    pub(super) item: Item,
    /// Its number, where numbers are no count.
    pub(super) marker: Option<String>,
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
            return Ok(Self { item: read(text, &place)?, marker: None, spot });
        };
        if let Some(marker) = number_in(text) {
            let own = BulletPlace { marker: marker.to_owned(), ..BulletPlace::plain() };
            return Ok(Self { item: read(text, &own)?.with_its_number(), marker: Some(own.marker), spot });
        }
        match next {
            Some(next) => Ok(Self { item: read(text, &place)?, marker: Some(next), spot }),
            None => Err(Refusal::NeedsNumber { text: excerpt(&format!("{beside} {}", text.trim()), 200), beside }),
        }
    }

    /// Writes it.
    pub(super) fn insert(self, changes: &mut BulletChanges<'a>, part: usize) {
        changes.insert(part, self.spot, self.item, self.marker);
    }

    /// Reports whether a bullet that is there has its content, its checkbox, and its number, where that says something.
    pub(super) fn is_said_by(&self, bullet: BulletRef<'_>) -> bool {
        bullet.folded_content() == self.item.folded_content()
            && is_checked(bullet.checkbox()) == is_checked(self.item.checkbox.as_deref())
            && self.marker.as_deref().is_none_or(|marker| marker == bullet.marker())
    }

    /// Reports whether another new one says the same.
    pub(super) fn is_twin_of(&self, other: &NewBullet<'_>) -> bool {
        says_the_same(&self.item, &other.item) && self.marker == other.marker
    }

    /// Returns how a bullet that is there differs in its tags.
    pub(super) fn duplicate_of(&self, bullet: BulletRef<'_>) -> Duplicate {
        let own: Vec<_> = bullet.tags().into_iter().map(str::to_owned).collect();
        let asked = self.item.groups.concat();
        Duplicate {
            line: bullet.line_number(),
            key: bullet.key().to_string(),
            tag: missing(&asked, &own),
            untag: missing(&own, &asked),
            to: None,
        }
    }
}

/// A bullet that is there already, and what makes it the one that was asked for.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// Its line, from 1.
    pub line: usize,
    /// Its key.
    pub key: String,
    /// The tags that it lacks.
    pub tag: Vec<String>,
    /// The tags that it has beyond those that were asked for.
    pub untag: Vec<String>,
    /// Where it was to stand, if it stands elsewhere.
    pub to: Option<Destination>,
}

impl Duplicate {
    /// Reports whether its tags are those that were asked for.
    pub(super) fn is_tagged_alike(&self) -> bool {
        self.tag.is_empty() && self.untag.is_empty()
    }

    pub(super) fn difference(&self) -> &'static str {
        match (self.is_tagged_alike(), &self.to) {
            (false, Some(_)) => ", with other tags and at another place",
            (false, None) => ", with other tags",
            (true, _) => ", at another place",
        }
    }
}

/// Reports the tags that stood at the beginning of a text.
pub(super) fn tags_taken(item: &Item) -> Option<Warning> {
    let tags = item.tags_in_text().to_vec();
    (!tags.is_empty()).then_some(Warning::TagsTaken { tags })
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
    let is_known = |tag: &&String| other.iter().any(|other| fold_white_space(other) == fold_white_space(tag));
    tags.iter().filter(|tag| !is_known(tag)).cloned().collect()
}
