//! Whole words: whether a part of a text begins and ends at the boundaries of words and numbers.

use super::{Span, is_mark};

/// Returns true if neither end of `part` lies inside a word or a number of `text`.
///
/// - A hyphen or an apostrophe between letters does not end a word (`non-smoker`, `can't`). The `'s` of
///   `Anna's` is not part of the word.
/// - A point, comma, colon, slash, dash, apostrophe or no-break space between digits does not end a number.
/// - A sign or a point right before a number is part of it, `#` and `+` right after a letter are part of its word (`C#`).
/// - In Hangul and in scripts without spaces between words, every place is a boundary.
///
/// So `5` is a whole number in `5 mg`, but neither in `2.5 mg` nor in `-5 mg`. In `3-5 mg`, `-5` is not a whole number.
pub(crate) fn is_whole_words(text: &str, part: Span) -> bool {
    let (before, behind) = (Span::new(0, part.start()).of(text), Span::new(part.end(), text.len()).of(text));
    let sought = part.of(text);
    !is_in_word(before, sought) && !is_in_word(sought, behind)
}

/// Replaces each no-break or thin space that groups the digits of a number (`1 500`) by an apostrophe. Otherwise,
/// folding white space would make it a space between words. `None` if `text` has no such space.
pub(crate) fn with_marked_groups(text: &str) -> Option<String> {
    let before = std::iter::once(NONE).chain(text.chars());
    let behind = text.chars().skip(1).chain([NONE]);
    let marked = text.chars().zip(before.zip(behind)).map(|(c, (before, behind))| {
        let is_group = is_group_space(c) && before.is_numeric() && behind.is_numeric();
        if is_group { '\'' } else { c }
    });
    (!text.is_ascii() && text.contains(is_group_space)).then(|| marked.collect())
}

/// Stands for a missing character: before the start and after the end of a text.
const NONE: char = '\0';

/// Returns true if a word or a number at the end of `before` continues at the start of `behind`.
fn is_in_word(before: &str, behind: &str) -> bool {
    let ([last, earlier], [first, second]) = (first_two(before.chars().rev()), first_two(behind.chars()));
    let is_sign = match last {
        '.' | ',' | '\u{66B}' | '\u{FF0E}' => earlier == NONE || earlier.is_whitespace(),
        '+' | '\u{B1}' | '<' | '>' | '~' | '\u{2248}' | '\u{2264}' | '\u{2265}' => true,
        _ => is_dash(last),
    };
    let is_joint = match first {
        '\'' | '\u{2019}' => !begins_with_possessive(behind),
        _ => is_hyphen(first),
    };
    // Combining marks, the later parts of a Hangul syllable, and what joins or modifies an emoji belong to the character
    // before them.
    let is_of_letter = |c: char| {
        is_mark(c)
            || matches!(c, '\u{1160}'..='\u{11FF}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')
    };
    let joins_digits = |before: char, joint: char, behind: char| {
        let is_joint = is_dash(joint) || is_group_space(joint) || NUMBER_JOINTS.contains(joint);
        is_joint && before.is_numeric() && behind.is_numeric()
    };
    behind.starts_with(is_of_letter)
        || joins_digits(earlier, last, first)
        || joins_digits(last, first, second)
        || is_word(first) && (is_word(last) || is_sign && first.is_numeric() || is_hyphen(last) && is_word(earlier))
        || is_word(last) && is_joint && is_word(second)
        || matches!(first, '#' | '+') && before.trim_end_matches(['#', '+']).ends_with(char::is_alphabetic)
}

/// Returns the first two visible characters, without joiners and direction marks. It reads eight characters at most.
fn first_two(chars: impl Iterator<Item = char>) -> [char; 2] {
    let is_seen = |c: &char| !matches!(c, '\u{AD}' | '\u{61C}' | '\u{200C}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}');
    let mut seen = chars.take(8).filter(is_seen);
    [seen.next().unwrap_or(NONE), seen.next().unwrap_or(NONE)]
}

/// The signs between the digits of a number, a time, a date or a range, in ASCII, Arabic and full-width forms. Spaces
/// and dashes are tested apart.
const NUMBER_JOINTS: &str = ".,:/'\u{2019}\u{B7}\u{66B}\u{66C}\u{2044}\u{FF07}\u{FF0C}\u{FF0D}\u{FF0E}\u{FF0F}\u{FF1A}";

/// Returns true for the spaces that group digits: the no-break spaces and the thin space.
const fn is_group_space(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{2007}' | '\u{2009}' | '\u{202F}')
}

/// Returns true if `text`, which begins with an apostrophe, begins with `'s` and no letter or digit follows.
fn begins_with_possessive(text: &str) -> bool {
    let mut chars = text.chars().skip(1);
    matches!(chars.next(), Some('s' | 'S')) && !chars.next().is_some_and(is_word)
}

