//! Where two texts differ.
//!
//! Of two texts that differ in several places, the places are told in their order, and between any
//! two the same text stands, which is not empty.

use memchr::{memchr, memrchr};

use super::span::{Span, narrow};

/// How many bytes are compared at once where texts are long the same.
const CHUNK: usize = 64;

/// A part of a text and what stands in its place in another. Beside it the texts are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    old: Span,
    new: Span,
}

impl Difference {
    /// Creates the difference of a part of the old text and one of the new text.
    pub(crate) const fn new(old: Span, new: Span) -> Self {
        Self { old, new }
    }

    /// Creates the first difference, at `start`, that ends at these offsets of the one text and of
    /// the other.
    pub(crate) const fn at(start: usize, old_end: usize, new_end: usize) -> Self {
        Self::new(Span::new(start, old_end), Span::new(start, new_end))
    }

    /// Returns the difference between texts of these lengths of which nothing is known to be the
    /// same.
    pub(crate) const fn whole(old: &str, new: &str) -> Self {
        Self::at(0, old.len(), new.len())
    }

    /// Returns the difference between two texts: the whole lines behind those that they begin with
    /// both, before those that they both end with.
    pub(crate) fn between(old: &str, new: &str) -> Self {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let same = same_at_start(old, new);
        let start = match same == old.len() && same == new.len() {
            true => same,
            false => memrchr(b'\n', old.get(..same).unwrap_or_default()).map_or(0, |end| end + 1),
        };
        let (old_rest, new_rest) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        let tail = same_at_end(old_rest, new_rest);
        let starts_line = |rest: &[u8]| rest.len() == tail || rest.get(rest.len() - tail - 1) == Some(&b'\n');
        let cut = match starts_line(old_rest) && starts_line(new_rest) {
            true => tail,
            // From the first line on that is in it as a whole.
            false => {
                let shared = old_rest.get(old_rest.len() - tail..).unwrap_or_default();
                memchr(b'\n', shared).map_or(0, |end| tail - end - 1)
            }
        };
        Self::at(start, old.len() - cut, new.len() - cut)
    }

    /// Returns the part of the old text.
    pub(crate) const fn old(self) -> Span {
        self.old
    }

    /// Returns the part of the new text.
    pub(crate) const fn new_span(self) -> Span {
        self.new
    }

    /// Returns it with what follows up to the end of a later one.
    pub(crate) const fn until(self, last: Self) -> Self {
        Self::new(Span::new(self.old.start(), last.old.end()), Span::new(self.new.start(), last.new.end()))
    }

    /// Returns it with what stands beside it, to the bounds of `span` of the old text, in which no
    /// other difference is.
    pub(crate) const fn grown(self, span: Span) -> Self {
        let start = self.new.start() - (self.old.start() - span.start());
        Self::new(span, Span::new(start, self.behind(span.end())))
    }

    /// Returns where an offset of the old text that is not before the end of its part stands in the
    /// new one, if no other difference is between.
    pub(crate) const fn behind(self, offset: usize) -> usize {
        offset - self.old.end() + self.new.end()
    }

    /// Returns how far what stands behind its part has moved, as [`Span::moved`] takes it.
    pub(crate) const fn distance(self) -> u32 {
        narrow(self.new.end()).wrapping_sub(narrow(self.old.end()))
    }
}

/// Returns how many bytes are the same at the start of both.
fn same_at_start(old: &[u8], new: &[u8]) -> usize {
    let chunks = old.chunks_exact(CHUNK).zip(new.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count();
    let same = chunks * CHUNK;
    same + old.iter().skip(same).zip(new.iter().skip(same)).take_while(|(a, b)| a == b).count()
}

/// Returns how many bytes are the same at the end of both.
fn same_at_end(old: &[u8], new: &[u8]) -> usize {
    let chunks = old.rchunks_exact(CHUNK).zip(new.rchunks_exact(CHUNK)).take_while(|(a, b)| a == b).count();
    let same = chunks * CHUNK;
    same + old.iter().rev().skip(same).zip(new.iter().rev().skip(same)).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What lies between is whole lines, before and behind which the texts are the same.
    fn check(old: &str, new: &str) -> Difference {
        let starts_line = |text: &str, at: usize| at == 0 || at == text.len() || text.as_bytes()[at - 1] == b'\n';
        let difference = Difference::between(old, new);
        let (old_span, new_span) = (difference.old(), difference.new_span());
        assert_eq!(old.get(..old_span.start()), new.get(..new_span.start()), "{old:?} {new:?}");
        assert_eq!(old.get(old_span.end()..), new.get(new_span.end()..), "{old:?} {new:?}");
        for (text, span) in [(old, old_span), (new, new_span)] {
            assert!(starts_line(text, span.start()) && starts_line(text, span.end()), "{old:?} {new:?}");
        }
        difference
    }

    /// Every pair of short texts of a few letters and line ends.
    #[test]
    fn texts_differ_where_their_lines_do() {
        let letters = ["a", "b", "\n"];
        let longer = |texts: Vec<String>| texts.iter().flat_map(|text| letters.map(|c| format!("{text}{c}"))).collect();
        let mut texts = vec![String::new()];
        let mut last = texts.clone();
        for _ in 0..4 {
            last = longer(last);
            texts.extend(last.iter().cloned());
        }
        for old in &texts {
            for new in &texts {
                check(old, new);
            }
        }
    }

    /// Every place of a difference in what is compared at once, and beside it.
    #[test]
    fn what_is_the_same_is_found_to_the_line() {
        for before in 0..=2 * CHUNK + 1 {
            for behind in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, before] {
                let text = |line: &str| format!("{}{line}{}", "\n".repeat(before), "\n".repeat(behind));
                let of = |start: usize, old: usize, new: usize| Difference::at(start, start + old, start + new);
                assert_eq!(check(&text("a\n"), &text("b\n")), of(before, 2, 2));
                assert_eq!(check(&text("a\n"), &text("a\nb\n")), of(before + 2, 0, 2));
                assert_eq!(check(&text("a\n"), &text("a\n")), of(text("a\n").len(), 0, 0));
            }
        }
    }
}
