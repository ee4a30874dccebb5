//! The normal form: texts that look the same to a reader are equal in it. Each byte of it knows its origin, so that a
//! match in normal form leads back to the document.
//!
//! - White space at the end of a line is dropped. CRLF and the end of the text become LF.
//! - Unicode's punctuation, spaces (but not TAB) and full-width forms become ASCII. Letters are composed (NFC).
//! - The marker of a bullet becomes a symbol, one for each of `-`, `*` and `+`. So no other dash at the start of a line
//!   equals a marker.
//!
//! Nothing else is folded: no letter, no digit, and no sign that carries meaning.
//!
//! ```text
//! document     - User’s advisor:  TBD␠␠␍␊
//! normal form  M User's advisor:  TBD␊       (M: the symbol of `-`)
//! ```

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem::Finder;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::leniency::Leniency;
use crate::document::{MemoryDoc, bullet_line};
use crate::text::{Line, Span, fold_signs, fold_white_space, narrow};

/// How many bytes before and after an offset are read to find out whether it is a grapheme boundary.
const AROUND: usize = 256;

/// A text in normal form, with the origin of each byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NormalText {
    /// UTF-8, except for the symbols of markers, which are bytes that UTF-8 never has.
    pub(crate) bytes: Vec<u8>,
    // Invariant: for each byte, the offset in the original text at which its grapheme (or line end) starts; then the
    // end of the text. Ascending; one element longer than `bytes`.
    origins: Vec<u32>,
}

impl NormalText {
    /// Returns the normal form of the lines of `span`, which starts at the start of a line. If the last line has no
    /// ending, it gets one.
    pub(crate) fn of_document(doc: &MemoryDoc, span: Span) -> Self {
        let (text, span) = (doc.text(), doc.without_bom(span));
        let mut normal = Self::with_capacity(span.len());
        for line in Line::all_within(text, span) {
            normal.push_line(text, line.text);
            normal.end_line(line);
        }
        normal.origins.push(narrow(span.end()));
        normal
    }

    /// Returns the normal form of a text that is sought or was found. White space at its very end stays, and a last
    /// line without an ending gets none.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut normal = Self::with_capacity(text.len());
        for line in Line::all(text) {
            normal.push_line(text, line.text);
            if !line.ending().is_empty() {
                normal.end_line(line);
            }
        }
        normal.origins.push(narrow(text.len()));
        normal
    }

    /// Returns all occurrences of `sought`, as spans of the original text. They consist of whole graphemes, and may
    /// overlap.
    pub(crate) fn find(&self, sought: &Self) -> Vec<Span> {
        let finder = Finder::new(&sought.bytes);
        let ranges = positions(&self.bytes, &finder).map(|at| at..at + sought.bytes.len());
        ranges.filter_map(|range| self.origin(range)).filter(|span| !span.is_empty()).collect()
    }

    /// Returns the span of the original text for a range of the normal form; `None` if it begins or ends inside a
    /// grapheme.
    pub(crate) fn origin(&self, range: Range<usize>) -> Option<Span> {
        let is_whole = self.is_boundary(range.start) && self.is_boundary(range.end);
        let offset = |at: usize| self.origins.get(at).map(|origin| *origin as usize);
        is_whole.then_some(Span::new(offset(range.start)?, offset(range.end)?))
    }

    /// Reports whether a grapheme of the original text ends at `at`.
    fn is_boundary(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1).filter(|_| at < self.bytes.len()) else { return true };
        self.origins.get(before) != self.origins.get(at)
    }

    /// Returns the position in the normal form of the grapheme that starts at `offset` of the original text.
    pub(crate) fn position(&self, offset: usize) -> Option<usize> {
        let at = self.origins.partition_point(|origin| (*origin as usize) < offset);
        self.origins.get(at).filter(|origin| **origin as usize == offset).map(|_| at)
    }

    fn with_capacity(length: usize) -> Self {
        Self { bytes: Vec::with_capacity(length + 1), origins: Vec::with_capacity(length + 2) }
    }

    /// Adds a line without its ending.
    fn push_line(&mut self, text: &str, span: Span) {
        let (line, first) = (span.of(text), self.bytes.len());
        let mut next = line;
        while !next.is_empty() {
            let start = span.end() - next.len();
            let [plain, other, left] = plain_part(next);
            self.bytes.extend_from_slice(plain.as_bytes());
            self.origins.extend((start..start + plain.len()).map(narrow));
            for (offset, grapheme) in other.grapheme_indices(true) {
                let mut folded = [0; 4];
                for c in fold_signs(grapheme).chars() {
                    self.bytes.extend_from_slice(c.encode_utf8(&mut folded).as_bytes());
                }
                self.origins.resize(self.bytes.len(), narrow(start + plain.len() + offset));
            }
            next = left;
        }
        // The white space before a marker has the same length in normal form. Ordered markers get no symbol.
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if bullet_line(line).is_some()
            && let Some(byte) = self.bytes.get_mut(first + indentation)
        {
            *byte = symbol(*byte);
        }
    }

    /// Drops the white space at the end of the line that was added last, and adds a line end.
    fn end_line(&mut self, line: Line) {
        let kept = self.bytes.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |last| last + 1);
        let end = self.origins.get(kept).map_or(narrow(line.text.end()), |origin| *origin);
        self.bytes.truncate(kept);
        self.origins.truncate(kept);
        self.bytes.push(b'\n');
        self.origins.push(end);
    }
}

