//! The lines of a document as hunks look for them: as they stand, or in normal form; as whole lines, or as what bullets say.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::item_text::ItemText;
use crate::document::{BulletRef, MemoryDoc};
use crate::locate::{COUNTED, LineKind, normal_content, normal_line, positions};
use crate::text::{Span, is_blank};

/// How many hunks are looked for one by one in the text; for more, its lines are put into a table first.
const FEW: usize = 4;

/// How lines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Byte for byte.
    Exact,
    /// In normal form.
    Normal,
}

/// A line that is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SoughtLine<'h> {
    pub(super) text: &'h str,
    /// Whether it may be the content of a bullet in place of a whole line.
    pub(super) may_be_content: bool,
}

/// Where lines stand in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The index of the first line.
    pub(super) first: usize,
    /// The lines whose contents they are, ascending.
    pub(super) contents: Vec<usize>,
}

/// The lines of a document.
#[derive(Debug)]
pub(super) struct DocLines<'a> {
    pub(super) doc: &'a MemoryDoc,
    has_few_readers: bool,
    exact: OnceCell<Tables<'a>>,
    normal: OnceCell<Tables<'a>>,
    /// The lines by what they say without marker, checkbox and tags, in normal form.
    said: OnceCell<HashMap<String, Vec<usize>>>,
}

impl<'a> DocLines<'a> {
    /// Reads a document for so many hunks.
    pub(super) const fn new(doc: &'a MemoryDoc, hunks: usize) -> Self {
        Self {
            doc,
            has_few_readers: hunks <= FEW,
            exact: OnceCell::new(),
            normal: OnceCell::new(),
            said: OnceCell::new(),
        }
    }

    /// Returns how many lines there are; a byte order mark alone is none.
    pub(super) fn len(&self) -> usize {
        if self.doc.without_mark(self.doc.span()).is_empty() { 0 } else { self.doc.lines().len() }
    }

    /// Returns a line without its ending and without a byte order mark; nothing behind the last one.
    pub(super) fn text(&self, line: usize) -> &'a str {
        self.text_span(line).of(self.doc.text())
    }

    /// Returns the bytes of a line without its ending and without a byte order mark.
    pub(super) fn text_span(&self, line: usize) -> Span {
        self.doc.without_mark(self.doc.lines().line(self.doc.text(), line).text)
    }

    /// Returns the texts of some lines.
    pub(super) fn texts(&self, lines: Range<usize>) -> impl Iterator<Item = &'a str> + '_ {
        lines.map(|line| self.text(line))
    }

    /// Returns where a line starts; behind the last one, the end of the text.
    pub(super) fn start(&self, line: usize) -> usize {
        self.doc.line_start(line)
    }

    /// Returns the bytes of some lines, endings included.
    pub(super) fn span(&self, lines: &Range<usize>) -> Span {
        Span::new(self.start(lines.start), self.start(lines.end.max(lines.start)))
    }

    /// Returns the bullet that begins on a line.
    pub(super) fn bullet(&self, line: usize) -> Option<BulletRef<'a>> {
        let start = self.start(line);
        self.doc.bullet_at(start).filter(|bullet| bullet.line.start() == start && line < self.len())
    }

    /// Returns the bullet that a line belongs to: that it begins, or goes on with.
    pub(super) fn bullet_around(&self, line: usize) -> Option<BulletRef<'a>> {
        if line < self.len() { self.doc.bullet_at(self.start(line)) } else { None }
    }

    pub(super) fn is_fenced(&self, line: usize) -> bool {
        line < self.len() && self.doc.outline().is_fenced(self.start(line))
    }

    /// Reports whether a line is blank, outside of fences.
    pub(super) fn is_blank(&self, line: usize) -> bool {
        is_blank(self.text(line)) && !self.is_fenced(line)
    }

    /// Returns `end` without the blank lines before it, down to `low`.
    pub(super) fn before_blanks(&self, low: usize, end: usize) -> usize {
        (low..end).rev().find(|line| !self.is_blank(*line)).map_or(low, |last| last + 1)
    }

    /// Returns where `sought` stands in `range`, in a row; the first [`COUNTED`] places, if there are more.
    pub(super) fn find(&self, sought: &[SoughtLine<'_>], range: &Range<usize>, comparison: Comparison) -> Vec<Run> {
        let is_whole = sought.iter().all(|line| !line.may_be_content);
        let is_short = sought.len() <= SHORT;
        if is_whole && is_short && comparison == Comparison::Exact && self.has_few_readers && self.exact.get().is_none()
        {
            return self.scan(sought, range);
        }
        match (is_whole, is_short) {
            (true, false) => self.tables(comparison).find_whole(sought, range),
            (_, true) => self.tables(comparison).find(self, sought, range),
            // So many contents are not looked for one by one.
            (false, false) => Vec::new(),
        }
    }

    /// Returns the lines that say this, in normal form, without marker, checkbox and tags.
    pub(super) fn saying(&self, said: &str) -> &[usize] {
        let lines = self.said.get_or_init(|| {
            let mut lines: HashMap<String, Vec<usize>> = HashMap::new();
            for line in (0..self.len()).filter(|line| !is_blank(self.text(*line))) {
                lines.entry(normal_content(ItemText::of_line(self.text(line)).content)).or_default().push(line);
            }
            lines
        });
        lines.get(said).map_or(&[], Vec::as_slice)
    }

    /// Returns the lines by what they read.
    fn tables(&self, comparison: Comparison) -> &Tables<'a> {
        let tables = if comparison == Comparison::Exact { &self.exact } else { &self.normal };
        tables.get_or_init(|| Tables::new(self, comparison))
    }

    /// Looks in the text for the longest line, and compares the others around it.
    fn scan(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<Run> {
        let (table, text) = (self.doc.lines(), self.doc.text());
        let Some((offset, longest)) = sought.iter().enumerate().max_by_key(|(_, line)| line.text.len()) else {
            return Vec::new();
        };
        let last = (range.end + 1).saturating_sub(sought.len());
        let stands = |first: &usize| {
            range.contains(first)
                && *first < last
                && sought.iter().zip(*first..).all(|(line, at)| line.text == self.text(at))
        };
        let runs = |starts: &mut dyn Iterator<Item = usize>| {
            starts.filter(stands).take(COUNTED).map(|first| Run { first, contents: Vec::new() }).collect()
        };
        if longest.text.is_empty() {
            return runs(&mut range.clone());
        }
        let part = self.span(range);
        let mut before = None;
        let places = memmem::find_iter(part.of(text).as_bytes(), longest.text);
        let lines =
            places.map(|at| table.index_at(part.start() + at)).filter(|line| before.replace(*line) != Some(*line));
        runs(&mut lines.filter_map(|line| line.checked_sub(offset)))
    }
}

