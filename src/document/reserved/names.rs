//! The names that a policy reserves, and what passes for them.

use unicode_normalization::UnicodeNormalization as _;

use super::skeleton::Case;
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
    /// By [`Case::ALL`].
    skeletons: [String; Case::ALL.len()],
}

impl Name {
    /// Returns the name; `None` if it has no letters and no digits.
    fn of(title: &str) -> Option<Self> {
        let plain = compatible(title);
        let skeletons = Case::ALL.map(|case| {
            let mut skeleton = String::new();
            plain.chars().for_each(|c| case.push(c, &mut skeleton));
            skeleton
        });
        let has_letters = title.chars().any(is_letter) && skeletons.iter().all(|skeleton| !skeleton.is_empty());
        has_letters.then(|| Self { title: title.to_owned(), skeletons })
    }
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
        let text = compatible(text);
        let cells = text.split('|').filter(|cell| cell.len() < text.len());
        let ids = text.split('(').skip(1).filter_map(id);
        let tags = text.split('<').skip(1).flat_map(tag_names);
        [&*text].into_iter().chain(cells).chain(ids).chain(tags).find_map(|text| self.named(text))
    }

    /// Returns the reserved name of which `text` is a spelling.
    fn named(&self, text: &str) -> Option<&str> {
        let (starts, ends) = (starts(text), ends(text));
        let core = text.get(*starts.last()?..*ends.last()?).unwrap_or_default();
        let mut cases = Case::ALL.iter().enumerate().filter(|(nth, case)| self.may_begin(core, *nth, **case));
        cases.find_map(|(nth, case)| {
            let mut skeleton = String::new();
            // How long the skeleton is before each character.
            let mut lengths: Vec<(usize, usize)> = Vec::new();
            for (at, c) in text.char_indices() {
                lengths.push((at, skeleton.len()));
                case.push(c, &mut skeleton);
            }
            let length_at = |offset: &usize| {
                let nth = lengths.partition_point(|(at, _)| at < offset);
                lengths.get(nth).map_or(skeleton.len(), |(_, length)| *length)
            };
            let starts: Vec<usize> = starts.iter().map(length_at).collect();
            let ends: Vec<usize> = ends.iter().map(length_at).collect();
            let is_spelled = |name: &&Name| {
                let own = name.skeletons.get(nth).map_or("", String::as_str);
                ends.iter().any(|end| {
                    let start = end.checked_sub(own.len()).filter(|start| starts.binary_search(start).is_ok());
                    start.is_some_and(|start| skeleton.get(start..*end) == Some(own))
                })
            };
            self.names.iter().find(is_spelled).map(|name| name.title.as_str())
        })
    }

    /// Reports, quickly, whether a name may hold `core`, by its first letters.
    fn may_begin(&self, core: &str, nth: usize, case: Case) -> bool {
        let mut start = String::new();
        let holds = |name: &Name, start: &str| name.skeletons.get(nth).is_some_and(|own| own.contains(start));
        core.chars().take(FIRST).all(|c| {
            case.push(c, &mut start);
            self.names.iter().any(|name| holds(name, &start))
        })
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && (c.is_ascii() || !(is_mark(c) || is_hidden(c)))
}

/// Returns `text` with each character that is another form of a single one of ASCII written as
/// that, such as `（` as `(`.
fn compatible(text: &str) -> String {
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
