//! Lines that are the same, byte for byte: where one stands. Only lines of its length are looked at.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use crate::document::MemoryDoc;

/// The length from which lines are not told apart by their lengths.
const LONGEST: usize = 256;
/// How often the lines of a length are looked through one by one, before they are sorted.
const LOOKED_THROUGH: usize = 4;

/// Returns the text of a line. A byte order mark is no part of the first.
pub(super) fn line_text(doc: &MemoryDoc, index: usize) -> &str {
    let text = doc.lines().line(doc.text(), index).text.of(doc.text());
    if index == 0 { text.strip_prefix('\u{FEFF}').unwrap_or(text) } else { text }
}

/// The lines of a document by their lengths.
#[derive(Debug)]
pub(super) struct SameLines<'a> {
    doc: &'a MemoryDoc,
    /// The indexes of all lines, by length and then by place.
    lines: Vec<usize>,
    groups: Vec<Group>,
}

/// The lines of one length.
#[derive(Debug, Default)]
struct Group {
    start: usize,
    len: usize,
    looked_through: Cell<usize>,
    /// They, by text and then by place.
    sorted: OnceCell<Vec<usize>>,
}

impl<'a> SameLines<'a> {
    pub(super) fn new(doc: &'a MemoryDoc) -> Self {
        let lengths: Vec<_> = (0..doc.lines().len()).map(|line| line_text(doc, line).len().min(LONGEST)).collect();
        let mut groups: Vec<Group> = Vec::new();
        groups.resize_with(lengths.iter().max().map_or(0, |longest| longest + 1), Group::default);
        for length in &lengths {
            groups.get_mut(*length).into_iter().for_each(|group| group.len += 1);
        }
        let mut start = 0;
        for group in &mut groups {
            (group.start, start) = (start, start + group.len);
        }
        let mut lines = vec![0; lengths.len()];
        let mut next: Vec<_> = groups.iter().map(|group| group.start).collect();
        for (line, length) in lengths.iter().enumerate() {
            if let Some(next) = next.get_mut(*length)
                && let Some(place) = lines.get_mut(*next)
            {
                (*place, *next) = (line, *next + 1);
            }
        }
        Self { doc, lines, groups }
    }

    /// Returns the indexes of the lines that read so, in their order.
    pub(super) fn of(&self, text: &str) -> Cow<'_, [usize]> {
        let Some(group) = self.group(text) else { return Cow::default() };
        let lines = self.lines.get(group.start..group.start + group.len).unwrap_or_default();
        let there = |line: &usize| line_text(self.doc, *line);
        let looked_through = group.looked_through.get();
        if looked_through < LOOKED_THROUGH {
            group.looked_through.set(looked_through + 1);
            return lines.iter().copied().filter(|line| there(line) == text).collect();
        }
        let sorted = group.sorted.get_or_init(|| {
            let mut sorted = lines.to_vec();
            sorted.sort_by(|a, b| there(a).cmp(there(b)));
            sorted
        });
        let first = sorted.partition_point(|line| there(line) < text);
        let end = sorted.partition_point(|line| there(line) <= text);
        Cow::Borrowed(sorted.get(first..end).unwrap_or_default())
    }

    /// Returns how many lines are as long as this one.
    pub(super) fn as_long(&self, text: &str) -> usize {
        self.group(text).map_or(0, |group| group.len)
    }

    fn group(&self, text: &str) -> Option<&Group> {
        self.groups.get(text.len().min(LONGEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_found_is_what_reads_so(
            lines in prop::collection::vec("[ab]{0,3}|(ab){126,130}[ab]?", 0..40),
            sought in prop::collection::vec("[ab]{0,3}|(ab){126,130}[ab]?", 0..40),
            ending in "\n|\r\n",
            mark in "\u{FEFF}?",
        ) {
            let doc = MemoryDoc::parse(mark + &lines.join(&ending));
            let same = SameLines::new(&doc);
            for text in lines.iter().chain(&sought) {
                let all: Vec<_> = (0..doc.lines().len()).filter(|line| line_text(&doc, *line) == text).collect();
                prop_assert!(all.len() <= same.as_long(text));
                prop_assert_eq!(&*same.of(text), all);
            }
        }
    }
}
