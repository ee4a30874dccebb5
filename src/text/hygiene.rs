//! Characters that written text must not bring in (SPEC § 1.4).
//!
//! The rule looks at the text around a character, since a CR is fine before LF, a joiner between letters or emoji, and a
//! BOM at the very start. An edit is compared before and after: text that held such characters keeps them and may be
//! moved, but no edit adds one.

use std::collections::BTreeMap;
use std::fmt;

use super::{Span, chars};

/// A character that written text must not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irregular {
    /// Where it stands, as an offset in bytes.
    pub offset: usize,
    /// The character.
    pub character: char,
}

impl fmt::Display for Irregular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&chars::code_point_name(self.character))
    }
}

/// The irregular characters of one or more stretches of a text: how many of each, and where the first stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Irregularities {
    found: BTreeMap<char, (usize, usize)>,
}

impl Irregularities {
    /// Returns a character of which `self` holds more than `before` does, the one that stands first.
    pub(crate) fn added_since(&self, before: &Self) -> Option<Irregular> {
        let count_before = |c: &char| before.found.get(c).map_or(0, |(count, _)| *count);
        let added = self.found.iter().filter(|(c, (count, _))| *count > count_before(c));
        added.map(|(&character, &(_, offset))| Irregular { offset, character }).min_by_key(|irregular| irregular.offset)
    }

    /// Returns all kinds found, each with its number and the offset of its first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Irregular, usize)> + '_ {
        self.found.iter().map(|(&character, &(count, offset))| (Irregular { offset, character }, count))
    }
}

/// Adds the irregular characters that `text` holds inside `span` to `found`.
pub(crate) fn irregularities(text: &str, span: Span, found: &mut Irregularities) {
    let part = span.of(text);
    if !may_be_irregular(part) {
        return;
    }
    for (at, c) in part.char_indices() {
        let offset = span.start() + at;
        if is_irregular(text, offset, c) {
            found.found.entry(c).or_insert((0, offset)).0 += 1;
        }
    }
}

/// Reports, quickly, whether any character of `text` needs a closer look.
fn may_be_irregular(text: &str) -> bool {
    // Every irregular character is an ASCII control or has one of these lead bytes.
    text.bytes()
        .any(|byte| (byte < 0x20 && byte != b'\n' && byte != b'\t') || matches!(byte, 0x7F | 0xC2 | 0xE2 | 0xEF | 0xF3))
}

fn is_irregular(text: &str, offset: usize, c: char) -> bool {
    let before = || text.get(..offset).unwrap_or_default();
    let after = || text.get(offset + c.len_utf8()..).unwrap_or_default();
    match c {
        '\n' | '\t' => false,
        '\r' => !after().starts_with('\n'),
        '\u{FEFF}' => offset != 0,
        '\u{200C}' | '\u{200D}' => !(joins(before().chars().next_back()) && joins(after().chars().next())),
        '\u{2028}' | '\u{2029}' => true,
        _ => c.is_control() || chars::is_invisible(c),
    }
}

/// Reports whether a joiner next to `c` does its work there: in writing of a script, or inside an emoji.
fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| {
        // Combining marks (a virama before a joiner) are alphabetic only in part.
        c.is_alphabetic()
            || unicode_normalization::char::is_combining_mark(c)
            || matches!(c, '\u{FE0F}' | '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<char> {
        let mut found = Irregularities::default();
        irregularities(text, Span::new(0, text.len()), &mut found);
        found.added_since(&Irregularities::default()).map(|irregular| irregular.character)
    }

    #[test]
    fn controls_separators_and_invisible_characters_are_irregular() {
        for c in "\u{0}\u{7}\u{B}\u{C}\u{7F}\u{85}\u{2028}\u{2029}\u{202E}\u{2066}\u{200B}\u{2060}\u{E0041}".chars() {
            assert_eq!(first(&format!("a{c}b")), Some(c), "{c:?}");
        }
        assert_eq!(first("a\rb"), Some('\r'));
        assert_eq!(first("a\u{FEFF}"), Some('\u{FEFF}'));
    }

    #[test]
    fn ordinary_text_is_regular() {
        assert_eq!(first("\u{FEFF}a\tb\r\nc\nd – “e”"), None);
    }

    #[test]
    fn joiners_may_join_letters_and_emoji_only() {
        assert_eq!(first("می\u{200C}خواهم 👩\u{200D}👩\u{200D}👧 ❤\u{FE0F}\u{200D}🔥 क्\u{200D}ष"), None);
        assert_eq!(first("a \u{200D}b"), Some('\u{200D}'));
        assert_eq!(first("a\u{200C}"), Some('\u{200C}'));
    }
}
