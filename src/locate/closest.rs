//! The lines most like one that was not found, and in what they differ.

use std::cmp::Reverse;

use memchr::memmem;

use super::ladder::{Rung, Rungs};
use super::letter_pairs::LetterPairs;
use super::reason::Reason;
use crate::document::{MemoryDoc, bullet_start, checkbox, tag_groups};
use crate::text::{
    Content, Lines, Span, code_point_name, excerpt, excerpt_around, fold_name, is_blank, likeness, visible,
};

/// How many lines are shown.
const SHOWN: usize = 3;
/// How many lines are compared letter by letter, after a rough choice.
const COMPARED: usize = 24;
/// How many characters of a line take part in the comparison.
const COMPARED_LENGTH: usize = 240;
/// The length of an excerpt in characters.
const EXCERPT: usize = 120;
/// The likeness, in percent, below which a line is no help.
const SIMILAR: u8 = 50;
/// The likeness, in percent, from which on a name is near another.
const NEAR: u8 = 75;

/// A line that is like the one sought.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closest {
    /// The line's number, from 1.
    pub line: usize,
    /// The path of the section that it stands in; `None` in the preamble.
    pub section: Option<Content>,
    /// The line as it stands, cut.
    pub excerpt: Content,
    /// In what it differs.
    pub difference: Difference,
}

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
        Rung::BulletMarker => Reason::Marker,
        Rung::ViewPrefix => Reason::ViewPrefix,
        Rung::Case => Reason::Case,
        _ => punctuation(sought, found),
    }
}

/// Returns the lines of `scope` that are most like `sought`, one line, best first.
///
/// Costs one pass over the scope: lines are chosen by the pairs of letters that they share, and only the best of them are
/// compared in full.
pub(crate) fn closest(doc: &MemoryDoc, scope: Span, sought: &str) -> Vec<Closest> {
    let text = doc.text();
    let wanted = essence(sought);
    let mut pairs = LetterPairs::of(&wanted);
    if pairs.count() == 0 {
        return Vec::new();
    }
    let mut best: Vec<(usize, Reverse<usize>, Span)> = Vec::new();
    // So many must be shared: a quarter, and then more than with the last of the best that were kept.
    let mut least = pairs.count().div_ceil(4);
    for line in Lines::within(text, scope) {
        let is_long = line.text.len() > least;
        let shared = if is_long { shared_pairs(&mut pairs, line.text.of(text)) } else { 0 };
        if shared >= least {
            best.push((shared, Reverse(line.text.start()), line.text));
        }
        if best.len() >= 8 * COMPARED {
            keep_best(&mut best);
            least = best.last().map_or(least, |(shared, ..)| shared + 1);
        }
    }
    keep_best(&mut best);
    let mut ranked: Vec<_> =
        best.into_iter().filter_map(|(_, _, line)| Some((nearness(sought, &wanted, line.of(text))?, line))).collect();
    ranked.sort_by(|((a, a_marks), at), ((b, b_marks), bt)| {
        b.total_cmp(a).then(b_marks.total_cmp(a_marks)).then(at.cmp(bt))
    });
    ranked.truncate(SHOWN);
    ranked.into_iter().map(|(_, line)| describe(doc, line, sought)).collect()
}

/// Returns how near a line is to the text sought, whose essence is `wanted`, by what it says, then by its marks; `None` if it is
/// no help. Nearest is one that holds the text in another letter case. One that shares no word with it must be as like as a name.
fn nearness(sought: &str, wanted: &str, line: &str) -> Option<(f32, f32)> {
    if ignoring_case(line, sought).is_some() {
        return Some((f32::INFINITY, 0.0));
    }
    let essence = essence(line);
    let has = |word: &str| essence.split(' ').any(|other| other == word);
    // Not every script sets its words apart.
    let is_akin = !wanted.is_ascii() || wanted.split(' ').any(has);
    let near = likeness(wanted, &essence, if is_akin { SIMILAR } else { NEAR })?;
    Some((near, if marks_of(line) == marks_of(sought) { 1.0 } else { 0.0 }))
}

/// Returns the checkbox and the tags that a line has before what it says.
fn marks_of(line: &str) -> &str {
    let body = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
    body.get(..body.len() - said(line).len()).unwrap_or_default()
}

/// Returns what a line says behind its marker, its checkbox and its tags; without any of that, what stands there.
fn said(line: &str) -> &str {
    let body = bullet_start(line).and_then(|start| line.get(start.rest..)).unwrap_or(line);
    let rest = checkbox(body).and_then(|(length, space)| body.get(length + space..)).unwrap_or(body);
    rest.get(tag_groups(rest).1..).filter(|said| !is_blank(said)).unwrap_or(body)
}

