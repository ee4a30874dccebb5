//! [`MemoryDoc`]: a text, its structure, its revision, and the rules under which it is edited.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::key::Keys;
use super::naming::Titles;
use super::node::Kind;
use super::outline::{Outline, Section};
use super::policy::{Healing, Policy};
use super::rules::Rules;
use super::text_hash::TextHash;
use super::{parse, syntax};
use crate::text::{ByteCounts, Content, Difference, Line, LineTable, Revision, Span, names};

/// A document: an immutable value that is cheap to clone.
///
/// Every string is a document, and [`text`](Self::text) gives it back byte for byte.
///
/// # Examples
///
/// ```
/// use memdoc::MemoryDoc;
///
/// let doc = MemoryDoc::parse("## Facts\r\n- [work] Lives in Denver");
/// let bullet = doc.bullets().next().unwrap();
/// assert_eq!(bullet.content(), "Lives in Denver");
/// assert_eq!(bullet.tags(), ["work"]);
/// assert_eq!(doc.text(), "## Facts\r\n- [work] Lives in Denver");
/// ```
#[derive(Clone)]
pub struct MemoryDoc {
    inner: Arc<Inner>,
}

struct Inner {
    text: Content,
    outline: Outline,
    hash: TextHash,
    rules: Arc<Rules>,
    derived: Derived,
}

/// Values that are computed from text and outline, each on its first use.
#[derive(Default)]
pub(super) struct Derived {
    lines: OnceLock<LineTable>,
    tokens: OnceLock<usize>,
    /// The byte counts from which the default estimate of tokens is computed.
    byte_counts: OnceLock<ByteCounts>,
    pub(super) keys: OnceLock<Keys>,
    /// For each tag, white space folded, the bullets that have it.
    pub(super) tagged: OnceLock<HashMap<String, Vec<usize>>>,
    /// For each bullet, whether it counts as pinned.
    pub(super) pinned: OnceLock<Vec<bool>>,
    pub(super) headings: Arc<HeadingTables>,
}

/// Look-up tables that depend on the levels and titles of the headings only. After an edit that changes no heading, the
/// next document shares them.
#[derive(Default)]
pub(super) struct HeadingTables {
    pub(super) titles: OnceLock<Titles>,
    pub(super) folded_titles: OnceLock<Titles>,
    /// For each section, the reserved name that its title passes for.
    pub(super) reserved: OnceLock<Vec<Option<String>>>,
}

impl MemoryDoc {
    /// Reads `text` under the default policy.
    pub fn parse(text: impl Into<Content>) -> Self {
        Self::with_rules(text, Rules::shared())
    }

