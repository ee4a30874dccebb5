//! [`Matches`]: all places that match a search, and how a model is shown the first of them.

use std::fmt;
use std::ops::Not;
use std::sync::Arc;

use serde::Serialize;

use super::diagnostic::{Fix, NodeKind};
use super::leniency::Leniency;
use super::names::Names;
use super::normal::exact_occurrences;
use super::scope::Scope;
use crate::document::{BulletRef, Key, MemoryDoc};
use crate::text::{Content, Line, Span, excerpt, excerpt_around, visible};

/// After this many places, the search for lines stops.
pub(crate) const COUNTED: usize = 1_000;
/// How many candidates are shown, unless more are asked for.
const SHOWN: usize = 5;
/// The maximum length of an excerpt, in characters.
const EXCERPT: usize = 100;
/// The maximum length of the path of a section, and of the ID of a block, in characters.
const SECTION: usize = 80;
const BLOCK: usize = 40;

/// The result of a search, and the leniencies that were needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// What was found.
    pub at: T,
    /// What was healed; empty for an exact match.
    pub healed: Vec<Leniency>,
}

impl<T> Found<T> {
    pub(crate) const fn exact(at: T) -> Self {
        Self { at, healed: Vec::new() }
    }

    /// Converts the result and keeps the leniencies.
    pub(crate) fn map<U>(self, make: impl FnOnce(T) -> U) -> Found<U> {
        Found { at: make(self.at), healed: self.healed }
    }

    /// Puts the leniencies of an earlier step, such as the search for the scope, before those of this one.
    pub(crate) fn with_earlier(self, mut healed: Vec<Leniency>) -> Self {
        healed.extend(self.healed);
        Self { at: self.at, healed }
    }
}

/// The places of a document that match a search, in document order.
///
/// How a place is shown (line, section, key and excerpt) is computed on demand, by [`candidates`](Self::candidates).
///
/// # Examples
///
/// ```
/// use memdoc::{MemoryDoc, locate::Matches};
///
/// let doc = MemoryDoc::parse("- tea\n- coffee\n- green tea\n");
/// let matches = Matches::of_text(&doc, doc.span(), "tea");
/// let shown = matches.candidates();
/// assert_eq!((shown[1].letter, shown[1].line), ('B', 3));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Matches {
    doc: MemoryDoc,
    // Invariant: in document order.
    spans: Arc<[Span]>,
    /// For each of the first matches, the change of the request that selects it.
    fixes: Vec<Option<Fix>>,
    /// How many occurrences inside longer words and numbers were left out.
    pub(crate) inside_words: usize,
}

impl fmt::Debug for Matches {
    /// Shows places, and nothing of the document.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matches").field("spans", &self.spans).finish_non_exhaustive()
    }
}

/// One of several places that match, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Candidate {
    /// `A` for the first in document order; in JSON, its `id`.
    #[serde(rename = "id")]
    pub letter: char,
    /// The bytes that match.
    #[serde(skip)]
    pub span: Span,
    /// The number of its first line, from 1.
    pub line: usize,
    /// The path of its section, cut; `None` in the preamble.
    pub section: Option<Content>,
    /// The ID of its block, cut.
    pub block: Option<Content>,
    /// The key of its bullet.
    pub key: Option<Key>,
    /// The text of its first line, cut.
    pub excerpt: Content,
    /// Whether an editing session recommends it.
    #[serde(rename = "recommended", skip_serializing_if = "Not::not")]
    pub is_recommended: bool,
    /// The change of the request that selects it.
    #[serde(skip)]
    pub fix: Option<Fix>,
}

impl Matches {
    /// Creates the matches from their spans, which are in document order.
    pub(crate) fn new(doc: &MemoryDoc, spans: Vec<Span>) -> Self {
        Self { doc: doc.clone(), spans: spans.into(), fixes: Vec::new(), inside_words: 0 }
    }

    /// Finds all occurrences of `text` in the part `within` of a document, also those that overlap.
    pub fn of_text(doc: &MemoryDoc, within: Span, text: &str) -> Self {
        Self::new(doc, exact_occurrences(doc.text(), within, text))
    }

