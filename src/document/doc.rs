//! [`MemoryDoc`]: a text, its structure, its revision, and the rules it is edited by.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::key::Keys;
use super::node::{BulletRef, NodeRef, SectionRef};
use super::outline::Outline;
use super::parse;
use super::policy::Policy;
use super::reserved::{self, Place, ReservedNames};
use super::titles::{Case, Titles};
use crate::text::{EstimatedTokens, LineTable, Revision, Span, TokenCounter};

/// A [`Policy`] made ready for use, with the host's token counter. Shared by all documents of a memory.
pub struct Rules {
    policy: Policy,
    reserved: ReservedNames,
    counter: Box<dyn TokenCounter>,
}

impl Rules {
    /// Prepares `policy`, with the default estimate of tokens.
    pub fn new(policy: Policy) -> Self {
        Self::with_counter(policy, EstimatedTokens)
    }

    /// Prepares `policy`, with the host's own counter of tokens.
    pub fn with_counter(policy: Policy, counter: impl TokenCounter + 'static) -> Self {
        Self { reserved: ReservedNames::new(&policy.reserved_sections), policy, counter: Box::new(counter) }
    }

    /// Returns the policy.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the reserved section that `text`, a title or a line, passes for.
    pub(crate) fn reserved_name(&self, text: &str) -> Option<&str> {
        self.reserved.matching(text, Place::Text)
    }

    pub(super) const fn reserved_names(&self) -> &ReservedNames {
        &self.reserved
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::new(Policy::default())
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules").field("policy", &self.policy).finish_non_exhaustive()
    }
}

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
    text: String,
    outline: Outline,
    revision: Revision,
    rules: Arc<Rules>,
    lines: OnceLock<LineTable>,
    keys: OnceLock<Keys>,
    tokens: OnceLock<usize>,
    look_alikes: OnceLock<Vec<Span>>,
    titles: OnceLock<Titles>,
    folded_titles: OnceLock<Titles>,
}

impl MemoryDoc {
    /// Reads `text` under the default policy.
    pub fn parse(text: impl Into<String>) -> Self {
        Self::with_rules(text, Arc::new(Rules::default()))
    }

    /// Reads `text` under `rules`.
    pub fn with_rules(text: impl Into<String>, rules: Arc<Rules>) -> Self {
        let text = text.into();
        let inner = Inner {
            outline: parse::parse(&text),
            revision: Revision::of(&text),
            rules,
            lines: OnceLock::new(),
            keys: OnceLock::new(),
            tokens: OnceLock::new(),
            look_alikes: OnceLock::new(),
            titles: OnceLock::new(),
            folded_titles: OnceLock::new(),
            text,
        };
        Self { inner: Arc::new(inner) }
    }

    /// Returns the text, byte for byte as it was read.
    pub fn text(&self) -> &str {
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
        self.inner.revision
    }

    /// Returns the rules that the document is edited by.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.inner.rules
    }

    /// Returns the policy that the document is edited by.
    pub fn policy(&self) -> &Policy {
        self.inner.rules.policy()
    }

    /// Returns the number of tokens of the text.
    pub fn tokens(&self) -> usize {
        *self.inner.tokens.get_or_init(|| self.inner.rules.counter.count(self.text()))
    }

    /// Returns the number of tokens of the text under `span`, counted by itself.
    pub fn tokens_of(&self, span: Span) -> usize {
        if span == self.span() { self.tokens() } else { self.inner.rules.counter.count(span.of(self.text())) }
    }

    /// Returns what has crossed its soft limit: `tokens` or `bytes`, how much is used, and the hard limit.
    pub fn over_soft_limit(&self) -> Option<(&'static str, usize, usize)> {
        let policy = self.policy();
        if let (Some(soft), Some(limit)) = (policy.soft_tokens(), policy.max_tokens)
            && self.tokens() > soft
        {
            return Some(("tokens", self.tokens(), limit));
        }
        let bytes = self.text().len();
        (bytes > policy.soft_bytes()).then_some(("bytes", bytes, policy.max_bytes))
    }

    /// Returns the sections that have this name, in document order: a title, or titles joined by `>`, of which the first may
    /// be that of any ancestor.
    pub(crate) fn sections_named(&self, name: &str, case: Case) -> Vec<SectionRef<'_>> {
        self.titles(case).named(name).into_iter().filter_map(|index| NodeRef::at(self, index)).collect()
    }

    pub(super) fn titles(&self, case: Case) -> &Titles {
        let cell = match case {
            Case::Kept => &self.inner.titles,
            Case::Folded => &self.inner.folded_titles,
        };
        cell.get_or_init(|| {
            let parent = |section: SectionRef<'_>| section.parent().map(NodeRef::index);
            Titles::new(self.sections().map(|section| (parent(section), section.title())), case)
        })
    }

    /// Returns the section that holds `offset` and is reserved, or lies below one that is.
    pub fn reserved_section_at(&self, offset: usize) -> Option<SectionRef<'_>> {
        self.section_at(offset)?.ancestors().find(|section| section.reserved_name().is_some())
    }

    /// Returns the bullets that a key names; `key#n` names at most one.
    pub fn bullets_by_key(&self, key: &str) -> Vec<BulletRef<'_>> {
        self.keys().named(key).into_iter().filter_map(|index| NodeRef::at(self, index)).collect()
    }

    /// Returns the number, from 1, of the line that holds `offset`.
    pub fn line_number(&self, offset: usize) -> usize {
        self.lines().number_at(offset)
    }

    pub(crate) fn lines(&self) -> &LineTable {
        self.inner.lines.get_or_init(|| LineTable::new(self.text()))
    }

    /// Returns the lines outside fences that pass for a reserved heading, true headings included; two or three that do so
    /// together as one.
    pub(crate) fn look_alikes(&self) -> &[Span] {
        self.inner.look_alikes.get_or_init(|| reserved::look_alikes(self, self.span()))
    }

    /// Returns those of them that stand under `span`, whole lines.
    pub(crate) fn look_alikes_within(&self, span: Span) -> Vec<Span> {
        reserved::look_alikes(self, span)
    }

    /// Returns, for each of some line starts in ascending order, where the HTML is opened that hides what stands there.
    pub(crate) fn hidden_by(&self, offsets: &[usize]) -> Vec<Option<usize>> {
        reserved::hidden_by(self, offsets)
    }

    pub(super) fn keys(&self) -> &Keys {
        self.inner.keys.get_or_init(|| Keys::new(self.bullets()))
    }
}

impl PartialEq for MemoryDoc {
    fn eq(&self, other: &Self) -> bool {
        self.revision() == other.revision()
    }
}

impl Eq for MemoryDoc {}

impl fmt::Debug for MemoryDoc {
    /// Shows sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryDoc")
            .field("revision", &self.revision())
            .field("bytes", &self.text().len())
            .field("sections", &self.outline().sections().len())
            .field("bullets", &self.outline().bullets().len())
            .finish()
    }
}
