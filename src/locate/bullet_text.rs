//! [`BulletText`] and [`SoughtText`]: whether the text of a bullet fits a text that is sought.
//!
//! A sought text is compared with three forms of a bullet: its content; tags and content; checkbox, tags and content.
//! All are in normal form, and a run of white space counts as one space. If none matches, the sought text is read as
//! the line of a bullet, such as `12| - Likes tea`: its view prefix and its marker must be those of the bullet, and the
//! rest must be the beginning, or all, of one of the three forms.

use std::borrow::Cow;
use std::cmp::Reverse;

use memchr::memmem::Finder;

use super::bullet_test::{BulletTest, span_of};
use super::marker::{ViewPrefixes, view_prefix};
use super::normal::{normal_content, positions};
use super::words::{bullets_with, sampled};
use crate::document::{BulletRef, ItemText, MemoryDoc, bullet_line};
use crate::text::{Span, is_whole_words, with_marked_groups};

/// How many words of a sought text are looked at to find a rare one.
const SAMPLED: usize = 16;

/// The text of a bullet, ready for comparisons.
#[derive(Clone, Debug)]
pub(super) struct BulletText {
    /// Checkbox, tags and content in normal form.
    text: String,
    /// `text` with an apostrophe for each space that groups digits, as in `1 500`: word boundaries are looked up here.
    /// Offsets are the same as in `text`. `None` if there are no such spaces.
    marked: Option<String>,
    /// Where three forms of the text start, which all run to its end: content; tags and content; all of it.
    starts: [usize; 3],
    /// Checkbox, tags and content as they are written, with runs of ASCII white space folded.
    pub(super) verbatim: String,
}

impl BulletText {
    pub(super) fn new(bullet: BulletRef<'_>) -> Self {
        let doc = bullet.doc().text();
        let mut text = String::with_capacity(bullet.line.len());
        let mut push = |mark: &str| {
            text.extend([&*normal(mark), if mark.is_empty() { "" } else { " " }]);
            text.len()
        };
        let tags_start = push(bullet.checkbox().unwrap_or_default());
        let content_start = push(bullet.tags_span().of(doc));
        let content = bullet.content();
        let marked = with_marked_groups(&content).map(|content| [&*text, &*normal(&content)].concat());
        let marks = Span::new(bullet.marks().start(), bullet.first_text().start()).of(doc);
        let verbatim = fold_blanks(&[marks, &*content].concat());
        text.push_str(&normal(&content));
        Self { text, marked, starts: [content_start, tags_start, 0], verbatim }
    }

    fn forms(&self) -> [&str; 3] {
        self.starts.map(|start| self.text.get(start..).unwrap_or_default())
    }

    /// Reports whether `part` of the text from `start` on consists of whole words.
    fn is_whole(&self, start: usize, part: Span) -> bool {
        let text = self.marked.as_ref().unwrap_or(&self.text);
        is_whole_words(text.get(start..).unwrap_or_default(), part)
    }

    /// Returns true if one of the forms begins with `sought`, in whole words.
    fn begins_with(&self, sought: &str) -> bool {
        let is_there = |start: usize| self.text.get(start..).is_some_and(|text| text.starts_with(sought));
        self.starts.into_iter().any(|start| is_there(start) && self.is_whole(start, Span::new(0, sought.len())))
    }

    /// Returns true if the bullet passes a test of its text when letter case and the boundaries of words are ignored.
    pub(super) fn is_like(&self, test: &BulletTest) -> bool {
        let sought = normal(test.text().unwrap_or_default()).to_lowercase();
        self.forms().iter().map(|text| text.to_lowercase()).any(|text| match test {
            BulletTest::StartsWith(_) => text.starts_with(&sought),
            BulletTest::Equals(_) => text == sought,
            _ => text.contains(&sought),
        })
    }

    /// Returns true if tags and content contain a text, in whole words.
    fn contains(&self, sought: &Finder<'_>) -> bool {
        let ([_, start, _], length) = (self.starts, sought.needle().len());
        let mut places = positions(self.text.get(start..).unwrap_or_default().as_bytes(), sought);
        places.any(|at| self.is_whole(start, Span::new(at, at + length)))
    }
}