/// How many lines are compared one by one: many of them may repeat one another.
const SHORT: usize = 200;

/// The lines of a document by what they read.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    comparison: Comparison,
    whole: Table<'a>,
    /// What bullets say on their first line, with checkbox and tags, and without.
    contents: Table<'a>,
    /// For each line the text in `whole`.
    whole_of: Vec<u32>,
    /// For each line that a bullet begins on the texts in `contents`.
    contents_of: HashMap<usize, [u32; 2]>,
}

/// Texts, each with the lines that read so, ascending.
#[derive(Debug, Default)]
struct Table<'a> {
    ids: HashMap<Cow<'a, [u8]>, u32>,
    lines: Vec<Vec<usize>>,
}

impl<'a> Table<'a> {
    fn add(&mut self, text: Cow<'a, [u8]>, line: usize) -> u32 {
        let next = u32::try_from(self.lines.len()).unwrap_or(u32::MAX);
        let id = *self.ids.entry(text).or_insert(next);
        if id == next {
            self.lines.push(Vec::new());
        }
        if let Some(lines) = self.lines.get_mut(id as usize).filter(|lines| lines.last() != Some(&line)) {
            lines.push(line);
        }
        id
    }

    fn lines(&self, id: Option<u32>) -> &[usize] {
        id.and_then(|id| self.lines.get(id as usize)).map_or(&[], Vec::as_slice)
    }
}

/// What a line that is looked for may be in the tables.
struct Key<'h> {
    whole: Option<u32>,
    rest: Option<u32>,
    content: Option<u32>,
    item: ItemText<'h>,
}

impl<'a> Tables<'a> {
    fn new(lines: &DocLines<'a>, comparison: Comparison) -> Self {
        let (mut whole, mut contents) = (Table::default(), Table::default());
        let mut contents_of = HashMap::new();
        let mut bullets = lines.doc.bullets().peekable();
        let mut whole_of = Vec::with_capacity(lines.len());
        for line in 0..lines.len() {
            let (text, start) = (lines.text(line), lines.start(line));
            let bullet = bullets.next_if(|bullet| bullet.line.start() <= start);
            whole_of.push(whole.add(whole_key(text, LineKind::of(bullet.is_some()), comparison), line));
            if let Some(bullet) = bullet {
                let behind = Span::new(bullet.marker.end(), start + text.len()).of(lines.doc.text());
                let item = ItemText::of(behind);
                let rest = contents.add(content_key(behind, comparison), line);
                let content = contents.add(content_key(item.content, comparison), line);
                contents_of.insert(line, [rest, content]);
            }
        }
        Self { comparison, whole, contents, whole_of, contents_of }
    }

