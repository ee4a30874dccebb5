//! On what terms a new text is accepted.
//!
//! What a compaction must leave alone because the call that caused it has just written it counts as pinned: else an edit that
//! makes a document too large could be answered by dropping what it wrote.

use std::collections::{HashMap, HashSet};

use super::budget::Budget;
use crate::document::{BulletRef, MemoryDoc};
use crate::locate::section_by_name;
use crate::text::{Content, Span, Timestamp, is_blank};

/// What the gate goes by besides the two texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// What is rewritten; the rest of the document is left alone.
    pub(super) scope: Span,
    /// The names of the sections whose unpinned bullets may go.
    pub(super) may_drop: &'a [Content],
    pub(super) budget: Budget,
    pub(super) kept: &'a Kept,
    /// An older text against which loss is measured too.
    pub(super) earlier: Option<Measure<'a>>,
    pub(super) now: Timestamp,
}

/// What of a text is measured: what stands under `scope`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) scope: Span,
}

impl<'a> Terms<'a> {
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
    /// Lines that belong to no bullet, each with its numbers, from 1.
    pub(super) lines: HashMap<Content, Vec<usize>>,
}

impl Kept {
    /// Keeps the lines of which something stands under `spans`, sorted, and bullets whole.
    pub(super) fn of(doc: &MemoryDoc, spans: &[Span]) -> Self {
        let mut kept = Self::default();
        let (table, text, mut next) = (doc.lines(), doc.text(), 0);
        for span in spans.iter().filter(|span| !span.is_empty()) {
            for index in table.index_at(span.start()).max(next)..=table.index_at(span.end() - 1) {
                let line = table.line(text, index).text;
                if !line.overlaps(*span) {
                    continue;
                }
                next = index + 1;
                match doc.bullet_at(line.start()) {
                    Some(bullet) => drop(kept.wordings.insert(bullet.wording().into())),
                    None if is_blank(line.of(text)) => {}
                    None => {
                        kept.lines.entry(line.of(text).into()).or_default().push(index + 1);
                    }
                }
            }
        }
        kept
    }

    /// Returns the lines that belong to no bullet, each as often as it stands there, with its number, in order.
    pub(super) fn in_order(&self) -> Vec<(usize, &str)> {
        let mut lines = Vec::new();
        for (text, numbers) in &self.lines {
            lines.extend(numbers.iter().map(|number| (*number, text.as_str())));
        }
        lines.sort_unstable();
        lines
    }
}