/// How a bullet fits a sought text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fit {
    /// The text is one of the whole forms of the bullet, not a part of it.
    pub(super) is_whole: bool,
    /// The text matches as it was sent. If not, what looks like a prefix or a marker was taken off.
    pub(super) is_literal: bool,
}

/// The text of a test, ready for comparisons.
pub(super) struct SoughtText<'t> {
    test: &'t BulletTest,
    /// The whole text in normal form.
    text: Cow<'t, str>,
    finder: Finder<'static>,
    /// The view prefix at its beginning, such as `12| `.
    pub(super) prefix: Option<&'t str>,
    /// The marker at its beginning, after the prefix.
    marker: Option<&'t str>,
    /// The text after prefix and marker, in normal form.
    rest: Cow<'t, str>,
    /// The same as it was sent, with runs of ASCII white space folded.
    pub(super) verbatim: String,
    /// The word of the rest that is likely the rarest. An ASCII word is preferred.
    word: Finder<'static>,
}

impl<'t> SoughtText<'t> {
    /// Reads the text of a test. A view prefix is recognized only if the document's policy allows healing.
    pub(super) fn new(test: &'t BulletTest, sent: &'t str, doc: &MemoryDoc) -> Self {
        let (bare, text) = (sent.trim_start(), normal(sent));
        let (prefix, line) = view_prefix(bare).filter(|_| doc.heals()).unzip();
        let line = line.map_or(bare, str::trim_start);
        let (marker, rest) = bullet_line(line).map_or((None, line), |line| (Some(line.marker), line.rest));
        let rest = if prefix.is_none() && marker.is_none() { sent } else { rest };
        let (finder, verbatim, rest) = (Finder::new(&*text).into_owned(), fold_blanks(rest), normal(rest));
        // ASCII words are found faster.
        let words = rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).take(SAMPLED);
        let rank = |word: &&str| (!word.is_ascii(), sampled(doc.text(), word), Reverse(word.len()));
        let word = Finder::new(words.min_by_key(rank).unwrap_or_default()).into_owned();
        Self { test, finder, text, prefix, marker, rest, verbatim, word }
    }

    /// Quick filter: returns the bullets that have the rare word. The others cannot fit.
    pub(super) fn likely<'a>(&self, doc: &'a MemoryDoc, bullets: &[BulletRef<'a>]) -> Vec<BulletRef<'a>> {
        let mut likely = bullets_with(doc, doc.text(), span_of(bullets), std::slice::from_ref(&self.word));
        likely.retain(|bullet| bullets.binary_search(bullet).is_ok());
        likely
    }

    /// Returns how a bullet fits; `None` if it does not.
    pub(super) fn fit(&self, bullet: BulletRef<'_>, text: &BulletText) -> Option<Fit> {
        let may_begin = !matches!(self.test, BulletTest::Equals(_));
        let is_whole = |sought: &str| match text.forms().contains(&sought) {
            false => (may_begin && text.begins_with(sought)).then_some(false),
            true => Some(true),
        };
        let is_inside = || matches!(self.test, BulletTest::Contains(_)) && text.contains(&self.finder);
        if let Some(is_whole) = is_whole(&self.text).or_else(|| is_inside().then_some(false)) {
            return Some(Fit { is_whole, is_literal: true });
        }
        // Read as the line of a bullet: marker and prefix must be the bullet's, and the rest its text or the beginning
        // of it.
        let is_its_line = self.marker.is_none_or(|marker| marker == bullet.marker())
            && self.prefix.is_none_or(|prefix| ViewPrefixes::of_line(bullet.doc(), bullet.line_index()).is(prefix));
        let is_whole = is_whole(&self.rest).filter(|_| is_its_line && !self.rest.is_empty())?;
        Some(Fit { is_whole, is_literal: false })
    }
}

/// Returns a text in normal form. If its content begins with the marker `-`, a control character is put before it, so
/// that no other dash equals that marker.
fn normal(text: &str) -> Cow<'_, str> {
    let content = ItemText::of(text.trim_start()).content;
    let normal = normal_content(text);
    if bullet_line(content).is_none_or(|line| line.marker != "-") {
        return normal;
    }
    let content = normal_content(content);
    Cow::Owned([normal.strip_suffix(&*content).unwrap_or_default(), "\u{1}", &*content].concat())
}

