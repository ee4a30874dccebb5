//! What a line is: text up to and including LF; a CR right before the LF belongs to the ending.

use memchr::{memchr, memchr_iter, memrchr};

use super::{Difference, Span, narrow};

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A line feed.
    Lf,
    /// A carriage return and a line feed.
    CrLf,
    /// Nothing: the last line of a text without a final newline.
    None,
}

impl Ending {
    /// Returns the bytes of the ending.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::None => "",
        }
    }
}

/// One line of a text: where its text stands and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line's text, without its ending.
    pub text: Span,
    /// The line with its ending.
    pub full: Span,
}

impl Line {
    /// Returns the line of `text` that starts at `start`, which must be the start of a line.
    pub fn starting_at(text: &str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let rest = bytes.get(start..).unwrap_or_default();
        // Between paragraphs most lines are empty: to tell that takes no search.
        let length = if rest.first() == Some(&b'\n') { Some(0) } else { memchr(b'\n', rest) };
        match length {
            Some(length) => Self::bounded(bytes, start, start + length + 1),
            None => Self { text: Span::new(start, bytes.len()), full: Span::new(start, bytes.len()) },
        }
    }

    /// Returns the line of `text` that stands there with its ending.
    pub(crate) fn of(text: &str, full: Span) -> Self {
        let (bytes, end) = (text.as_bytes(), full.end());
        match end > full.start() && bytes.get(end - 1) == Some(&b'\n') {
            true => Self::bounded(bytes, full.start(), end),
            false => Self { text: full, full },
        }
    }

    /// Returns the line of `text` that holds the byte at `offset`; at the end of a text, its last
    /// line.
    pub fn holding(text: &str, offset: usize) -> Self {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        Self::starting_at(text, memrchr(b'\n', before).map_or(0, |at| at + 1))
    }

    /// Returns how the line ends.
    pub fn ending(self) -> Ending {
        match self.full.end() - self.text.end() {
            0 => Ending::None,
            1 => Ending::Lf,
            _ => Ending::CrLf,
        }
    }

    fn bounded(bytes: &[u8], start: usize, end: usize) -> Self {
        let has_cr = end >= start + 2 && bytes.get(end - 2) == Some(&b'\r');
        let text_end = if has_cr { end - 2 } else { end - 1 };
        Self { text: Span::new(start, text_end), full: Span::new(start, end) }
    }
}

/// The lines of a text, or of a part of it, in order.
///
/// Nothing but LF ends a line, and the line behind a final LF does not exist.
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    text: &'a str,
    next: usize,
    end: usize,
}

impl<'a> Lines<'a> {
    /// Iterates over all lines of `text`.
    pub fn of(text: &'a str) -> Self {
        Self::within(text, Span::new(0, text.len()))
    }

    /// Iterates over the lines that start inside `span`.
    pub fn within(text: &'a str, span: Span) -> Self {
        Self { text, next: span.start(), end: span.end().min(text.len()) }
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        if self.next >= self.end {
            return None;
        }
        let line = Line::starting_at(self.text, self.next);
        self.next = line.full.end();
        Some(line)
    }
}

/// The start of every line of a text, for looking lines up by offset or number.
#[derive(Clone, Debug)]
pub(crate) struct LineTable {
    // Invariant: strictly increasing; one entry a line.
    starts: Vec<u32>,
    end: usize,
}

