//! Selectors: bullets by what they say, how they are tagged, their key, or their place (SPEC §§ 7.2, 9).

use super::candidate::candidates;
use super::closest::closest;
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::ladder::Rung;
use crate::document::{BulletId, Healing, MemoryDoc};
use crate::text::{Span, fold_punctuation, fold_white_space};

/// A way to name a bullet by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BulletTest {
    /// Its content contains this text.
    Contains(String),
    /// Its content begins with this text.
    StartsWith(String),
    /// Its content is this text.
    Equals(String),
    /// It has this tag.
    Tag(String),
    /// It has this key.
    Key(String),
}

impl std::fmt::Display for BulletTest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Contains(text) => write!(f, "contains `{text}`"),
            Self::StartsWith(text) => write!(f, "starts with `{text}`"),
            Self::Equals(text) => write!(f, "equals `{text}`"),
            Self::Tag(tag) => write!(f, "has tag `{tag}`"),
            Self::Key(key) => write!(f, "has key `{key}`"),
        }
    }
}

impl BulletTest {
    fn holds(&self, doc: &MemoryDoc, bullet: BulletId, fold: fn(&str) -> String) -> bool {
        let content = || fold(&doc.content(bullet));
        match self {
            Self::Contains(text) => content().contains(&fold(text)),
            Self::StartsWith(text) => content().starts_with(&fold(text)),
            Self::Equals(text) => content() == fold(text),
            Self::Tag(tag) => doc.tags(bullet).iter().any(|own| fold_white_space(own) == fold_white_space(tag)),
            Self::Key(key) => doc.bullets_by_key(key).contains(&bullet),
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Self::Contains(text) | Self::StartsWith(text) | Self::Equals(text) => Some(text),
            Self::Tag(_) | Self::Key(_) => None,
        }
    }
}

/// Finds the one bullet among `bullets` for which all tests hold.
///
/// A bullet whose whole content equals a `contains` text is preferred to those that merely contain it. If no content
/// compares equal as it is, Unicode punctuation is overlooked.
pub(crate) fn bullet_by_tests(
    doc: &MemoryDoc,
    bullets: &[BulletId],
    tests: &[BulletTest],
    what: &Sought,
) -> Result<Found<BulletId>, LocateError> {
    match bullets_by_tests(doc, bullets, tests) {
        Found { at, healed } if at.len() == 1 => {
            at.first().map(|id| Found { at: *id, healed }).ok_or_else(|| no_bullet(doc, bullets, tests, what))
        }
        Found { at, .. } if at.is_empty() => Err(no_bullet(doc, bullets, tests, what)),
        Found { at, .. } => Err(several_bullets(doc, &at, what)),
    }
}

/// Finds all bullets among `bullets` for which all tests hold.
pub(crate) fn bullets_by_tests(doc: &MemoryDoc, bullets: &[BulletId], tests: &[BulletTest]) -> Found<Vec<BulletId>> {
    let exactly: fn(&str) -> String = |text| fold_white_space(text).into_owned();
    let mut folds = vec![(exactly, Vec::new())];
    if doc.policy().healing == Healing::Narrow && tests.iter().any(|test| test.text().is_some()) {
        folds.push((plain, vec![Rung::Punctuation]));
    }
    for (fold, healed) in folds {
        let all: Vec<_> =
            bullets.iter().copied().filter(|id| tests.iter().all(|test| test.holds(doc, *id, fold))).collect();
        if all.len() > 1 {
            let is_whole = |id: &BulletId| {
                let content = fold(&doc.content(*id));
                tests.iter().any(|test| matches!(test, BulletTest::Contains(text) if fold(text) == content))
            };
            let whole: Vec<_> = all.iter().copied().filter(is_whole).collect();
            return Found { at: if whole.is_empty() { all } else { whole }, healed };
        }
        if !all.is_empty() {
            return Found { at: all, healed };
        }
    }
    Found::exactly(Vec::new())
}

/// The error for bullets of which several were found; a key resolves it.
pub(crate) fn several_bullets(doc: &MemoryDoc, bullets: &[BulletId], what: &Sought) -> LocateError {
    let line = |id: &BulletId| doc.outline().bullet(*id).map_or(Span::at(0), |bullet| bullet.line);
    let lines: Vec<_> = bullets.iter().map(line).collect();
    let (mut candidates, not_shown) = candidates(doc, &lines);
    for candidate in &mut candidates {
        candidate.fix = candidate.key.as_ref().map(|key| Fix::UseKey(key.to_string()));
    }
    let help = Diagnostic { candidates, not_shown, ..Diagnostic::default() };
    LocateError::Ambiguous { what: what.clone(), count: bullets.len(), overlapping: false, help: Box::new(help) }
}

fn no_bullet(doc: &MemoryDoc, bullets: &[BulletId], tests: &[BulletTest], what: &Sought) -> LocateError {
    let extent = |id: &BulletId| doc.outline().bullet(*id).map(|bullet| bullet.extent);
    let scope = match (bullets.first().and_then(extent), bullets.last().and_then(extent)) {
        (Some(first), Some(last)) => Span::new(first.start(), last.end().max(first.end())),
        _ => Span::at(0),
    };
    let closest = tests.iter().find_map(BulletTest::text).map(|text| closest(doc, scope, text)).unwrap_or_default();
    LocateError::NotFound { what: what.clone(), help: Box::new(Diagnostic { closest, ..Diagnostic::default() }) }
}

fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    fold_white_space(&plain).into_owned()
}
