//! On what terms a new text is accepted: what must stay in it, and how large it may be.
//!
//! What a compaction must leave alone because the call that caused it has just written it counts as pinned: else an edit that
//! makes a document too large could be answered by dropping what it wrote.

use std::collections::{BTreeSet, HashSet};

use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::locate::section_by_name;
use crate::text::{Content, Excess, Span, Timestamp, Unit, is_blank};

/// What the gate goes by besides the two texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// The section that is rewritten; `None` for the whole document.
    pub(super) section: Option<SectionRef<'a>>,
    /// What is rewritten; the rest of the document is left alone.
    pub(super) scope: Span,
    /// The names of the sections whose unpinned bullets may go.
    pub(super) may_drop: &'a [Content],
    pub(super) budget: Budget,
    pub(super) kept: &'a Kept,
    /// The text before the first rewrite of the last 24 hours, against which loss is measured too.
    pub(super) earlier: Option<&'a MemoryDoc>,
    pub(super) now: Timestamp,
}

impl Terms<'_> {
    /// Returns where what is rewritten stands in the new text.
    pub(super) fn scope_in(&self, old: &MemoryDoc, new: &MemoryDoc) -> Span {
        let outside = old.text().len() - self.scope.len();
        Span::new(self.scope.start(), self.scope.start() + new.text().len().saturating_sub(outside))
    }

    /// Returns true if a bullet must stay as it is: one that is pinned, or nested in one, or just written.
    pub(super) fn protects(&self, bullet: BulletRef<'_>) -> bool {
        bullet.is_pinned_with_parents()
            || (!self.kept.wordings.is_empty() && self.kept.wordings.contains(bullet.wording().as_str()))
    }

    /// Returns the extents of the sections of a text whose unpinned bullets may go.
    pub(super) fn released(&self, doc: &MemoryDoc) -> Vec<Span> {
        let sections = self.may_drop.iter().filter_map(|name| section_by_name(doc, name).ok());
        sections.map(|section| section.at.extent).collect()
    }
}

/// Bullets and other lines that count as pinned.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    pub(super) wordings: HashSet<Content>,
    /// Lines that belong to no bullet, each with its number, from 1.
    pub(super) lines: Vec<(usize, Content)>,
}

impl Kept {
    /// Keeps the lines of which something stands under `spans`, sorted, and bullets whole.
    pub(super) fn of(doc: &MemoryDoc, spans: &[Span]) -> Self {
        let mut kept = Self::default();
        let (table, text) = (doc.lines(), doc.text());
        let spans = spans.iter().filter(|span| !span.is_empty());
        let touched = spans.flat_map(|span| {
            let lines = table.index_at(span.start())..=table.index_at(span.end() - 1);
            lines.filter(|index| table.line(text, *index).text.overlaps(*span))
        });
        for index in touched.collect::<BTreeSet<_>>() {
            let line = table.line(text, index).text;
            match doc.bullet_at(line.start()) {
                Some(bullet) => drop(kept.wordings.insert(bullet.wording().into())),
                None if is_blank(line.of(text)) => {}
                None => kept.lines.push((index + 1, line.of(text).into())),
            }
        }
        kept
    }
}

/// The size that a compaction is to keep to. What is `None` is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The number of tokens, by the host's counter.
    pub tokens: Option<usize>,
    /// The number of bytes.
    pub bytes: Option<usize>,
}

/// What a compaction is asked to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The soft limits of the policy.
    Soft,
    /// The hard limits of the policy.
    Hard,
    /// This number of tokens, for the text that is rewritten alone.
    Tokens(usize),
}

impl Goal {
    /// Returns the budget of the text under `scope`: of a limit of the whole document, what the rest of it leaves. A limit that
    /// the rest exceeds by itself cannot be kept, and is none.
    pub(super) fn budget(self, doc: &MemoryDoc, scope: Span) -> Budget {
        let policy = doc.policy();
        let (tokens, bytes) = match self {
            Self::Tokens(tokens) => return Budget { tokens: Some(tokens), bytes: None },
            Self::Soft => (policy.soft_tokens(), policy.soft_bytes()),
            Self::Hard => (policy.max_tokens, policy.max_bytes),
        };
        let left = |limit: usize, outside: usize| limit.checked_sub(outside);
        let tokens = tokens.and_then(|limit| left(limit, doc.tokens().saturating_sub(doc.tokens_of(scope))));
        Budget { tokens, bytes: left(bytes, doc.text().len() - scope.len()) }
    }
}

impl Budget {
    /// Returns what of the budget the text under `span` exceeds.
    pub(super) fn exceeded_by(self, doc: &MemoryDoc, span: Span) -> Option<Excess> {
        if let Some(budget) = self.tokens {
            let used = doc.tokens_of(span);
            if used > budget {
                return Some(Excess::new(Unit::Tokens, used, budget));
            }
        }
        self.bytes.filter(|budget| span.len() > *budget).map(|budget| Excess::new(Unit::Bytes, span.len(), budget))
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let limits = [(self.tokens, "tokens"), (self.bytes, "bytes")];
        let limits = limits.into_iter().filter_map(|(limit, unit)| Some(format!("{} {unit}", limit?)));
        f.write_str(&limits.collect::<Vec<_>>().join(" and "))
    }
}
