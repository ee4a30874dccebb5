//! [`DocLines`]: a document by its lines, and where lines that are sought stand in it.

use std::cell::OnceCell;
use std::ops::Range;

use super::line_index::LineIndex;
use super::matches::COUNTED;
use super::occurrences::positions;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, is_blank};

/// How many hunks are looked for in the text; for more, a table of its lines is made first.
const FEW: usize = 4;

/// A line that is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SoughtLine<'s> {
    pub(crate) text: &'s str,
    /// Whether it may be the content of a bullet in place of a whole line.
    pub(crate) may_be_content: bool,
}

/// Where lines stand in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineRun {
    /// The index of the first line.
    pub(crate) first: usize,
    /// The lines whose contents they are, ascending.
    pub(crate) contents: Vec<usize>,
    /// Whether they read exactly so; else in normal form.
    pub(crate) is_exact: bool,
}

/// The lines of a document. A byte order mark is part of none.
#[derive(Debug)]
pub(crate) struct DocLines<'a> {
    pub(crate) doc: &'a MemoryDoc,
    has_few_readers: bool,
    table: OnceCell<LineIndex>,
}

impl<'a> DocLines<'a> {
    /// Reads a document in which so many runs of lines are looked for.
    pub(crate) const fn new(doc: &'a MemoryDoc, runs: usize) -> Self {
        Self { doc, has_few_readers: runs <= FEW, table: OnceCell::new() }
    }

    /// Returns how many lines there are; a byte order mark alone is none.
    pub(crate) fn len(&self) -> usize {
        if self.doc.without_mark(self.doc.span()).is_empty() { 0 } else { self.doc.lines().len() }
    }

    /// Returns a line without its ending; nothing behind the last one.
    pub(crate) fn text(&self, line: usize) -> &'a str {
        self.text_span(line).of(self.doc.text())
    }

    /// Returns the bytes of a line without its ending.
    pub(crate) fn text_span(&self, line: usize) -> Span {
        self.doc.without_mark(self.doc.lines().line(self.doc.text(), line).text)
    }

    /// Returns the texts of some lines.
    pub(crate) fn texts(&self, lines: Range<usize>) -> impl Iterator<Item = &'a str> + '_ {
        lines.map(|line| self.text(line))
    }

    /// Returns where a line starts; behind the last one, the end of the text.
    pub(crate) fn start(&self, line: usize) -> usize {
        self.doc.line_start(line)
    }

    /// Returns the bytes of some lines, endings included.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        Span::new(self.start(lines.start), self.start(lines.end.max(lines.start)))
    }

    /// Returns the bullet that begins on a line.
    pub(crate) fn bullet(&self, line: usize) -> Option<BulletRef<'a>> {
        self.bullet_around(line).filter(|bullet| bullet.line.start() == self.start(line))
    }

    /// Returns the bullet that a line belongs to: that it begins, or goes on with.
    pub(crate) fn bullet_around(&self, line: usize) -> Option<BulletRef<'a>> {
        if line < self.len() { self.doc.bullet_at(self.start(line)) } else { None }
    }

    pub(crate) fn is_fenced(&self, line: usize) -> bool {
        line < self.len() && self.doc.outline().is_fenced(self.start(line))
    }

    /// Reports whether a line is blank, outside of fences.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        is_blank(self.text(line)) && !self.is_fenced(line)
    }

    /// Returns `end` without the blank lines before it, down to `low`.
    pub(crate) fn before_blanks(&self, low: usize, end: usize) -> usize {
        (low..end).rev().find(|line| !self.is_blank(*line)).map_or(low, |last| last + 1)
    }

    /// Reports whether a view shows this label before a line: its number, or the key of its bullet.
    pub(crate) fn has_label(&self, line: usize, label: &str) -> bool {
        match self.bullet(line) {
            Some(bullet) if bullet.key().to_string() == label => true,
            bullet => label == (line + 1).to_string() || (label.is_empty() && bullet.is_none()),
        }
    }

    /// Returns where `sought` stands in `range`, in a row, exactly or in normal form; the first [`COUNTED`] places, if there
    /// are more.
    pub(crate) fn find(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<LineRun> {
        let is_whole = sought.iter().all(|line| !line.may_be_content);
        let exact = match is_whole && self.has_few_readers && self.table.get().is_none() {
            true => self.find_in_text(sought, range),
            false => Vec::new(),
        };
        if exact.is_empty() { self.table().find(self, sought, range) } else { exact }
    }

    /// Returns the lines that say this behind marker, checkbox and tags, in normal form.
    pub(crate) fn saying(&self, content: &str) -> &[usize] {
        self.table().saying(content)
    }

    fn table(&self) -> &LineIndex {
        self.table.get_or_init(|| LineIndex::new(self))
    }

    /// Returns where whole lines stand in a text without CR.
    fn find_in_text(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<LineRun> {
        let text = self.doc.text();
        if text.contains('\r') {
            return Vec::new();
        }
        let needle = sought.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        let part = self.doc.without_mark(self.span(range));
        let places = positions(part.of(text).as_bytes(), needle.as_bytes()).into_iter().map(|at| part.start() + at);
        let byte = |at: usize| text.as_bytes().get(at).copied();
        let is_whole = |at: &usize| {
            let begins = *at == part.start() || at.checked_sub(1).and_then(byte) == Some(b'\n');
            begins && byte(at + needle.len()).is_none_or(|next| next == b'\n')
        };
        let lines = places.filter(is_whole).map(|at| self.doc.lines().index_at(at));
        let runs = lines.filter(|first| first + sought.len() <= range.end);
        runs.take(COUNTED).map(|first| LineRun { first, contents: Vec::new(), is_exact: true }).collect()
    }
}