    fn key<'h>(&self, sought: &SoughtLine<'h>) -> Key<'h> {
        let whole = self.whole.ids.get(&*whole_key(sought.text, LineKind::Sought, self.comparison)).copied();
        let item = ItemText::of(sought.text);
        let content = |text: &str| self.contents.ids.get(&*content_key(text, self.comparison)).copied();
        let is_sought = sought.may_be_content && !is_blank(sought.text);
        let rest = content(sought.text).filter(|_| is_sought);
        let content = content(item.content).filter(|_| is_sought && !item.content.is_empty());
        Key { whole, rest, content, item }
    }

    fn find(&self, lines: &DocLines<'a>, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<Run> {
        let keys: Vec<_> = sought.iter().map(|line| self.key(line)).collect();
        let candidates = |key: &Key<'_>| {
            [self.whole.lines(key.whole), self.contents.lines(key.rest), self.contents.lines(key.content)]
        };
        let count = |key: &Key<'_>| candidates(key).iter().map(|lines| lines.len()).sum::<usize>();
        let Some((offset, rarest)) = keys.iter().enumerate().min_by_key(|(_, key)| count(key)) else {
            return Vec::new();
        };
        let mut starts: Vec<usize> =
            candidates(rarest).into_iter().flatten().filter_map(|line| line.checked_sub(offset)).collect();
        starts.sort_unstable();
        starts.dedup();
        let last = (range.end + 1).saturating_sub(sought.len());
        let runs = starts.into_iter().filter(|first| range.contains(first) && *first < last);
        runs.filter_map(|first| self.run(lines, &keys, first)).take(COUNTED).collect()
    }

    /// Returns where whole lines stand in a row, in time linear in them and in the document.
    fn find_whole(&self, sought: &[SoughtLine<'_>], range: &Range<usize>) -> Vec<Run> {
        let ids: Option<Vec<u32>> = sought.iter().map(|line| self.key(line).whole).collect();
        let Some(ids) = ids else { return Vec::new() };
        let bytes = |ids: &[u32]| ids.iter().flat_map(|id| id.to_be_bytes()).collect::<Vec<u8>>();
        let there = bytes(self.whole_of.get(range.clone()).unwrap_or_default());
        let starts =
            positions(&there, &bytes(&ids)).into_iter().filter(|at| at % 4 == 0).map(|at| range.start + at / 4);
        starts.take(COUNTED).map(|first| Run { first, contents: Vec::new() }).collect()
    }

    /// Returns the run that begins on line `first`, if the lines stand there.
    fn run(&self, lines: &DocLines<'a>, keys: &[Key<'_>], first: usize) -> Option<Run> {
        let mut contents = Vec::new();
        for (key, line) in keys.iter().zip(first..) {
            if key.whole.is_some() && self.whole_of.get(line).copied() == key.whole {
                continue;
            }
            if !self.is_content(lines, key, line) {
                return None;
            }
            contents.push(line);
        }
        Some(Run { first, contents })
    }

    fn is_content(&self, lines: &DocLines<'a>, key: &Key<'_>, line: usize) -> bool {
        let Some([rest, content]) = self.contents_of.get(&line) else { return false };
        if key.rest == Some(*rest) {
            return true;
        }
        key.content == Some(*content)
            && lines.bullet(line).is_some_and(|bullet| {
                let own = ItemText::of(
                    Span::new(bullet.marker.end(), lines.start(line) + lines.text(line).len()).of(lines.doc.text()),
                );
                (key.item.checkbox.is_empty() || key.item.checkbox == own.checkbox)
                    && (key.item.tags.is_empty() || key.item.tags == own.tags)
            })
    }
}

fn whole_key(text: &str, kind: LineKind, comparison: Comparison) -> Cow<'_, [u8]> {
    match comparison {
        Comparison::Exact => Cow::Borrowed(text.as_bytes()),
        Comparison::Normal => Cow::Owned(normal_line(text, kind)),
    }
}

fn content_key(text: &str, comparison: Comparison) -> Cow<'_, [u8]> {
    match comparison {
        Comparison::Exact => Cow::Borrowed(text.trim().as_bytes()),
        Comparison::Normal => Cow::Owned(normal_content(text).into_bytes()),
    }
}
