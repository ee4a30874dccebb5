//! Help for a line that was not found: the most similar lines, and how they differ from it.

use std::cmp::Reverse;

use memchr::memchr3;
use memchr::memmem::Finder;

use super::diagnostic::Reason;
use super::normal::{normal_content, normal_line};
use super::words::FULL_WIDTH;
use crate::document::{ItemText, MemoryDoc, bullet_line, is_ordered};
use crate::text::{Content, Line, Span, code_point_name, excerpt, fold_name, is_blank, is_whole_words, visible};

/// How many lines are shown.
const SHOWN: usize = 2;
/// The longest line in which another letter case is looked for, in bytes.
const LONGEST: usize = 960;
/// How many lines are compared in normal form.
const COMPARED: usize = 64;
/// How many bytes of a line are ranked.
const RANKED: usize = 4_000;
/// The rank below which a line is not shown. The same line has 2,000,000.
pub(super) const SIMILAR: usize = 800_000;
/// What is added to the rank of a line that contains the whole sought text, in whole words.
const HOLDS: usize = 1_000_000;
/// The rank that another line needs to be shown beside the best one, in tenths of the best rank.
const AS_NEAR: usize = 6;

/// A line that is like the one sought.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Closest {
    /// The line's number, from 1.
    pub line: usize,
    /// The path of the section that it stands in; `None` in the preamble.
    pub section: Option<Content>,
    /// What to send in place of the sought text: the line, without the marker, checkbox and tags if the sought text
    /// had none.
    pub text: Content,
    /// In what it differs.
    pub reason: Reason,
    /// The sought text from where they first differ on, a number whole, cut; empty if it ends there.
    pub sought: Content,
    /// The text found there, cut; empty if it ends there.
    pub found: Content,
}

/// Returns the lines of `scope` that are most like `sought`, one line, best first. Lines of reserved sections are
/// left out. Costs one pass over the scope.
pub(super) fn closest(doc: &MemoryDoc, scope: Span, sought: &str) -> Vec<Closest> {
    let likeness = Likeness::to(sought);
    let lines = Line::all_within(doc.text(), scope).map(|line| line.text);
    let ranked = lines.map(|line| (likeness.rough_rank(line.of(doc.text())), line));
    let mut ranked: Vec<_> = ranked.filter(|(rank, _)| 4 * *rank >= 3 * SIMILAR).collect();
    ranked.sort_by_key(|(rank, _)| Reverse(*rank));
    let ranked = ranked.into_iter().take(COMPARED).map(|(_, line)| (likeness.rank(line.of(doc.text())), line));
    let is_shown = |line: Span| doc.reserved_section_at(line.start()).is_none();
    let mut ranked: Vec<_> = ranked.filter(|(rank, line)| *rank >= SIMILAR && is_shown(*line)).collect();
    ranked.sort_by_key(|(rank, _)| Reverse(*rank));
    let best = ranked.first().map_or(0, |(rank, _)| *rank);
    let near = ranked.into_iter().take_while(|(rank, _)| 10 * *rank >= AS_NEAR * best);
    near.take(SHOWN).map(|(_, line)| describe(doc, line, sought)).collect()
}

/// How similar lines are to one sought line: by their pairs of neighboring bytes, and by whether they contain its content.
pub(super) struct Likeness {
    /// For each pair of bytes, 1 if the sought line has it. The letter case of ASCII letters is ignored.
    has: Box<[u8; 1 << 16]>,
    count: usize,
    /// Finds the sought line, without the marker of a bullet.
    content: Finder<'static>,
}

impl Likeness {
    pub(super) fn to(sought: &str) -> Self {
        let (line, mut has) = (lower(sought), Box::new([0; 1 << 16]));
        // A number may be text, so it stays.
        let bullet = bullet_line(sought).filter(|line| !is_ordered(line.marker));
        let content = Finder::new(&lower(bullet.map_or(sought, |line| line.rest))).into_owned();
        for [one, other] in pairs(&line) {
            let cases = |byte: u8| [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
            for (one, other) in cases(one).into_iter().flat_map(|one| cases(other).map(|other| (one, other))) {
                has.get_mut(pair_index(one, other)).into_iter().for_each(|has| *has = 1);
            }
        }
        Self { has, count: length(&line), content }
    }

    /// Returns a rank of a line, in millionths: the higher, the more pairs of the sought line it has, and the fewer
    /// others.
    pub(super) fn rank(&self, line: &str) -> usize {
        if line.is_ascii() { self.rank_of(line.trim()) } else { self.rank_of(&lower(line)) }
    }

    /// Returns the rank of a line without folding it first, which is faster. A line with full-width forms or separate
    /// accents is folded.
    fn rough_rank(&self, line: &str) -> usize {
        let is_folded = memchr3(FULL_WIDTH, 0xCC, 0xCD, line.as_bytes()).is_some();
        if is_folded { self.rank(line) } else { self.rank_of(line.trim()) }
    }

    fn rank_of(&self, line: &str) -> usize {
        let size = self.content.needle().len();
        let has = |[one, other]: [u8; 2]| self.has.get(pair_index(one, other)).copied().map_or(0, usize::from);
        let (shared, count) = (pairs(line).map(has).sum::<usize>(), length(line));
        let is_whole = |line: &str, at: usize| is_whole_words(line, Span::new(at, at + size));
        let holds = |line: &str| size > 0 && self.content.find(line.as_bytes()).is_some_and(|at| is_whole(line, at));
        // A line that contains a text has all its pairs, except those with white space or signs that are folded.
        let may_hold = line.len() > RANKED || 8 * (shared + 1) >= 7 * size;
        let gain = if may_hold && holds(&lower(line)) { HOLDS } else { 0 };
        let share = |shared: usize, all: usize| 1_000_000 * shared / all.max(1);
        let shared = shared.min(self.count);
        share(shared, self.count) + share(2 * shared, self.count + count) + gain
    }
}

fn lower(text: &str) -> String {
    normal_content(text).to_lowercase()
}

/// Iterates over the pairs of neighboring bytes, of a long text those at its beginning.
fn pairs(text: &str) -> impl Iterator<Item = [u8; 2]> + '_ {
    let bytes = text.as_bytes().get(..RANKED).unwrap_or(text.as_bytes());
    bytes.iter().zip(bytes.iter().skip(1)).map(|(one, other)| [*one, *other])
}

