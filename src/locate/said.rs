//! Texts that are compared with the contents of bullets.
//!
//! White space is folded; at an end of a text it stands for white space of the content or, where there is none, for an end of the
//! content, so that ` likes` is not found in `dislikes`. What is left of a text behind a pasted marker with the checkbox and tags that the bullet has, or
//! behind the prefix that a view shows for its line, must stand at the beginning of the content.

use memchr::memmem;

use super::contents::{Contents, fold, is_folded_space};
use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::marker::{BulletLine, LineLabel, behind_doubled, view_prefix};
use crate::document::{BulletRef, checkbox, tag_groups};
use crate::text::Span;

/// How a text is compared with a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Contains,
    StartsWith,
    Equals,
}

impl How {
    fn holds(self, content: &str, sought: &Folded) -> bool {
        let text = &*sought.text;
        let inner = sought.inner();
        // No text ends inside a letter.
        let ends_at = |at: usize| !content.get(at..).is_some_and(begins_inside_letter);
        let begins_with = |text: &str| content.starts_with(text) && ends_at(text.len());
        let (from_start, to_end) = (text.strip_prefix(' ').unwrap_or(text), text.strip_suffix(' ').unwrap_or(text));
        let (is_loose, is_all) = (sought.ends == Ends::Loose, content == inner);
        match self {
            // To prepare the search for a long text takes as long as it is.
            Self::Contains if inner.len() > content.len() => false,
            Self::Contains => {
                memmem::find_iter(content.as_bytes(), text.as_bytes()).any(|at| ends_at(at + text.len()))
                    || (is_loose && (is_all || begins_with(from_start) || content.ends_with(to_end)))
            }
            Self::StartsWith => begins_with(from_start) || (is_loose && is_all),
            Self::Equals => is_all,
        }
    }
}

/// A folded text, with one space at an end for the white space that it has there.
#[derive(Clone, Debug, Default, PartialEq)]
struct Folded {
    text: String,
    ends: Ends,
}

impl Folded {
    fn new(sought: &str, rungs: Rungs, ends: Ends) -> Self {
        let is_space = |c: char| if rungs.has(Rung::Punctuation) { c.is_whitespace() } else { is_folded_space(c) };
        let mut text = fold(&rungs.read(sought), rungs).into_owned();
        if sought.starts_with(is_space) {
            text.insert(0, ' ');
        }
        if sought.ends_with(is_space) {
            text.push(' ');
        }
        Self { text, ends }
    }

    /// Returns the text without the spaces at its ends.
    fn inner(&self) -> &str {
        self.text.trim_matches(' ')
    }
}

/// Whether white space at an end of a text may stand for the end of a content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ends {
    #[default]
    Strict,
    Loose,
}

/// A text as it is compared with contents on some rungs.
#[derive(Debug)]
pub(super) struct Said<'t> {
    rungs: Rungs,
    text: Folded,
    readings: Vec<Reading<'t>>,
}

impl PartialEq for Said<'_> {
    /// Reports whether two are compared with the same, and alike.
    fn eq(&self, other: &Self) -> bool {
        let folds = |said: &Self| said.rungs.has(Rung::Punctuation);
        (folds(self), &self.text, &self.readings) == (folds(other), &other.text, &other.readings)
    }
}

impl<'t> Said<'t> {
    pub(super) fn new(sought: &'t str, rungs: Rungs, ends: Ends) -> Self {
        let text = sought.trim_start_matches([' ', '\t']);
        let plain = Reading { rest: text, ..Reading::default() };
        let prefixed = view_prefix(text).filter(|_| rungs.has(Rung::ViewPrefix));
        let prefixed = prefixed.map(|(prefix, rest)| Reading {
            prefix: Some(prefix),
            rest: rest.trim_start_matches([' ', '\t']),
            ..Reading::default()
        });
        let texts = [Some(&plain), prefixed.as_ref()].into_iter().flatten();
        let unmarked = texts.filter(|_| rungs.has(Rung::BulletMarker)).flat_map(Reading::without_marker);
        let mut readings: Vec<_> = unmarked.filter_map(Reading::without_marks).chain(prefixed.clone()).collect();
        readings.retain(|reading| reading.rest.len() < sought.len());
        for reading in &mut readings {
            reading.folded = Folded::new(reading.rest, rungs, ends);
        }
        readings.retain(|reading| !reading.folded.inner().is_empty());
        Self { rungs, text: Folded::new(sought, rungs, ends), readings }
    }

    /// Reports whether it is what a bullet says.
    pub(super) fn is_of(&self, contents: &Contents<'_>, bullet: BulletRef<'_>, how: How) -> bool {
        let content = contents.of(bullet, self.rungs);
        let reads = |reading: &Reading<'_>| {
            let text = &reading.folded;
            content.starts_with(text.inner()) && how.holds(&content, text) && reading.may_be_of(bullet)
        };
        how.holds(&content, &self.text) || self.readings.iter().any(reads)
    }

    /// Returns those of `bullets` that may say it: all that do are among them.
    pub(super) fn likely<'b>(&self, contents: &Contents<'_>, bullets: Vec<BulletRef<'b>>) -> Vec<BulletRef<'b>> {
        let [first, _, ..] = bullets.as_slice() else { return bullets };
        if !bullets.is_sorted() {
            return bullets;
        }
        let end = bullets.last().map_or(0, |last| last.index() + 1);
        let extents_end = bullets.iter().map(|bullet| bullet.extent.end()).max().unwrap_or_default();
        let extent = Span::new(first.extent.start(), extents_end);
        // A word stands in a content as it stands in the text, if punctuation is not overlooked.
        let word = self.text.inner().split(' ').max_by_key(|word| word.len()).filter(|word| !word.is_empty());
        let is_worth = self.readings.is_empty() && !self.rungs.has(Rung::Punctuation) && !contents.are_folded();
        let by_word = word.filter(|_| is_worth).and_then(|word| contents.with_word(word, extent));
        let found = by_word.unwrap_or_else(|| {
            let texts =
                [&self.text].into_iter().chain(self.readings.iter().map(|reading| &reading.folded)).map(Folded::inner);
            let folded = contents.folded(self.rungs);
            let mut found: Vec<_> = texts.flat_map(|text| folded.with(text, first.index()..end)).collect();
            found.sort_unstable();
            found.dedup();
            found
        });
        let at = |index: &usize| bullets.binary_search_by_key(index, |bullet| bullet.index()).ok();
        found.iter().filter_map(|index| bullets.get(at(index)?).copied()).collect()
    }
}

