//! Duplicates and near duplicates: which bullets say the same, and which say nearly the same.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use memchr::memmem::Finder;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{Item, Tags};
use crate::edit::{Edit, OffsetMap, Warning};
use crate::locate::{bullets_with, may_hide_words, normal_content, sampled, shows_word};
use crate::text::excerpt;

/// How many words the longer of two texts must have if they are near duplicates but have not the same words.
const FEW: usize = 4;
/// Texts of more words than this are compared without a search for single words.
const MANY: usize = 64;

/// What a bullet says: its content, checkbox and tags, without pin and lifetime. Two bullets of one list with the same fact
/// are duplicates.
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
        Self::new(&item.folded_content, item.checkbox.as_deref(), &item.tags)
    }
}

/// A fact, and the words of its content.
#[derive(Clone, Debug)]
pub(super) struct FactWords {
    pub(super) fact: Fact,
    words: BTreeSet<String>,
}

impl FactWords {
    pub(super) fn of(fact: Fact) -> Self {
        Self { words: words_of(&fact.content), fact }
    }

    /// Returns true if both have the same words, or nearly.
    fn is_near(&self, other: &Self) -> bool {
        let most = self.words.len().max(other.words.len());
        // At least three of four words are the same.
        self.words == other.words || (most >= FEW && self.words.intersection(&other.words).count() * 4 >= most * 3)
    }
}

/// An index to find the bullets of a document that say the same as a new one, or nearly the same.
pub(super) struct WordIndex<'a> {
    doc: &'a MemoryDoc,
    /// The document's text with ASCII letters in lower case.
    lower: String,
    /// The facts of the bullets, each computed when it is first needed.
    facts: Vec<OnceCell<Box<FactWords>>>,
}

impl<'a> WordIndex<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        let facts = vec![OnceCell::new(); doc.outline().bullets.len()];
        Self { doc, lower: doc.text().to_ascii_lowercase(), facts }
    }

    /// Returns what a bullet of the document says. It is computed once.
    pub(super) fn fact_words(&self, bullet: BulletRef<'a>) -> Option<&FactWords> {
        Some(self.facts.get(bullet.index())?.get_or_init(|| Box::new(FactWords::of(Fact::of(bullet)))))
    }

    /// Iterates over the bullets that may have three quarters of the words of `sought`. Only these are compared in normal
    /// form, which is slow.
    pub(super) fn candidates(&self, sought: &FactWords) -> impl Iterator<Item = BulletRef<'a>> {
        let (words, count, most) = (&sought.words, sought.words.len(), sought.words.len() / 4);
        // If there are many words, none is looked for: few bullets are long enough to match. A word outside ASCII is
        // looked for only if it has no upper and lower case: `lower` may have it in another case.
        let is_sought = |word: &&String| count <= MANY && (word.is_ascii() || word.to_uppercase() == **word);
        let mut words: Vec<&String> = words.iter().filter(is_sought).collect();
        words.sort_by_cached_key(|word| (sampled(&self.lower, word), Reverse(word.len())));
        let words: Vec<_> = words.into_iter().map(|word| Finder::new(word).into_owned()).collect();
        // At most `most` words may be missing, so that a match has at least one of any `most + 1` words. The rarest are
        // taken, as they lead to the fewest bullets.
        let candidates = match words.get(..=most) {
            Some(rare) => bullets_with(self.doc, &self.lower, self.doc.span(), rare),
            None => self.doc.bullets().collect(),
        };
        candidates.into_iter().filter(move |bullet| {
            let missing = || words.iter().filter(|word| !shows_word(*bullet, &self.lower, word));
            // Each word takes at least one byte.
            bullet.extent.len() >= count - most && (missing().take(most + 1).count() <= most || may_hide_words(*bullet))
        })
    }

    /// Returns the first bullet that says nearly the same, among those for which `may_be` is true.
    pub(super) fn near(&self, sought: &FactWords, may_be: impl Fn(BulletRef<'a>) -> bool) -> Option<BulletRef<'a>> {
        let mut others = self.candidates(sought).filter(|bullet| may_be(*bullet));
        others.find(|bullet| self.fact_words(*bullet).is_some_and(|other| sought.is_near(other)))
    }
}

/// Returns a warning for each part that writes nearly what another bullet says: `near` has that bullet. The warning shows
/// it with its line and key in the result of the edit.
pub(super) fn near_duplicates(doc: &MemoryDoc, edit: &Edit, near: &[(usize, BulletRef<'_>)]) -> Vec<(usize, Warning)> {
    if near.is_empty() {
        return Vec::new();
    }
    let (new, offsets) = (edit.result(doc), OffsetMap::of(edit));
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
