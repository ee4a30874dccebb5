//! [`DocLines`]: the lines of a document, and the search for a run of lines among them.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};
use std::hash::{DefaultHasher, Hasher as _};
use std::ops::Range;

use memchr::memmem::Finder;

use super::matches::COUNTED;
use super::normal::{NormalText, normal_line};
use super::words::may_hold;
use crate::document::{BulletRef, ItemText, MemoryDoc};
use crate::text::{LineTable, Span, is_blank};

/// The most lines that one search compares.
const COMPARED: usize = 20_000;
/// How many searches for whole lines scan the text. After that, the lines of the document are indexed by hash.
const SEARCHED: usize = 16;

/// A line that is sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SoughtLine<'s> {
    pub(crate) text: &'s str,
    /// Whether it may also match the content of a bullet, instead of a whole line.
    pub(crate) may_be_content: bool,
}

/// Consecutive lines of the document that match the sought lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineRun {
    /// The index of the first line.
    pub(crate) first: usize,
    /// The lines of which only the content of the bullet matches, ascending.
    pub(crate) contents: Vec<usize>,
}

/// How lines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineForm {
    /// As they are written.
    Exact,
    /// In normal form.
    Normal,
}

/// The lines of a document. A BOM is part of no line.
pub(crate) struct DocLines<'a> {
    pub(crate) doc: &'a MemoryDoc,
    /// The document in normal form, and where its lines start.
    normal: OnceCell<(Vec<u8>, LineTable)>,
    /// How many searches for whole lines were made so far.
    searches: Cell<usize>,
    /// The hash of the text of each line, and the line, ascending.
    by_hash: OnceCell<Vec<(u64, usize)>>,
}

impl<'a> DocLines<'a> {
    pub(crate) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, normal: OnceCell::new(), searches: Cell::new(0), by_hash: OnceCell::new() }
    }

    /// Returns the number of lines; a BOM alone is no line.
    pub(crate) fn len(&self) -> usize {
        if self.doc.without_bom(self.doc.span()).is_empty() { 0 } else { self.doc.lines().len() }
    }

    /// Iterates over the texts of these lines.
    pub(crate) fn texts(&self, lines: Range<usize>) -> impl Iterator<Item = &'a str> + '_ {
        lines.map(|line| self.doc.line_text(line))
    }

    /// Returns the span of these lines, endings included.
    pub(crate) fn span(&self, lines: &Range<usize>) -> Span {
        Span::new(self.doc.line_start(lines.start), self.doc.line_start(lines.end.max(lines.start)))
    }

    /// Returns the bullet that begins on a line.
    pub(crate) fn bullet(&self, line: usize) -> Option<BulletRef<'a>> {
        self.doc.starting_at(self.doc.line_start(line))
    }

    /// Returns the innermost bullet that a line belongs to.
    pub(crate) fn bullet_around(&self, line: usize) -> Option<BulletRef<'a>> {
        self.doc.bullet_at(self.doc.line_start(line))
    }

    pub(crate) fn is_fenced(&self, line: usize) -> bool {
        self.doc.outline().is_fenced(self.doc.line_start(line))
    }

    /// Reports whether a line is blank and not in a fence.
    pub(crate) fn is_blank(&self, line: usize) -> bool {
        is_blank(self.doc.line_text(line)) && !self.is_fenced(line)
    }

    /// Moves `end` up over the blank lines before it, but not above `low`.
    pub(crate) fn before_blanks(&self, low: usize, end: usize) -> usize {
        (low..end).rev().find(|line| !self.is_blank(*line)).map_or(low, |last| last + 1)
    }

    /// Returns where the lines `sought` are in `range`: the first [`COUNTED`] places.
    ///
    /// It looks for the longest sought line first, and compares the others only around the places where it is found. It
    /// compares a limited number of lines. If the limit is reached with one place found, it returns none, because there
    /// may be others.
    pub(crate) fn find(&self, sought: &[SoughtLine<'_>], range: &Range<usize>, form: LineForm) -> Vec<LineRun> {
        let keys: Vec<_> = sought.iter().map(|line| LineKey::new(*line, form)).collect();
        let longest = keys.iter().zip(sought).enumerate().max_by_key(|(_, (key, _))| key.needle().len());
        let Some((offset, (longest, line))) = longest else { return Vec::new() };
        let texts = || sought.iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
        if form == LineForm::Normal && !may_hold(self.span(range).of(self.doc.text()), &texts()) {
            return Vec::new();
        }
        let mut lines = range.start + offset..(range.end + offset + 1).saturating_sub(sought.len());
        let is_whole = form == LineForm::Exact && longest.item.is_none();
        self.searches.set(self.searches.get() + usize::from(is_whole));
        let hash = (is_whole && self.searches.get() > SEARCHED).then(|| hash_of(line.text));
        let finder = Finder::new(longest.needle());
        let (mut runs, mut left) = (Vec::new(), COMPARED + 2 * sought.len());
        while runs.len() < COUNTED && !lines.is_empty() {
            let by_text = || self.first_with_text(&finder, &lines, form);
            let Some(line) = hash.map_or_else(by_text, |hash| self.first_with_hash(hash, &lines)) else { break };
            let first = line - offset;
            runs.extend(self.contents(&keys, first, form, &mut left).map(|contents| LineRun { first, contents }));
            if left == 0 {
                return if runs.len() > 1 { runs } else { Vec::new() };
            }
            lines.start = line + 1;
        }
        runs
    }

    /// Returns the first of these lines whose text has this hash.
    fn first_with_hash(&self, hash: u64, lines: &Range<usize>) -> Option<usize> {
        let by_hash = self.by_hash.get_or_init(|| {
            let mut by_hash: Vec<_> = (0..self.len()).map(|line| (hash_of(self.doc.line_text(line)), line)).collect();
            by_hash.sort_unstable();
            by_hash
        });
        let next = by_hash.partition_point(|line| *line < (hash, lines.start));
        by_hash.get(next).filter(|(own, line)| *own == hash && lines.contains(line)).map(|(_, line)| *line)
    }

    /// Returns the first of these lines that contains the text of `finder`.
    fn first_with_text(&self, finder: &Finder<'_>, lines: &Range<usize>, form: LineForm) -> Option<usize> {
        let (bytes, table) = match form {
            LineForm::Exact => (self.doc.text().as_bytes(), self.doc.lines()),
            LineForm::Normal => self.normal(),
        };
        let part = table.span(lines);
        Some(table.index_at(part.start() + finder.find(bytes.get(part.range())?)?))
    }

    /// Compares the lines from `first` on with the sought lines. Returns the lines of which only the content of the
    /// bullet matches; `None` if a line does not match. `left` is the number of lines that may still be compared.
    fn contents(&self, keys: &[LineKey<'_>], first: usize, form: LineForm, left: &mut usize) -> Option<Vec<usize>> {
        let mut contents = Vec::new();
        for (key, line) in keys.iter().zip(first..) {
            *left = left.checked_sub(1)?;
            if *key.whole != *self.bytes(line, form) {
                key.item.as_ref().filter(|item| self.is_content(item, line, form))?;
                contents.push(line);
            }
        }
        Some(contents)
    }

    /// Returns a line in this form.
    fn bytes(&self, line: usize, form: LineForm) -> &[u8] {
        if form == LineForm::Exact {
            return self.doc.line_text(line).as_bytes();
        }
        let (bytes, table) = self.normal();
        let line = bytes.get(table.span(&(line..line + 1)).range()).unwrap_or_default();
        line.strip_suffix(b"\n").unwrap_or(line)
    }

    /// Reports whether a bullet with this content begins on a line. Its checkbox and tags are compared only if the
    /// sought text has some.
    fn is_content(&self, (item, content): &(ItemText<'_>, Cow<'_, [u8]>), line: usize, form: LineForm) -> bool {
        let own = ItemText::of_line(self.doc.line_text(line));
        let has_own = |brought: &str, own: &str| brought.is_empty() || brought == own;
        self.bullet(line).is_some()
            && has_own(item.checkbox, own.checkbox)
            && has_own(item.tags, own.tags)
            && *content == form.of(own.content)
    }

    fn normal(&self) -> (&[u8], &LineTable) {
        let (bytes, table) = self.normal.get_or_init(|| {
            let bytes = NormalText::of_document(self.doc, self.doc.span()).bytes;
            let table = LineTable::new(&bytes);
            (bytes, table)
        });
        (bytes, table)
    }
}

impl LineForm {
    /// Returns a text without line ends in this form.
    fn of(self, text: &str) -> Cow<'_, [u8]> {
        match self {
            Self::Exact => Cow::Borrowed(text.as_bytes()),
            Self::Normal => Cow::Owned(normal_line(text)),
        }
    }
}

fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// A sought line in the form in which lines are compared.
struct LineKey<'s> {
    whole: Cow<'s, [u8]>,
    /// If it may match the content of a bullet: its parts, and the content in that form.
    item: Option<(ItemText<'s>, Cow<'s, [u8]>)>,
}

impl<'s> LineKey<'s> {
    fn new(line: SoughtLine<'s>, form: LineForm) -> Self {
        let item = Some(ItemText::trimmed(line.text)).filter(|item| line.may_be_content && !item.content.is_empty());
        Self { whole: form.of(line.text), item: item.map(|item| (item, form.of(item.content))) }
    }

    /// Returns bytes that every matching line contains.
    fn needle(&self) -> &[u8] {
        self.item.as_ref().map_or(&self.whole, |(_, content)| content)
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Lines that are looked up by their hashes are found where they are found by a search of the text.
        #[test]
        fn lines_are_found_as_by_a_search(
            texts in vec("(- )?[ab]{0,2}", 0..24),
            sought in vec((vec("(- )?[ab]{0,2}", 1..4), 0_usize..24, 0_usize..26), 24),
        ) {
            let doc = MemoryDoc::parse(texts.join("\n"));
            let used = DocLines::new(&doc);
            for (sought, start, end) in &sought {
                let line = |text| SoughtLine { text, may_be_content: false };
                let sought: Vec<_> = sought.iter().map(String::as_str).map(line).collect();
                let range = *start.min(&doc.lines().len())..*end.min(&doc.lines().len());
                let [one, other] = [&used, &DocLines::new(&doc)].map(|lines| lines.find(&sought, &range, LineForm::Exact));
                prop_assert_eq!(one, other);
            }
        }
    }
}