/// How many overlapping places are looked for. Overlapping places are refused in any case, however many there are; the
/// bound keeps the search of a long run of one character linear.
const SHARING: usize = 100;

/// Iterates over the offsets at which the text of `sought` occurs in `haystack`, the first overlapping occurrences
/// included.
pub(crate) fn positions(haystack: &[u8], sought: &Finder<'_>) -> impl Iterator<Item = usize> {
    let (length, mut last_end, mut next, mut sharing) = (sought.needle().len(), 0, 0, 0);
    std::iter::from_fn(move || {
        let rest = haystack.get(next..).filter(|_| length > 0)?;
        let at = next + sought.find(rest)?;
        sharing += usize::from(at < last_end);
        (last_end, next) = (at + length, at + if sharing < SHARING { 1 } else { length });
        Some(at)
    })
}

/// Returns all exact occurrences of `sought` in `span`. They consist of whole graphemes, and may overlap.
pub(crate) fn exact_occurrences(text: &str, span: Span, sought: &str) -> Vec<Span> {
    let finder = Finder::new(sought);
    let found = positions(span.of(text).as_bytes(), &finder).map(|at| span.start() + at);
    let spans = found.map(|start| Span::new(start, start + sought.len()));
    spans.filter(|span| is_between_graphemes(text, span.start()) && is_between_graphemes(text, span.end())).collect()
}

/// Returns the normal form of a whole line, which is given without its ending.
pub(crate) fn normal_line(line: &str) -> Vec<u8> {
    let mut bytes = NormalText::of_text(line).bytes;
    while bytes.pop_if(|byte| matches!(byte, b' ' | b'\t')).is_some() {}
    bytes
}

/// Returns the normal form of a bullet's text. Here each run of white space becomes one space, and no marker becomes a
/// symbol.
pub(crate) fn normal_content(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return fold_white_space(text);
    }
    let (mut folded, mut next) = (String::with_capacity(text.len()), text);
    while !next.is_empty() {
        let [plain, other, left] = plain_part(next);
        folded.push_str(plain);
        folded.push_str(&fold_signs(other));
        next = left;
    }
    Cow::Owned(fold_white_space(&folded).into_owned())
}

/// Returns the leniencies that a match in normal form needed: how the sought text and the text of the document differ.
pub(crate) fn leniencies_between(sought: &str, there: &str) -> Vec<Leniency> {
    let (mut space, mut ending, mut sign) = (false, false, false);
    for (one, other) in Line::all(sought).zip(Line::all(there)) {
        let (one_text, other_text) = (one.text.of(sought), other.text.of(there));
        let (bare, other_bare) = (one_text.trim_end(), other_text.trim_end());
        ending |= one.ending() != other.ending();
        sign |= bare != other_bare;
        space |= one_text.strip_prefix(bare) != other_text.strip_prefix(other_bare);
    }
    Leniency::needed([(Leniency::TrailingSpace, space), (Leniency::LineEndings, ending), (Leniency::Punctuation, sign)])
}

/// Divides a line into three parts: a start in which each byte is a grapheme, a part in which graphemes may be longer,
/// and the rest.
fn plain_part(line: &str) -> [&str; 3] {
    // Two ASCII characters never form one grapheme. An ASCII character may form one with a character of another kind
    // right before or after it.
    let ascii = line.bytes().position(|byte| !byte.is_ascii()).unwrap_or(line.len());
    let (plain, rest) = line.split_at(if ascii == line.len() { ascii } else { ascii.saturating_sub(1) });
    let end = rest.as_bytes().windows(2).position(<[u8]>::is_ascii).map_or(rest.len(), |at| at + 1);
    let (other, left) = rest.split_at(end);
    [plain, other, left]
}

