//! Where two texts differ.

use super::Span;

/// A part of a text and what stands in its place in another. Before it and behind it the texts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    // Invariant: both start at one offset.
    old: Span,
    new: Span,
}

impl Difference {
    /// Creates the difference at `start` that ends at these offsets of the one text and of the other.
    pub(crate) const fn new(start: usize, old_end: usize, new_end: usize) -> Self {
        Self { old: Span::new(start, old_end), new: Span::new(start, new_end) }
    }

    /// Returns the difference between texts of these lengths of which nothing is known to be the same.
    pub(crate) const fn whole(old: &str, new: &str) -> Self {
        Self::new(0, old.len(), new.len())
    }

    /// Returns the offset that the parts begin at.
    pub(crate) const fn start(self) -> usize {
        self.old.start()
    }

    /// Returns the part of the old text.
    pub(crate) const fn old(self) -> Span {
        self.old
    }

    /// Returns the part of the new text.
    pub(crate) const fn new_span(self) -> Span {
        self.new
    }

    /// Returns where an offset of the old text that is not before the end of its part stands in the new one.
    pub(crate) const fn behind(self, offset: usize) -> usize {
        offset - self.old.end() + self.new.end()
    }

    /// Returns where a span of the old text that is not before the end of its part stands in the new one.
    pub(crate) const fn span_behind(self, span: Span) -> Span {
        Span::new(self.behind(span.start()), self.behind(span.end()))
    }
}