/// Returns how many pairs [`pairs`] has.
fn length(text: &str) -> usize {
    text.len().min(RANKED).saturating_sub(1)
}

fn pair_index(one: u8, other: u8) -> usize {
    usize::from(u16::from_be_bytes([one, other]))
}

/// Describes the line at `line` as one that is like `sought`.
pub(super) fn describe(doc: &MemoryDoc, line: Span, sought: &str) -> Closest {
    let line = doc.without_bom(line);
    let whole = line.of(doc.text());
    let start = aligned(sought, whole);
    let found = whole.get(start..).unwrap_or(whole);
    let same = found.get(..common_prefix(sought, found)).unwrap_or_default();
    // A number that differs is shown whole.
    let common = if sought == found { same } else { same.trim_end_matches(char::is_numeric) }.len();
    let line_number = doc.line_number(line.start());
    let extent = Span::new(start, start + sought.len());
    let is_cut = !sought.is_empty() && found.starts_with(sought) && !is_whole_words(whole, extent);
    let reason = match (reason(sought, found), tags(sought, whole)) {
        _ if is_cut => Reason::at(line_number, "inside a longer word or number"),
        (Reason::Same | Reason::Digit | Reason::Text, Some(tags)) => tags,
        (Reason::Same, None) if start > 0 && is_blank(whole.get(..start).unwrap_or_default()) => Reason::Space,
        (other, _) => other,
    };
    let rest = |text: &str| visible(&excerpt(text.get(common..).filter(|_| !is_cut).unwrap_or_default(), 30));
    Closest {
        text: unmarked(sought, whole).into(),
        line: line_number,
        section: doc.section_at(line.start()).map(|section| visible(&section.name()).into()),
        reason,
        sought: rest(sought).into(),
        found: rest(found).into(),
    }
}

/// Returns the part of `line` that corresponds to `sought`: without the marker, or without marker, checkbox and tags,
/// if `sought` has none.
pub(super) fn unmarked<'t>(sought: &str, line: &'t str) -> &'t str {
    let Some(bullet) = bullet_line(line).filter(|_| bullet_line(sought).is_none()) else { return line };
    let content = ItemText::trimmed(bullet.rest).content;
    if sought.starts_with('[') || content.is_empty() { bullet.rest } else { content }
}

/// Returns where in `line` the part starts that `sought` is to be compared with.
fn aligned(sought: &str, line: &str) -> usize {
    let bullet = || bullet_line(line).filter(|_| bullet_line(sought).is_none());
    ignoring_case(line, sought).or_else(|| Some(line.len() - bullet()?.rest.len())).unwrap_or(0)
}

/// Returns the offset at which `line` has `sought` in any letter case, in the same number of bytes.
fn ignoring_case(line: &str, sought: &str) -> Option<usize> {
    if sought.is_empty() || line.len() > LONGEST {
        return None;
    }
    let wanted = sought.to_lowercase();
    let is_there = |at: &usize| line.get(*at..at + sought.len()).is_some_and(|part| part.to_lowercase() == wanted);
    line.char_indices().map(|(at, _)| at).find(is_there)
}

/// Tells in what two lines differ.
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
    let without_digits = |c: char| if c.is_numeric() { '0' } else { c };
    let is_alike = sought.chars().map(without_digits).eq(found.chars().map(without_digits));
    if is_alike { Reason::Digit } else { Reason::Text }
}

/// Tells two lines of bullets apart that differ in their tags alone. One may be a content alone.
fn tags(sought: &str, found: &str) -> Option<Reason> {
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
    Reason::Punctuation(format!("sought {}, found {}", name(sought), name(found)).into())
}

/// Returns how many bytes two texts have in common at their start, cut at a character.
fn common_prefix(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_a_text_has_all_of_its_pairs() {
        let likeness = Likeness::to("Lives in Denver");
        let rank = |other: &str| likeness.rank(other);
        assert!(rank("- Lives in Denver, with Ana") > rank("- Lives in Dover"));
        assert!(rank("- Lives in Dover") > rank("- Likes tea"));
        assert_eq!((rank(""), rank("xq"), Likeness::to("").rank("x")), (0, 0, 0));
    }

    #[test]
    fn letter_case_is_ignored_in_lines_that_are_compared_whole() {
        let line = |length| format!("{}TEA", "a".repeat(length - 3));
        assert!(ignoring_case(&line(LONGEST), "tea").is_some());
        assert_eq!(ignoring_case(&line(LONGEST + 1), "tea"), None);
    }

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
