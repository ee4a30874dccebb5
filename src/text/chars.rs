//! What single code points are: hidden, letters, emoji, cursive, and how they are named for a reader.
//!
//! The properties are those of the Unicode Character Database, as the crate `icu_properties` carries them.

use icu_properties::props::{
    BidiClass, BidiControl, CanonicalCombiningClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier,
    ExtendedPictographic, GeneralCategory, GeneralCategoryGroup, JoiningType, NoncharacterCodePoint,
    PrependedConcatenationMark, RegionalIndicator, Script,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Reports whether `c` cannot be seen, and is no space: a control, what ends lines elsewhere, a bidirectional control, a
/// format character, what is ignored by default, a private-use character, or a noncharacter. TAB and LF are controls.
pub(crate) fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(
        category(c),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::PrivateUse
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || CodePointSetData::new::<BidiControl>().contains(c)
        || CodePointSetData::new::<NoncharacterCodePoint>().contains(c)
}

pub(super) fn is_letter(c: char) -> bool {
    GeneralCategoryGroup::Letter.contains(category(c))
}

/// Reports whether `c` is a mark that is set on a letter.
pub(crate) fn is_mark(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(category(c))
}

/// Reports whether `c` is a digit of any script.
pub(crate) fn is_digit(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_digit();
    }
    category(c) == GeneralCategory::DecimalNumber
}

/// Reports whether `c` takes the place of a vowel between two consonants: a joiner behind it chooses the consonant's shape.
pub(super) fn is_virama(c: char) -> bool {
    CodePointMapData::<CanonicalCombiningClass>::new().get(c) == CanonicalCombiningClass::Virama
}

/// Reports whether `c` is a picture, or the tone of the skin of one.
pub(super) fn is_pictograph(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c) || CodePointSetData::new::<EmojiModifier>().contains(c)
}

/// Reports whether `c` is a symbol of no reckoning: an emoji or another picture, or an arrow, of which some count as of mathematics.
pub(crate) fn is_emblem(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21FF}' | '\u{27F0}'..='\u{27FF}' | '\u{2900}'..='\u{297F}')
        || category(c) == GeneralCategory::OtherSymbol
}

/// Reports whether `c` is a punctuation mark that is no dash.
pub(crate) fn is_point(c: char) -> bool {
    GeneralCategoryGroup::Punctuation.contains(category(c)) && category(c) != GeneralCategory::DashPunctuation
}

/// Reports whether `c` may be shown as text and as a picture.
pub(super) fn has_emoji_variants(c: char) -> bool {
    CodePointSetData::new::<Emoji>().contains(c)
        && !CodePointSetData::new::<EmojiModifier>().contains(c)
        && !CodePointSetData::new::<RegionalIndicator>().contains(c)
}

/// Reports whether `c` is a letter that is joined to its neighbors in writing.
pub(super) fn is_cursive(c: char) -> bool {
    let joining = CodePointMapData::<JoiningType>::new().get(c);
    is_letter(c) && (joining == JoiningType::DualJoining || joining == JoiningType::RightJoining)
}

/// Reports whether `c` is a letter that is written from right to left.
pub(super) fn is_right_to_left(c: char) -> bool {
    let class = CodePointMapData::<BidiClass>::new().get(c);
    is_letter(c) && (class == BidiClass::RightToLeft || class == BidiClass::ArabicLetter)
}

/// Reports whether `c` is set around the number that follows it.
pub(super) fn is_number_sign(c: char) -> bool {
    CodePointSetData::new::<PrependedConcatenationMark>().contains(c)
}

/// Reports whether both are of the one script, of those that write vowels which cannot be seen.
pub(super) fn share_vowel_script(one: char, other: char) -> bool {
    let script = |c| CodePointMapData::<Script>::new().get(c);
    script(one) == script(other) && matches!(script(one), Script::Mongolian | Script::Khmer)
}

fn category(c: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(c)
}

/// Returns how a code point that is easily overlooked or mistaken is named in a message, such as
/// `U+201C LEFT DOUBLE QUOTATION MARK`.
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
    ('"', "QUOTATION MARK"),
    ('\'', "APOSTROPHE"),
    ('-', "HYPHEN-MINUS"),
    ('\u{85}', "NEXT LINE"),
    ('\u{A0}', "NO-BREAK SPACE"),
    ('\u{AD}', "SOFT HYPHEN"),
    ('\u{61C}', "ARABIC LETTER MARK"),
    ('\u{200B}', "ZERO WIDTH SPACE"),
    ('\u{200C}', "ZERO WIDTH NON-JOINER"),
    ('\u{200D}', "ZERO WIDTH JOINER"),
    ('\u{200E}', "LEFT-TO-RIGHT MARK"),
    ('\u{200F}', "RIGHT-TO-LEFT MARK"),
    ('\u{2010}', "HYPHEN"),
    ('\u{2011}', "NON-BREAKING HYPHEN"),
    ('\u{2013}', "EN DASH"),
    ('\u{2014}', "EM DASH"),
    ('\u{2018}', "LEFT SINGLE QUOTATION MARK"),
    ('\u{2019}', "RIGHT SINGLE QUOTATION MARK"),
    ('\u{201C}', "LEFT DOUBLE QUOTATION MARK"),
    ('\u{201D}', "RIGHT DOUBLE QUOTATION MARK"),
    ('\u{2026}', "HORIZONTAL ELLIPSIS"),
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
    ('\u{2212}', "MINUS SIGN"),
    ('\u{3000}', "IDEOGRAPHIC SPACE"),
    ('\u{FEFF}', "ZERO WIDTH NO-BREAK SPACE"),
];
