//! A range of bytes in a text.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// A half-open range of byte offsets.
///
/// A span holds no text; [`Span::of`] looks it up. The spans that a document returns fall on character boundaries of
/// its text. Offsets beyond the first 4 GiB of a text become [`Span::LARGEST`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize)]
pub struct Span {
    // Invariant: start <= end
    start: u32,
    end: u32,
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl Span {
    /// The largest offset.
    pub const LARGEST: usize = u32::MAX as usize;

    /// Creates the span between two offsets, given in either order.
    pub const fn new(a: usize, b: usize) -> Self {
        let (a, b) = (narrow(a), narrow(b));
        if a <= b { Self { start: a, end: b } } else { Self { start: b, end: a } }
    }

    /// Creates the empty span at `offset`.
    pub const fn at(offset: usize) -> Self {
        Self { start: narrow(offset), end: narrow(offset) }
    }

    /// Returns the offset of the first byte.
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the offset after the last byte.
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// Returns the length in bytes.
    pub const fn len(self) -> usize {
        self.end() - self.start()
    }

    /// Reports whether the span holds no byte.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Reports whether the byte at `offset` lies inside.
    pub const fn contains(self, offset: usize) -> bool {
        self.start() <= offset && offset < self.end()
    }

    /// Reports whether all of `other` lies inside, or at a boundary of, this span.
    pub const fn covers(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Reports whether the two spans share at least one byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Returns the text under the span, empty if the span is not one of `text`.
    pub fn of(self, text: &str) -> &str {
        #[cfg(feature = "testing")]
        note_lookup();
        text.get(self.range()).unwrap_or_default()
    }

    /// Returns the span moved by `by` bytes, modulo 2³²: to move it back by n bytes, pass 2³² − n.
    pub(crate) const fn moved(self, by: u32) -> Self {
        Self { start: self.start.wrapping_add(by), end: self.end.wrapping_add(by) }
    }

    /// Returns the span as a range of offsets.
    pub const fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

/// Converts an offset to the form that a span stores, [`Span::LARGEST`] at most.
#[expect(clippy::cast_possible_truncation, reason = "larger offsets take the other branch")]
pub(crate) const fn narrow(offset: usize) -> u32 {
    if offset < Span::LARGEST { offset as u32 } else { u32::MAX }
}

#[cfg(feature = "testing")]
thread_local! {
    static LOOKUPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts one lookup of a text, for [`lookups`].
#[cfg(feature = "testing")]
pub(super) fn note_lookup() {
    LOOKUPS.set(LOOKUPS.get() + 1);
}

/// Returns how many texts this thread has looked up by a span, or folded to compare them. Tests use it as a measure of
/// work that is the same in every run.
#[cfg(feature = "testing")]
pub fn lookups() -> u64 {
    LOOKUPS.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_too_far_behind_counts_as_the_largest_offset() {
        let span = Span::new(usize::MAX, 3);
        assert_eq!((span.start(), span.end(), span.len()), (3, Span::LARGEST, Span::LARGEST - 3));
        assert_eq!((Span::at(Span::LARGEST + 1), span.of("abcdef")), (Span::at(Span::LARGEST), ""));
    }
}
