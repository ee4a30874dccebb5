//! [`BulletTest`]: a condition on a bullet's text, tags, key or checkbox, and the search for bullets that meet it.
//!
//! A sought text is compared with three forms of a bullet: its content; tags and content; checkbox, tags and content.
//! All are in normal form, and a run of white space counts as one space. If none matches, the sought text is read as
//! the line of a bullet, such as `12| - Likes tea`: its view prefix and its marker must be those of the bullet, and the
//! rest must be the beginning, or all, of one of the three forms.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;

use memchr::memmem::Finder;

use super::closest::{Closest, closest, describe};
use super::diagnostic::{Diagnostic, Fix, LocateError, Reason, Target};
use super::leniency::{Leniency, unescape};
use super::marker::{ViewPrefixes, view_prefix};
use super::matches::Found;
use super::names::Names;
use super::normal::{normal_content, positions};
use super::words::{bullets_with, sampled};
use crate::document::{BulletRef, ItemText, MemoryDoc, Section, bullet_line};
use crate::text::{Content, Line, Span, excerpt, is_whole_words, names, visible, with_marked_groups};

/// A condition that names a bullet without its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BulletTest {
    /// Its content contains this text.
    Contains(Content),
    /// Its content begins with this text.
    StartsWith(Content),
    /// Its content is this text.
    Equals(Content),
    /// It has this tag.
    Tag(Content),
    /// It has this key.
    Key(Content),
    /// It has a checkbox in this state.
    Checkbox(CheckboxState),
}

impl fmt::Display for BulletTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contains(text) => write!(f, "contains `{text}`"),
            Self::StartsWith(text) => write!(f, "starts with `{text}`"),
            Self::Equals(text) => write!(f, "equals `{text}`"),
            Self::Tag(tag) => write!(f, "has tag `{tag}`"),
            Self::Key(key) => write!(f, "has key `{key}`"),
            Self::Checkbox(state) => write!(f, "has a checkbox that is {state}"),
        }
    }
}

names! {
    /// The state of a checkbox.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum CheckboxState {
        /// It is `[ ]`.
        Open = "open",
        /// It is `[x]` or `[X]`.
        Done = "done",
    }
}

impl CheckboxState {
    /// Returns true if this is the state of the checkbox.
    pub(crate) fn is_of(self, checkbox: &str) -> bool {
        match self {
            Self::Open => checkbox == "[ ]",
            Self::Done => matches!(checkbox, "[x]" | "[X]"),
        }
    }
}

impl BulletTest {
    /// Returns the sought text; `None` for a test of tag, key or checkbox.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Contains(text) | Self::StartsWith(text) | Self::Equals(text) => Some(text),
            Self::Tag(_) | Self::Key(_) | Self::Checkbox(_) => None,
        }
    }

    /// If this is a test of tag, key or checkbox, keeps only the bullets that pass it.
    fn retain_marked(&self, names: &Names<'_>, bullets: &mut Vec<BulletRef<'_>>) {
        let mut keep = |named: Vec<BulletRef<'_>>| bullets.retain(|bullet| named.binary_search(bullet).is_ok());
        match self {
            Self::Key(key) => keep(names.doc().bullets_by_key(key)),
            Self::Tag(tag) => keep(names.doc().bullets_by_tag(tag)),
            Self::Checkbox(state) => bullets.retain(|bullet| bullet.checkbox().is_some_and(|own| state.is_of(own))),
            Self::Contains(_) | Self::StartsWith(_) | Self::Equals(_) => {}
        }
    }
}

/// Finds the one bullet among `bullets` that passes all tests. If a text is the whole content of some of them, only
/// these count.
pub(crate) fn bullet_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
    what: Target,
) -> Result<Found<BulletRef<'a>>, LocateError> {
    let Found { at: mut fitting, healed } = fitting_bullets(names, bullets, tests);
    let has = |holds: fn(&Fit) -> bool| fitting.iter().any(|(_, fit)| holds(fit));
    // `- a` may mean the bullet with the content `a`, or one whose content begins with `- a`. If there is one of each,
    // both count.
    let is_ambiguous = has(|fit| fit.is_literal && !fit.is_whole) && !has(|fit| fit.is_literal && fit.is_whole);
    if has(|fit| fit.is_whole) && !is_ambiguous {
        fitting.retain(|(_, fit)| fit.is_whole);
    }
    let found = Found { at: fitting.into_iter().map(|(bullet, _)| bullet).collect(), healed };
    let only =
        names.only(what, found, |bullet: &BulletRef<'_>| bullet.line, |bullet| Some(Fix::UseKey(bullet.key().into())));
    names.helped(only, || no_bullet(names, bullets, tests))
}

/// Finds all bullets among `bullets` that pass all tests.
pub(crate) fn bullets_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Found<Vec<BulletRef<'a>>> {
    let found = fitting_bullets(names, bullets, tests);
    found.map(|fitting| fitting.into_iter().map(|(bullet, _)| bullet).collect())
}