impl LineTable {
    pub(crate) fn new(text: &str) -> Self {
        let mut starts = Vec::new();
        if !text.is_empty() {
            starts.push(0);
        }
        starts.extend(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1).filter(|&at| at < text.len()).map(narrow));
        Self { starts, end: text.len() }
    }

    /// Returns the table of `text`, which differs from the text of this one in these places.
    pub(crate) fn next(&self, text: &str, differences: &[Difference]) -> Self {
        let more: usize = differences.iter().map(|difference| difference.new.len() / 32 + 1).sum();
        let mut starts = Vec::with_capacity(self.starts.len() + more);
        // The first line that has not been looked at yet, and how far it has moved.
        let (mut next, mut distance) = (0, 0);
        for difference in differences {
            let (old, new) = (difference.old, difference.new);
            let kept = self.starts_before(old.start());
            starts.extend(self.moved(next..kept, distance));
            let is_start = new.start() == 0 || text.as_bytes().get(new.start() - 1) == Some(&b'\n');
            let first = is_start.then_some(new.start());
            let breaks = memchr_iter(b'\n', new.of(text).as_bytes()).map(|at| new.start() + at + 1);
            starts.extend(first.into_iter().chain(breaks).filter(|&start| start < text.len()).map(narrow));
            (next, distance) = (self.starts_before(old.end() + 1), difference.distance());
        }
        starts.extend(self.moved(next..self.starts.len(), distance));
        Self { starts, end: text.len() }
    }

    /// Iterates over where lines of these indexes start, moved so far.
    fn moved(&self, lines: std::ops::Range<usize>, distance: u32) -> impl Iterator<Item = u32> {
        self.starts.get(lines).unwrap_or_default().iter().map(move |start| start.wrapping_add(distance))
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the index, from 0, of the line that holds `offset`; the last line for the end of the
    /// text.
    pub(crate) fn index_at(&self, offset: usize) -> usize {
        self.starts_before(offset + 1).saturating_sub(1)
    }

    /// Returns where line `index` starts; the end of the text for an index behind the last line.
    pub(crate) fn start(&self, index: usize) -> usize {
        self.starts.get(index).map_or(self.end, |&start| start as usize)
    }

    /// Returns how many lines start before `offset`.
    fn starts_before(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| (start as usize) < offset)
    }

    /// Returns line `index` of the text that the table was made from.
    pub(crate) fn line(&self, text: &str, index: usize) -> Line {
        Line::of(text, Span::new(self.start(index), self.start(index + 1)))
    }

    /// Returns the lines that an edit of `span` touches: the one before it, and those up to the one
    /// that its end stands on.
    pub(crate) fn around(&self, span: Span) -> Span {
        let first = self.start(self.index_at(span.start().saturating_sub(1)));
        Span::new(first, self.start(self.index_at(span.end()) + 1).max(span.end()))
    }

    /// Returns the range of line indices whose lines start inside `span`.
    pub(crate) fn range(&self, span: Span) -> std::ops::Range<usize> {
        let (first, last) = (self.starts_before(span.start()), self.starts_before(span.end()));
        first..last.max(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lf_ends_a_line_and_cr_before_it_belongs_to_the_ending() {
        let text = "a\r\nb\rc\u{2028}d\n\ne";
        let lines: Vec<_> = Lines::of(text).map(|line| (line.text.of(text), line.ending())).collect();
        let expected = [("a", Ending::CrLf), ("b\rc\u{2028}d", Ending::Lf), ("", Ending::Lf), ("e", Ending::None)];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_next_table_is_that_of_the_next_text() {
        let texts = ["", "\n", "a", "a\n", "\n\n", "a\nb", "a\nb\n", "\r\na\n\nbc\n"];
        let written = ["", "\n", "x", "x\n", "\nx", "\n\n"];
        for (old, written) in texts.iter().flat_map(|old| written.map(|written| (*old, written))) {
            for (start, end) in (0..=old.len()).flat_map(|start| (start..=old.len()).map(move |end| (start, end))) {
                let new = [Span::new(0, start).of(old), written, Span::new(end, old.len()).of(old)].concat();
                let next = LineTable::new(old).next(&new, &[Difference::at(start, end, start + written.len())]);
                assert_eq!(next.starts, LineTable::new(&new).starts, "{old:?} {start}..{end} {written:?}");
                assert_eq!(next.end, new.len());
            }
        }
    }

    #[test]
    fn the_table_agrees_with_the_iterator() {
        for text in ["", "\n", "a", "a\n", "a\r\n\r\nb", "\n\n\n"] {
            let table = LineTable::new(text);
            let lines: Vec<_> = Lines::of(text).collect();
            assert_eq!((0..table.len()).map(|index| table.line(text, index)).collect::<Vec<_>>(), lines, "{text:?}");
        }
    }
}
