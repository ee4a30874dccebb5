//! What comes before the content of a line: view prefix, marker, checkbox and tags; and when the beginning of a
//! sought or written text counts as one of them.
//!
//! The marker of a document's line is the one that the parser found. A text that is sought or written may begin with
//! one marker that stands for it:
//!
//! - `-`, `*` or `+`. Before what could be a number (`+ 5 %`, `- 3 °C`, `- ~5`) it could be a sign, so that only the
//!   line's own marker counts.
//! - A number (`13.`, `2)`), only for a line of an ordered list that has this number.
//!
//! Anything else that looks like a marker (`13. Juni`) is content. A view prefix (`12| `) counts only if the view
//! shows it for this very line.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::document::{BulletRef, Key, MemoryDoc, checkbox};

/// Reports whether a `-` or `+` before this text could be the sign of a number, as in `- 5 °C` and `- ~5`. It could not
/// if the text begins with a checkbox, or if what counts first in it is a letter, an emoji, `@` or `#`: digits and what
/// else may begin a line count, too, and all other signs do not.
pub(crate) fn may_be_signed(rest: &str) -> bool {
    let begins_word =
        |c: char| c.is_alphabetic() || matches!(c, '@' | '#') || c.general_category() == GeneralCategory::OtherSymbol;
    let counts = |c: &char| c.is_numeric() || "-+*>|".contains(*c) || begins_word(*c);
    checkbox(rest).is_none() && !rest.chars().find(counts).is_some_and(begins_word)
}

/// What the views show before a line: its number, and the key of the bullet that it begins.
#[derive(Clone, Debug)]
pub(crate) struct LineLabel {
    pub(crate) number: usize,
    pub(crate) key: Option<Key>,
}

impl LineLabel {
    /// Returns the label of a line.
    pub(crate) fn of_line(doc: &MemoryDoc, line: usize) -> Self {
        Self { number: line + 1, key: doc.starting_at(doc.line_start(line)).map(BulletRef::key) }
    }

    /// Reports whether a view shows this prefix for the line: its number, or its key.
    pub(crate) fn is(&self, prefix: &str) -> bool {
        let is_number = prefix.parse::<usize>().is_ok_and(|number| number == self.number);
        is_number || self.key.as_ref().is_some_and(|key| key.as_str() == prefix)
    }

    /// Reports whether a text brings the prefix that a view shows for a line, or none.
    pub(crate) fn fits(doc: &MemoryDoc, line: usize, text: &str) -> bool {
        view_prefix(text).is_none_or(|(prefix, _)| Self::of_line(doc, line).is(prefix))
    }

    /// Returns what follows the prefix that a view shows for this line, one space behind it
    /// included.
    pub(crate) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        view_prefix(text).filter(|(prefix, _)| self.is(prefix)).map(|(_, rest)| rest)
    }
}

/// Splits what may be the prefix of a view, `12| ` or `k7f3a2| `, or `    12` and a tab, from the rest: the number or the
/// key, and what follows. `| ` alone begins the row of a table.
pub(crate) fn view_prefix(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '#' | ' '))?;
    let (prefix, rest) = text.split_at_checked(end)?;
    let prefix = prefix.trim_start_matches(' ');
    let is_number = (1..=7).contains(&prefix.len()) && prefix.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(rest) = rest.strip_prefix('\t') {
        return is_number.then_some((prefix, rest));
    }
    let rest = rest.strip_prefix('|')?;
    let (key, ordinal) = prefix.split_once('#').unwrap_or((prefix, "1"));
    let is_key = matches!(key.len(), 6 | 8)
        && key.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase())
        && !ordinal.is_empty()
        && ordinal.bytes().all(|byte| byte.is_ascii_digit());
    (is_number || is_key).then(|| (prefix, rest.strip_prefix(' ').unwrap_or(rest)))
}