/// Says where the bullet is, if exactly one bullet of the whole document passes all tests.
pub(crate) fn bullet_elsewhere(names: &Names<'_>, tests: &[BulletTest]) -> Option<Diagnostic> {
    let everywhere: Vec<_> = names.doc().bullets().filter(|_| !tests.is_empty()).collect();
    let [only] = *bullets_by_tests(names, &everywhere, tests).at else { return None };
    Some(Diagnostic::elsewhere(names.doc(), only.line.start()))
}

/// Finds all bullets among `bullets` that pass all tests, each with how it fits the texts.
///
/// Texts are compared verbatim; if nothing is found, in normal form; if still nothing is found, without their escapes.
fn fitting_bullets<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Found<Vec<(BulletRef<'a>, Fit)>> {
    let mut bullets = Cow::Borrowed(bullets);
    let marked = tests.iter().filter(|test| test.text().is_none());
    marked.for_each(|test| test.retain_marked(names, bullets.to_mut()));
    let sent: Vec<_> = tests.iter().filter_map(|test| Some((test, Cow::Borrowed(test.text()?)))).collect();
    if let Some(found) = fitting(names, &bullets, &sent) {
        return found;
    }
    let plain: Vec<_> = sent.iter().map(|(test, text)| (*test, unescape(text))).collect();
    let found = if plain != sent && names.doc().heals() { fitting(names, &bullets, &plain) } else { None };
    found.map_or_else(|| Found::exact(Vec::new()), |found| found.with_earlier(vec![Leniency::Escapes]))
}