/// Folds each run of ASCII white space to one space. Other spaces, such as the no-break space, stay.
fn fold_blanks(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::Content;

    /// Returns true if the only bullet of a document fits a text.
    fn fits(how: fn(Content) -> BulletTest, sought: &str, bullet: &str) -> bool {
        let doc = MemoryDoc::parse(bullet);
        let test = how(sought.into());
        let sought = SoughtText::new(&test, sought, &doc);
        doc.bullets().any(|bullet| sought.fit(bullet, &BulletText::new(bullet)).is_some())
    }

    #[test]
    fn a_bullet_is_named_by_its_content_and_by_what_stands_before_it() {
        let bullet = "- [x] [work, a: b] Likes “green”  tea\n  and milk";
        for text in ["Likes \"green\" tea and milk", "[work, a: b] Likes “green” tea and milk"] {
            assert!(fits(BulletTest::Equals, text, bullet), "{text}");
        }
        for text in ["[x] [work, a: b] Likes", "- [x] [work, a: b] Likes", "- Likes", "1| - Likes", "1| Likes", "[work"]
        {
            assert!(fits(BulletTest::StartsWith, text, bullet), "{text}");
            assert!(!fits(BulletTest::Equals, text, bullet), "{text}");
        }
        for text in ["work", "green", "tea and", "likes", "Like", "een", "* Likes", "2| Likes", "- green", "[x] Likes"]
        {
            assert_eq!(
                fits(BulletTest::Contains, text, bullet),
                ["work", "green", "tea and"].contains(&text),
                "{text}"
            );
        }
    }

    #[test]
    fn a_marker_is_no_dash() {
        assert!(fits(BulletTest::Equals, "- 5 °C", "- 5 °C") && fits(BulletTest::Equals, "5 °C", "- 5 °C"));
        assert!(
            !fits(BulletTest::Equals, "- 5 °C", "* \u{2212} 5 °C")
                && !fits(BulletTest::Equals, "\u{2212} 5 °C", "- 5 °C")
        );
        assert!(
            fits(BulletTest::Equals, "2. [a] - b", "2. [a] - b")
                && !fits(BulletTest::Equals, "[a] \u{2212} b", "- [a] - b")
        );
        assert!(fits(BulletTest::Equals, "2. Two", "2. Two") && !fits(BulletTest::Equals, "1. Two", "2. Two"));
    }

    #[test]
    fn words_stand_by_themselves_wherever_they_begin() {
        assert!(fits(BulletTest::Contains, "a a", "- ba a a"));
        assert!(!fits(BulletTest::Contains, "a a", "- ba ab"));
    }

    proptest! {
        /// A bullet that fits is never left out for want of a word.
        #[test]
        fn a_bullet_that_fits_shows_the_rare_word_or_may_hide_it(
            lines in proptest::collection::vec(WORDS, 1..4),
            between in proptest::sample::select(vec!["\n  ", "\n- ", "\n  - ", "\n  - x\n  "]),
            sought in WORDS,
        ) {
            let doc = MemoryDoc::parse(format!("- {}\n", lines.join(between)));
            let bullets: Vec<_> = doc.bullets().collect();
            for how in [BulletTest::Contains, BulletTest::StartsWith, BulletTest::Equals] {
                let whole = lines.join(" ");
                for text in [&*sought, &*whole, &*lines[0], lines[lines.len() - 1].trim()] {
                    let test = how(text.into());
                    let sought = SoughtText::new(&test, text, &doc);
                    let likely = sought.likely(&doc, &bullets);
                    let mut fitting = bullets.iter().filter(|bullet| sought.fit(**bullet, &BulletText::new(**bullet)).is_some());
                    prop_assert!(fitting.all(|bullet| likely.contains(bullet)), "{:?} in {:?}", text, doc.text());
                }
            }
        }
    }

    /// Words in several scripts, letters of full width, the sign for kelvin, accents in two forms, dates, signs.
    const WORDS: &str = "(K|\u{212A}|\u{FF21}b|Ab|cafe\u{301}|caf\u{E9}|\u{6771}\u{4EAC}|2026-11-29|-5|[a-cK ]{1,3}|\u{2019}s|'s){1,3}( (K|\u{212A}|\u{FF21}b|Ab|x)){0,2}";
}
