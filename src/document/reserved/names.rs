//! The names that a policy reserves, and what passes for them.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;

use super::skeleton::{short_skeleton, skeleton};
use crate::text::{is_hidden, is_mark};

/// How many characters of a text are compared first, to rule most texts out.
const FIRST: usize = 4;

/// The signs that pass for letters: `!` for an `i`, `$` for an `s`.
const SIGNS: [char; 5] = ['!', '|', '@', '$', '+'];

/// The names that a policy reserves.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReservedNames {
    names: Vec<Name>,
}

#[derive(Clone, Debug)]
struct Name {
    title: String,
    /// As it is written, in small letters, and in capitals: those may look like others.
    skeletons: [String; 3],
}

impl Name {
    /// Returns the name; `None` if it has no letters and no digits.
    fn of(title: &str) -> Option<Self> {
        let skeletons = readings(title).map(|reading| skeleton(&reading));
        let has_letters = title.chars().any(is_letter) && skeletons.iter().all(|skeleton| !skeleton.is_empty());
        has_letters.then(|| Self { title: title.to_owned(), skeletons })
    }

    fn skeleton(&self, reading: usize) -> &str {
        self.skeletons.get(reading).map_or("", String::as_str)
    }
}

/// Returns a text in compatible characters: as it is written, in small letters, and in capitals.
fn readings(text: &str) -> [String; 3] {
    let text: String = text.chars().map(compatible).collect();
    let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
    [text, lower, upper]
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        Self { names: titles.iter().filter_map(|title| Name::of(title)).collect() }
    }

    /// Reports whether a name can be protected: look-alikes are recognized by letters and digits, so that it needs
    /// one.
    pub(crate) fn can_protect(name: &str) -> bool {
        Name::of(name).is_some()
    }

    /// Returns the reserved name that `text` passes for, or that a tag or an ID in it has. Each sign that passes for a letter may
    /// also be a sign.
    pub(super) fn matching(&self, text: &str) -> Option<&str> {
        let matching = |text: &str| {
            let may_match = !text.is_ascii() || self.is_within(&skeleton(text));
            if may_match { self.read(text) } else { None }
        };
        matching(text).or_else(|| {
            let is_sign = |c: &char| SIGNS.contains(c);
            let signs = text.chars().filter(|c| !c.is_ascii() || is_sign(c)).map(compatible).filter(is_sign);
            let signs: BTreeSet<char> = signs.collect();
            (1_u32..1 << signs.len()).find_map(|choice| {
                let chosen = signs.iter().zip(0..).filter(|(_, nth)| choice >> nth & 1 == 1);
                let chosen: Vec<char> = chosen.map(|(sign, _)| *sign).collect();
                matching(&text.replace(|c| chosen.contains(&compatible(c)), " "))
            })
        })
    }

    /// Reports whether neither a part of `text` nor what CommonMark shows of it can pass for a name. Of such a text, it
    /// hides nothing between letters and makes no other letters: so the skeleton of what it shows is a part of the
    /// skeleton of the text.
    pub(super) fn are_absent_from(&self, text: &str) -> bool {
        let may_hide = ["&", "<", "](", "]["].iter().any(|mark| text.contains(mark));
        text.is_ascii() && !may_hide && !text.contains(SIGNS) && !self.is_within(&skeleton(text))
    }

    fn read(&self, text: &str) -> Option<&str> {
        // ASCII letters have the same skeleton in both cases: one reading is enough.
        let readings = readings(text).into_iter().enumerate().take(if text.is_ascii() { 1 } else { 3 });
        readings.into_iter().find_map(|(nth, text)| {
            let cells = text.split('|').filter(|cell| cell.len() < text.len());
            let ids = text.split('(').skip(1).filter_map(id);
            let tags = text.split('<').skip(1).flat_map(tag_names);
            [&*text].into_iter().chain(cells).chain(ids).chain(tags).find_map(|text| self.spelled(text, nth))
        })
    }

    /// Reports whether a skeleton, of a text as it is written, has that of a name in it. What is read of a text is a part
    /// of it, and the skeleton of a part is a part of the skeleton.
    fn is_within(&self, text: &str) -> bool {
        self.names.iter().any(|name| text.contains(name.skeleton(0)))
    }

    /// Returns the reserved name that `text` spells. `reading` is the index among [`readings`] of the one that `text`
    /// is.
    fn spelled(&self, text: &str, reading: usize) -> Option<&str> {
        let (starts, ends) = (starts(text), ends(text));
        let core = text.get(*starts.last()?..*ends.last()?).unwrap_or_default();
        let beginning = skeleton(core.get(..core.char_indices().nth(FIRST).map_or(core.len(), |(at, _)| at))?);
        let mut likely = self.names.iter().filter(|name| name.skeleton(reading).contains(&beginning));
        let is_spelled = |name: &&Name| ends.iter().any(|end| ends_with(text, &starts, *end, name.skeleton(reading)));
        likely.find(is_spelled).map(|name| name.title.as_str())
    }
}

/// Returns true if a skeleton is that of `text` from one of `starts`, in ascending order, to `end`.
fn ends_with(text: &str, starts: &[usize], mut end: usize, mut skeleton_left: &str) -> bool {
    let first = starts.partition_point(|start| *start <= end);
    for start in starts.iter().take(first).rev() {
        // A line may be far longer than the name: no more of it is read than may be the name.
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

/// Returns the one character of ASCII of which `c` is another form, such as `(` for `（`; else `c`.
fn compatible(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    let mut plain = [c].into_iter().nfkd();
    match (plain.next(), plain.next()) {
        (Some(plain), None) if plain.is_ascii() => plain,
        _ => c,
    }
}

/// Returns the name in an ID, behind the bracket that opens it.
fn id(text: &str) -> Option<&str> {
    let name = text.split(')').next()?.trim_start();
    let behind = name.get(2..).filter(|_| name.get(..2).is_some_and(|id| id.eq_ignore_ascii_case("id")))?;
    behind.trim_start().strip_prefix(':')
}

/// Returns the name of a tag, behind the bracket that opens it: up to a space, and up to its end.
fn tag_names(text: &str) -> impl Iterator<Item = &str> {
    let tag = text.split('>').next().filter(|_| !text.starts_with(char::is_whitespace));
    [tag.and_then(|tag| tag.split_whitespace().next()), tag].into_iter().flatten()
}

/// Returns where a name may begin: behind signs, checkbox, tags and the numbers of a list.
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
    // A bracket that nothing closes is a sign.
    starts.push(text.len() - rest.trim_start_matches(|c| !is_letter(c)).len());
    starts
}

/// Returns where a name may end, from the last place on: before signs, and before an ID.
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
        /// What has the skeleton of no name in it passes for none.
        #[test]
        fn a_text_that_passes_for_a_name_has_its_skeleton(
            text in "([-#>*] |[0-9]\\.? |\\[[x ]\\] |\\[sys\\] )?[|<(]?(ID: )?(5|[Ss$])y[sS]t(E|3)(m|rn)[ /|<>.1]{0,2}(P|p)[o0](l|1|I){2}cy( ?\\(ID: [a-z]{1,3}\\)|[>|)!. ]{0,3}[a-z]{0,2})",
        ) {
            let names = ReservedNames::new(&["System/Policy".to_owned(), "Pol".to_owned()]);
            prop_assert!(names.read(&text).is_none() || names.is_within(&skeleton(&text)), "{:?}", text);
        }
    }
}