/// Returns the index of the name that is most like `sought`, of those that are near it or contain it or are contained.
pub(super) fn nearest_name<'a>(sought: &str, names: impl Iterator<Item = &'a str>) -> Option<usize> {
    let wanted = fold_name(sought);
    if wanted.is_empty() {
        return None;
    }
    let mut pairs = LetterPairs::of(&wanted);
    let is_part = |name: &str| !name.is_empty() && (name.contains(&wanted) || wanted.contains(name));
    let mut best: Vec<(usize, usize, &str)> =
        names.enumerate().map(|(at, name)| (shared_pairs(&mut pairs, name), at, name)).collect();
    best.sort_by_key(|(shared, at, _)| (Reverse(*shared), *at));
    best.truncate(COMPARED);
    let near = best.into_iter().filter_map(|(_, at, name)| {
        let name = fold_name(name);
        let ratio = match is_part(&name) {
            // A long one that holds the other is less near than any that could be compared.
            true => likeness(&wanted, &name, 0).unwrap_or(0.0),
            false => likeness(&wanted, &name, NEAR)?,
        };
        Some((ratio, Reverse(at)))
    });
    near.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, Reverse(at))| at)
}

fn keep_best(best: &mut Vec<(usize, Reverse<usize>, Span)>) {
    best.sort_by(|a, b| b.cmp(a));
    best.truncate(COMPARED);
}

/// Describes the line at `line` as one that is like `sought`.
pub(super) fn describe(doc: &MemoryDoc, line: Span, sought: &str) -> Closest {
    let whole = line.of(doc.text());
    let start = aligned(sought, whole);
    let found = whole.get(start..).unwrap_or(whole);
    let at = start + common_prefix(sought, found);
    Closest {
        line: doc.line_number(line.start()),
        section: doc.section_at(line.start()).map(|section| visible(&section.name()).into()),
        excerpt: visible(&excerpt_around(whole, at.min(whole.len()), EXCERPT)).into(),
        difference: difference(sought, found),
    }
}

/// Returns where in `line` the text that is like `sought` starts: a part of a line is compared with its like.
fn aligned(sought: &str, line: &str) -> usize {
    if let Some(there) = ignoring_case(line, sought) {
        // The slice is one of `line`, so that the difference of lengths tells where it starts.
        return line.len() - line.get(line.find(there).unwrap_or(0)..).unwrap_or(line).len();
    }
    let beginning: String = sought.chars().take(4).collect();
    let begun = || memmem::find(line.as_bytes(), beginning.as_bytes());
    if let Some(at) = (!beginning.trim().is_empty()).then(begun).flatten() {
        return at;
    }
    match (bullet_start(sought), bullet_start(line)) {
        (None, Some(start)) => start.rest,
        _ => 0,
    }
}

/// Returns the part of `line` that is `sought` in another letter case.
pub(super) fn ignoring_case<'a>(line: &'a str, sought: &str) -> Option<&'a str> {
    let wanted = sought.to_lowercase();
    if wanted.is_empty() || line.len() > 4 * COMPARED_LENGTH {
        return None;
    }
    let starts = line.char_indices().map(|(at, _)| at);
    starts.filter_map(|at| line.get(at..at + sought.len())).find(|part| part.to_lowercase() == wanted)
}

/// Tells in what two texts differ, and where first.
fn difference(sought: &str, found: &str) -> Difference {
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
    let plain = Rungs::up_to(Rung::Punctuation);
    if plain.fold_line(sought) == plain.fold_line(found) {
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
fn marks(sought: &str, found: &str) -> Option<Reason> {
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
fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// Returns what of a line takes part in comparisons: the words that it says, without letter case.
fn essence(line: &str) -> String {
    fold_name(&excerpt(said(line), COMPARED_LENGTH))
}

/// Counts the letter pairs of a line that are among `pairs`; of a long line, those at its start.
fn shared_pairs(pairs: &mut LetterPairs, line: &str) -> usize {
    if is_blank(line) {
        0
    } else {
        pairs.shared_with(line.as_bytes().get(..4 * COMPARED_LENGTH).unwrap_or(line.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_like_length_are_near_each_other() {
        let long = "*_".repeat(30_000);
        assert_eq!(nearest_name("Facts", [&*long, "Fact"].into_iter()), Some(1));
        assert_eq!(
            nearest_name(&format!("{long}a"), [&*format!("{long}b")].into_iter()),
            None,
            "not compared by letters"
        );
        assert_eq!(nearest_name("*_", [&*long].into_iter()), Some(0), "a part of it");
    }

    #[test]
    fn the_closest_lines_are_found_behind_however_many_that_are_like_them() {
        let many = "alpha beta\n".repeat(8 * COMPARED - 1);
        let doc = MemoryDoc::parse(format!("{many}alpha beta gamma delt\nalpha beta gamma\n"));
        let lines = closest(&doc, doc.span(), "alpha beta gamma delta").into_iter().map(|closest| closest.line);
        assert_eq!(lines.collect::<Vec<_>>(), [8 * COMPARED, 8 * COMPARED + 1, 1]);
    }

    #[test]
    fn letter_case_is_ignored_in_lines_that_are_compared_whole() {
        let line = |length| format!("{}TEA", "a".repeat(length - 3));
        assert_eq!(ignoring_case(&line(4 * COMPARED_LENGTH), "tea"), Some("TEA"));
        assert_eq!(ignoring_case(&line(4 * COMPARED_LENGTH + 1), "tea"), None);
    }

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
