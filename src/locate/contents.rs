//! Contents of bullets, and texts that are compared with them, as the rungs of the ladder see both: each is folded once.
//!
//! White space is folded. What is left of a text behind a pasted marker with the checkbox and tags that the bullet has, or
//! behind the prefix that a view shows for its line, must stand at the beginning of the content.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::ops::Range;

use memchr::memmem;

use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::marker::{BulletLine, LineLabel, behind_doubled, view_prefix};
use crate::document::{BulletRef, MemoryDoc, checkbox, tag_groups};
use crate::text::{Span, fold_punctuation, fold_white_space};

/// The contents of a document's bullets, folded when they are first asked for.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    doc: &'a MemoryDoc,
    plain: OnceCell<Folded>,
    without_punctuation: OnceCell<Folded>,
    /// How many were asked for one by one.
    asked: Cell<usize>,
}

/// How many contents are folded one by one, before all are.
const FEW: usize = 32;

/// Folded contents, one behind the other, so that one pass finds all that hold a text.
#[derive(Debug)]
struct Folded {
    /// Behind each stands a line feed, which no folded text has.
    joined: String,
    /// Where each starts, in document order, and where one more would.
    starts: Vec<usize>,
}

impl Folded {
    /// Folds contents.
    fn new<'t>(contents: impl Iterator<Item = Cow<'t, str>>, rungs: Rungs) -> Self {
        let (mut joined, mut starts) = (String::new(), vec![0]);
        for content in contents {
            joined.push_str(&fold(&content, rungs));
            joined.push('\n');
            starts.push(joined.len());
        }
        Self { joined, starts }
    }

    /// Returns where the content of this index starts.
    fn start(&self, index: usize) -> usize {
        self.starts.get(index).copied().unwrap_or(self.joined.len())
    }

    fn of(&self, index: usize) -> &str {
        self.joined.get(self.start(index)..self.start(index + 1)).map_or("", |content| content.trim_end_matches('\n'))
    }

    /// Returns the indexes, among those of `within`, of the contents in which a text stands. Each is met at most once.
    fn with(&self, text: &str, within: Range<usize>) -> Vec<usize> {
        let finder = memmem::Finder::new(text);
        let (mut next, end) = (self.start(within.start), self.start(within.end));
        let mut found = Vec::new();
        while let Some(at) = self.joined.as_bytes().get(next..end).and_then(|rest| finder.find(rest)) {
            let index = self.starts.partition_point(|start| *start <= next + at).saturating_sub(1);
            if !within.contains(&index) {
                break;
            }
            found.push(index);
            next = self.start(index + 1);
        }
        found
    }
}

impl<'a> Contents<'a> {
    pub(super) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, plain: OnceCell::new(), without_punctuation: OnceCell::new(), asked: Cell::new(0) }
    }

    fn folded(&self, rungs: Rungs) -> &Folded {
        self.cell(rungs).get_or_init(|| Folded::new(self.doc.bullets().map(BulletRef::content), rungs))
    }

    fn cell(&self, rungs: Rungs) -> &OnceCell<Folded> {
        if rungs.has(Rung::Punctuation) { &self.without_punctuation } else { &self.plain }
    }

    /// Returns the content of a bullet, folded.
    fn of(&self, bullet: BulletRef<'_>, rungs: Rungs) -> Cow<'_, str> {
        if self.asked.get() < FEW && self.cell(rungs).get().is_none() {
            self.asked.set(self.asked.get() + 1);
            return Cow::Owned(fold(&bullet.content(), rungs).into_owned());
        }
        Cow::Borrowed(self.folded(rungs).of(bullet.index()))
    }

    /// Returns the indexes of the bullets in whose own lines under `span` a word stands; `None` if that is often.
    fn with_word(&self, word: &str, span: Span) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        for at in memmem::find_iter(span.of(self.doc.text()).as_bytes(), word) {
            if found.len() == FEW {
                return None;
            }
            found.push(self.doc.bullet_at(span.start() + at).map(BulletRef::index));
        }
        let mut found: Vec<_> = found.into_iter().flatten().collect();
        found.sort_unstable();
        found.dedup();
        Some(found)
    }
}

/// How a text is compared with a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Contains,
    StartsWith,
    Equals,
}

impl How {
    fn holds(self, content: &str, text: &str) -> bool {
        // No text ends inside a letter.
        let ends_letter = |at: usize| !content.get(at..).is_some_and(begins_inside_letter);
        match self {
            // To prepare the search for a long text takes as long as it is.
            Self::Contains if text.len() > content.len() => false,
            Self::Contains => {
                memmem::find_iter(content.as_bytes(), text.as_bytes()).any(|at| ends_letter(at + text.len()))
            }
            Self::StartsWith => content.starts_with(text) && ends_letter(text.len()),
            Self::Equals => content == text,
        }
    }
}

