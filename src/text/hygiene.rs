//! Characters that written text must not bring in: what cannot be seen, and what other programs end
//! a line at.
//!
//! What real text needs is allowed where it does its work: joiners and the selectors of text and
//! picture directly behind a visible character that is not ASCII, the selector of pictures behind a
//! key such as `1` or `#`, tags that spell a flag, the three marks of direction in a line with a
//! letter that is written from right to left, and a BOM at the very start.
//!
//! An edit is compared before and after: text that held such characters keeps them and may be
//! moved, but no edit adds one.

use std::fmt;

use super::{Lines, Span, chars};

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

/// Iterates over the irregular characters on the lines of `text` that start inside `span`.
pub(crate) fn irregular(text: &str, span: Span) -> impl Iterator<Item = Irregular> + '_ {
    Lines::within(text, span).filter(|line| may_be_irregular(line.full.of(text))).flat_map(move |line| {
        let context =
            Context { text, line: line.full, is_right_to_left: line.text.of(text).contains(chars::is_right_to_left) };
        let characters = line.full.of(text).char_indices().map(move |(at, c)| (line.full.start() + at, c));
        let irregular = characters.filter(move |(offset, c)| chars::is_hidden(*c) && !context.needs(*offset, *c));
        irregular.map(|(offset, character)| Irregular { offset, character })
    })
}

/// Reports, quickly, whether any character of `text` needs a closer look.
fn may_be_irregular(text: &str) -> bool {
    text.bytes().any(|byte| !byte.is_ascii() || (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7F)
}

/// What stands around a hidden character. Of a line, no more than a few characters are looked at.
struct Context<'a> {
    text: &'a str,
    line: Span,
    is_right_to_left: bool,
}

impl Context<'_> {
    /// Reports whether the text needs the hidden character at `offset`, which does its work there.
    fn needs(&self, offset: usize, c: char) -> bool {
        let before = Span::new(self.line.start(), offset).of(self.text);
        let after = Span::new(offset + c.len_utf8(), self.line.end()).of(self.text);
        let last = before.chars().next_back();
        let next = after.chars().next();
        match c {
            '\n' | '\t' => true,
            '\r' => next == Some('\n'),
            '\u{FEFF}' => offset == 0,
            '\u{200D}' => last == Some('\u{FE0F}') || last.is_some_and(is_seen_sign),
            '\u{FE0F}' => last.is_some_and(|c| is_seen_sign(c) || matches!(c, '0'..='9' | '#' | '*')),
            '\u{200C}' | '\u{FE0E}' => last.is_some_and(is_seen_sign),
            '\u{200E}' | '\u{200F}' | '\u{61C}' => self.is_right_to_left,
            '\u{E0020}'..='\u{E007F}' => is_of_flag(before, c, after),
            _ => false,
        }
    }
}

/// Returns true if `c` can be seen and is not ASCII.
fn is_seen_sign(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && !chars::is_hidden(c)
}

/// Returns true if a tag character spells the flag of a part of a country: a black flag, its code
/// such as `gbsct`, the end of it.
fn is_of_flag(before: &str, c: char, after: &str) -> bool {
    const END: char = '\u{E007F}';
    // A code has three to seven characters.
    let code = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let behind = before.chars().rev().take(8).take_while(code).count();
    let rest = || [c].into_iter().chain(after.chars());
    let ahead = rest().take(8).take_while(code).count();
    let is_closed = rest().nth(ahead) == Some(END);
    is_closed && before.chars().rev().nth(behind) == Some('\u{1F3F4}') && (3..=7).contains(&(behind + ahead))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<char> {
        irregular(text, Span::new(0, text.len())).next().map(|irregular| irregular.character)
    }

    #[test]
    fn what_cannot_be_seen_is_irregular() {
        for c in "\u{0}\u{7}\u{B}\u{C}\u{7F}\u{85}\u{2028}\u{2029}\u{202E}\u{2066}\u{200B}\u{2060}\u{E0041}\u{AD}\u{34F}\u{115F}\u{3164}\u{FE00}\u{E0100}\u{E000}\u{FDD0}\u{200E}\u{180B}\u{200C}\u{FE0F}".chars() {
            assert_eq!(first(&format!("a{c}b")), Some(c), "{c:?}");
        }
        assert_eq!(first("a\rb"), Some('\r'));
        assert_eq!(first("a\u{FEFF}"), Some('\u{FEFF}'));
    }

    #[test]
    fn real_text_is_regular() {
        for text in [
            "\u{FEFF}a\tb\r\nc\nd – “e”",
            "می\u{200C}خواهم ۱۵\u{200C}ام «کتاب»\u{200C}ها ۱۴۴۵ ه\u{200D}.ق",
            "क्\u{200D}ष र\u{200D}\u{94D}य അവന\u{D4D}\u{200D} ශ්\u{200D}රී র\u{200D}\u{9CD}য",
            "👩\u{200D}👩\u{200D}👧 ❤\u{FE0F}\u{200D}🔥 👩🏽\u{200D}🦰 🏳\u{FE0F}\u{200D}🌈 1\u{FE0F}\u{20E3} ☎\u{FE0E} 🐈\u{200D}⬛",
            "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} 🇩🇪",
            "שלום\u{200F}! (2)\u{200E}",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
    }

    #[test]
    fn what_does_no_work_where_it_stands_is_irregular() {
        for (text, c) in [
            ("a \u{200D}b", '\u{200D}'),
            ("a\u{200C}", '\u{200C}'),
            ("a\u{200D}\u{200C}b", '\u{200D}'),
            ("1\u{200D}2", '\u{200D}'),
            ("a\u{FE0F}", '\u{FE0F}'),
            ("❤\u{FE0F}\u{FE0F}", '\u{FE0F}'),
            ("שלום\n\u{200F}2", '\u{200F}'),
            ("\u{200F}\u{61C}2", '\u{200F}'),
            ("🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E0067}\u{E0062}\u{E0061}\u{E007F}", '\u{E0067}'),
            ("🏴\u{E0067}\u{E0062}\u{E007F}", '\u{E0067}'),
            ("ᠠ\u{180B}", '\u{180B}'),
            ("\u{600}1", '\u{600}'),
            ("🏴\u{E0041}\u{E0042}\u{E0043}\u{E007F}", '\u{E0041}'),
            ("🇩\u{E0067}\u{E0062}\u{E0073}\u{E007F}", '\u{E0067}'),
        ] {
            assert_eq!(first(text), Some(c), "{text:?}");
        }
    }
}
