//! Tests of bullets: by what they say, how they are tagged, or their key.

use std::borrow::Cow;
use std::fmt;

use super::bullet_text::{Fit, Form, How, SoughtText, heals};
use super::closest::{Closest, closest, describe};
use super::diagnostic::{Diagnostic, Fix, LocateError, Reason, Target};
use super::leniency::{Leniency, unescape};
use super::matches::Found;
use super::names::Names;
use crate::document::{BulletRef, Section};
use crate::text::{Content, Line, Span, is_whole_words, names};

/// A way to name a bullet by itself.
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
    /// Returns how a text is compared with contents, and the text.
    fn compared(&self) -> Option<(How, &str)> {
        match self {
            Self::Contains(text) => Some((How::Contains, text)),
            Self::StartsWith(text) => Some((How::StartsWith, text)),
            Self::Equals(text) => Some((How::Equals, text)),
            Self::Tag(_) | Self::Key(_) | Self::Checkbox(_) => None,
        }
    }

    /// Returns the text that contents are compared with.
    pub(crate) fn text(&self) -> Option<&str> {
        self.compared().map(|(_, text)| text)
    }

    /// Keeps of `bullets` those that have the tag or the key, if it is a test of one.
    fn retain_marked(&self, names: &Names<'_>, bullets: &mut Vec<BulletRef<'_>>) {
        match self {
            Self::Key(key) => {
                let named = names.doc().bullets_by_key(key);
                bullets.retain(|bullet| named.binary_search(bullet).is_ok());
            }
            Self::Tag(tag) => {
                let tagged = names.tagged(tag);
                bullets.retain(|bullet| tagged.binary_search(bullet).is_ok());
            }
            Self::Checkbox(state) => {
                bullets.retain(|bullet| bullet.checkbox().is_some_and(|checkbox| state.is_of(checkbox)));
            }
            Self::Contains(_) | Self::StartsWith(_) | Self::Equals(_) => {}
        }
    }
}

/// Finds the one bullet among `bullets` for which all tests hold: that of which a text is the whole
/// content, if there is one.
pub(crate) fn bullet_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
    what: Target,
) -> Result<Found<BulletRef<'a>>, LocateError> {
    let Found { at: mut fitting, healed } = fitting_bullets(names, bullets, tests);
    let has = |holds: fn(&Fit) -> bool| fitting.iter().any(|(_, fit)| holds(fit));
    // What one bullet says behind its marker, another may begin with as it was sent, marker
    // included: two readings.
    let is_read_twice = has(|fit| fit.is_literal && !fit.is_whole) && !has(|fit| fit.is_literal && fit.is_whole);
    if has(|fit| fit.is_whole) && !is_read_twice {
        fitting.retain(|(_, fit)| fit.is_whole);
    }
    let found = Found { at: fitting.into_iter().map(|(bullet, _)| bullet).collect(), healed };
    let only =
        names.only(what, found, |bullet: &BulletRef<'_>| bullet.line, |bullet| Some(Fix::UseKey(bullet.key().into())));
    names.helped(only, || no_bullet(names, bullets, tests))
}

/// Finds all bullets among `bullets` for which all tests hold.
pub(crate) fn bullets_by_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Found<Vec<BulletRef<'a>>> {
    let found = fitting_bullets(names, bullets, tests);
    found.map(|fitting| fitting.into_iter().map(|(bullet, _)| bullet).collect())
}

/// Finds all bullets among `bullets` for which all tests hold, each with how it fits the texts.
///
/// Texts are compared verbatim, and only if that finds nothing in the normal form; then once more
/// without their escapes.
fn fitting_bullets<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Found<Vec<(BulletRef<'a>, Fit)>> {
    let mut bullets = bullets.to_vec();
    tests.iter().for_each(|test| test.retain_marked(names, &mut bullets));
    let sent: Vec<_> =
        tests.iter().filter_map(BulletTest::compared).map(|(how, text)| (how, Cow::Borrowed(text))).collect();
    if sent.is_empty() {
        return Found::exactly(bullets.into_iter().map(|bullet| (bullet, Fit::default())).collect());
    }
    if let Some(found) = fitting(names, &bullets, &sent) {
        return found;
    }
    let unescaped: Vec<_> = sent.iter().map(|(how, text)| (*how, unescape(text))).collect();
    let is_tried = unescaped != sent && heals(names.doc());
    let found = if is_tried { fitting(names, &bullets, &unescaped) } else { None };
    found.map_or_else(|| Found::exactly(Vec::new()), |found| found.behind(vec![Leniency::Escapes]))
}

