//! What a line is: text up to and including LF; a CR right before the LF belongs to the ending.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memrchr};

use super::{Difference, Span, narrow};

/// One line of a text: its span without and with the line ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line's text, without its ending.
    pub text: Span,
    /// The line with its ending.
    pub full: Span,
}

impl Line {
    /// Iterates over all lines of `text`. Only LF ends a line. After a final LF there is no further, empty line.
    pub fn all(text: &str) -> impl Iterator<Item = Self> + Clone {
        Self::all_within(text, Span::new(0, text.len()))
    }

    /// Iterates over the lines that start inside `span`.
    pub fn all_within(text: &str, span: Span) -> impl Iterator<Item = Self> + Clone {
        let (mut next, end) = (span.start(), span.end().min(text.len()));
        std::iter::from_fn(move || {
            let line = (next < end).then(|| Self::starting_at(text, next))?;
            next = line.full.end();
            Some(line)
        })
    }

    /// Iterates over the lines of `text` that start inside `span`, without their endings.
    pub(crate) fn texts_within(text: &str, span: Span) -> impl Iterator<Item = &str> + Clone {
        Self::all_within(text, span).map(|line| line.text.of(text))
    }

    /// Iterates over all lines of `text`, without their endings.
    pub(crate) fn texts(text: &str) -> impl Iterator<Item = &str> + Clone {
        Self::texts_within(text, Span::new(0, text.len()))
    }

    /// Returns the line of `text` that starts at `start`, which must be the start of a line.
    pub fn starting_at(text: &str, start: usize) -> Self {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        // Many lines are empty. An empty line needs no search for its end.
        let is_empty = rest.first() == Some(&b'\n');
        let length = if is_empty { 1 } else { memchr(b'\n', rest).map_or(rest.len(), |at| at + 1) };
        Self::of(text, Span::new(start, start + length))
    }

    /// Returns the line of `text` whose span with the ending is `full`.
    pub(crate) fn of(text: &str, full: Span) -> Self {
        let ending = match text.as_bytes().get(full.range()).unwrap_or_default() {
            [.., b'\r', b'\n'] => 2,
            [.., b'\n'] => 1,
            _ => 0,
        };
        Self { text: Span::new(full.start(), full.end() - ending), full }
    }

    /// Returns the line of `text` that holds the byte at `offset`; at the end of a text, its last
    /// line.
    pub fn holding(text: &str, offset: usize) -> Self {
        let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
        Self::starting_at(text, memrchr(b'\n', before).map_or(0, |at| at + 1))
    }

    /// Returns the line ending: `"\n"`, `"\r\n"`, or `""`, which only the last line can have.
    pub const fn ending(self) -> &'static str {
        match self.full.end() - self.text.end() {
            0 => "",
            1 => "\n",
            _ => "\r\n",
        }
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
    /// Creates the table of a text. The text may be bytes that are not UTF-8.
    pub(crate) fn new(text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let starts = std::iter::once(0).chain(memchr_iter(b'\n', text).map(|at| at + 1));
        // No line starts at the end of the text.
        Self { starts: starts.filter(|start| *start < text.len()).map(narrow).collect(), end: text.len() }
    }

    /// Returns the table of `text`. `changes` are the differences, in order, between the text of this table and `text`.
    pub(crate) fn next(&self, text: &str, changes: &[Difference]) -> Self {
        let mut starts = Vec::with_capacity(self.starts.len() + 2 * changes.len());
        let (mut read, mut distance) = (0, 0_u32);
        let moved = |lines: Range<usize>, by: u32| {
            self.starts.get(lines).unwrap_or_default().iter().map(move |start| start.wrapping_add(by))
        };
        for change in changes {
            starts.extend(moved(read..self.starts_before(change.old.start()), distance));
            starts.extend((change.new.start() == 0).then_some(0));
            // The search begins one byte early: an LF right before the written text makes its first byte a line start.
            let written = change.new.start().saturating_sub(1)..change.new.end();
            let endings = memchr_iter(b'\n', text.as_bytes().get(written.clone()).unwrap_or_default());
            starts.extend(endings.map(|at| narrow(written.start + at + 1)));
            (read, distance) = (self.starts_before(change.old.end() + 1), change.distance());
        }
        starts.extend(moved(read..self.starts.len(), distance));
        // Two changes that touch each other yield the line start between them twice.
        starts.dedup();
        // No line starts at the end of the text.
        starts.truncate(starts.partition_point(|start| (*start as usize) < text.len()));
        Self { starts, end: text.len() }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the index, from 0, of the line that holds `offset`; the last line for the end of the
    /// text.
    pub(crate) fn index_at(&self, offset: usize) -> usize {
        self.starts_before(offset + 1).saturating_sub(1)
    }

    /// Returns where line `index` starts; the end of the text for an index after the last line.
    pub(crate) fn start(&self, index: usize) -> usize {
        self.starts.get(index).map_or(self.end, |&start| start as usize)
    }

    /// Returns the bytes of some lines, endings included.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        Span::new(self.start(lines.start), self.start(lines.end))
    }

