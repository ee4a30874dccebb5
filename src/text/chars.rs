//! What single code points are: hidden, letters, marks, and how they are named for a reader.
//!
//! General categories are those of the Unicode Character Database, as the crate
//! `unicode-properties` carries them.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// The code points that are ignored by default, where they are shown:
/// `Default_Ignorable_Code_Point`.
const IGNORED: [(u32, u32); 17] = [
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];
/// Signs that are set around the number behind them: `Prepended_Concatenation_Mark`.
const NUMBER_SIGNS: [(u32, u32); 7] = [
    (0x600, 0x605),
    (0x6DD, 0x6DD),
    (0x70F, 0x70F),
    (0x890, 0x891),
    (0x8E2, 0x8E2),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
];
/// The blocks of the scripts that are written from right to left.
const RIGHT_TO_LEFT: [(u32, u32); 5] =
    [(0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFE), (0x10800, 0x10FFF), (0x1E800, 0x1EFFF)];

/// Returns true if `c` cannot be seen, and is no space: a control, what ends lines elsewhere, a
/// bidirectional control, a format character, what is ignored by default, a private-use character,
/// or a noncharacter. TAB and LF are controls.
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
        || is_in(&IGNORED, c)
}

/// Returns true if `c` is a mark that is set on a letter.
pub(crate) fn is_mark(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Mark
}

/// Returns true if `c` is a digit of any script.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    c.general_category() == GeneralCategory::DecimalNumber
}

/// Returns true if `c` is a symbol of no reckoning: an emoji or another picture, or an arrow, of
/// which some count as of mathematics.
pub(crate) fn is_emblem(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21FF}' | '\u{27F0}'..='\u{27FF}' | '\u{2900}'..='\u{297F}')
        || c.general_category() == GeneralCategory::OtherSymbol
}

/// Returns true if `c` is a punctuation mark that is no dash.
pub(crate) fn is_point(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Punctuation
        && c.general_category() != GeneralCategory::DashPunctuation
}

/// Returns true if `c` is a letter that is written from right to left.
pub(super) fn is_right_to_left(c: char) -> bool {
    is_in(&RIGHT_TO_LEFT, c) && c.general_category_group() == GeneralCategoryGroup::Letter
}

/// Returns true if `c` is set around the number behind it.
pub(super) fn is_number_sign(c: char) -> bool {
    is_in(&NUMBER_SIGNS, c)
}

fn is_in(ranges: &[(u32, u32)], c: char) -> bool {
    let code = u32::from(c);
    let nth = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(nth).is_some_and(|(first, _)| *first <= code)
}

/// Returns how a code point that is easily overlooked or mistaken is named in a message, such as
/// ``U+201C `“` `` or `U+00A0 NO-BREAK SPACE`.
pub(crate) fn code_point_name(c: char) -> String {
    let name = NAMES.iter().find(|(point, _)| *point == c).map_or("", |(_, name)| name);
    let code = u32::from(c);
    if !name.is_empty() {
        return format!("U+{code:04X} {name}");
    }
    match c {
        '\u{E0000}'..='\u{E007F}' => format!("U+{code:04X} TAG CHARACTER"),
        _ if c.is_control() => format!("U+{code:04X} CONTROL CHARACTER"),
        _ if is_hidden(c) => format!("U+{code:04X}, which cannot be seen"),
        _ => format!("U+{code:04X} `{c}`"),
    }
}

const NAMES: &[(char, &str)] = &[
    ('\t', "TAB"),
    ('\n', "LINE FEED"),
    ('\u{0B}', "VERTICAL TAB"),
    ('\u{0C}', "FORM FEED"),
    ('\r', "CARRIAGE RETURN"),
    (' ', "SPACE"),
    ('\u{85}', "NEXT LINE"),
    ('\u{A0}', "NO-BREAK SPACE"),
    ('\u{AD}', "SOFT HYPHEN"),
    ('\u{61C}', "ARABIC LETTER MARK"),
    ('\u{200B}', "ZERO WIDTH SPACE"),
    ('\u{200C}', "ZERO WIDTH NON-JOINER"),
    ('\u{200D}', "ZERO WIDTH JOINER"),
    ('\u{200E}', "LEFT-TO-RIGHT MARK"),
    ('\u{200F}', "RIGHT-TO-LEFT MARK"),
    ('\u{2028}', "LINE SEPARATOR"),
    ('\u{2029}', "PARAGRAPH SEPARATOR"),
    ('\u{202A}', "LEFT-TO-RIGHT EMBEDDING"),
    ('\u{202B}', "RIGHT-TO-LEFT EMBEDDING"),
    ('\u{202C}', "POP DIRECTIONAL FORMATTING"),
    ('\u{202D}', "LEFT-TO-RIGHT OVERRIDE"),
    ('\u{202E}', "RIGHT-TO-LEFT OVERRIDE"),
    ('\u{202F}', "NARROW NO-BREAK SPACE"),
    ('\u{2060}', "WORD JOINER"),
    ('\u{2066}', "LEFT-TO-RIGHT ISOLATE"),
    ('\u{2067}', "RIGHT-TO-LEFT ISOLATE"),
    ('\u{2068}', "FIRST STRONG ISOLATE"),
    ('\u{2069}', "POP DIRECTIONAL ISOLATE"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{FEFF}', "ZERO WIDTH NO-BREAK SPACE"),
];

#[cfg(test)]
mod tests {
    use icu_properties::props::{
        BidiClass, BidiControl, DefaultIgnorableCodePoint, GeneralCategory, GeneralCategoryGroup,
        NoncharacterCodePoint, PrependedConcatenationMark,
    };
    use icu_properties::{CodePointMapData, CodePointSetData};

    use super::*;

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
            let is_prepended = CodePointSetData::new::<PrependedConcatenationMark>().contains(c);
            assert_eq!(is_number_sign(c), is_prepended, "{c:?}");
            let is_letter = GeneralCategoryGroup::Letter.contains(category);
            let is_right = matches!(classes.get(c), BidiClass::RightToLeft | BidiClass::ArabicLetter);
            assert_eq!(is_right_to_left(c), is_letter && is_right, "{c:?}");
            assert_eq!(is_mark(c), GeneralCategoryGroup::Mark.contains(category), "{c:?}");
            assert_eq!(is_digit(c), category == GeneralCategory::DecimalNumber, "{c:?}");
        }
    }
}
