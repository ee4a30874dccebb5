//! When the beginning of a sought or written text counts as the marker, or as the view prefix, of a line.
//!
//! A text may begin with the marker of its line:
//!
//! - `-`, `*` or `+`. Before text that may be a number (`+ 5 %`, `- 3 °C`, `- ~5`) it may be a sign. Then it counts as
//!   a marker only if it is the marker of the line.
//! - A number (`13.`, `2)`), if the line is in an ordered list and has this number.
//!
//! Anything else that looks like a marker (`13. Juni`) is content. A view prefix (`12| `) counts only if a view shows
//! it for this line.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::document::{BulletRef, Key, MemoryDoc, checkbox};

/// Reports whether a `-` or `+` before `rest` may be the sign of a number, as in `- 5 °C` and `- ~5`.
///
/// It may not if `rest` begins with a checkbox, or with a word: a letter, an emoji, `@` or `#`. Other signs before that
/// are skipped, but for digits and signs that may begin a line, such as `-` and `>`.
pub(crate) fn may_be_signed(rest: &str) -> bool {
    let begins_word =
        |c: char| c.is_alphabetic() || matches!(c, '@' | '#') || c.general_category() == GeneralCategory::OtherSymbol;
    let counts = |c: &char| c.is_numeric() || "-+*>|".contains(*c) || begins_word(*c);
    checkbox(rest).is_none() && !rest.chars().find(counts).is_some_and(begins_word)
}

/// The prefixes that views show before a line: its number, and the key of the bullet that begins there.
#[derive(Clone, Debug)]
pub(crate) struct ViewPrefixes {
    pub(crate) number: usize,
    pub(crate) key: Option<Key>,
}

impl ViewPrefixes {
    /// Returns the prefixes of a line.
    pub(crate) fn of_line(doc: &MemoryDoc, line: usize) -> Self {
        Self { number: line + 1, key: doc.starting_at(doc.line_start(line)).map(BulletRef::key) }
    }

    /// Reports whether `prefix` is the number or the key of the line.
    pub(crate) fn is(&self, prefix: &str) -> bool {
        let is_number = prefix.parse::<usize>().is_ok_and(|number| number == self.number);
        is_number || self.key.as_ref().is_some_and(|key| key.as_str() == prefix)
    }

    /// Reports whether `text` has no view prefix, or the one of this line.
    pub(crate) fn fits(doc: &MemoryDoc, line: usize, text: &str) -> bool {
        view_prefix(text).is_none_or(|(prefix, _)| Self::of_line(doc, line).is(prefix))
    }

    /// Returns `text` without the view prefix of this line, and without the space after it. `None` if it has no such
    /// prefix.
    pub(crate) fn strip<'t>(&self, text: &'t str) -> Option<&'t str> {
        view_prefix(text).filter(|(prefix, _)| self.is(prefix)).map(|(_, rest)| rest)
    }
}

/// Splits a text that begins like a view (`12| `, `k7f3a2| `, or a number and a tab) into the number or key, and the
/// text after the prefix. `| ` alone is no prefix: it begins a table row.
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
