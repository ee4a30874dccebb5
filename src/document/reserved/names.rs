//! [`ReservedNames`]: the names that a policy reserves, and whether a text passes for one of them.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::skeleton::{short_skeleton, skeleton};
use crate::text::{is_hidden, is_mark};

/// How many characters at the start of a text are compared first, to rule out most texts quickly.
const FIRST: usize = 4;

/// The signs that pass for letters: `!` for an `i`, `$` for an `s`.
const SIGNS: [char; 5] = ['!', '$', '+', '@', '|'];

/// The names that a policy reserves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservedNames {
    names: Vec<Name>,
}

#[derive(Clone, Debug)]
struct Name {
    title: String,
    /// The skeletons of the title in all [`letter_cases`]. They may differ, because a letter may look like another one in
    /// one case only.
    skeletons: Vec<String>,
    /// The same [`without_signs`].
    letters: Vec<String>,
}

impl Name {
    /// Returns the name; `None` if it has no letters and no digits.
    fn of(title: &str) -> Option<Self> {
        let skeletons: Vec<_> = letter_cases(title).iter().map(|title| skeleton(title)).collect();
        let has_letters = title.chars().any(is_letter) && skeletons.iter().all(|skeleton| !skeleton.is_empty());
        let letters = skeletons.iter().cloned().map(without_signs).collect();
        has_letters.then(|| Self { title: title.to_owned(), skeletons, letters })
    }
}

/// Returns what a name has for a letter case, of which an ASCII name has one.
fn in_case(name: &[String], case: usize) -> &str {
    name.get(case).or(name.first()).map_or("", String::as_str)
}

/// Returns a text with its characters made [`compatible`]: as it is written, in lower case, and in upper case. ASCII
/// letters have the same skeleton in all cases: so of an ASCII text only the first.
fn letter_cases(text: &str) -> Vec<Cow<'_, str>> {
    if text.is_ascii() {
        return vec![text.into()];
    }
    let text: String = text.chars().map(compatible).collect();
    let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
    vec![text.into(), lower.into(), upper.into()]
}

/// Returns a skeleton without the letters that the [`SIGNS`] look like: all readings of a text have the same.
fn without_signs(mut skeleton: String) -> String {
    skeleton.retain(|letter| !matches!(letter, 'a' | 'l' | 's' | 't'));
    skeleton
}

/// Iterates over the readings of a text that may have signs for letters: the text itself, and the text with a space for
/// some of the [`SIGNS`] that it has, for each choice of them. So `System | Policy!` has four readings.
fn sign_readings(text: &str) -> impl ExactSizeIterator<Item = Cow<'_, str>> {
    let shown: String = text.chars().map(compatible).filter(|c| SIGNS.contains(c)).collect();
    let signs: Vec<char> = SIGNS.into_iter().filter(|sign| shown.contains(*sign)).collect();
    (0_u32..1 << signs.len()).map(move |choice| {
        let is_chosen = |c: char| signs.iter().zip(0..).any(|(sign, nth)| choice >> nth & 1 == 1 && *sign == c);
        if choice == 0 { text.into() } else { text.replace(|c| is_chosen(compatible(c)), " ").into() }
    })
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        Self { names: titles.iter().filter_map(|title| Name::of(title)).collect() }
    }

    /// Reports whether a name can be protected. Look-alikes are recognized by letters and digits, so it needs at least
    /// one.
    pub(crate) fn can_protect(name: &str) -> bool {
        Name::of(name).is_some()
    }

    /// Returns the reserved name that `text` passes for, or that a table cell, an HTML tag or an ID in it passes for.
    pub(super) fn matching(&self, text: &str) -> Option<&str> {
        let readings = sign_readings(text);
        // To look up letters that are not ASCII takes as long as a few readings do.
        let may_match = !text.is_ascii() && readings.len() <= 2 || self.may_be_spelled(text);
        readings.filter(|_| may_match).find_map(|text| self.read(&text))
    }

    /// Returns false if surely no reading of a text passes for a name: not even without the letters that the [`SIGNS`]
    /// look like does it have a name in it.
    fn may_be_spelled(&self, text: &str) -> bool {
        letter_cases(text).iter().enumerate().any(|(case, text)| {
            let letters = without_signs(skeleton(text));
            self.names.iter().any(|name| letters.contains(in_case(&name.letters, case)))
        })
    }

    /// Quick test: returns true if surely no part of `text`, as it is written or as CommonMark renders it, passes for a
    /// name. A text without the marks below is rendered with the same letters in the same order, and perhaps without
    /// some of its signs.
    pub(super) fn are_absent_from(&self, text: &str) -> bool {
        let may_hide = ["&", "<", "](", "]["].iter().any(|mark| text.contains(mark));
        text.is_ascii() && !may_hide && !self.may_be_spelled(text)
    }

    /// Returns the same as [`matching`](Self::matching), with each sign read as the letter that it looks like.
    fn read(&self, text: &str) -> Option<&str> {
        letter_cases(text).into_iter().enumerate().find_map(|(case, text)| {
            let cells = text.split('|').filter(|cell| cell.len() < text.len());
            let ids = text.split('(').skip(1).filter_map(id);
            let tags = text.split('<').skip(1).flat_map(html_tag_names);
            [&*text].into_iter().chain(cells).chain(ids).chain(tags).find_map(|part| self.spelled(part, case))
        })
    }

    /// Returns the reserved name that `text` as a whole passes for, but for what may stand before and behind a name.
    /// `case` is the index of `text` among its [`letter_cases`].
    fn spelled(&self, text: &str, case: usize) -> Option<&str> {
        let (starts, ends) = (starts(text), ends(text));
        let core = text.get(*starts.last()?..*ends.last()?).unwrap_or_default();
        let beginning = skeleton(core.get(..core.char_indices().nth(FIRST).map_or(core.len(), |(at, _)| at))?);
        let mut likely = self.names.iter().filter(|name| in_case(&name.skeletons, case).contains(&beginning));
        let is_spelled =
            |name: &&Name| ends.iter().any(|end| ends_with(text, &starts, *end, in_case(&name.skeletons, case)));
        likely.find(is_spelled).map(|name| name.title.as_str())
    }
}

