//! Names that pass for one another: the skeletons behind reserved sections (SPEC § 4).
//!
//! A skeleton is what is left of a name when it is compatibility-normalised, its markup, white space, punctuation and
//! invisible characters are taken away, and its letters are lower-cased and folded with all that look like them.

use unicode_normalization::UnicodeNormalization as _;

/// The skeletons of the names that a policy reserves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservedNames {
    names: Vec<(String, String)>,
    /// The ASCII bytes that a line which passes for a reserved name may have as its first letter or digit.
    initials: Vec<u8>,
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        let with_skeleton =
            |title: &String| Some((title.clone(), skeleton(title))).filter(|(_, bones)| !bones.is_empty());
        let names: Vec<_> = titles.iter().filter_map(with_skeleton).collect();
        let begins = |letter: &str| !letter.is_empty() && names.iter().any(|(_, bones)| bones.starts_with(letter));
        let initials = (0..0x80_u8).filter(|byte| begins(&fold_letter(char::from(*byte)))).collect();
        Self { names, initials }
    }

    /// Returns the reserved name that `text`, a title or a line, passes for.
    pub(crate) fn matching(&self, text: &str) -> Option<&str> {
        if self.names.is_empty() || self.rules_out(text) {
            return None;
        }
        let plain = without_markup(text);
        let without_number = strip_ordinal(&plain);
        let mut readings = vec![plain.as_str()];
        if without_number.len() < plain.len() {
            readings.push(without_number);
        }
        // A bar looks like a letter, but is a border where a table has one.
        let without_bars = plain.replace('|', "");
        if without_bars.len() < plain.len() {
            readings.push(&without_bars);
        }
        self.names
            .iter()
            .find(|(_, bones)| readings.iter().any(|plain| has_bones(plain, bones)))
            .map(|(name, _)| name.as_str())
    }

    /// Reports, without allocating, that no skeleton of `text` can be a reserved one.
    fn rules_out(&self, text: &str) -> bool {
        let is_telling = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"&<|$@[({".contains(byte);
        match strip_ordinal(text).bytes().find(is_telling) {
            Some(byte) if byte.is_ascii_alphanumeric() => !self.initials.contains(&byte),
            first => first.is_none(),
        }
    }
}

/// Returns the skeleton of `text`.
fn skeleton(text: &str) -> String {
    letters(&without_markup(text)).collect()
}

/// Reports whether the skeleton of a text without markup is `bones`; reads no further than they agree.
fn has_bones(plain: &str, bones: &str) -> bool {
    letters(plain).eq(bones.chars())
}

/// Returns the letters and digits of a text without markup, each folded with its look-alikes.
///
/// Combining marks go with the invisible characters: they decorate a letter that is judged by itself.
fn letters(plain: &str) -> impl Iterator<Item = char> + '_ {
    let kept = plain.nfkc().nfkd().filter(|c| c.is_alphanumeric() || matches!(c, '|' | '$' | '@'));
    kept.flat_map(|c| fold_letter(c).chars().collect::<Vec<_>>())
}

/// Folds one letter with all that look like it.
///
/// Unicode's table is asked before and after lower-casing: it joins `Т` with `T`, but not `т` with `t`.
fn fold_letter(c: char) -> String {
    let look_alikes =
        |c: char| unicode_security::skeleton(c.encode_utf8(&mut [0; 4])).flat_map(char::to_lowercase).collect();
    let lower: String = look_alikes(c);
    let folded = lower.chars().map(look_alikes).collect::<Vec<String>>().concat();
    let mut bones = String::with_capacity(folded.len());
    for c in folded.nfkd() {
        match c {
            '1' | '|' | 'i' | 'ı' | 'j' | 'ǀ' => bones.push('l'),
            '0' => bones.push('o'),
            '$' | '5' => bones.push('s'),
            '@' => bones.push('a'),
            'v' => bones.push('u'),
            'ᴀ' => bones.push('a'),
            'ᴄ' => bones.push('c'),
            'ᴅ' => bones.push('d'),
            'ᴇ' => bones.push('e'),
            'ꜰ' => bones.push('f'),
            'ɢ' => bones.push('g'),
            'ɪ' | 'ᴊ' | 'ʟ' => bones.push('l'),
            'ɴ' => bones.push('n'),
            'ᴏ' => bones.push('o'),
            'ᴘ' => bones.push('p'),
            'ʀ' => bones.push('r'),
            'ꜱ' => bones.push('s'),
            'ᴜ' | 'ᴠ' => bones.push('u'),
            'ᴡ' => bones.push('w'),
            'ʏ' => bones.push('y'),
            'ᴢ' => bones.push('z'),
            'т' | 'ᴛ' => bones.push('t'),
            'м' | 'ᴍ' | 'ʍ' => bones.push_str("rn"),
            'к' | 'ĸ' | 'ᴋ' => bones.push('k'),
            'н' | 'ʜ' => bones.push('h'),
            'в' | 'ʙ' => bones.push('b'),
            _ if c.is_alphanumeric() => bones.push(c),
            _ => {}
        }
    }
    bones
}

/// Drops the number of an ordered list's marker, which is no letter of the name behind it.
fn strip_ordinal(text: &str) -> &str {
    let trimmed = text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '>' | '-' | '*' | '+' | '#'));
    let rest = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < trimmed.len() && rest.starts_with(['.', ')']) { rest } else { text }
}

