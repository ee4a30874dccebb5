//! In what two lines differ.

use super::ladder::Rung;
use super::normal::{LineKind, normal_line};
use super::reason::Reason;
use crate::document::{bullet_start, checkbox, tag_groups};
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

/// Returns the reason that stands behind a rung which would have found the text.
pub(super) fn reason_of_rung(rung: Rung, sought: &str, found: &str) -> Reason {
    match rung {
        Rung::TrailingSpace => Reason::TrailingSpace,
        Rung::LineEndings => Reason::LineEndings,
        Rung::Escapes => Reason::Escapes,
        Rung::ViewPrefix => Reason::ViewPrefix,
        Rung::Case => Reason::Case,
        _ => punctuation(sought, found),
    }
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
    if sought.trim_end_matches([' ', '\t']) == found.trim_end_matches([' ', '\t']) {
        return Reason::TrailingSpace;
    }
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let is_of_spaces = |line: &str| !line.get(..indentation(line)).is_some_and(|space| space.contains('\t'));
    if sought.get(indentation(sought)..) == found.get(indentation(found)..)
        && is_of_spaces(sought)
        && is_of_spaces(found)
    {
        return Reason::LeadingSpace;
    }
    if sought.split_whitespace().eq(found.split_whitespace()) {
        return Reason::Tab;
    }
    if normal_line(sought, LineKind::Sought) == normal_line(found, LineKind::Sought) {
        return punctuation(sought, found);
    }
    let is_in_case = |part: &str| {
        let words = |text| str::split_whitespace(text).map(fold_name);
        part != sought && words(part).eq(words(sought))
    };
    if is_in_case(found) || found.get(..sought.len()).is_some_and(is_in_case) {
        return Reason::Case;
    }
    marks(sought, found).unwrap_or_else(|| {
        let without_digits = |c: char| if c.is_numeric() { '0' } else { c };
        let is_alike = sought.chars().map(without_digits).eq(found.chars().map(without_digits));
        if is_alike { Reason::Digit } else { Reason::Text }
    })
}

/// Returns in what two lines of bullets differ that say the same: marker, checkbox, or tags. One may be a content alone.
pub(super) fn marks(sought: &str, found: &str) -> Option<Reason> {
    let body = |line: &'_ str| bullet_start(line).map_or(0, |start| start.rest);
    let (sought_body, found_body) = (sought.get(body(sought)..)?, found.get(body(found)..)?);
    if sought_body == found_body {
        return Some(Reason::Marker);
    }
    let boxed = |text: &str| checkbox(text).map_or(0, |(length, space)| length + space);
    let (sought_rest, found_rest) = (sought_body.get(boxed(sought_body)..)?, found_body.get(boxed(found_body)..)?);
    if sought_rest == found_rest {
        return Some(Reason::Checkbox);
    }
    let content = |text: &str| tag_groups(text).1;
    let says_same = sought_rest.get(content(sought_rest)..)? == found_rest.get(content(found_rest)..)?;
    let tags = found_rest.get(..content(found_rest))?.trim_end();
    says_same.then(|| Reason::Tags(excerpt(tags, 60).into()))
}

/// Names the first pair of characters in which two lines differ.
fn punctuation(sought: &str, found: &str) -> Reason {
    let at = common_prefix(sought, found);
    let first = |line: &str| line.get(at..).and_then(|rest| rest.chars().next());
    let (sought, found) = (first(sought), first(found));
    let name = |c: Option<char>| c.map_or_else(|| "nothing".to_owned(), code_point_name);
    let names = format!("sought {}, found {}", name(sought), name(found));
    let any = |of: fn(char) -> bool| sought.is_some_and(of) || found.is_some_and(of);
    if any(|c| matches!(c, '\'' | '"' | '\u{2018}'..='\u{201F}' | '\u{2032}' | '\u{2033}' | '\u{02BC}')) {
        Reason::Quote(names.into())
    } else if any(|c| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')) {
        Reason::Dash(names.into())
    } else {
        Reason::LookAlike(names.into())
    }
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
            ("fact ", "fact", Reason::TrailingSpace),
            ("a\tfact", "a fact", Reason::Tab),
            ("a fact", &*format!("a{}fact", " ".repeat(50_000)), Reason::Tab),
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
