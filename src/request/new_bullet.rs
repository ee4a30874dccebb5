//! A bullet that is to be written, and whether it is in its list already.

use std::collections::BTreeSet;

use super::Refusal;
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::Warning;
use crate::edit::compose::{BulletChanges, BulletPlace, Item, Spot, Tags};
use crate::locate::{Code, FULL_WIDTH, Scope, normal_content};
use crate::text::excerpt;

/// From how many words on a text may be near another one.
const FEW: usize = 4;

/// A new bullet that a part of a request asks for.
#[derive(Clone)]
pub(super) struct Addition<'a> {
    pub(super) part: usize,
    /// The section or block that it comes to.
    pub(super) list: Scope<'a>,
    pub(super) spot: Spot<'a>,
    pub(super) item: Item,
    /// Whether it is written although one like it is in the list.
    pub(super) may_repeat: bool,
}

/// Reads a text as a bullet at `spot`.
///
/// # Errors
///
/// It has to bring its number there, and does not; or `read` finds it to be no bullet.
pub(super) fn read_at<'a>(
    changes: &BulletChanges<'a>,
    spot: Spot<'a>,
    text: &str,
    read: impl FnOnce(&str, &BulletPlace) -> Result<Item, Refusal>,
) -> Result<Item, Refusal> {
    let place = changes.place_at(spot);
    let item = read(text, &place)?;
    if place.has_own_number && item.marker.is_none() {
        let beside = place.marker;
        let why = format!(
            "the numbers around `{beside}` do not count exactly 0 or 1, 2, 3 …, so that a bullet there has to bring its own"
        );
        return Err(Refusal::impossible(Code::InvalidArguments, why));
    }
    Ok(item)
}

impl<'a> Addition<'a> {
    /// Returns true if it is in its list, and stays there, or is one of those `written`.
    ///
    /// # Errors
    ///
    /// The one that is there has not the pin or the lifetime that this one brings.
    pub(super) fn is_there(
        &self,
        written: &[Self],
        words: &WordIndex<'a>,
        changes: &BulletChanges<'a>,
    ) -> Result<bool, Refusal> {
        let fact = Fact::of_item(&self.item);
        let is_like = |bullet: &BulletRef<'a>| {
            let has_marker = self.item.marker.as_deref().is_none_or(|marker| marker == bullet.marker());
            let stays = self.spot.is_beside(*bullet) && !changes.changes_content(*bullet);
            has_marker && stays && Fact::of(*bullet) == fact
        };
        let alike: Vec<_> = words.candidates(words_of(&fact.content)).filter(is_like).collect();
        if let Some(first) = alike.first() {
            let missing = |bullet: BulletRef<'a>| Tags::of(bullet).missing(&self.item.tags);
            if alike.iter().any(|bullet| missing(*bullet).is_empty()) {
                return Ok(true);
            }
            let why = format!(
                "this bullet is there already, on line {}, without the pin or the lifetime that is asked for",
                first.line_number()
            );
            return Err(Refusal::impossible(Code::DuplicateBullet, why));
        }
        let is_twin = |other: &Self| {
            other.list == self.list
                && other.spot.parent() == self.spot.parent()
                && other.item.marker == self.item.marker
                && Fact::of_item(&other.item) == fact
        };
        Ok(written.iter().any(is_twin))
    }
}

/// What a bullet says, pin and lifetime aside: two bullets of one list that say the same are one.
#[derive(PartialEq, Eq)]
pub(super) struct Fact {
    content: String,
    checkbox: Option<String>,
    tags: Vec<String>,
}

impl Fact {
    fn new(content: &str, checkbox: Option<&str>, tags: &Tags) -> Self {
        Self { content: normal_content(content), checkbox: checkbox.map(str::to_lowercase), tags: tags.labels() }
    }

    fn of(bullet: BulletRef<'_>) -> Self {
        Self::new(&bullet.content(), bullet.checkbox(), &Tags::of(bullet))
    }

    pub(super) fn of_item(item: &Item) -> Self {
        Self::new(item.folded_content(), item.checkbox.as_deref(), &item.tags)
    }
}

/// The contents of the bullets of a document, in lower case, to find those that say the same as a new one, or nearly.
pub(super) struct WordIndex<'a> {
    bullets: Vec<(BulletRef<'a>, String)>,
}

impl<'a> WordIndex<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        Self { bullets: doc.bullets().map(|bullet| (bullet, bullet.content().to_lowercase())).collect() }
    }

    /// Iterates over the bullets that may have three of four of these words: to be read in normal form, which takes long.
    fn candidates(&self, words: BTreeSet<String>) -> impl Iterator<Item = BulletRef<'a>> {
        let has_most = move |lower: &str| {
            let missing = words.iter().filter(|word| word.is_ascii() && !lower.contains(word.as_str()));
            missing.take(words.len() / 4 + 1).count() <= words.len() / 4
        };
        // Letters of full width are those of ASCII in normal form.
        let may_have =
            move |(_, lower): &&(BulletRef<'a>, String)| lower.as_bytes().contains(&FULL_WIDTH) || has_most(lower);
        self.bullets.iter().filter(may_have).map(|(bullet, _)| *bullet)
    }

    /// Warns of a bullet, other than `own`, that stays and has nearly the words of `item`.
    pub(super) fn near(&self, item: &Item, own: Option<BulletRef<'a>>, changes: &BulletChanges<'a>) -> Option<Warning> {
        let words = words_of(&normal_content(item.folded_content()));
        let is_near = |bullet: BulletRef<'_>| {
            let other = words_of(&normal_content(&bullet.content()));
            let most = words.len().max(other.len());
            // Three of four words are the same.
            other == words || (most >= FEW && words.intersection(&other).count() * 4 >= most * 3)
        };
        let mut others = self.candidates(words.clone()).filter(|bullet| Some(*bullet) != own);
        let near = others.find(|bullet| is_near(*bullet) && !changes.changes_content(*bullet))?;
        let (line, text, key) = (near.line_number(), excerpt(near.line_text().trim(), 80), near.key());
        let message = format!("line {line} says nearly the same: `{text}` (key {key})");
        Some(Warning::new("near_duplicate", message).about(vec![line]))
    }
}

/// Returns the words of a text in lower case.
fn words_of(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