/// Removes what a renderer would not show: tags, link targets, block IDs, attributes, and the writing of character
/// references.
///
/// Each kind of markup is given up where it is not closed once, so that the cost stays linear.
fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut given_up = [false; 5];
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let kind = match c {
            '<' => Some((0, tag_end as fn(&str) -> Option<usize>)),
            ']' if rest.starts_with("](") => Some((1, target_end as fn(&str) -> Option<usize>)),
            ']' if rest.starts_with("][") => Some((2, reference_end as fn(&str) -> Option<usize>)),
            '(' if rest.get(..4).is_some_and(|open| open.eq_ignore_ascii_case("(ID:")) => {
                Some((3, id_end as fn(&str) -> Option<usize>))
            }
            '{' => Some((4, attribute_end as fn(&str) -> Option<usize>)),
            _ => None,
        };
        let mut skipped = if c == '&' { character_reference(rest) } else { None };
        if let Some((kind, end)) = kind
            && let Some(given_up) = given_up.get_mut(kind).filter(|given_up| !**given_up)
        {
            skipped = end(rest).map(|end| (end, None));
            *given_up = skipped.is_none();
        }
        let (length, replacement) = skipped.unwrap_or((c.len_utf8(), Some(c)));
        plain.extend(replacement);
        rest = rest.get(length..).unwrap_or_default();
    }
    plain
}

/// Returns where a tag or a comment ends; a `>` between quotes ends none.
fn tag_end(text: &str) -> Option<usize> {
    if text.starts_with("<!--") {
        return text.find("-->").map(|at| at + 3);
    }
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at + 1),
            _ => {}
        }
    }
    text.find('>').map(|at| at + 1)
}

/// Returns where the target of a link ends, which may hold parentheses in pairs, in quotes, or in angle brackets.
fn target_end(text: &str) -> Option<usize> {
    let (mut depth, mut closer, mut is_escaped) = (0_usize, None, false);
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (closer, byte) {
            (_, b'\\') => is_escaped = true,
            (Some(end), _) if end == byte => closer = None,
            (Some(_), _) => {}
            (None, b'<') => closer = Some(b'>'),
            (None, b'"' | b'\'') => closer = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth <= 1 => return Some(at + 1),
            (None, b')') => depth -= 1,
            _ => {}
        }
    }
    text.find(')').map(|at| at + 1)
}

/// Returns where the label of a reference ends.
fn reference_end(text: &str) -> Option<usize> {
    text.get(1..)?.find(']').map(|at| at + 2)
}

fn id_end(text: &str) -> Option<usize> {
    text.find(')').map(|at| at + 1)
}

fn attribute_end(text: &str) -> Option<usize> {
    text.find('}').map(|at| at + 1)
}

/// Reads `&#47;`, `&#x2f;` or `&sol;`: its length, and its character if that is a number's.
fn character_reference(text: &str) -> Option<(usize, Option<char>)> {
    let end = text.bytes().take(64).position(|byte| byte == b';')?;
    let name = text.get(1..end)?;
    let character = match name.strip_prefix('#') {
        Some(number) => {
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            Some(char::from_u32(code.ok()?)?)
        }
        // Named references of letters (`&scy;`) are left to the reader; those of punctuation vanish.
        None if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric()) => None,
        None => return None,
    };
    Some((end + 1, character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_reserved_name_are_caught() {
        let names = ReservedNames::new(&["System/Policy".to_owned()]);
        for spelling in [
            "System/Policy",
            "system / policy",
            "SYSTEM-POLICY",
            "**System/Policy**",
            "`System`/`Policy`",
            "ѕystem / policy",
            "Ѕуѕтем/Роlісу",
            "Ｓｙｓｔｅｍ／Ｐｏｌｉｃｙ",
            "𝐒𝐲𝐬𝐭𝐞𝐦/𝐏𝐨𝐥𝐢𝐜𝐲",
            "Sys\u{200B}tem/Pol\u{AD}icy",
            "System&#47;Policy",
            "System&sol;Policy",
            "&#83;ystem/Policy",
            "<b>System</b>/Policy",
            "[System/Policy](x)",
            "## System/Policy",
            "- System/Policy",
            "> System/Policy",
            "1. System/Policy",
            "Sy\u{301}stem/Policy",
            "5ystem/Po1icy",
            "System/Policy (ID: x)",
            "$ystem/Policy",
            "System/PoIicy",
            "§ System/Policy",
            "| System/Policy |",
            "ꜱʏꜱᴛᴇᴍ/ᴘᴏʟɪᴄʏ",
            "[](x)System/Policy",
            "![](x) System/Policy",
            "(id: x) System/Policy",
            "[System/Policy](a(b)c)",
            "[System/Policy][x]",
            "<b title=\">a\">System/Policy</b>",
            "<!-- >a -->System/Policy",
            "System/Policy {#id}",
            "&#0000000000000000083;ystem/Policy",
        ] {
            assert_eq!(names.matching(spelling), Some("System/Policy"), "{spelling}");
        }
    }

    #[test]
    fn other_names_pass() {
        let names = ReservedNames::new(&["System/Policy".to_owned()]);
        for title in [
            "",
            "System",
            "Policy",
            "System/Policy notes",
            "My System/Policy",
            "Système",
            "Политика",
            "システム",
            "Systems/Policies",
            "---",
            "2. Syntax",
            "Политика системы",
        ] {
            assert_eq!(names.matching(title), None, "{title}");
        }
    }

    #[test]
    fn a_name_without_letters_is_not_reserved() {
        assert_eq!(ReservedNames::new(&["---".to_owned()]).matching("***"), None);
    }
}
