//! What stands at the end of the journal: complete groups, and what an interrupted append has left behind them.

use std::ops::Range;

use super::placement::{Line, Placement};

/// The bytes from a known place to the end of the journal, in groups.
#[derive(Debug, Default)]
pub(super) struct Tail {
    /// The last complete group.
    pub(super) last: Option<LastGroup>,
    /// How many bytes the complete groups take, with what is unreadable between them.
    pub(super) complete: usize,
    /// Where bytes that cannot be read stand before a complete group: an append damages nothing before itself, so this was
    /// not the work of a crash.
    pub(super) unreadable: Vec<Range<usize>>,
}

/// The last complete group.
#[derive(Debug)]
pub(super) struct LastGroup {
    /// Where it begins.
    pub(super) start: usize,
    /// Its lines, each with its place.
    pub(super) lines: Vec<PlacedLine>,
}

/// A line, and where it stands, without its end.
#[derive(Debug)]
pub(super) struct PlacedLine {
    pub(super) line: Line,
    pub(super) span: Range<usize>,
}

impl Tail {
    /// Reads the groups in `bytes`, which begin at the beginning of a line.
    pub(super) fn parse<P: Placement>(bytes: &[u8], placement: &P) -> Self {
        let mut tail = Self::default();
        let mut open: Vec<PlacedLine> = Vec::new();
        for span in lines(bytes) {
            let Some(line) = bytes.get(span.clone()).and_then(|line| placement.read(line)) else {
                open.clear();
                continue;
            };
            let continues = open.last().is_some_and(|before| follows(&before.line, &line));
            if !continues {
                open.clear();
            }
            if !continues && line.seq != line.group.first {
                continue;
            }
            let end = span.end.saturating_add(1);
            let is_last = line.seq == line.group.last;
            open.push(PlacedLine { line, span });
            if is_last {
                tail.complete(std::mem::take(&mut open), end);
            }
        }
        tail
    }

    fn complete(&mut self, lines: Vec<PlacedLine>, end: usize) {
        let Some(first) = lines.first() else { return };
        let start = first.span.start;
        if start > self.complete {
            self.unreadable.push(self.complete..start);
        }
        self.complete = end;
        self.last = Some(LastGroup { start, lines });
    }
}

fn follows(before: &Line, line: &Line) -> bool {
    before.group == line.group && before.seq.checked_add(1) == Some(line.seq)
}

/// Returns the lines that have an end, without it.
fn lines(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    memchr::memchr_iter(b'\n', bytes).map(move |end| {
        let line = start..end;
        start = end + 1;
        line
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::super::sim::toy::{Toy, group};
    use super::*;

    #[test]
    fn every_prefix_of_a_group_is_torn() {
        let [one, two] =
            [group(1, &[("a", None, Some("x"))]), group(2, &[("a", Some("x"), Some("y")), ("b", None, Some("z"))])];
        for cut in 0..=two.len() {
            let bytes = [&one[..], &two[..cut]].concat();
            let tail = Tail::parse(&bytes, &Toy::Strict);
            let expected = if cut == two.len() { bytes.len() } else { one.len() };
            assert_eq!(tail.complete, expected);
            assert!(tail.unreadable.is_empty());
        }
    }

    #[test]
    fn what_is_unreadable_before_a_group_is_no_torn_tail() {
        let [one, two] = [group(1, &[("a", None, Some("x"))]), group(2, &[("a", Some("x"), Some("y"))])];
        let mut bytes = [&one[..], &two[..]].concat();
        bytes[3] ^= 1;
        let tail = Tail::parse(&bytes, &Toy::Strict);
        assert_eq!(tail.complete, bytes.len());
        assert_eq!(tail.unreadable.first(), Some(&(0..one.len())));
    }
}
