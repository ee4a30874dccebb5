//! [`Irregular`] characters, which no edit may add: invisible ones, and those at which other programs end a line.
//!
//! Some invisible characters are regular where real text needs them: joiners and the variation selectors for text and
//! emoji directly after a visible character that is not ASCII; the emoji selector after a keycap such as `1` or `#`;
//! tag characters that spell a flag; and the three direction marks in a line with a right-to-left letter. A BOM at the
//! start of a document is not seen here: callers pass the text without it.
//!
//! The guard compares the text before and after an edit: irregular characters that are there may stay and may be
//! moved, but an edit adds none.
//!
//! General categories are those of the Unicode Character Database, as the crate
//! `unicode-properties` carries them.

use std::fmt;

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

use super::{Line, Span};

/// A character that an edit must not add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Irregular {
    /// Its offset in bytes.
    pub offset: usize,
    /// The character.
    pub character: char,
}

impl fmt::Display for Irregular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&code_point_name(self.character))
    }
}

/// Iterates over the irregular characters on the lines of `text` that start inside `span`.
pub(crate) fn irregular(text: &str, span: Span) -> impl Iterator<Item = Irregular> + '_ {
    Line::all_within(text, span).filter(|line| may_be_irregular(line.full.of(text))).flat_map(move |line| {
        let (start, line) = (line.full.start(), line.full.of(text));
        let has_right_to_left = line.contains(is_right_to_left);
        let is_needed = move |at: usize, c: char| match c {
            '\u{200E}' | '\u{200F}' | '\u{61C}' => has_right_to_left,
            _ => is_needed_at(line, at, c),
        };
        let hidden = line.char_indices().filter(move |(at, c)| is_hidden(*c) && !is_needed(*at, *c));
        hidden.map(move |(at, character)| Irregular { offset: start + at, character })
    })
}

/// Quick test: returns false only if no character of `text` is irregular.
fn may_be_irregular(text: &str) -> bool {
    text.bytes().any(|byte| !byte.is_ascii() || (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7F)
}

/// Reports whether the text around it needs the hidden character `c` at `at` of a line, as an emoji needs its joiner.
/// Only a few characters around it are read.
fn is_needed_at(line: &str, at: usize, c: char) -> bool {
    let (before, after) = line.split_at_checked(at).unwrap_or_default();
    let after = after.strip_prefix(c).unwrap_or_default();
    let last = before.chars().next_back();
    match c {
        '\n' | '\t' => true,
        '\r' => after.starts_with('\n'),
        '\u{200D}' => last == Some('\u{FE0F}') || last.is_some_and(is_visible_non_ascii),
        '\u{FE0F}' => last.is_some_and(|c| is_visible_non_ascii(c) || matches!(c, '0'..='9' | '#' | '*')),
        '\u{200C}' | '\u{FE0E}' => last.is_some_and(is_visible_non_ascii),
        '\u{E0020}'..='\u{E007F}' => is_part_of_flag(before, c, after),
        _ => false,
    }
}

fn is_visible_non_ascii(c: char) -> bool {
    !c.is_ascii() && !c.is_whitespace() && !is_hidden(c)
}

/// Returns true if the tag character `c` is part of the flag of a region such as Scotland: a black flag, the code
/// `gbsct` in tag characters, and the tag character that ends it.
fn is_part_of_flag(before: &str, c: char, after: &str) -> bool {
    const END: char = '\u{E007F}';
    // A code has three to seven characters.
    let code = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let behind = before.chars().rev().take(8).take_while(code).count();
    let rest = || [c].into_iter().chain(after.chars());
    let ahead = rest().take(8).take_while(code).count();
    let is_closed = rest().nth(ahead) == Some(END);
    is_closed && before.chars().rev().nth(behind) == Some('\u{1F3F4}') && (3..=7).contains(&(behind + ahead))
}

/// Returns true if `c` is invisible and no space: a control character (also TAB and LF), a line or paragraph separator,
/// a format character (also the bidirectional controls), a default-ignorable, private-use or noncharacter code point.
pub(crate) fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    let is_nonchar = matches!(c, '\u{FDD0}'..='\u{FDEF}') || u32::from(c) & 0xFFFE == 0xFFFE;
    matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || is_nonchar
        || is_ignored(c)
}

/// Returns true if `c` is a combining mark, such as an accent.
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Returns true if `c` is a digit of any script.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    c.general_category() == GeneralCategory::DecimalNumber
}

/// Returns true if `c` is a letter that is written from right to left.
fn is_right_to_left(c: char) -> bool {
    let is_of_script = matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}');
    is_of_script && c.general_category_group() == GeneralCategoryGroup::Letter
}

/// Returns true if `c` is a `Default_Ignorable_Code_Point`: a program that does not support it shows nothing.
const fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns the name that a message gives to a character that is easily overlooked or mistaken for another one:
/// ``U+201C `“` ``, `U+00A0 (a space)`, `U+202E`.
pub(crate) fn code_point_name(c: char) -> String {
    let code = u32::from(c);
    match c {
        _ if is_hidden(c) => format!("U+{code:04X}"),
        _ if c.is_whitespace() => format!("U+{code:04X} (a space)"),
        _ => format!("U+{code:04X} `{c}`"),
    }
}

#[cfg(test)]
mod tests {
    use icu_properties::props::{
        BidiClass, BidiControl, DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup, NoncharacterCodePoint,
    };
    use icu_properties::{CodePointMapData, CodePointSetData};

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
            "a\tb\r\nc\nd – “e”",
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

    #[test]
    fn the_tables_are_those_of_the_icu_project() {
        let (categories, classes) = (CodePointMapData::<GeneralCategory>::new(), CodePointMapData::<BidiClass>::new());
        for c in '\u{80}'..=char::MAX {
            let category = categories.get(c);
            let is_seen = !matches!(
                category,
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::PrivateUse
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
            ) && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
                && !CodePointSetData::new::<BidiControl>().contains(c)
                && !CodePointSetData::new::<NoncharacterCodePoint>().contains(c);
            assert_eq!(is_hidden(c), !is_seen, "{c:?}");
            let is_letter = GeneralCategoryGroup::Letter.contains(category);
            let is_right = matches!(classes.get(c), BidiClass::RightToLeft | BidiClass::ArabicLetter);
            assert_eq!(is_right_to_left(c), is_letter && is_right, "{c:?}");
            assert_eq!(is_mark(c), GeneralCategoryGroup::Mark.contains(category), "{c:?}");
            assert_eq!(is_digit(c), category == GeneralCategory::DecimalNumber, "{c:?}");
        }
    }
}
