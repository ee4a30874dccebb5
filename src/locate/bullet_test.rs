//! [`BulletTest`]: a condition on a bullet's text, tags, key or checkbox, and the search for bullets that meet it.

use std::borrow::Cow;
use std::fmt;

use super::bullet_text::{Fit, SoughtText};
use super::closest::{Closest, closest, describe};
use super::diagnostic::{Diagnostic, Fix, LocateError, Reason, Target};
use super::leniency::{Leniency, unescape};
use super::matches::Found;
use super::names::Names;
use crate::document::{BulletRef, Section};
use crate::text::{Content, Line, Span, excerpt, names, visible};

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
        if let Self::Contains(text) | Self::StartsWith(text) | Self::Equals(text) = self { Some(text) } else { None }
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
    let is_verbatim = |(bullet, _): &(BulletRef<'a>, Fit)| {
        let text = names.bullet_text(*bullet);
        text.is_some_and(|text| sought.iter().all(|sought| text.verbatim.contains(&sought.verbatim)))
    };
    let is_healed = !fitting.iter().any(is_verbatim);
    if !(is_healed && names.doc().heals()) {
        fitting.retain(is_verbatim);
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
pub(super) fn span_of(bullets: &[BulletRef<'_>]) -> Span {
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