/// A text without what was pasted along before the content, all of which must be the bullet's own.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reading<'t> {
    prefix: Option<&'t str>,
    marker: Option<BulletLine<'t>>,
    checkbox: Option<&'t str>,
    tags: Vec<&'t str>,
    rest: &'t str,
    folded: Folded,
}

impl<'t> Reading<'t> {
    /// Returns the ways to read it as the line of a bullet.
    fn without_marker(&self) -> Vec<Self> {
        let brought = BulletLine::read(self.rest).filter(|line| line.indentation.is_empty());
        let brought = brought.map(|line| Self { marker: Some(line), rest: line.rest, ..self.clone() });
        let doubled = behind_doubled(self.rest).map(|rest| Self { rest, ..self.clone() });
        brought.into_iter().chain(doubled).chain([self.clone()]).collect()
    }

    /// Takes checkbox and tags from its beginning.
    fn without_marks(mut self) -> Option<Self> {
        if let Some((length, space)) = checkbox(self.rest) {
            self.checkbox = self.rest.get(..length);
            self.rest = self.rest.get(length + space..)?;
        }
        let (groups, content) = tag_groups(self.rest);
        let tags = groups.into_iter().flat_map(|group| group.tags);
        self.tags = tags.filter_map(|tag| self.rest.get(tag)).collect();
        self.rest = self.rest.get(content..)?;
        Some(self)
    }

    fn may_be_of(&self, bullet: BulletRef<'_>) -> bool {
        self.checkbox.is_none_or(|checkbox| bullet.checkbox() == Some(checkbox))
            && (self.tags.is_empty() || self.tags == bullet.tags())
            && self.marker.is_none_or(|line| line.stands_for(bullet.marker()))
            && self.prefix.is_none_or(|prefix| LineLabel::of_bullet(bullet).is(prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::MemoryDoc;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_a_bullet_says_is_likely_wherever_it_stands(
            lines in prop::collection::vec("( {0,4}- )?(\\[a\\] )?[ab\u{201C}\"]{1,2}( {1,2}|\t|\u{A0})?[ab]?", 1..60),
            text in "(- )?(\\[a\\] )?[ab\u{201C}\"]{1,2}( {1,2}[ab])?",
        ) {
            let doc = MemoryDoc::parse(lines.join("\n"));
            let bullets: Vec<_> = doc.bullets().collect();
            for rungs in [Rungs::NONE, Rungs::up_to(Rung::Punctuation), Rungs::up_to(Rung::ViewPrefix)] {
                let said = Said::new(&text, rungs, Ends::Loose);
                let folded = Contents::new(&doc);
                folded.folded(rungs);
                for how in [How::Contains, How::StartsWith, How::Equals] {
                    let says = |contents: &Contents<'_>, bullets: Vec<BulletRef<'_>>| -> Vec<_> {
                        let says = bullets.into_iter().filter(|bullet| said.is_of(contents, *bullet, how));
                        says.map(BulletRef::index).collect()
                    };
                    let all = says(&Contents::new(&doc), bullets.clone());
                    for contents in [&Contents::new(&doc), &folded] {
                        let likely = said.likely(contents, bullets.clone());
                        prop_assert_eq!(says(contents, likely), all.clone(), "{:?} {:?}", how, rungs);
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn white_space_at_an_end_of_a_text_is_never_inside_a_word(
            content in "[ab]{1,3}([ \t][ab]{1,2})?",
            text in "[ \t]?[ab]{1,2}[ \t]?",
        ) {
            let doc = MemoryDoc::parse(format!("- {content}\n"));
            let contents = Contents::new(&doc);
            let (padded, plain) = (format!(" {content} ").replace('\t', " "), text.replace('\t', " "));
            for (ends, there) in [(Ends::Strict, padded.trim()), (Ends::Loose, &*padded)] {
                let said = Said::new(&text, Rungs::NONE, ends);
                for bullet in doc.bullets() {
                    prop_assert_eq!(said.is_of(&contents, bullet, How::Contains), there.contains(&plain));
                    let starts = there.trim_start().starts_with(plain.trim_start());
                    prop_assert_eq!(said.is_of(&contents, bullet, How::StartsWith), starts);
                }
            }
        }
    }

    #[test]
    fn a_text_that_no_bullet_says_leaves_none_to_be_looked_at() {
        let doc = MemoryDoc::parse("- one fact\n".repeat(500));
        let (contents, bullets) = (Contents::new(&doc), doc.bullets().collect::<Vec<_>>());
        let likely = |text: &str| {
            let said = Said::new(text, Rungs::up_to(Rung::Punctuation), Ends::Loose);
            said.likely(&contents, bullets.clone()).len()
        };
        assert_eq!([likely("fact"), likely("two"), likely(&"fact ".repeat(10_000))], [500, 0, 0]);
    }
}