/// Returns true for `_`, marks, letters and digits, but not for letters of scripts without spaces.
fn is_word(c: char) -> bool {
    c == '_' || is_mark(c) || (c.is_alphanumeric() && !is_unspaced(c))
}

/// Returns true for the signs between the parts of a word: hyphens, and the middle dot of `col·lega`.
const fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{B7}' | '\u{2010}' | '\u{2011}')
}

/// Returns true for a hyphen, a dash or a minus sign.
const fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Returns true for letters of scripts without spaces between words, and for Hangul, where endings are written right
/// after a word.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{E00}'..='\u{109F}' // Thai, Lao, Tibetan, Myanmar
        | '\u{1100}'..='\u{11FF}' // Hangul
        | '\u{1780}'..='\u{17FF}' // Khmer
        | '\u{19E0}'..='\u{1AAF}' // Khmer symbols, Buginese, Tai Tham
        | '\u{1B00}'..='\u{1B7F}' // Balinese
        | '\u{2E80}'..='\u{9FFF}' // kana, Bopomofo, Hangul, Han
        | '\u{A000}'..='\u{A4CF}' // Yi
        | '\u{A960}'..='\u{A9DF}' // Hangul, Javanese
        | '\u{AA60}'..='\u{AA7F}' // Myanmar
        | '\u{AC00}'..='\u{D7FF}' // Hangul
        | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{FF66}'..='\u{FFDC}' // narrow kana and Hangul
        | '\u{1B000}'..='\u{1B16F}' // kana
        | '\u{20000}'..='\u{3FFFF}' // Han
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stands_in(sought: &str, text: &str) -> bool {
        text.match_indices(sought).any(|(at, _)| is_whole_words(text, Span::new(at, at + sought.len())))
    }

    #[test]
    fn words_and_numbers_stand_by_themselves() {
        for (sought, text) in [
            ("5 mg", "Takes 5 mg"),
            ("Anna", "Anna's cat"),
            ("Anna", "\"Anna\", 5"),
            ("5", "May 5."),
            ("tea", "tea, milk"),
            ("eau", "l'eau"),
            ("bob", "@bob"),
            ("Bob", "Ann/Bob"),
            ("서울", "서울에서"),
            ("北京", "住在北京市"),
            ("5", "5月"),
            ("2026", "[2026] x"),
            (" tea", "green tea"),
            ("10", "p.10"),
            ("Denver", "Denver\u{2014}always"),
            ("500", "1 500"),
            ("-5", "at -5"),
            ("5", "5\u{A0}mg"),
            ("5", "'5'"),
            (", 5", "3, 5"),
        ] {
            assert!(stands_in(sought, text), "{sought} / {text}");
        }
    }

    #[test]
    fn parts_of_longer_ones_do_not() {
        for (sought, text) in [
            ("Anna", "Annabel"),
            ("likes tea", "Dislikes tea"),
            ("smoker", "non-smoker"),
            ("non", "non-smoker"),
            ("5", "2.5"),
            ("2", "2.5"),
            ("5", "-5"),
            ("5", "at \u{2212}5"),
            ("5", "+5"),
            ("5", "(-5)"),
            ("5", "<5"),
            ("5", "at \u{2265}5"),
            ("C", "C#"),
            ("C", "C++"),
            ("5", ".5"),
            ("21", "2026-11-21"),
            ("30", "10:30"),
            ("1", "1,000"),
            ("can", "can't"),
            ("can", "can\u{2019}t"),
            ("caf", "café"),
            ("cafe", "cafe\u{301}"),
            ("id", "user_id"),
            ("5", "5th"),
            ("3", "3\u{2013}5"),
            ("5", "3\u{2013}5"),
            ("-5", "3-5"),
            ("\u{2013}5", "3\u{2013}5"),
            ("3-", "3-5"),
            ("-", "3-5"),
            (".5", "2.5"),
            ("500", "1\u{A0}500"),
            ("1", "1\u{A0}500"),
            ("500", "1\u{202F}500"),
            ("500", "1'500"),
            ("500", "1\u{2019}500"),
            ("5", "3\u{B7}5"),
            ("5", "3\u{66B}5"),
            ("3", "3\u{66C}500"),
            ("\u{FF15}", "\u{FF13}\u{FF0E}\u{FF15}"),
            ("\u{645}\u{6CC}", "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}"),
            ("\u{62E}\u{648}", "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}"),
            ("col", "col\u{B7}lega"),
        ] {
            assert!(!stands_in(sought, text), "{sought} / {text}");
        }
    }
}
