//! Lines that are the same, byte for byte: where one stands. The first that are asked for are searched for in the text; then lines
//! are grouped by their lengths, and only those of its length are looked at.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::cmp::Reverse;

use memchr::memmem;

use crate::document::MemoryDoc;

/// The length from which lines are not told apart by their lengths.
const LONGEST: usize = 256;
/// How many lines are searched for in the text, before its lines are grouped.
const SEARCHED: usize = 4;
/// How often the lines of a length are looked through one by one, before they are sorted.
const LOOKED_THROUGH: usize = 4;

/// Returns the text of a line. A byte order mark is no part of the first.
pub(super) fn line_text(doc: &MemoryDoc, index: usize) -> &str {
    doc.without_mark(doc.lines().line(doc.text(), index).text).of(doc.text())
}

/// The lines of a document, by what they read.
#[derive(Debug)]
pub(super) struct SameLines<'a> {
    doc: &'a MemoryDoc,
    searched: Cell<usize>,
    by_length: OnceCell<ByLength>,
}

/// The lines of a document by their lengths.
#[derive(Debug)]
struct ByLength {
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
    pub(super) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, searched: Cell::new(0), by_length: OnceCell::new() }
    }

    /// Returns the indexes of the lines that read so, in their order.
    pub(super) fn of(&self, text: &str) -> Cow<'_, [usize]> {
        let searched = self.searched.get();
        match self.by_length.get() {
            None if searched < SEARCHED && !text.is_empty() => {
                self.searched.set(searched + 1);
                Cow::Owned(search(self.doc, text))
            }
            _ => self.by_length().places(self.doc, text),
        }
    }

    /// Returns what is the smaller, the rarer a line is likely to be: how many are as long, if that is known, or else that it is long.
    pub(super) fn commonness(&self, text: &str) -> (usize, Reverse<usize>) {
        (self.by_length.get().map_or(0, |lines| lines.as_long(text)), Reverse(text.len()))
    }

    fn by_length(&self) -> &ByLength {
        self.by_length.get_or_init(|| ByLength::of(self.doc))
    }
}

/// Returns the indexes of the lines that read so, which is not empty, by a search of the text: it goes on behind each line in which
/// it finds it.
fn search(doc: &MemoryDoc, text: &str) -> Vec<usize> {
    let (table, finder) = (doc.lines(), memmem::Finder::new(text));
    let (mut lines, mut next) = (Vec::new(), 0);
    while let Some(at) = doc.text().as_bytes().get(next..).and_then(|rest| finder.find(rest)) {
        let line = table.index_at(next + at);
        lines.extend((line_text(doc, line) == text).then_some(line));
        next = table.start(line + 1);
    }
    lines
}

impl ByLength {
    fn of(doc: &MemoryDoc) -> Self {
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
        Self { lines, groups }
    }

    fn places(&self, doc: &MemoryDoc, text: &str) -> Cow<'_, [usize]> {
        let Some(group) = self.group(text) else { return Cow::default() };
        let lines = self.lines.get(group.start..group.start + group.len).unwrap_or_default();
        let there = |line: &usize| line_text(doc, *line);
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
    fn as_long(&self, text: &str) -> usize {
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
                prop_assert!(all.len() <= same.by_length().as_long(text));
                prop_assert_eq!(&*same.by_length().places(&doc, text), &*all);
                prop_assert!(text.is_empty() || search(&doc, text) == all);
                prop_assert_eq!(&*same.of(text), all);
            }
        }
    }
}
