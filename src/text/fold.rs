//! Folding: texts that differ only in white space, quotes, dashes, accents' encoding or letter case are brought into
//! one form, and are then compared as strings.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Reports whether `line` holds nothing but spaces, tabs and line endings.
pub(crate) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// Trims `text` and folds each run of white space to one space.
pub(crate) fn fold_white_space(text: &str) -> Cow<'_, str> {
    #[cfg(feature = "testing")]
    super::span::note_lookup();
    let trimmed = text.trim();
    match is_folded(trimmed) {
        true => Cow::Borrowed(trimmed),
        false => Cow::Owned(trimmed.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// Applies `fold` to a text that an earlier fold returned. A borrowed text stays borrowed if `fold` changes nothing.
pub(crate) fn fold_again<'t>(text: Cow<'t, str>, fold: for<'f> fn(&'f str) -> Cow<'f, str>) -> Cow<'t, str> {
    match text {
        Cow::Borrowed(text) => fold(text),
        Cow::Owned(text) => {
            let folded = Some(fold(&text)).filter(|folded| folded.len() < text.len() || **folded != text);
            Cow::Owned(folded.map(Cow::into_owned).unwrap_or(text))
        }
    }
}

/// Reports whether a text has no white space but single spaces. The passes over the bytes have no branches, so that the
/// compiler can vectorize them.
fn is_folded(text: &str) -> bool {
    let (bytes, behind) = (text.as_bytes(), text.as_bytes().get(1..).unwrap_or_default());
    let has_other = bytes.iter().fold(false, |found, byte| found | matches!(byte, b'\t'..=b'\r'));
    let has_run = bytes.iter().zip(behind).fold(false, |found, (a, b)| found | ((*a == b' ') & (*b == b' ')));
    !has_other & !has_run && (text.is_ascii() || !text.contains(|c: char| !c.is_ascii() && c.is_whitespace()))
}

/// Folds a name for comparison: trims it, composes its letters (NFC), and makes each run of white space one space.
pub(crate) fn normal_name(name: &str) -> String {
    if name.is_ascii() {
        return fold_white_space(name).into_owned();
    }
    fold_white_space(&name.nfc().collect::<String>()).into_owned()
}

/// Folds a name for comparison as [`normal_name`] does, without regard to letter case.
pub(crate) fn fold_name(name: &str) -> String {
    normal_name(name).to_lowercase()
}

/// Returns true if all letters of a text are composed (NFC). Returns false also where the quick check cannot tell.
pub(crate) fn is_composed(text: &str) -> bool {
    is_nfc_quick(text.chars()) == IsNormalized::Yes
}

/// Composes letters (NFC), and folds Unicode's quotes, dashes, ellipsis, spaces and full-width
/// forms to ASCII.
pub(crate) fn fold_signs(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    // Checking that a text is composed takes a tenth of the time of composing it.
    let composed: Cow<'_, str> = if is_composed(text) { Cow::Borrowed(text) } else { text.nfc().collect() };
    if composed.chars().all(|c| plain_sign(c) == c) {
        return composed;
    }
    let signs = |c| std::iter::repeat_n(plain_sign(c), if c == '\u{2026}' { 3 } else { 1 });
    composed.chars().flat_map(signs).collect()
}

/// Returns the ASCII character that `c` is folded to; `c` itself if there is none. An ellipsis becomes one point of three.
fn plain_sign(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201B}' | '\u{2BC}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' => '-',
        '\u{2026}' => '.',
        '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}' => ' ',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_runs_become_one_space() {
        for text in [" a \t b\n", "a\tb", "a  b", "a\u{A0}b", "a\u{2003}b"] {
            assert_eq!(fold_white_space(text), "a b", "{text:?}");
        }
        assert!(matches!(fold_white_space("a b"), Cow::Borrowed("a b")));
    }

    #[test]
    fn a_blank_line_holds_spaces_tabs_and_its_ending() {
        assert!(["", " ", "\t", "\r\n", " \t\n"].into_iter().all(is_blank));
        assert!(!["a", "\u{A0}", "\u{B}"].into_iter().any(is_blank));
    }

    /// Each ASCII text, and the characters that are folded to it.
    const SIGNS: [(&str, &str); 7] = [
        ("'", "\u{2018}\u{2019}\u{201A}\u{201B}\u{2BC}"),
        ("\"", "\u{201C}\u{201D}\u{201E}\u{201F}\u{AB}\u{BB}"),
        ("-", "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{FE58}\u{FE63}"),
        ("...", "\u{2026}"),
        (" ", "\u{A0}\u{1680}\u{2000}\u{2003}\u{200A}\u{202F}\u{205F}\u{3000}"),
        ("!", "\u{FF01}"),
        ("~", "\u{FF5E}"),
    ];

    #[test]
    fn punctuation_and_composition_are_folded() {
        for (ascii, sign) in SIGNS.into_iter().flat_map(|(ascii, signs)| signs.chars().map(move |sign| (ascii, sign))) {
            assert_eq!(fold_signs(&sign.to_string()), ascii, "{sign:?}");
        }
        assert_eq!(fold_signs("“it’s” — a\u{A0}b…"), "\"it's\" - a b...");
        assert_eq!(fold_signs("\u{E9}"), fold_signs("e\u{301}"));
    }
}
