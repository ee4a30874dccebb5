//! [`OffsetMap`]: where a byte of the text before an edit stands after it, and the other way round.

use std::ops::Range;

use super::Edit;
use crate::text::Span;

/// The spans that an edit replaces and those that it writes, ready for many look-ups.
#[derive(Clone, Debug)]
pub(crate) struct OffsetMap {
    // Invariant: sorted; what stands between two replaced spans stands between their two written
    // spans.
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
        moved(&self.spans, offset, |span| [span.old.range(), span.new.range()])
    }

    /// Returns where the byte at `offset` stands after the edit, or what replaces it begins.
    pub(crate) fn landing(&self, offset: usize) -> usize {
        let around = self.spans.partition_point(|span| span.old.end() <= offset);
        let start = self.spans.get(around).map_or(offset, |span| span.new.start());
        self.survivor(offset).unwrap_or(start)
    }

    /// Returns where the byte of the result at `offset` stood before the edit; `None` if the edit
    /// writes it.
    pub(crate) fn origin(&self, offset: usize) -> Option<usize> {
        moved(&self.spans, offset, |span| [span.new.range(), span.old.range()])
    }
}

/// Returns where what stands at `from` on one side stands on the other; `None` if it is replaced.
/// `sides` gives the range that is replaced and the one in its place.
pub(super) fn moved<T>(replaced: &[T], from: usize, sides: impl Fn(&T) -> [Range<usize>; 2]) -> Option<usize> {
    let here = |range: &T| {
        let [here, _] = sides(range);
        here
    };
    let before = replaced.partition_point(|range| here(range).end <= from);
    if replaced.get(before).is_some_and(|range| here(range).contains(&from)) {
        return None;
    }
    let last = before.checked_sub(1).and_then(|last| replaced.get(last)).map(sides);
    Some(last.map_or(from, |[old, new]| new.end + from - old.end))
}
