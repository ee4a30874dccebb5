//! Anchors: the `@@` lines that name the scope of a hunk.

use std::fmt;

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

/// What follows `@@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnchorLine {
    /// Nothing: the next hunk begins.
    Bare,
    /// The line numbers of a unified diff, and the anchor behind them: a heading, as other tools show it there, or another form.
    Numbers(Option<Anchor>),
    /// An anchor.
    Anchor(Anchor),
    /// An `item:` that is none of the forms.
    BadItem,
    /// A keyword without a name.
    Empty,
}

/// Reads what follows `@@`.
pub(super) fn read(rest: &str) -> AnchorLine {
    let text = rest.strip_prefix(' ').unwrap_or(rest);
    // Other tools close an anchor as it begins.
    let mut trimmed = text.trim();
    while let Some(open) = trimmed.strip_suffix("@@") {
        trimmed = open.trim_end();
    }
    if trimmed.is_empty() {
        return AnchorLine::Bare;
    }
    if let Some(behind) = behind_numbers(trimmed) {
        return match read(behind) {
            AnchorLine::Anchor(Anchor::Line(line)) if heading(&line).is_some() => {
                AnchorLine::Numbers(Some(Anchor::Section(line)))
            }
            AnchorLine::Bare | AnchorLine::Numbers(_) | AnchorLine::Anchor(Anchor::Line(_)) => {
                AnchorLine::Numbers(None)
            }
            AnchorLine::Anchor(anchor) => AnchorLine::Numbers(Some(anchor)),
            flawed => flawed,
        };
    }
    let keyworded = text.split_once(':').map(|(keyword, name)| (keyword.trim().to_ascii_lowercase(), name.trim()));
    let named = |name: &str, make: fn(Content) -> Anchor| match name {
        "" => AnchorLine::Empty,
        name => AnchorLine::Anchor(make(name.into())),
    };
    match keyworded.as_ref().map(|(keyword, name)| (keyword.as_str(), *name)) {
        Some(("section", name)) => named(name, Anchor::Section),
        Some(("block", name)) => named(name, Anchor::Block),
        Some(("slot", name)) => named(name, Anchor::Slot),
        Some(("tag", name)) => named(name, |name| Anchor::Bullet(BulletTest::Tag(name))),
        Some(("key", name)) => named(name, |name| Anchor::Bullet(BulletTest::Key(name))),
        Some(("item", item)) => {
            read_item(item).map_or(AnchorLine::BadItem, |test| AnchorLine::Anchor(Anchor::Bullet(test)))
        }
        _ => AnchorLine::Anchor(Anchor::Line(trimmed.into())),
    }
}

/// Reads `startsWith("…")`, `contains("…")` or `equals("…")`.
fn read_item(item: &str) -> Option<BulletTest> {
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