    /// Returns how many lines start before `offset`.
    fn starts_before(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| (start as usize) < offset)
    }

    /// Returns line `index` of the text that the table was made from.
    pub(crate) fn line(&self, text: &str, index: usize) -> Line {
        Line::of(text, Span::new(self.start(index), self.start(index + 1)))
    }

    /// Returns the lines that an edit of `span` touches: from the line of the byte before it to the line that holds its
    /// end.
    pub(crate) fn around(&self, span: Span) -> Span {
        let first = self.start(self.index_at(span.start().saturating_sub(1)));
        Span::new(first, self.start(self.index_at(span.end()) + 1).max(span.end()))
    }

    /// Returns the range of line indices whose lines start inside `span`.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
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
        let lines: Vec<_> = Line::all(text).map(|line| (line.text.of(text), line.ending())).collect();
        let expected = [("a", "\r\n"), ("b\rc\u{2028}d", "\n"), ("", "\n"), ("e", "")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn the_next_table_is_that_of_the_next_text() {
        let texts = ["", "\n", "a", "a\n", "\n\n", "a\nb", "a\nb\n", "\r\na\n\nbc\n"];
        let written = ["", "\n", "x", "x\n", "\nx", "\n\n"];
        for (old, written) in texts.iter().flat_map(|old| written.map(|written| (*old, written))) {
            for (start, end) in (0..=old.len()).flat_map(|start| (start..=old.len()).map(move |end| (start, end))) {
                let new = [Span::new(0, start).of(old), written, Span::new(end, old.len()).of(old)].concat();
                let (old_span, new_span) = (Span::new(start, end), Span::new(start, start + written.len()));
                let next = LineTable::new(old).next(&new, &[Difference { old: old_span, new: new_span }]);
                assert_eq!(next.starts, LineTable::new(&new).starts, "{old:?} {start}..{end} {written:?}");
                assert_eq!(next.end, new.len());
            }
        }
    }

    #[test]
    fn the_next_table_is_that_of_a_text_with_several_changes() {
        let written = ["", "\n", "x", "x\n"];
        for (first, second) in written.iter().flat_map(|first| written.map(|second| (*first, second))) {
            let (old, places) = ("a\nb\n\nc", (0..=6).flat_map(|start| (start..=6).map(move |end| (start, end))));
            for ((start, end), (next, last)) in
                places.clone().flat_map(|one| places.clone().map(move |other| (one, other)))
            {
                if next < end {
                    continue;
                }
                let part = |from, to| Span::new(from, to).of(old);
                let new = [part(0, start), first, part(end, next), second, part(last, 6)].concat();
                let begin = start + first.len() + next - end;
                let spans = [(start, end, start, first.len()), (next, last, begin, second.len())];
                let changes = spans.map(|(start, end, at, length)| Difference {
                    old: Span::new(start, end),
                    new: Span::new(at, at + length),
                });
                let table = LineTable::new(old).next(&new, &changes);
                assert_eq!(
                    table.starts,
                    LineTable::new(&new).starts,
                    "{start}..{end} {first:?}, {next}..{last} {second:?}"
                );
            }
        }
    }

    #[test]
    fn the_table_agrees_with_the_iterator() {
        for text in ["", "\n", "a", "a\n", "a\r\n\r\nb", "\n\n\n"] {
            let table = LineTable::new(text);
            let lines: Vec<_> = Line::all(text).collect();
            assert_eq!((0..table.len()).map(|index| table.line(text, index)).collect::<Vec<_>>(), lines, "{text:?}");
        }
    }
}
