//! Tests of bullets: by what they say, how they are tagged, or their key.
//!
//! Texts are compared with contents, white space folded, on the ladder: Unicode punctuation, escapes, a pasted marker with
//! the checkbox and tags that the bullet has, the prefix that a view shows for its line. What is left behind any of these must
//! stand at the beginning of the content.

use super::candidate::candidates;
use super::closest::{closest, describe};
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::marker::{LineLabel, behind_doubled, brought_marker};
use crate::document::{BulletId, MemoryDoc, checkbox, tag_groups};
use crate::text::{Content, Line, Span, fold_punctuation, fold_white_space};

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
    fn holds(&self, doc: &MemoryDoc, bullet: BulletId, rungs: Rungs) -> bool {
        let reads = |sought: &str, compare: fn(&str, &str) -> bool| {
            let content = fold(&doc.content(bullet), rungs);
            let said = |text: &str| fold(&rungs.read(text), rungs);
            compare(&content, &said(sought))
                || contents(doc, bullet, sought, rungs).any(|rest| {
                    let rest = said(rest);
                    !rest.is_empty() && content.starts_with(&rest) && compare(&content, &rest)
                })
        };
        match self {
            Self::Contains(text) => reads(text, |content, text| {
                content.match_indices(text).any(|(at, found)| ends_letter(content, at + found.len()))
            }),
            Self::StartsWith(text) => {
                reads(text, |content, text| content.starts_with(text) && ends_letter(content, text.len()))
            }
            Self::Equals(text) => reads(text, |content, text| content == text),
            Self::Tag(tag) => doc.tags(bullet).iter().any(|own| fold_white_space(own) == fold_white_space(tag)),
            // Looked up once for all bullets.
            Self::Key(_) => true,
        }
    }

    /// Returns the bullets that a key names, in document order.
    fn named(&self, doc: &MemoryDoc) -> Option<Vec<BulletId>> {
        match self {
            Self::Key(key) => Some(doc.bullets_by_key(key)),
            Self::Contains(_) | Self::StartsWith(_) | Self::Equals(_) | Self::Tag(_) => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
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

/// Finds all bullets among `bullets` for which all tests hold, on the first rung of the ladder on which there are any.
pub(crate) fn bullets_by_tests(doc: &MemoryDoc, bullets: &[BulletId], tests: &[BulletTest]) -> Found<Vec<BulletId>> {
    let has_text = tests.iter().any(|test| test.text().is_some());
    let named: Vec<_> = tests.iter().filter_map(|test| test.named(doc)).collect();
    let is_named = |id: &BulletId| named.iter().all(|named| named.binary_search(id).is_ok());
    let bullets: Vec<_> = bullets.iter().copied().filter(is_named).collect();
    // Contents have no line ends to overlook.
    let is_of_contents = |rungs: &Rungs| rungs.has(Rung::Punctuation) && has_text;
    for rungs in Rungs::ladder(doc).filter(|rungs| *rungs == Rungs::NONE || is_of_contents(rungs)) {
        let all_hold = |id: BulletId, rungs: Rungs| tests.iter().all(|test| test.holds(doc, id, rungs));
        let mut found: Vec<_> = bullets.iter().copied().filter(|id| all_hold(*id, rungs)).collect();
        if found.len() > 1 {
            let is_whole = |id: &BulletId| {
                let equals = |text: &Content| BulletTest::Equals(text.clone()).holds(doc, *id, rungs);
                tests.iter().any(|test| matches!(test, BulletTest::Contains(text) if equals(text)))
            };
            let whole: Vec<_> = found.iter().copied().filter(is_whole).collect();
            found = if whole.is_empty() { found } else { whole };
        }
        if let Some(first) = found.first().copied() {
            let needed = rungs.minimized(|fewer| all_hold(first, fewer));
            return Found { at: found, healed: needed.iter().collect() };
        }
    }
    Found::exactly(Vec::new())
}

/// The error for bullets of which several were found; a key resolves it.
fn several_bullets(doc: &MemoryDoc, bullets: &[BulletId], what: &Sought) -> LocateError {
    let line = |id: &BulletId| doc.outline().bullet(*id).map_or(Span::at(0), |bullet| bullet.line);
    let lines: Vec<_> = bullets.iter().map(line).collect();
    let (mut candidates, not_shown) = candidates(doc, &lines);
    for candidate in &mut candidates {
        candidate.fix = candidate.key.as_ref().map(|key| Fix::UseKey(key.to_string().into()));
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

/// The error for a bullet that is not what was said of it: names what stands there.
pub(crate) fn stands_there(doc: &MemoryDoc, bullet: BulletId, sought: &str, what: Sought) -> LocateError {
    let line = doc.outline().bullet(bullet).map_or(Span::at(0), |bullet| bullet.line);
    let text = Line::holding(doc.text(), line.start()).text;
    let help = Diagnostic { closest: vec![describe(doc, text, sought)], ..Diagnostic::default() };
    LocateError::NotFound { what, help: Box::new(help) }
}

/// Reports whether no letter of `content` goes on at `at`.
fn ends_letter(content: &str, at: usize) -> bool {
    !content.get(at..).is_some_and(begins_inside_letter)
}

fn fold(text: &str, rungs: Rungs) -> String {
    if !rungs.has(Rung::Punctuation) {
        // Other spaces than these are punctuation's.
        return text.split([' ', '\t', '\n', '\r']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    }
    let mut plain = String::with_capacity(text.len());
    fold_punctuation(text, |_, c| plain.push(c));
    fold_white_space(&plain).into_owned()
}

/// Returns what `sought` may say of a bullet's content behind a prefix, a marker, a checkbox and tags that it brings, each of
/// which must be the bullet's own.
fn contents<'t>(doc: &MemoryDoc, id: BulletId, sought: &'t str, rungs: Rungs) -> impl Iterator<Item = &'t str> {
    let text = sought.trim_start_matches([' ', '\t']);
    let label = LineLabel::of_bullet(doc, id).filter(|_| rungs.has(Rung::ViewPrefix));
    let unprefixed = label.and_then(|label| label.strip(text)).map(|rest| rest.trim_start_matches([' ', '\t']));
    let own = doc.outline().bullet(id).filter(|_| rungs.has(Rung::BulletMarker));
    let own = own.map(|bullet| bullet.marker.of(doc.text()));
    let unmarked = [Some(text), unprefixed].into_iter().flatten().flat_map(move |text| {
        let behind = own.map(|own| [brought_marker(text, own).map(|(_, rest)| rest), behind_doubled(text), Some(text)]);
        behind.into_iter().flatten().flatten()
    });
    let readings: Vec<&str> = unmarked.filter_map(|text| without_marks(doc, id, text)).chain(unprefixed).collect();
    readings.into_iter().filter(move |reading| reading.len() < sought.len() && !reading.is_empty())
}

/// Returns what follows checkbox and tags; `None` if they are not the bullet's.
fn without_marks<'t>(doc: &MemoryDoc, id: BulletId, text: &'t str) -> Option<&'t str> {
    let bullet = doc.outline().bullet(id)?;
    let mut rest = text;
    if let Some((length, space)) = checkbox(rest) {
        if bullet.checkbox.map(|own| own.of(doc.text())) != rest.get(..length) {
            return None;
        }
        rest = rest.get(length + space..)?;
    }
    let (groups, content) = tag_groups(rest);
    let tags: Vec<_> = groups.into_iter().flat_map(|group| group.tags).filter_map(|tag| rest.get(tag)).collect();
    if !tags.is_empty() && tags != doc.tags(id) {
        return None;
    }
    rest.get(content..)
}