/// Finds the bullets among `bullets` that hold the texts of all tests in any letter case, also
/// inside words.
pub(crate) fn bullets_like_tests<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    tests: &[BulletTest],
) -> Vec<BulletRef<'a>> {
    let texts: Vec<_> = tests.iter().filter_map(BulletTest::compared).collect();
    let is_like = |bullet: &BulletRef<'a>| {
        let text = names.bullet_text(*bullet, Form::Normal);
        !texts.is_empty() && text.is_some_and(|text| texts.iter().all(|(how, sought)| text.is_like(sought, *how)))
    };
    bullets.iter().copied().filter(is_like).collect()
}

/// Returns those of `bullets` that fit all texts; `None` if none does.
fn fitting<'a>(
    names: &Names<'a>,
    bullets: &[BulletRef<'a>],
    texts: &[(How, Cow<'_, str>)],
) -> Option<Found<Vec<(BulletRef<'a>, Fit)>>> {
    // The strictest form first.
    let forms: &[Form] = if heals(names.doc()) { &[Form::Verbatim, Form::Normal] } else { &[Form::Verbatim] };
    forms.iter().find_map(|form| {
        let sought: Vec<_> = texts.iter().map(|(how, text)| SoughtText::new(text, *how, *form, names.doc())).collect();
        let mut fitting: Vec<(BulletRef<'a>, Fit)> = Vec::new();
        for bullet in bullets {
            let Some(text) = names.bullet_text(*bullet, *form) else { continue };
            let fits: Option<Vec<Fit>> = sought.iter().map(|sought| sought.fit(*bullet, text)).collect();
            fitting.extend(fits.map(|fits| (*bullet, Fit::of_all(&fits))));
        }
        let (_, first) = fitting.first()?;
        let prefix = first.has_prefix.then_some(Leniency::ViewPrefix);
        let sign = (*form == Form::Normal).then_some(Leniency::Punctuation);
        let healed = sign.into_iter().chain(prefix).collect();
        Some(Found { at: fitting, healed })
    })
}

/// Helps where no bullet is named: the closest lines, or that the text stands inside a longer word.
fn no_bullet<'a>(names: &Names<'a>, bullets: &[BulletRef<'a>], tests: &[BulletTest]) -> Diagnostic {
    let text = tests.iter().find_map(BulletTest::text);
    let (Some(text), Some((first, last))) = (text, bullets.first().zip(bullets.last())) else {
        return Diagnostic::default();
    };
    let (doc, scope) = (names.doc(), Span::new(first.extent.start(), last.extent.end().max(first.extent.end())));
    let mut closest = closest(doc, scope, text);
    // A heading between bullets is none, however like it is.
    closest.retain(|closest| doc.starting_at::<Section>(doc.lines().start(closest.line.saturating_sub(1))).is_none());
    let inside = bullets.iter().find(|bullet| stands_inside_words(&bullet.content(), text.trim()));
    let reason = inside.map(|bullet| Reason::at(bullet.line_number(), "inside a longer word or number"));
    Diagnostic { closest, reasons: reason.into_iter().collect(), ..Diagnostic::default() }
}

/// Returns true if a text stands in another one, and nowhere in whole words.
fn stands_inside_words(text: &str, sought: &str) -> bool {
    let mut places = text.match_indices(sought).map(|(at, part)| Span::new(at, at + part.len())).peekable();
    !sought.is_empty() && places.peek().is_some() && places.all(|place| !is_whole_words(text, place))
}

/// The error for a bullet that is not what was said of it: names what stands there.
pub(crate) fn stands_there(bullet: BulletRef<'_>, sought: &str, what: Target) -> LocateError {
    let closest = vec![closest_of(bullet, sought)];
    LocateError::not_found(what, Diagnostic { closest, ..Diagnostic::default() })
}

fn closest_of(bullet: BulletRef<'_>, sought: &str) -> Closest {
    let doc = bullet.doc();
    describe(doc, Line::starting_at(doc.text(), bullet.line.start()).text, sought)
}
