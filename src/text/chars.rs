//! What single code points are: hidden, letters, marks, and how they are named for a reader.
//!
//! General categories are those of the Unicode Character Database, as the crate
//! `unicode-properties` carries them.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

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
        || is_ignored(c)
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
    let is_of_script = matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}');
    is_of_script && c.general_category_group() == GeneralCategoryGroup::Letter
}

/// Returns true if `c` is not shown where it is not known: `Default_Ignorable_Code_Point`.
const fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// Returns how a code point that is easily overlooked or mistaken is named in a message, such as
/// ``U+201C `“` `` or `U+00A0 (a space)`.
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
