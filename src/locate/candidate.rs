//! Candidates: the places that match, lettered so that a model can name one.

use super::diagnostic::Fix;
use crate::document::{Key, MemoryDoc};
use crate::text::{Content, Line, Span, excerpt_around, visible};

/// How many candidates are shown.
const SHOWN: usize = 5;
/// The length of an excerpt in characters.
const EXCERPT: usize = 100;

/// One of several places that match.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// `A` for the first in document order.
    pub letter: char,
    /// The bytes that match.
    pub span: Span,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The path of the section that it stands in; `None` in the preamble.
    pub section: Option<Content>,
    /// The key of the bullet that it stands in.
    pub key: Option<Key>,
    /// The text of its first line, cut.
    pub excerpt: Content,
    /// Whether the context given favors it.
    pub is_recommended: bool,
    /// The change of the request that chooses it.
    pub fix: Option<Fix>,
}

/// Returns the first candidates of `spans`, which are in document order, and how many are not shown.
///
/// Where all but one lie in reserved sections, that one is recommended: nothing else can be edited.
pub(crate) fn candidates(doc: &MemoryDoc, spans: &[Span]) -> (Vec<Candidate>, usize) {
    let mut shown: Vec<_> =
        ('A'..='Z').zip(spans.iter().take(SHOWN)).map(|(letter, span)| candidate(doc, letter, *span)).collect();
    let is_editable = |span: Span| doc.reserved_section_at(span.start()).is_none();
    let mut editable = shown.iter_mut().filter(|candidate| is_editable(candidate.span));
    if let (Some(only), None, true) = (editable.next(), editable.next(), spans.len() <= SHOWN) {
        only.is_recommended = true;
    }
    (shown, spans.len().saturating_sub(SHOWN))
}

fn candidate(doc: &MemoryDoc, letter: char, span: Span) -> Candidate {
    let outline = doc.outline();
    let line = Line::holding(doc.text(), span.start());
    let excerpt = excerpt_around(line.text.of(doc.text()), span.start() - line.text.start(), EXCERPT);
    Candidate {
        letter,
        span,
        line: doc.line_number(span.start()),
        section: outline.section_at(span.start()).map(|section| visible(&doc.section_name(section))).map(Into::into),
        key: outline.bullet_at(span.start()).and_then(|bullet| doc.key(bullet)),
        excerpt: visible(&excerpt).into(),
        is_recommended: false,
        fix: None,
    }
}