    /// Finds all ranges that begin with the text `start` and end with the nearest text `end` after it, in the part
    /// `within` of a document.
    pub fn of_range(doc: &MemoryDoc, within: Span, start: &str, end: &str) -> Self {
        let ends = exact_occurrences(doc.text(), within, end);
        let ranges = exact_occurrences(doc.text(), within, start).into_iter().filter_map(|start| {
            let behind = ends.partition_point(|end| end.start() < start.end());
            Some(Span::new(start.start(), ends.get(behind)?.end()))
        });
        Self::new(doc, ranges.collect())
    }

    /// Sets, for each of the first matches, the change of the request that selects it. `fix` is called with the span of
    /// the match.
    pub(crate) fn offer(&mut self, fix: impl Fn(Span, &Self) -> Option<Fix>) {
        self.fixes = self.spans.iter().take(SHOWN).map(|span| fix(*span, self)).collect();
    }

    /// Returns the bytes of each match.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Returns how many places match.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Reports whether no place matches.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Reports whether some of the matches overlap. Then none can be selected by its letter.
    pub fn is_overlapping(&self) -> bool {
        self.spans.windows(2).any(|pair| matches!(pair, [a, b] if a.overlaps(*b)))
    }

    /// Returns the first five matches as they are shown.
    pub fn candidates(&self) -> Vec<Candidate> {
        self.first_candidates(SHOWN)
    }

    /// Returns the first `most` matches, 26 at most, as they are shown.
    pub fn first_candidates(&self, most: usize) -> Vec<Candidate> {
        let shown = ('A'..='Z').zip(&*self.spans).take(most).enumerate();
        let candidate = |(nth, (letter, span)): (usize, (char, &Span))| {
            let (doc, at) = (&self.doc, span.start());
            let line = doc.without_bom(Line::holding(doc.text(), at).text);
            let around = excerpt_around(line.of(doc.text()), at.saturating_sub(line.start()), EXCERPT);
            Candidate {
                letter,
                span: *span,
                line: doc.line_number(at),
                section: doc.section_at(at).map(|section| excerpt(&visible(&section.name()), SECTION).into()),
                block: doc.block_at(at).map(|block| excerpt(&visible(block.id()), BLOCK).into()),
                key: doc.bullet_at(at).map(BulletRef::key),
                excerpt: visible(&around).into(),
                is_recommended: false,
                fix: self.fixes.get(nth).cloned().flatten(),
            }
        };
        shown.map(candidate).collect()
    }

    /// Returns the fix that names the section of a match, or else its label, if no other match is in it.
    pub(crate) fn section_of(&self, span: Span) -> Option<Fix> {
        let (doc, at) = (&self.doc, span.start());
        let is_in =
            |part: Span| part.covers(span) && self.spans.iter().filter(|other| part.overlaps(**other)).count() == 1;
        Fix::section(doc.section_at(at).filter(|section| is_in(section.extent))).or_else(|| {
            let label = doc.label_at(at).filter(|label| is_in(label.extent))?;
            let named = Names::new(doc).scope(NodeKind::Section, label.name(), doc.span());
            let is_label = named.is_ok_and(|named| named.at == Scope::Label(label));
            is_label.then(|| Fix::NameSection(label.name().into()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_with_the_nearest_end_behind_its_start() {
        let doc = MemoryDoc::parse("a1 b a2 a3 b a4");
        let found = Matches::of_range(&doc, doc.span(), "a", "b");
        let texts: Vec<_> = found.spans().iter().map(|span| span.of(doc.text())).collect();
        assert_eq!(texts, ["a1 b", "a2 a3 b", "a3 b"]);
        assert!(found.is_overlapping());
    }

    #[test]
    fn matches_are_lettered_by_place() {
        let doc = MemoryDoc::parse("x\n- tea\n- tea\n- tea\n");
        let found = Matches::of_text(&doc, doc.span(), "tea");
        let shown: Vec<_> = found.first_candidates(26).iter().map(|one| (one.letter, one.line)).collect();
        assert_eq!(shown, [('A', 2), ('B', 3), ('C', 4)]);
    }
}