/// Returns the bullets that fit the texts of all tests. If some of them contain these texts verbatim, returns only
/// those. `None` if no bullet fits.
fn fitting<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    texts: &[(&BulletTest, Cow<'_, str>)],
) -> Option<Found<Vec<(BulletRef<'a>, Fit)>>> {
    let sought: Vec<_> = texts.iter().map(|(test, text)| SoughtText::new(test, text, names.doc())).collect();
    let likely = sought.first().map_or_else(|| bullets.to_vec(), |first| first.likely(names.doc(), bullets));
    let fit = |bullet: &BulletRef<'a>| {
        let mut all = Fit { is_whole: false, is_literal: true };
        for sought in &sought {
            let fit = sought.fit(*bullet, names.bullet_text(*bullet)?)?;
            all = Fit { is_whole: all.is_whole || fit.is_whole, is_literal: all.is_literal && fit.is_literal };
        }
        Some((*bullet, all))
    };
    let mut fitting: Vec<(BulletRef<'a>, Fit)> = likely.iter().filter_map(fit).collect();
    let mut verbatim = fitting.clone();
    let contains =
        |bullet: BulletRef<'a>, text: &str| names.bullet_text(bullet).is_some_and(|own| own.verbatim.contains(text));
    verbatim.retain(|(bullet, _)| sought.iter().all(|sought| contains(*bullet, &sought.verbatim)));
    let is_healed = verbatim.is_empty();
    if !(is_healed && names.doc().heals()) {
        fitting = verbatim;
    }
    let (_, first) = fitting.first()?;
    let has_prefix = !first.is_literal && sought.iter().any(|sought| sought.prefix.is_some());
    let healed = Leniency::needed([(Leniency::Punctuation, is_healed), (Leniency::ViewPrefix, has_prefix)]);
    Some(Found { at: fitting, healed })
}

/// Returns the help if no bullet passes the tests: the lines that are most like the sought text.
fn no_bullet<'a>(names: &Names<'a>, bullets: &[BulletRef<'a>], tests: &[BulletTest]) -> Diagnostic {
    let Some(text) = tests.iter().find_map(BulletTest::text) else { return Diagnostic::default() };
    let (doc, mut closest) = (names.doc(), closest(names.doc(), span_of(bullets), text));
    // A heading between the bullets is not one of them.
    let start = |closest: &Closest| doc.line_start(closest.line.saturating_sub(1));
    closest.retain(|closest| doc.starting_at::<Section>(start(closest)).is_none());
    if tests.iter().any(|test| matches!(test, BulletTest::Equals(_))) {
        closest.iter_mut().for_each(|closest| add_lines_below(closest, doc.starting_at(start(closest))));
    }
    Diagnostic { closest, ..Diagnostic::default() }
}

/// Adds the continuation lines of a bullet to its first line: `equals` compares them, too.
fn add_lines_below(closest: &mut Closest, bullet: Option<BulletRef<'_>>) {
    let content = bullet.map(BulletRef::content).unwrap_or_default();
    let Some((_, below)) = content.split_once('\n') else { return };
    if closest.reason == Reason::Same {
        closest.reason = Reason::Text;
        closest.found = visible(&excerpt(below.trim_start(), 30)).into();
    }
    closest.text = [&*closest.text, below].join("\n").into();
}

/// Returns the span of the document that covers `bullets`, which are in document order.
fn span_of(bullets: &[BulletRef<'_>]) -> Span {
    // The outermost bullet around the last one may have more lines after it.
    let ends = bullets.first().zip(bullets.last().map(|last| last.outermost()));
    ends.map_or(Span::at(0), |(first, last)| Span::new(first.line.start(), last.extent.end()))
}

/// Returns the error for a bullet that has another text than `sought`. It shows the bullet.
pub(crate) fn other_text(bullet: BulletRef<'_>, sought: &str, what: Target) -> LocateError {
    let closest = vec![shown_bullet(bullet, sought)];
    LocateError::not_found(what, Diagnostic { closest, ..Diagnostic::default() })
}

/// Shows the first line of a bullet, and how it differs from `sought`.
pub(super) fn shown_bullet(bullet: BulletRef<'_>, sought: &str) -> Closest {
    describe(bullet.doc(), Line::of(bullet.doc().text(), bullet.line).text, sought)
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

/// The text of a bullet, ready for comparisons.
#[derive(Clone, Debug)]
pub(super) struct BulletText {
    /// Checkbox, tags and content in normal form.
    text: String,
    /// `text` with an apostrophe for each space that groups digits, as in `1 500`: word boundaries are looked up here.
    /// Offsets are the same as in `text`. `None` if there are no such spaces.
    marked: Option<String>,
    tags_start: usize,
    content_start: usize,
    /// Checkbox, tags and content as they are written, with runs of ASCII white space folded.
    verbatim: String,
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
        Self { text, marked, tags_start, content_start, verbatim }
    }

    /// Returns the three forms: content; tags and content; checkbox, tags and content.
    fn forms(&self) -> [&str; 3] {
        self.starts().map(|start| self.text.get(start..).unwrap_or_default())
    }

    /// Returns where each of the [`forms`](Self::forms) starts in the text.
    const fn starts(&self) -> [usize; 3] {
        [self.content_start, self.tags_start, 0]
    }

    /// Reports whether `part` of the text from `start` on consists of whole words.
    fn is_whole(&self, start: usize, part: Span) -> bool {
        let text = self.marked.as_ref().unwrap_or(&self.text);
        is_whole_words(text.get(start..).unwrap_or_default(), part)
    }

    /// Returns true if one of the forms begins with `sought`, in whole words.
    fn begins_with(&self, sought: &str) -> bool {
        let is_there = |start: usize| self.text.get(start..).is_some_and(|text| text.starts_with(sought));
        self.starts().into_iter().any(|start| is_there(start) && self.is_whole(start, Span::new(0, sought.len())))
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
        let (start, length) = (self.tags_start, sought.needle().len());
        let mut places = positions(self.text.get(start..).unwrap_or_default().as_bytes(), sought);
        places.any(|at| self.is_whole(start, Span::new(at, at + length)))
    }
}

/// How a bullet fits a sought text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fit {
    /// The text is one of the whole forms of the bullet, not a part of it.
    is_whole: bool,
    /// The text matches as it was sent. If not, what looks like a prefix or a marker was taken off.
    is_literal: bool,
}

/// The text of a test, ready for comparisons.
struct SoughtText<'t> {
    test: &'t BulletTest,
    /// The whole text in normal form.
    text: Cow<'t, str>,
    finder: Finder<'static>,
    /// The view prefix at its beginning, such as `12| `.
    prefix: Option<&'t str>,
    /// The marker at its beginning, after the prefix.
    marker: Option<&'t str>,
    /// The text after prefix and marker, in normal form.
    rest: Cow<'t, str>,
    /// The same as it was sent, with runs of ASCII white space folded.
    verbatim: String,
    /// The word of the rest that is likely the rarest. An ASCII word is preferred.
    word: Finder<'static>,
}

/// Folds each run of ASCII white space to one space. Other spaces, such as the no-break space, stay.
fn fold_blanks(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many words of a sought text are looked at to find a rare one.
const SAMPLED: usize = 16;

impl<'t> SoughtText<'t> {
    /// Reads the text of a test. A view prefix is recognized only if the document's policy allows healing.
    fn new(test: &'t BulletTest, sent: &'t str, doc: &MemoryDoc) -> Self {
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
    fn likely<'a>(&self, doc: &'a MemoryDoc, bullets: &[BulletRef<'a>]) -> Vec<BulletRef<'a>> {
        let mut likely = bullets_with(doc, doc.text(), span_of(bullets), std::slice::from_ref(&self.word));
        likely.retain(|bullet| bullets.binary_search(bullet).is_ok());
        likely
    }

    /// Returns how a bullet fits; `None` if it does not.
    fn fit(&self, bullet: BulletRef<'_>, text: &BulletText) -> Option<Fit> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
