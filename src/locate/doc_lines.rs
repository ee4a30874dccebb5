//! [`DocLines`]: a document by its lines, and where lines that are sought stand in it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr;

use super::marker::ItemText;
use super::matches::COUNTED;
use super::normal::{may_hold, normal_content, normal_line};
use super::occurrences::positions;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::{Span, is_blank};

/// How many hunks are looked for in the text; for more, a table of its lines is made first, which
/// takes as long as some hundred searches.
const FEW: usize = 64;
/// Of how many sought lines words are looked for before the table is made.
const FIRST: usize = 16;

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
        self.doc.line_span(line)
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
        if line < self.len() { self.doc.starting_at(self.start(line)) } else { None }
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

    /// Returns where `sought` stands in `range`, in a row, exactly or in normal form; the first
    /// [`COUNTED`] places, if there are more.
    pub(crate) fn find(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<LineRun> {
        let is_whole = sought.iter().all(|line| !line.may_be_content);
        let exact = match is_whole && self.has_few_readers && self.table.get().is_none() {
            true => self.find_in_text(sought, range),
            false => Vec::new(),
        };
        if !exact.is_empty() {
            return exact;
        }
        let may_hold = |line: &SoughtLine<'_>| self.table.get().is_some() || may_hold(self.doc.text(), line.text);
        if sought.iter().take(FIRST).all(may_hold) { self.table().find(self, sought, range) } else { Vec::new() }
    }

    /// Returns the lines that say this behind marker, checkbox and tags, in normal form.
    pub(crate) fn saying(&self, content: &str) -> &[usize] {
        let table = self.table();
        table.places(table.number(normal_content(content).as_bytes()))
    }

    fn table(&self) -> &LineIndex {
        self.table.get_or_init(|| LineIndex::new(self))
    }

    /// Returns where whole lines stand in a text without CR.
    fn find_in_text(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<LineRun> {
        let text = self.doc.text();
        if memchr(b'\r', text.as_bytes()).is_some() {
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

/// The lines of a document by what they read. Each text has a number.
#[derive(Debug, Default)]
struct LineIndex {
    /// The numbers of texts: of whole lines, which end in LF, and of what stands behind markers.
    numbers: HashMap<Vec<u8>, u32>,
    /// For each text the lines that read so, ascending.
    places: Vec<Vec<usize>>,
    rows: Vec<Row>,
}

/// The numbers of what a line reads.
#[derive(Debug)]
struct Row {
    whole: u32,
    /// What stands behind marker, checkbox and tags; `None` for a blank line.
    content: Option<u32>,
    is_bullet: bool,
}

/// The numbers of what a sought line may be.
struct Sought<'s> {
    whole: Option<u32>,
    content: Option<u32>,
    item: ItemText<'s>,
}

impl LineIndex {
    fn new(lines: &DocLines<'_>) -> Self {
        let mut table = Self::default();
        let mut bullets = lines.doc.bullets().peekable();
        for line in 0..lines.len() {
            let (text, start) = (lines.text(line), lines.start(line));
            let is_bullet = bullets.next_if(|bullet| bullet.line.start() <= start).is_some();
            let whole = table.add(normal_line(text), line);
            let content = || table.add(normal_content(ItemText::of_line(text).content).into_bytes(), line);
            let content = (!is_blank(text)).then(content);
            table.rows.push(Row { whole, content, is_bullet });
        }
        table
    }

    fn add(&mut self, text: Vec<u8>, line: usize) -> u32 {
        let next = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.places.push(Vec::new());
        }
        if let Some(lines) = self.places.get_mut(number as usize).filter(|lines| lines.last() != Some(&line)) {
            lines.push(line);
        }
        number
    }

    fn number(&self, text: &[u8]) -> Option<u32> {
        self.numbers.get(text).copied()
    }

    fn places(&self, number: Option<u32>) -> &[usize] {
        number.and_then(|number| self.places.get(number as usize)).map_or(&[], Vec::as_slice)
    }

    fn sought<'s>(&self, line: &SoughtLine<'s>) -> Sought<'s> {
        let whole = self.number(&normal_line(line.text));
        let item = ItemText::of(line.text);
        let may_be = line.may_be_content && !item.content.is_empty();
        let content = self.number(normal_content(item.content).as_bytes()).filter(|_| may_be);
        Sought { whole, content, item }
    }

    fn find(&self, lines: &DocLines<'_>, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<LineRun> {
        let keys: Vec<_> = sought.iter().map(|line| self.sought(line)).collect();
        let starts = self.starts(&keys);
        if starts.len() > COUNTED {
            // Only some could be looked at: that one of them reads so would not make it the only place.
            return Vec::new();
        }
        let last = (range.end + 1).saturating_sub(sought.len());
        let starts = starts.into_iter().filter(|first| range.contains(first) && *first < last);
        let runs = starts.filter_map(|first| Some((first, self.contents(lines, &keys, first)?)));
        runs.take(COUNTED)
            .map(|(first, contents)| {
                let is_exact = sought.iter().zip(first..).all(|(line, at)| reads_exactly(lines, line, at));
                LineRun { first, contents, is_exact }
            })
            .collect()
    }

    /// Returns where the rarest of some lines may stand, less its offset.
    fn starts(&self, keys: &[Sought<'_>]) -> Vec<usize> {
        let places = |key: &Sought<'_>| [key.whole, key.content].map(|number| self.places(number));
        let count = |key: &Sought<'_>| places(key).iter().map(|lines| lines.len()).sum::<usize>();
        let Some((offset, rarest)) = keys.iter().enumerate().min_by_key(|(_, key)| count(key)) else {
            return Vec::new();
        };
        let mut starts: Vec<usize> =
            places(rarest).into_iter().flatten().filter_map(|line| line.checked_sub(offset)).collect();
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Returns the lines from `first` on whose contents are sought, if all lines read as they are
    /// sought.
    fn contents(&self, lines: &DocLines<'_>, keys: &[Sought<'_>], first: usize) -> Option<Vec<usize>> {
        let mut contents = Vec::new();
        for (key, line) in keys.iter().zip(first..) {
            let row = self.rows.get(line)?;
            if key.whole == Some(row.whole) {
                continue;
            }
            let own = ItemText::of_line(lines.text(line));
            let has_own = |brought: &str, own: &str| brought.is_empty() || brought == own;
            let has_marks = has_own(key.item.checkbox, own.checkbox) && has_own(key.item.tags, own.tags);
            if !row.is_bullet || key.content.is_none() || key.content != row.content || !has_marks {
                return None;
            }
            contents.push(line);
        }
        Some(contents)
    }
}

/// Reports whether a line reads exactly as it is sought, or is a bullet that says exactly this.
fn reads_exactly(lines: &DocLines<'_>, sought: &SoughtLine<'_>, line: usize) -> bool {
    let text = lines.text(line);
    let says = || ItemText::of(sought.text).content == ItemText::of_line(text).content;
    sought.text == text || (sought.may_be_content && lines.bullet(line).is_some() && says())
}
