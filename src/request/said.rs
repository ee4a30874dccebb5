//! What bullets say: which say the same, and which nearly.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use memchr::memmem::Finder;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{Item, Tags};
use crate::edit::{Edit, OffsetMap, Warning, made};
use crate::locate::{bullets_with, may_hide_words, normal_content, sampled, shows_word};
use crate::text::excerpt;

/// How many words a text must have to be a near duplicate of another one.
const FEW: usize = 4;
/// How many words are looked for one by one.
const MANY: usize = 64;

/// What a bullet says, pin and lifetime aside: two bullets of one list that say the same are one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    content: String,
    checkbox: Option<String>,
    tags: Vec<String>,
}

impl Fact {
    pub(super) fn new(content: &str, checkbox: Option<&str>, tags: &Tags) -> Self {
        let content = normal_content(content).into_owned();
        Self { content, checkbox: checkbox.map(str::to_lowercase), tags: tags.labels() }
    }

    pub(super) fn of(bullet: BulletRef<'_>) -> Self {
        Self::new(&bullet.content(), bullet.checkbox(), &Tags::of(bullet))
    }

    pub(super) fn of_item(item: &Item) -> Self {
        Self::new(item.folded_content(), item.checkbox.as_deref(), &item.tags)
    }
}

/// What a bullet says, and the words of that.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) fact: Fact,
    words: BTreeSet<String>,
}

impl Said {
    pub(super) fn of(fact: Fact) -> Self {
        Self { words: words_of(&fact.content), fact }
    }

    /// Returns true if both have the same words, or nearly.
    fn is_near(&self, other: &Self) -> bool {
        let most = self.words.len().max(other.words.len());
        // Three of four words are the same.
        self.words == other.words || (most >= FEW && self.words.intersection(&other.words).count() * 4 >= most * 3)
    }
}

/// The text of a document with its letters of ASCII in lower case, to find the bullets that say the same as a new one, or
/// nearly.
pub(super) struct WordIndex<'a> {
    doc: &'a MemoryDoc,
    lower: String,
    /// What the bullets say that have been compared.
    said: Vec<OnceCell<Box<Said>>>,
}

impl<'a> WordIndex<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        let said = vec![OnceCell::new(); doc.outline().bullets.len()];
        Self { doc, lower: doc.text().to_ascii_lowercase(), said }
    }

    /// Returns what a bullet of the document says, which is worked out once.
    pub(super) fn said(&self, bullet: BulletRef<'a>) -> Option<&Said> {
        Some(self.said.get(bullet.index())?.get_or_init(|| Box::new(Said::of(Fact::of(bullet)))))
    }

    /// Iterates over the bullets that may have three quarters of the words of what is said. Only these are compared in normal form,
    /// which takes long.
    pub(super) fn candidates(&self, said: &Said) -> impl Iterator<Item = BulletRef<'a>> {
        let (words, count, most) = (&said.words, said.words.len(), said.words.len() / 4);
        // Of many words none is looked for: few bullets are long enough to have them. And no text in another letter case
        // has a word without letter case.
        let is_sought = |word: &&String| count <= MANY && (word.is_ascii() || word.to_uppercase() == **word);
        let mut words: Vec<&String> = words.iter().filter(is_sought).collect();
        words.sort_by_cached_key(|word| (sampled(&self.lower, word), Reverse(word.len())));
        let words: Vec<_> = words.into_iter().map(|word| Finder::new(word).into_owned()).collect();
        // One of the words that are most likely rare is there, if no more than `most` are missing.
        let candidates = match words.get(..=most) {
            Some(rare) => bullets_with(self.doc, &self.lower, self.doc.span(), rare),
            None => self.doc.bullets().collect(),
        };
        candidates.into_iter().filter(move |bullet| {
            let missing = || words.iter().filter(|word| !shows_word(*bullet, &self.lower, word));
            // A word takes a byte at least.
            bullet.extent.len() >= count - most && (missing().take(most + 1).count() <= most || may_hide_words(*bullet))
        })
    }

    /// Returns a bullet that says nearly the same, and may be told of.
    pub(super) fn near(&self, said: &Said, may_be: impl Fn(BulletRef<'a>) -> bool) -> Option<BulletRef<'a>> {
        let mut others = self.candidates(said).filter(|bullet| may_be(*bullet));
        others.find(|bullet| self.said(*bullet).is_some_and(|other| said.is_near(other)))
    }
}

/// Warns of bullets that stay and say nearly what a part writes. Each is shown with its line and key in the result.
pub(super) fn near_duplicates(doc: &MemoryDoc, edit: &Edit, near: &[(usize, BulletRef<'_>)]) -> Vec<(usize, Warning)> {
    if near.is_empty() {
        return Vec::new();
    }
    let (new, offsets) = (made(doc, edit), OffsetMap::of(edit));
    let warning = |(part, near): &(usize, BulletRef<'_>)| {
        let near: BulletRef<'_> = new.starting_at(offsets.survivor(near.line.start())?)?;
        let (line, text, key) = (near.line_number(), excerpt(near.line_text().trim(), 80), near.key());
        let message = format!("line {line} says nearly the same: `{text}` (key {key})");
        Some((*part, Warning::new("near_duplicate", message).about(vec![line])))
    };
    near.iter().filter_map(warning).collect()
}

/// Returns the words of a text in lower case.
fn words_of(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_letter_in_lower_case_is_without_letter_case() {
        for c in '\0'..=char::MAX {
            let lower = c.to_lowercase().to_string();
            assert!(lower == c.to_string() || lower.to_uppercase() != lower, "{c:?}");
        }
    }
}
