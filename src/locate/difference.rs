//! In what two lines differ.

use super::item_text::ItemText;
use super::normal::normal_line;
use super::reason::Reason;
use crate::text::{Content, code_point_name, excerpt, fold_name, visible};

/// The first place where two lines differ.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// In what they differ.
    pub reason: Reason,
    /// The sought text from there on, cut; empty if it ends there.
    pub sought: Content,
    /// The text found there, cut; empty if it ends there.
    pub found: Content,
}

/// Tells in what two texts differ, and where first.
pub(super) fn difference(sought: &str, found: &str) -> Difference {
    let at = common_prefix(sought, found);
    let rest = |line: &str| visible(&excerpt(line.get(at..).unwrap_or_default(), 30));
    Difference { reason: reason(sought, found), sought: rest(sought).into(), found: rest(found).into() }
}

fn reason(sought: &str, found: &str) -> Reason {
    if sought == found {
        return Reason::Same;
    }
    if sought.split_whitespace().eq(found.split_whitespace()) {
        return Reason::Space;
    }
    if normal_line(sought) == normal_line(found) {
        return punctuation(sought, found);
    }
    let is_in_case = |part: &str| {
        let words = |text| str::split_whitespace(text).map(fold_name);
        part != sought && words(part).eq(words(sought))
    };
    if is_in_case(found) || found.get(..sought.len()).is_some_and(is_in_case) {
        return Reason::Case;
    }
    tags(sought, found).unwrap_or_else(|| {
        let without_digits = |c: char| if c.is_numeric() { '0' } else { c };
        let is_alike = sought.chars().map(without_digits).eq(found.chars().map(without_digits));
        if is_alike { Reason::Digit } else { Reason::Text }
    })
}

/// Tells two lines of bullets apart that differ in their tags alone. One may be a content alone.
pub(super) fn tags(sought: &str, found: &str) -> Option<Reason> {
    let (own, other) = (ItemText::of_line(sought), ItemText::of_line(found));
    let differ = own.content == other.content && own.tags != other.tags;
    differ.then(|| Reason::Tags(excerpt(other.tags, 60).into()))
}

/// Names the first pair of characters in which two lines differ.
fn punctuation(sought: &str, found: &str) -> Reason {
    let at = common_prefix(sought, found);
    let first = |line: &str| line.get(at..).and_then(|rest| rest.chars().next());
    let (sought, found) = (first(sought), first(found));
    let name = |c: Option<char>| c.map_or_else(|| "nothing".to_owned(), code_point_name);
    let names = format!("sought {}, found {}", name(sought), name(found));
    Reason::Punctuation(names.into())
}

/// Returns how many bytes two texts have in common at their start, cut at a character.
pub(super) fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_differs_in_is_told_however_long_it_is() {
        let long = |word: &str| format!("{word} ").repeat(20_000);
        for (sought, found, expected) in [
            ("fact ", "fact", Reason::Space),
            ("a\tfact", "a fact", Reason::Space),
            ("a fact", &*format!("a{}fact", " ".repeat(50_000)), Reason::Space),
            ("A Caf\u{C9}", "a cafe\u{301}", Reason::Case),
            ("\u{39F}\u{3A3} \u{3A3}\u{39F}", "\u{3BF}\u{3C2} \u{3C3}\u{3BF}", Reason::Case),
            ("in 2019", "in 2020", Reason::Digit),
            ("in 2019", &*format!("in 2020{}", long("x")), Reason::Text),
            (&*long("x"), &*long("X"), Reason::Case),
        ] {
            assert_eq!(reason(sought, found), expected, "{sought:.20} / {found:.20}");
        }
    }
}
