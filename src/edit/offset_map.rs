//! [`OffsetMap`]: where a byte of the text before an edit stands after it, and the other way round.

use super::Edit;
use crate::text::Span;

/// The spans that an edit replaces and those that it writes, ready for many look-ups.
#[derive(Clone, Debug)]
pub(crate) struct OffsetMap {
    // Invariant: sorted; what stands between two replaced spans stands between their two written spans.
    spans: Vec<Replaced>,
}

/// A span of the old text, and the span of the new text in its place.
#[derive(Clone, Copy, Debug)]
struct Replaced {
    old: Span,
    new: Span,
}

impl OffsetMap {
    pub(crate) fn of(edit: &Edit) -> Self {
        let spans = edit.splices().iter().zip(edit.result_spans());
        Self { spans: spans.map(|(splice, new)| Replaced { old: splice.span, new }).collect() }
    }

    /// Iterates over the spans that the edit writes.
    pub(crate) fn written(&self) -> impl Iterator<Item = Span> + '_ {
        self.spans.iter().map(|span| span.new)
    }

    /// Returns the first written span that ends behind `offset` of the result.
    pub(crate) fn written_behind(&self, offset: usize) -> Option<Span> {
        self.spans.get(self.spans.partition_point(|span| span.new.end() <= offset)).map(|span| span.new)
    }

    /// Returns where the byte at `offset` stands after the edit; `None` if the edit removes it.
    pub(crate) fn survivor(&self, offset: usize) -> Option<usize> {
        let before = self.spans.partition_point(|span| span.old.end() <= offset);
        if self.spans.get(before).is_some_and(|span| span.old.contains(offset)) {
            return None;
        }
        let last = before.checked_sub(1).and_then(|last| self.spans.get(last));
        Some(last.map_or(offset, |last| last.new.end() + offset - last.old.end()))
    }

    /// Returns where the byte of the result at `offset` stood before the edit; `None` if the edit writes it.
    pub(crate) fn origin(&self, offset: usize) -> Option<usize> {
        let before = self.spans.partition_point(|span| span.new.end() <= offset);
        if self.spans.get(before).is_some_and(|span| span.new.contains(offset)) {
            return None;
        }
        let last = before.checked_sub(1).and_then(|last| self.spans.get(last));
        Some(last.map_or(offset, |last| last.old.end() + offset - last.new.end()))
    }

    /// Returns where the text that the edit replaces began, if what it writes in its place begins at `offset`.
    pub(crate) fn replaced(&self, offset: usize) -> Option<usize> {
        let nth = self.spans.partition_point(|span| span.new.end() <= offset);
        let span = self.spans.get(nth).filter(|span| span.new.start() == offset)?;
        (!span.old.is_empty()).then(|| span.old.start())
    }
}
