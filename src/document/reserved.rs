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
    longest: usize,
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        let with_skeleton =
            |title: &String| Some((title.clone(), skeleton(title))).filter(|(_, bones)| !bones.is_empty());
        let names: Vec<_> = titles.iter().filter_map(with_skeleton).collect();
        let begins = |letter: &str| !letter.is_empty() && names.iter().any(|(_, bones)| bones.starts_with(letter));
        let initials = (0..0x80_u8).filter(|byte| begins(&fold_letter(char::from(*byte)))).collect();
        let longest = names.iter().map(|(_, bones)| bones.len()).max().unwrap_or(0);
        Self { names, initials, longest }
    }

    /// Returns the reserved name that `text`, a title or a line, passes for.
    pub(crate) fn matching(&self, text: &str) -> Option<&str> {
        if self.names.is_empty() || self.rules_out(text) {
            return None;
        }
        let without_number = strip_ordinal(text);
        let candidates = [Some(text), (without_number.len() < text.len()).then_some(without_number)];
        candidates
            .into_iter()
            .flatten()
            .map(skeleton)
            .find_map(|bones| self.names.iter().find(|(_, reserved)| *reserved == bones).map(|(name, _)| name.as_str()))
    }

    /// Reports, without allocating, that no skeleton of `text` can be a reserved one.
    fn rules_out(&self, text: &str) -> bool {
        // A line is at most as long as a name whose every character is spelled in eight bytes, with markup around it.
        if text.len() > 256 + 64 * self.longest {
            return true;
        }
        let is_telling = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"&<|$@".contains(byte);
        match strip_ordinal(text).bytes().find(is_telling) {
            Some(byte) if byte.is_ascii_alphanumeric() => !self.initials.contains(&byte),
            first => first.is_none(),
        }
    }
}

/// Returns the skeleton of `text`.
pub(crate) fn skeleton(text: &str) -> String {
    let text = without_markup(text);
    let mut bones = String::with_capacity(text.len());
    // Combining marks go with the invisible characters: they decorate a letter that is judged by itself.
    for c in text.nfkc().nfkd().filter(|c| c.is_alphanumeric() || matches!(c, '|' | '$' | '@')) {
        bones.push_str(&fold_letter(c));
    }
    bones
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
            'т' | 'ᴛ' => bones.push('t'),
            'м' | 'ᴍ' | 'ʍ' => bones.push_str("rn"),
            'к' | 'ĸ' => bones.push('k'),
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

/// Removes what a renderer would not show: tags, link targets, block IDs, and the writing of character references.
fn without_markup(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '<' => rest.find('>').map(|end| (end + 1, None)),
            '&' => character_reference(rest),
            ']' if rest.starts_with("](") => rest.find(')').map(|end| (end + 1, None)),
            '(' if rest.starts_with("(ID:") => rest.find(')').map(|end| (end + 1, None)),
            _ => None,
        };
        let (length, replacement) = skipped.unwrap_or((c.len_utf8(), Some(c)));
        plain.extend(replacement);
        rest = rest.get(length..).unwrap_or_default();
    }
    plain
}

/// Reads `&#47;`, `&#x2f;` or `&sol;`: its length, and its character if that is a number's.
fn character_reference(text: &str) -> Option<(usize, Option<char>)> {
    let end = text.bytes().take(34).position(|byte| byte == b';')?;
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
