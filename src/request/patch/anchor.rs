//! Anchors: the `@@` lines that name the scope of a hunk.

use std::fmt;

use super::error::PatchError;
use super::marker::PatchLine;
use crate::document::heading;
use crate::locate::BulletTest;
use crate::text::Content;

/// What one `@@` line names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Anchor {
    /// A section, by title or path.
    Section(Content),
    /// A block, by ID.
    Block(Content),
    /// A bullet.
    Bullet(BulletTest),
    /// A slot of the front matter.
    Slot(Content),
    /// The one line that reads so.
    Line(Content),
}

/// An `@@` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AnchorLine {
    pub(super) anchor: Option<Anchor>,
    /// Whether it has the line numbers of a unified diff.
    pub(super) has_numbers: bool,
}

impl AnchorLine {
    /// Reads an `@@` line. What stands behind line numbers is an anchor if it names a heading, as other tools show it
    /// there, or has a keyword.
    pub(super) fn read(line: PatchLine<'_>) -> Result<Self, PatchError> {
        let text = line.text.strip_prefix("@@").unwrap_or(line.text).trim();
        let Some(behind) = behind_numbers(unclosed(text)) else {
            return Ok(Self { anchor: anchor(text, line)?, has_numbers: false });
        };
        let anchor = match anchor(behind, line)? {
            Some(Anchor::Line(text)) => heading(&text).is_some().then_some(Anchor::Section(text)),
            anchor => anchor,
        };
        Ok(Self { anchor, has_numbers: true })
    }
}

/// Reads what follows `@@`, trimmed; `None` if nothing does.
fn anchor(text: &str, line: PatchLine<'_>) -> Result<Option<Anchor>, PatchError> {
    let Some((keyword, name)) = text.split_once(':') else { return Ok(plain_line(text)) };
    let name = name.trim_start();
    let make: fn(Content) -> Anchor = match keyword.trim_end().to_ascii_lowercase().as_str() {
        "section" => Anchor::Section,
        "block" => Anchor::Block,
        "slot" => Anchor::Slot,
        "tag" => |name| Anchor::Bullet(BulletTest::Tag(name)),
        "key" => |name| Anchor::Bullet(BulletTest::Key(name)),
        "item" => {
            let expected = "`item: startsWith(\"…\")`, `item: contains(\"…\")` or `item: equals(\"…\")`";
            return bullet_test(name).map(|test| Some(Anchor::Bullet(test))).ok_or_else(|| line.error(expected));
        }
        _ => return Ok(plain_line(text)),
    };
    if name.is_empty() { Err(line.error("a name behind the colon")) } else { Ok(Some(make(name.into()))) }
}

/// Reads an anchor without a keyword.
fn plain_line(text: &str) -> Option<Anchor> {
    Some(unclosed(text)).filter(|text| !text.is_empty()).map(|text| Anchor::Line(text.into()))
}

/// Returns the text without `@@` at its end: other tools close an anchor as it begins.
fn unclosed(mut text: &str) -> &str {
    while let Some(open) = text.strip_suffix("@@") {
        text = open.trim_end();
    }
    text
}

/// Reads `startsWith("…")`, `contains("…")` or `equals("…")`.
fn bullet_test(item: &str) -> Option<BulletTest> {
    let (function, rest) = item.split_once('(')?;
    let quoted = rest.trim().strip_suffix(')')?.trim();
    let quotes = [('"', '"'), ('\'', '\''), ('\u{201C}', '\u{201D}')];
    let inner = quotes.iter().find_map(|(open, close)| quoted.strip_prefix(*open)?.strip_suffix(*close))?;
    let text = inner.replace("\\\"", "\"").replace("\\\\", "\\");
    match function.trim().to_ascii_lowercase().replace('_', "").as_str() {
        _ if text.is_empty() => None,
        "startswith" => Some(BulletTest::StartsWith(text.into())),
        "contains" => Some(BulletTest::Contains(text.into())),
        "equals" => Some(BulletTest::Equals(text.into())),
        _ => None,
    }
}

/// Returns what stands behind `-1,2 +3,4 @@`, without which the numbers may stand, too.
fn behind_numbers(text: &str) -> Option<&str> {
    let range = |word: &str, sign: char| {
        let range = word.strip_prefix(sign)?;
        range.split(',').all(|n| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit())).then_some(())
    };
    let (old, rest) = text.split_once(' ').unwrap_or((text, ""));
    range(old, '-')?;
    let rest = rest.trim_start();
    let (new, behind) = rest.split_once(' ').unwrap_or((rest, ""));
    let behind = if range(new, '+').is_some() { behind.trim() } else { rest };
    match behind {
        "" => Some(""),
        behind => behind.strip_prefix("@@").map(str::trim),
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        match self {
            Self::Section(name) => write!(f, "@@ section: {name}"),
            Self::Block(id) => write!(f, "@@ block: {id}"),
            Self::Slot(name) => write!(f, "@@ slot: {name}"),
            Self::Line(line) => write!(f, "@@ {line}"),
            Self::Bullet(BulletTest::Tag(tag)) => write!(f, "@@ tag: {tag}"),
            Self::Bullet(BulletTest::Key(key)) => write!(f, "@@ key: {key}"),
            Self::Bullet(BulletTest::StartsWith(text)) => write!(f, "@@ item: startsWith(\"{}\")", quoted(text)),
            Self::Bullet(BulletTest::Contains(text)) => write!(f, "@@ item: contains(\"{}\")", quoted(text)),
            Self::Bullet(BulletTest::Equals(text)) => write!(f, "@@ item: equals(\"{}\")", quoted(text)),
            Self::Bullet(test @ BulletTest::Checkbox(_)) => write!(f, "@@ item: {test}"),
        }
    }
}