/// Returns the symbol of a marker: a byte that UTF-8 never has.
const fn symbol(marker: u8) -> u8 {
    match marker {
        b'-' => 0xF8,
        b'*' => 0xF9,
        b'+' => 0xFA,
        other => other,
    }
}

/// Reports whether `offset` is a grapheme boundary.
fn is_between_graphemes(text: &str, offset: usize) -> bool {
    let before = offset.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    let (Some(before), Some(after)) = (before, text.as_bytes().get(offset)) else { return true };
    if before.is_ascii() && after.is_ascii() {
        return (*before, *after) != (b'\r', b'\n');
    }
    // Only a window of the text is read. In a longer run without boundaries, such as a row of flags, the result may be
    // wrong.
    let from = (offset.saturating_sub(AROUND)..=offset).find(|at| text.is_char_boundary(*at)).unwrap_or(offset);
    let to = (offset..=offset + AROUND).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(offset);
    let (window, at) = (text.get(from..to).unwrap_or_default(), offset - from);
    GraphemeCursor::new(at, window.len(), true).is_boundary(window, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;
    use crate::locate::words::{FULL_WIDTH, KELVIN, may_hold};
    use proptest::prelude::*;

    /// The normal form, written down character by character from its definition.
    fn slow_normal(text: &str) -> Vec<(char, usize, usize)> {
        let (mut rows, mut at) = (Vec::new(), 0);
        for full in text.split_inclusive('\n') {
            let line = full.strip_suffix('\n').map_or(full, |line| line.strip_suffix('\r').unwrap_or(line));
            let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
            let mut row: Vec<(char, usize, usize)> = Vec::new();
            for (offset, grapheme) in line.grapheme_indices(true) {
                let behind = line.get(offset + grapheme.len()..).and_then(|rest| rest.chars().next());
                let is_marker = offset == indent && matches!(behind, None | Some(' ' | '\t'));
                let plain: String = match grapheme {
                    "-" if is_marker => "\u{F8000}".into(),
                    "*" if is_marker => "\u{F8001}".into(),
                    "\u{2019}" | "\u{2018}" => "'".into(),
                    "\u{201C}" | "\u{201D}" => "\"".into(),
                    "\u{2013}" | "\u{2212}" => "-".into(),
                    "\u{2026}" => "...".into(),
                    "\u{A0}" => " ".into(),
                    "\u{FF01}" => "!".into(),
                    "\u{FF41}" => "a".into(),
                    other => other.nfc().collect(),
                };
                row.extend(plain.chars().map(|c| (c, at + offset, at + offset + grapheme.len())));
            }
            if full.ends_with('\n') {
                while row.last().is_some_and(|(c, ..)| matches!(c, ' ' | '\t')) {
                    row.pop();
                }
                row.push(('\n', row.last().map_or(at, |(_, _, end)| *end), at + full.len()));
            }
            rows.extend(row);
            at += full.len();
        }
        rows
    }

    fn slow_find(doc: &MemoryDoc, sought: &str) -> Vec<Span> {
        let text = if doc.text().ends_with('\n') { doc.text().to_owned() } else { format!("{}\n", doc.text()) };
        let (there, needle) = (slow_normal(&text), slow_normal(sought));
        let splits = |at: usize| at > 0 && at < there.len() && there[at].1 == there[at - 1].1;
        let starts = 0..(there.len() + 1).saturating_sub(needle.len());
        let is_equal = |at: &usize| there[*at..at + needle.len()].iter().map(|c| c.0).eq(needle.iter().map(|c| c.0));
        let whole =
            starts.filter(is_equal).filter(|at| !needle.is_empty() && !splits(*at) && !splits(at + needle.len()));
        let span = |at: usize| Span::new(there[at].1, there[at + needle.len() - 1].2.min(doc.text().len()));
        whole.map(span).filter(|span| !span.is_empty()).collect()
    }

    const TEXT: &str = "((- |\\* |  - |\u{2013} )?([ab'\u{2019}\u{201C}\"\\.\u{2026} \t\u{A0}-]|e\u{301}|\u{E9}|\u{FF41}){0,4}(\n|\r\n)){0,4}[ab\u{2019}' ]{0,3}";

    proptest! {
        #[test]
        fn a_text_is_found_where_a_slow_search_finds_it(
            text in TEXT,
            other in TEXT,
            (from, length) in (0_usize..40, 1_usize..12),
        ) {
            let doc = MemoryDoc::parse(text.as_str());
            let normal = NormalText::of_document(&doc, doc.span());
            let copied: String = text.chars().skip(from).take(length).collect();
            let plain = copied.replace(['\u{2019}', '\u{2018}'], "'").replace('\u{FF41}', "a");
            for sought in [&copied, &plain, &other] {
                let found = normal.find(&NormalText::of_text(sought));
                prop_assert!(found.is_empty() || may_hold(&text, sought), "{:?}", sought);
                prop_assert_eq!(found, slow_find(&doc, sought), "{:?}", sought);
            }
        }
    }

    #[test]
    fn no_other_character_reads_as_a_letter_or_digit_of_ascii() {
        for c in
            ('\u{80}'..=char::MAX).filter(|c| fold_signs(&c.to_string()).chars().any(|c| c.is_ascii_alphanumeric()))
        {
            let first = c.to_string().into_bytes()[0];
            assert!(first == FULL_WIDTH || c.to_string() == KELVIN, "{c:?}");
        }
    }

    #[test]
    fn no_sign_that_carries_meaning_is_folded() {
        for (one, other) in
            [("- 5", "-5"), ("- a", "* a"), ("a", "A"), ("5", "\u{665}"), ("+1", "1"), ("5\u{2032}", "5'")]
        {
            assert_ne!(normal_line(one), normal_line(other));
        }
        assert_ne!(normal_line("- a"), normal_line("\u{2013} a"));
        assert_eq!(normal_line("- a\u{2019}s"), normal_line("- a's  "));
    }

    #[test]
    fn what_was_overlooked_is_told() {
        assert_eq!(
            leniencies_between("a\nb'", "a  \r\nb\u{2019}"),
            [Leniency::TrailingSpace, Leniency::LineEndings, Leniency::Punctuation]
        );
        assert_eq!(leniencies_between("a\n", "a"), [Leniency::LineEndings]);
    }

    fn all(text: &str, needle: &str) -> Vec<usize> {
        positions(text.as_bytes(), &Finder::new(needle)).collect()
    }

    #[test]
    fn every_occurrence_is_found_those_that_overlap_too() {
        assert_eq!(all("aaa", "aa"), [0, 1]);
        assert_eq!(all("abab", "ab"), [0, 2]);
        assert_eq!(all("ababab", "abab"), [0, 2]);
        assert_eq!(all("abcab", "abcab"), [0]);
        assert!(all("a", "aa").is_empty());
        assert!(all("a", "").is_empty());
    }

    #[test]
    fn line_ends_are_found_where_the_text_has_some() {
        let found = |text: &str, sought: &str| {
            let doc = MemoryDoc::parse(text);
            NormalText::of_document(&doc, doc.span()).find(&NormalText::of_text(sought))
        };
        // In normal form, the last line has an end in any case.
        assert_eq!(found("a", "\n"), []);
        assert_eq!(found("a\n", "\n"), [Span::new(1, 2)]);
        assert_eq!(found("  \na", "\na"), [Span::new(0, 4)]);
    }

    #[test]
    fn of_overlapping_occurrences_only_the_first_are_looked_for() {
        assert_eq!(all(&"a".repeat(1_000), &"a".repeat(500)), Vec::from_iter(0..=SHARING));
    }

    #[test]
    fn a_character_is_found_alone_unless_another_one_is_joined_to_it() {
        let found = |text: &str, sought: &str| {
            let normal = NormalText::of_text(text).find(&NormalText::of_text(sought));
            assert_eq!(normal, exact_occurrences(text, Span::new(0, text.len()), sought), "{text:?} {sought:?}");
            normal.len()
        };
        // U+0600 is shown around the digit behind it.
        assert_eq!(["1", "2", "\u{600}1"].map(|sought| found("\u{600}12", sought)), [0, 1, 1]);
        assert_eq!(["n", "\u{E9}"].map(|sought| found("n\u{E9}", sought)), [1, 1]);
        assert_eq!(["n", "e", "e\u{301}"].map(|sought| found("ne\u{301}", sought)), [1, 0, 1]);
    }
}