/// A text as it is compared with contents on some rungs.
#[derive(Debug)]
pub(super) struct Said<'t> {
    rungs: Rungs,
    text: String,
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
    pub(super) fn new(sought: &'t str, rungs: Rungs) -> Self {
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
            reading.folded = fold(&rungs.read(reading.rest), rungs).into_owned();
        }
        readings.retain(|reading| !reading.folded.is_empty());
        Self { rungs, text: fold(&rungs.read(sought), rungs).into_owned(), readings }
    }

    /// Reports whether it is what a bullet says.
    pub(super) fn is_of(&self, contents: &Contents<'_>, bullet: BulletRef<'_>, how: How) -> bool {
        let content = contents.of(bullet, self.rungs);
        let reads = |reading: &Reading<'_>| {
            let text = &reading.folded;
            content.starts_with(text) && how.holds(&content, text) && reading.may_be_of(bullet)
        };
        how.holds(&content, &self.text) || self.readings.iter().any(reads)
    }

    /// Returns those of `bullets` that may say it: all that do are among them.
    pub(super) fn likely<'b>(
        &self,
        contents: &Contents<'_>,
        bullets: Vec<BulletRef<'b>>,
        how: How,
    ) -> Vec<BulletRef<'b>> {
        let ([first, ..], How::Contains, []) = (bullets.as_slice(), how, self.readings.as_slice()) else {
            return bullets;
        };
        if !bullets.is_sorted() {
            return bullets;
        }
        let end = bullets.last().map_or(0, |last| last.index() + 1);
        let extents_end = bullets.iter().map(|bullet| bullet.extent.end()).max().unwrap_or_default();
        let extent = Span::new(first.extent.start(), extents_end);
        // A word stands in a content as it stands in the text, if punctuation is not overlooked.
        let word = self.text.split(' ').max_by_key(|word| word.len()).filter(|word| !word.is_empty());
        let is_worth = !self.rungs.has(Rung::Punctuation) && contents.plain.get().is_none();
        let by_word = word.filter(|_| is_worth).and_then(|word| contents.with_word(word, extent));
        let found = by_word.unwrap_or_else(|| contents.folded(self.rungs).with(&self.text, first.index()..end));
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
    folded: String,
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

fn fold(text: &str, rungs: Rungs) -> Cow<'_, str> {
    if is_folded(text, rungs) {
        return Cow::Borrowed(text);
    }
    if !rungs.has(Rung::Punctuation) {
        // Other spaces than these are punctuation's.
        let words = text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        return Cow::Owned(words.collect::<Vec<_>>().join(" "));
    }
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    Cow::Owned(fold_white_space(&plain).into_owned())
}

/// Reports whether a text is as it would be folded, as far as that is soon told.
fn is_folded(text: &str, rungs: Rungs) -> bool {
    let stays = |byte: u8| byte >= b' ' && (byte.is_ascii() || !rungs.has(Rung::Punctuation));
    let bytes = text.as_bytes();
    let ends_in_space = text.starts_with(' ') || text.ends_with(' ');
    !ends_in_space && bytes.iter().all(|byte| stays(*byte)) && !bytes.windows(2).any(|pair| pair == b"  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn one_pass_meets_each_content_that_has_a_text_once() {
        let texts = ["tea", "", "green tea, black tea", "te", "a tea"];
        let folded = Folded::new(texts.iter().map(|text| Cow::Borrowed(*text)), Rungs::NONE);
        assert_eq!(texts.map(str::len), [0, 1, 2, 3, 4].map(|index| folded.of(index).len()));
        for text in ["tea", "te", "a", "green", "tea\ngreen", "tea, black tea and milk", "none", ""] {
            for within in [0..5, 1..4, 3..5, 2..2] {
                let all = within.clone().filter(|index| folded.of(*index).contains(text)).collect::<Vec<_>>();
                assert_eq!(folded.with(text, within.clone()), if text.contains('\n') { vec![] } else { all }, "{text}");
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_taken_for_folded_is(text in "[ab \\t\u{A0}\u{B}\u{E9}\u{2019}]{0,6}") {
            for rungs in [Rungs::NONE, Rungs::up_to(Rung::Punctuation)] {
                // A text in front keeps it from being taken for folded.
                let slowly = fold(&format!("  {text}"), rungs).into_owned();
                prop_assert_eq!(fold(&text, rungs), slowly);
            }
        }
    }

    proptest! {
        #[test]
        fn what_a_bullet_says_is_likely_wherever_it_stands(
            lines in prop::collection::vec("( {0,4}- )?(\\[a\\] )?[ab]{1,2}( {1,2}|\t)?[ab]?", 1..60),
            text in "[ab]{1,2}( {1,2}[ab])?",
        ) {
            let doc = MemoryDoc::parse(lines.join("\n"));
            let bullets: Vec<_> = doc.bullets().collect();
            let said = Said::new(&text, Rungs::NONE);
            let folded = Contents::new(&doc);
            folded.folded(Rungs::NONE);
            let says = |contents: &Contents<'_>, bullets: Vec<BulletRef<'_>>| -> Vec<_> {
                let likely = said.likely(contents, bullets, How::Contains).into_iter();
                likely.filter(|bullet| said.is_of(contents, *bullet, How::Contains)).map(BulletRef::index).collect()
            };
            let all: Vec<_> = bullets.iter().filter(|bullet| fold(&bullet.content(), Rungs::NONE).contains(&said.text)).collect();
            let all: Vec<_> = all.into_iter().map(|bullet| bullet.index()).collect();
            prop_assert_eq!([says(&Contents::new(&doc), bullets.clone()), says(&folded, bullets)], [all.clone(), all]);
        }
    }

    #[test]
    fn a_text_that_no_bullet_says_leaves_none_to_be_looked_at() {
        let doc = MemoryDoc::parse("- one fact\n".repeat(500));
        let (contents, bullets) = (Contents::new(&doc), doc.bullets().collect::<Vec<_>>());
        let likely = |text: &str| {
            let said = Said::new(text, Rungs::up_to(Rung::Punctuation));
            said.likely(&contents, bullets.clone(), How::Contains).len()
        };
        assert_eq!([likely("fact"), likely("two"), likely(&"fact ".repeat(10_000))], [500, 0, 0]);
    }
}