/// Returns true if `skeleton_left` is the skeleton of `text` from one of `starts`, which are ascending, to `end`. The
/// text is read backwards, piece by piece, and each piece is taken off the skeleton.
fn ends_with(text: &str, starts: &[usize], mut end: usize, mut skeleton_left: &str) -> bool {
    let first = starts.partition_point(|start| *start <= end);
    for start in starts.iter().take(first).rev() {
        // A line may be far longer than the name. Reading stops as soon as the piece is longer than what is left.
        let piece = short_skeleton(text.get(*start..end).unwrap_or_default(), skeleton_left.len());
        match piece.and_then(|piece| skeleton_left.strip_suffix(piece.as_str())) {
            Some("") => return true,
            Some(left) => (skeleton_left, end) = (left, *start),
            None => return false,
        }
    }
    false
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && (c.is_ascii() || !(is_mark(c) || is_hidden(c)))
}

/// Returns the ASCII character of which `c` is a compatibility form, such as `(` for `（`; else `c`.
fn compatible(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut buffer = [0; 4];
    let mut plain = c.encode_utf8(&mut buffer).nfkd();
    match (plain.next(), plain.next()) {
        (Some(plain), None) if plain.is_ascii() => plain,
        _ => c,
    }
}

/// Returns the name of `(ID: name)`. `text` begins after the opening bracket.
fn id(text: &str) -> Option<&str> {
    let name = text.split(')').next()?.trim_start();
    let behind = name.get(2..).filter(|_| name.get(..2).is_some_and(|id| id.eq_ignore_ascii_case("id")))?;
    behind.trim_start().strip_prefix(':')
}

/// Returns the possible names of an HTML tag: its text up to the first space, and its whole text. `text` begins after
/// `<`.
fn html_tag_names(text: &str) -> impl Iterator<Item = &str> {
    let tag = text.split('>').next().filter(|_| !text.starts_with(char::is_whitespace));
    [tag.and_then(|tag| tag.split_whitespace().next()), tag].into_iter().flatten()
}

/// Returns the offsets at which a name may begin: after signs, a checkbox, tags, or the number of a list item.
fn starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| !is_letter(c) && !matches!(c, '[' | '('));
        starts.push(text.len() - rest.len());
        let behind = match rest.chars().next() {
            Some('[') => rest.split_once(']').map(|(_, behind)| behind),
            Some('(') => rest.split_once(')').map(|(_, behind)| behind),
            Some(c) if c.is_numeric() => {
                Some(rest.trim_start_matches(char::is_numeric)).filter(|rest| !rest.starts_with(is_letter))
            }
            _ => None,
        };
        match behind {
            Some(behind) => rest = behind,
            None => break,
        }
        starts.push(text.len() - rest.len());
    }
    // An opening bracket that nothing closes counts as a sign.
    starts.push(text.len() - rest.trim_start_matches(|c| !is_letter(c)).len());
    starts
}

/// Returns the offsets at which a name may end, the last one first: the end of the text, before signs, and before an
/// ID.
fn ends(text: &str) -> Vec<usize> {
    let behind_letters = |text: &str| text.trim_end_matches(|c| !is_letter(c)).len();
    let mut ends = vec![text.len(), behind_letters(text)];
    if let Some((before, last)) = text.rsplit_once('(')
        && id(last).is_some()
        && last.split_once(')').is_none_or(|(_, behind)| !behind.chars().any(is_letter))
    {
        ends.extend([before.len(), behind_letters(before)]);
    }
    ends
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is ruled out for all its readings passes for no name in any of them.
        #[test]
        fn no_reading_of_what_is_ruled_out_passes_for_a_name(
            text in "([-#>*] |[0-9]\\.? |\\[[x ]\\] |\\[sys\\] )?[|<(+!]?(ID: )?[5Ss$ѕ＄][y+]?[sS$][t+т＋]([E3]|е)(m|rn)[ /|!+@$]{0,2}[Pp][o0о]?[l1!|I｜]{1,2}[cс]y( ?\\(ID: [a-z]{1,3}\\)|[>|)!+. ]{0,3}[a-zА-я]{0,2})",
        ) {
            let names = ReservedNames::new(&["System/Policy".to_owned(), "Stol".to_owned(), "Pol".to_owned()]);
            let is_read = sign_readings(&text).any(|text| names.read(&text).is_some());
            prop_assert!(!is_read || names.may_be_spelled(&text), "{:?}", text);
        }
    }
}
