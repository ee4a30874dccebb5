//! The names that a policy reserves, and what passes for them.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::skeleton::{push, skeleton};
use crate::text::{is_hidden, is_mark};

/// How many characters of a text are enough to tell that most are no name.
const FIRST: usize = 4;

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
    let text = compatible(text);
    let (lower, upper) = (text.to_lowercase(), text.to_uppercase());
    [text.into_owned(), lower, upper]
}

impl ReservedNames {
    pub(crate) fn new(titles: &[String]) -> Self {
        Self { names: titles.iter().filter_map(|title| Name::of(title)).collect() }
    }

    /// Reports whether a name can be protected: one of symbols alone has nothing that a disguise
    /// would keep.
    pub(crate) fn protect(name: &str) -> bool {
        Name::of(name).is_some()
    }

    /// Returns the reserved name that `text` passes for, or that a tag or an ID in it has.
    pub(super) fn matching(&self, text: &str) -> Option<&str> {
        // Letters of ASCII look the same in both cases.
        let readings = readings(text).into_iter().enumerate().take(if text.is_ascii() { 1 } else { 3 });
        readings.into_iter().find_map(|(nth, text)| {
            let cells = text.split('|').filter(|cell| cell.len() < text.len());
            let ids = text.split('(').skip(1).filter_map(id);
            let tags = text.split('<').skip(1).flat_map(tag_names);
            [&*text].into_iter().chain(cells).chain(ids).chain(tags).find_map(|text| self.spelled(text, nth))
        })
    }

    /// Returns the reserved name of which `text` is a spelling, in the reading of this index.
    fn spelled(&self, text: &str, reading: usize) -> Option<&str> {
        let (starts, ends) = (starts(text), ends(text));
        let core = text.get(*starts.last()?..*ends.last()?).unwrap_or_default();
        let beginning = skeleton(core.get(..core.char_indices().nth(FIRST).map_or(core.len(), |(at, _)| at))?);
        if !self.names.iter().any(|name| name.skeleton(reading).contains(&beginning)) {
            return None;
        }
        let mut skeleton = String::new();
        // How long the skeleton is before each character.
        let mut lengths: Vec<(usize, usize)> = Vec::new();
        for (at, c) in text.char_indices() {
            lengths.push((at, skeleton.len()));
            push(c, &mut skeleton);
        }
        let length_at = |offset: &usize| {
            let nth = lengths.partition_point(|(at, _)| at < offset);
            lengths.get(nth).map_or(skeleton.len(), |(_, length)| *length)
        };
        let starts: Vec<usize> = starts.iter().map(length_at).collect();
        let ends: Vec<usize> = ends.iter().map(length_at).collect();
        let is_spelled = |name: &&Name| {
            let own = name.skeleton(reading);
            ends.iter().any(|end| {
                let start = end.checked_sub(own.len()).filter(|start| starts.binary_search(start).is_ok());
                start.is_some_and(|start| skeleton.get(start..*end) == Some(own))
            })
        };
        self.names.iter().find(is_spelled).map(|name| name.title.as_str())
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && (c.is_ascii() || !(is_mark(c) || is_hidden(c)))
}

/// Returns `text` with each character that is another form of a single one of ASCII written as
/// that, such as `（` as `(`.
fn compatible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let form = |c: char| {
        let mut plain = Some(c).into_iter().nfkd();
        match (plain.next(), plain.next()) {
            (Some(plain), None) if plain.is_ascii() => plain,
            _ => c,
        }
    };
    text.chars().map(|c| if c.is_ascii() { c } else { form(c) }).collect()
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
