//! The terms on which a new text is accepted: the lines that must stay, and the size that it may have.
//!
//! If an edit has made the document too large, the lines that it wrote count as pinned. Otherwise the compaction could drop
//! them.

use std::collections::HashSet;

use crate::document::{BulletRef, Excess, MemoryDoc, SectionRef, Unit};
use crate::locate::Names;
use crate::text::{Content, Span, Timestamp, is_blank};

/// What the gate needs besides the old and the new text.
#[derive(Clone, Debug)]
pub(super) struct Terms<'a> {
    /// The section that is rewritten; `None` for the whole document.
    pub(super) section: Option<SectionRef<'a>>,
    /// The text that is rewritten. The rest of the document is not changed.
    pub(super) scope: Span,
    /// The names of the sections whose unpinned bullets may be dropped.
    pub(super) may_drop: &'a [Content],
    pub(super) budget: Budget,
    pub(super) pinned: PinnedLines,
    /// The text before the first rewrite of the last 24 hours: loss is also measured against it.
    pub(super) earlier: Option<&'a MemoryDoc>,
    pub(super) now: Timestamp,
}

impl Terms<'_> {
    /// Returns the part of the new text that replaces `scope`.
    pub(super) fn scope_in(&self, old: &MemoryDoc, new: &MemoryDoc) -> Span {
        let outside = old.text().len() - self.scope.len();
        Span::new(self.scope.start(), self.scope.start() + new.text().len().saturating_sub(outside))
    }

    /// Returns true if a bullet must stay as it is: it is pinned or nested in a pinned one, or the edit that caused the
    /// compaction wrote it.
    pub(super) fn protects(&self, bullet: BulletRef<'_>) -> bool {
        bullet.is_pinned_with_parents()
            || (!self.pinned.wordings.is_empty() && self.pinned.wordings.contains(bullet.wording().as_str()))
    }

    /// Returns the extents of the sections of a text whose unpinned bullets may be dropped.
    pub(super) fn released(&self, doc: &MemoryDoc) -> Vec<Span> {
        let sections = self.may_drop.iter().filter_map(|name| Names::new(doc).section(name, doc.span()).ok());
        sections.map(|section| section.at.extent).collect()
    }
}

/// The bullets and other lines that count as pinned, because the edit that caused the compaction wrote them.
#[derive(Clone, Debug, Default)]
pub(super) struct PinnedLines {
    pub(super) wordings: HashSet<Content>,
    /// Lines that belong to no bullet, each with its number, from 1.
    pub(super) lines: Vec<(usize, Content)>,
}

impl PinnedLines {
    /// Keeps the lines that `spans`, in order, touch. Of a bullet, all lines are kept.
    pub(super) fn of(doc: &MemoryDoc, spans: &[Span]) -> Self {
        let mut pinned = Self::default();
        let (table, text) = (doc.lines(), doc.text());
        let spans = spans.iter().filter(|span| !span.is_empty());
        let touched = spans.flat_map(|span| {
            let lines = table.index_at(span.start())..=table.index_at(span.end() - 1);
            lines.filter(|index| table.line(text, *index).text.overlaps(*span))
        });
        let mut touched: Vec<usize> = touched.collect();
        touched.dedup();
        for index in touched {
            let line = table.line(text, index).text;
            match doc.bullet_at(line.start()) {
                Some(bullet) => drop(pinned.wordings.insert(bullet.wording().into())),
                None if is_blank(line.of(text)) => {}
                None => pinned.lines.push((index + 1, line.of(text).into())),
            }
        }
        pinned
    }
}

/// The size that a compacted text may have. A limit of `None` is not checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budget {
    /// The number of tokens, by the host's counter.
    pub tokens: Option<usize>,
    /// The number of bytes.
    pub bytes: Option<usize>,
}

/// The size limit that a compaction must meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The soft limits of the policy.
    Soft,
    /// The hard limits of the policy.
    Hard,
    /// This number of tokens, only for the text that is rewritten.
    Tokens(usize),
}

impl Goal {
    /// Returns the budget of the text in `scope`. Of a limit for the whole document, it is what the text outside of the
    /// scope leaves. If that text alone exceeds the limit, the limit cannot be met, and is not checked.
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
    /// Returns the first limit that the text in `span` exceeds.
    pub(crate) fn exceeded_by(self, doc: &MemoryDoc, span: Span) -> Option<Excess> {
        let tokens = self.tokens.map(|limit| Excess { unit: Unit::Tokens, used: doc.tokens_of(span), limit });
        let bytes = self.bytes.map(|limit| Excess { unit: Unit::Bytes, used: span.len(), limit });
        tokens.into_iter().chain(bytes).find(|excess| excess.used > excess.limit)
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let limits = [(self.tokens, "tokens"), (self.bytes, "bytes")];
        let limits = limits.into_iter().filter_map(|(limit, unit)| Some(format!("{} {unit}", limit?)));
        f.write_str(&limits.collect::<Vec<_>>().join(" and "))
    }
}