    /// Reads `text` under `rules`.
    pub fn with_rules(text: impl Into<Content>, rules: Arc<Rules>) -> Self {
        let text = text.into();
        let inner = Inner {
            outline: if rules.is_data { Outline::default() } else { parse::parse(&text) },
            hash: TextHash::of(&text, None, 0),
            rules,
            derived: Derived::default(),
            text,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Returns the document with `text` in place of its text. `changes` are the differences of the two texts, in order.
    /// Also returns the parts that were parsed again: outside of them, both documents have the same nodes.
    pub(crate) fn with_text(&self, text: String, changes: &[Difference]) -> (Self, Vec<Difference>) {
        if text.len() > Span::LARGEST || self.rules().is_data {
            // Spans beyond the largest offset cannot be moved; a data document has no structure to update.
            let parsed = vec![Difference::whole(self.text(), &text)];
            return (Self::with_rules(text, self.rules().clone()), parsed);
        }
        let (outline, parsed) = self.outline().update(self.text(), &text, changes);
        let headings = |outline, text, span| {
            Section::within(outline, span).iter().map(move |node| (node.level, node.title.of(text)))
        };
        let keeps_headings = parsed
            .iter()
            .all(|part| headings(self.outline(), self.text(), part.old).eq(headings(&outline, &text, part.new)));
        let before = self.derived();
        let headings = if keeps_headings { before.headings.clone() } else { Arc::default() };
        let lines = before.lines.get().map(|lines| lines.next(&text, changes).into());
        let byte_counts = before.byte_counts.get().map(|counts| counts.next(self.text(), &text, changes).into());
        let (lines, byte_counts) = (lines.unwrap_or_default(), byte_counts.unwrap_or_default());
        let inner = Inner {
            outline,
            hash: TextHash::of(&text, Some(&self.inner.hash), changes.first().map_or(0, |first| first.old.start())),
            rules: self.rules().clone(),
            derived: Derived { lines, byte_counts, headings, ..Derived::default() },
            text: text.into(),
        };
        (Self { inner: Arc::new(inner) }, parsed)
    }

    /// Returns the text, byte for byte as it was read.
    pub fn text(&self) -> &str {
        &self.inner.text
    }

    /// Returns `span` without the BOM at the start of the document, if it begins there.
    pub(crate) fn without_bom(&self, span: Span) -> Span {
        Span::new(span.start().max(syntax::after_bom(self.text())).min(span.end()), span.end())
    }

    /// Reports whether a text that is not found exactly is sought in normal form, too.
    pub(crate) fn heals(&self) -> bool {
        self.policy().healing == Healing::Narrow
    }

    /// Returns the text in a form that can be cloned without copying it.
    pub fn shared_text(&self) -> &Content {
        &self.inner.text
    }

    /// Returns the span of the whole text.
    pub fn span(&self) -> Span {
        Span::new(0, self.text().len())
    }

    /// Returns the structure.
    pub fn outline(&self) -> &Outline {
        &self.inner.outline
    }

    /// Returns the revision.
    pub fn revision(&self) -> Revision {
        self.inner.hash.revision
    }

    /// Returns the rules under which the document is edited.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.inner.rules
    }

    /// Returns the policy under which the document is edited.
    pub fn policy(&self) -> &Policy {
        self.inner.rules.policy()
    }

    /// Returns the number of tokens of the text.
    pub fn tokens(&self) -> usize {
        let estimate = || self.derived().byte_counts.get_or_init(|| ByteCounts::of(self.text())).tokens();
        let count = || self.rules().counter().map_or_else(estimate, |counter| counter.count(self.text()));
        *self.derived().tokens.get_or_init(count)
    }

    /// Returns the number of tokens of the text under `span`, counted on its own.
    pub fn tokens_of(&self, span: Span) -> usize {
        if span == self.span() { self.tokens() } else { self.inner.rules.tokens(span.of(self.text())) }
    }

    /// Returns the soft limit that is crossed, the one in tokens before the one in bytes; `None` if neither is.
    /// [`Excess::limit`] is the hard limit.
    pub fn over_soft_limit(&self) -> Option<Excess> {
        let policy = self.policy();
        let in_tokens = policy.soft_tokens().zip(policy.max_tokens).filter(|(soft, _)| self.tokens() > *soft);
        let in_tokens = in_tokens.map(|(_, limit)| Excess { unit: Unit::Tokens, used: self.tokens(), limit });
        let (used, limit) = (self.text().len(), policy.max_bytes);
        in_tokens.or_else(|| (used > policy.soft_bytes()).then_some(Excess { unit: Unit::Bytes, used, limit }))
    }

    /// Returns the number, from 1, of the line that holds `offset`.
    pub fn line_number(&self, offset: usize) -> usize {
        self.line_index(offset) + 1
    }

    /// Returns the index, from 0, of the line that holds `offset`; the last line for the end of the text.
    pub(crate) fn line_index(&self, offset: usize) -> usize {
        self.lines().index_at(offset)
    }

    /// Returns where line `index` starts. The first line starts after a BOM; an index after the last line gives the end
    /// of the text.
    pub(crate) fn line_start(&self, index: usize) -> usize {
        if index == 0 { syntax::after_bom(self.text()) } else { self.lines().start(index) }
    }

    /// Returns the line of this index; for an index after the last line, an empty one at the end of the text.
    pub(crate) fn line(&self, index: usize) -> Line {
        self.lines().line(self.text(), index)
    }

    /// Returns the span of a line, without its ending and a BOM.
    pub(crate) fn line_span(&self, index: usize) -> Span {
        self.without_bom(self.line(index).text)
    }

    /// Returns the text of a line, without its ending and a BOM.
    pub(crate) fn line_text(&self, index: usize) -> &str {
        self.line_span(index).of(self.text())
    }

    /// Returns the indexes of the lines that start inside `span`. The first line counts as starting after a BOM.
    pub(crate) fn line_range(&self, span: Span) -> Range<usize> {
        let first = self.line_start(0);
        let before_bom = |offset: usize| if offset <= first { 0 } else { offset };
        self.lines().range(Span::new(before_bom(span.start()), before_bom(span.end())))
    }

    pub(crate) fn lines(&self) -> &LineTable {
        self.derived().lines.get_or_init(|| LineTable::new(self.text()))
    }

    pub(super) fn derived(&self) -> &Derived {
        &self.inner.derived
    }
}

impl PartialEq for MemoryDoc {
    fn eq(&self, other: &Self) -> bool {
        self.revision() == other.revision()
    }
}

impl Eq for MemoryDoc {}

impl fmt::Debug for MemoryDoc {
    /// Shows sizes only, so that no content gets into a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryDoc")
            .field("revision", &self.revision())
            .field("sections", &self.outline().sections.len())
            .field("bullets", &self.outline().bullets.len())
            .field("text", &Content::from(self.text()))
            .finish()
    }
}

names! {
    /// The unit in which the size of a text is measured.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Unit {
        /// Bytes of UTF-8.
        Bytes = "bytes",
        /// Tokens, as the document's counter counts them.
        Tokens = "tokens",
    }
}

/// A limit that a text exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// The unit of the two figures.
    pub unit: Unit,
    /// How much is used.
    pub used: usize,
    /// The limit.
    pub limit: usize,
}
