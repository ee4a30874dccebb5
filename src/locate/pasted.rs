//! Text that was pasted with what does not belong to it: markers left out or doubled, the prefixes of a view. Such a text is
//! compared line by line, since all of that stands at the beginning of a line.

use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::lines::{LineForm, LineIndex, SoughtLine};
use super::marker::{BulletLine, begins_with_sign, behind_doubled, view_prefix};
use crate::document::MemoryDoc;
use crate::text::{Ending, Span};

/// One line of a text that was found, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadLine {
    /// Its text without a prefix, unescaped if that was needed; a marker that was doubled stands there once.
    pub(crate) text: String,
    pub(crate) marker: MarkerReading,
    /// The prefix of a view that it brought.
    pub(crate) prefix: Option<String>,
}

/// How the marker of a line was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkerReading {
    /// As it stands, or the line has none.
    AsItStands,
    /// It was left out.
    LeftOut,
    /// It was written twice.
    Doubled,
}

impl ReadLine {
    /// A line that was read as it was written.
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), marker: MarkerReading::AsItStands, prefix: None }
    }
}

/// Where a pasted text stands, and how its lines were read.
#[derive(Clone, Debug)]
pub(super) struct Pasted {
    pub(super) span: Span,
    pub(super) lines: Vec<ReadLine>,
}

/// Finds the first `most` places inside `scope` where `needle` stands, read on `rungs`.
pub(super) fn find(doc: &MemoryDoc, scope: Span, needle: &str, rungs: Rungs, most: usize) -> Vec<Pasted> {
    let read = rungs.read(needle);
    let lines: Vec<&str> = read.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let has_crlf = read.contains("\r\n");
    let index = LineIndex::new(doc, lines.len());
    let paste = Paste { doc, index, lines, has_crlf, rungs: rungs.without(Rung::Escapes) };
    let range = doc.lines().range(scope);
    let starts: Vec<usize> = match paste.lines.get(1..paste.lines.len().saturating_sub(1)).unwrap_or_default() {
        [] => range.clone().collect(),
        middle => {
            let sought: Vec<_> = middle.iter().map(|text| SoughtLine { text, form: LineForm::Whole }).collect();
            let found = paste.index.find_all(&sought, &range, paste.rungs).unwrap_or_default();
            found.into_iter().filter_map(|at| at.checked_sub(1)).filter(|at| range.contains(at)).collect()
        }
    };
    starts.into_iter().filter_map(|start| paste.at(start, range.end)).take(most).collect()
}

struct Paste<'a> {
    doc: &'a MemoryDoc,
    index: LineIndex<'a>,
    lines: Vec<&'a str>,
    has_crlf: bool,
    rungs: Rungs,
}

/// How one line was read, and the bytes of the document's line that it stands for.
struct Reading {
    read: ReadLine,
    start: usize,
    end: usize,
}

impl Paste<'_> {
    /// Reads the lines as those from `first` on, which end before `end`.
    fn at(&self, first: usize, end: usize) -> Option<Pasted> {
        let mut readings = Vec::with_capacity(self.lines.len());
        for (nth, text) in self.lines.iter().enumerate() {
            let index = first + nth;
            let is_behind = index == end && nth > 0 && nth + 1 == self.lines.len() && text.is_empty();
            let is_out = (index >= end && !is_behind) || (nth > 0 && !self.ends_alike(index - 1));
            if is_out {
                return None;
            }
            let reading = match (nth, nth + 1 == self.lines.len()) {
                (0, true) => self.begins(text, index).filter(|reading| reading.read != ReadLine::plain(text)),
                (0, false) => self.whole(text, index).or_else(|| self.ends(text, index)),
                (_, true) if text.is_empty() => Some(Reading { read: ReadLine::plain(""), start: 0, end: 0 }),
                (_, true) => self.whole(text, index).or_else(|| self.begins(text, index)),
                (_, false) => self.whole(text, index),
            };
            readings.push(reading?);
        }
        let last = readings.len().checked_sub(1)?;
        let start = self.offset(first) + readings.first()?.start;
        let span = Span::new(start, self.offset(first + last) + readings.last()?.end);
        Some(Pasted { span, lines: readings.into_iter().map(|reading| reading.read).collect() })
    }

    /// Reports whether a line ends as those of the text do, where that counts.
    fn ends_alike(&self, index: usize) -> bool {
        let ending = self.doc.lines().line(self.doc.text(), index).ending();
        self.rungs.has(Rung::LineEndings) || (ending == Ending::CrLf) == self.has_crlf
    }

    fn offset(&self, index: usize) -> usize {
        self.index.span(&(index..index)).start()
    }

    /// Reads a text as the whole line.
    fn whole(&self, text: &str, index: usize) -> Option<Reading> {
        let found = self.index.text(index);
        let equals = |text: &str, there: &str| {
            (self.rungs.fold_line(text) == self.rungs.fold_line(there)).then_some(there.len())
        };
        self.read(text, index, &equals).map(|reading| Reading { end: found.len(), ..reading })
    }

    /// Reads a text as the beginning of the line.
    fn begins(&self, text: &str, index: usize) -> Option<Reading> {
        let rungs = self.rungs.without(Rung::TrailingSpace);
        let begins = |text: &str, there: &str| {
            let (folded, origins) = rungs.fold_line_with_origins(there);
            let sought = rungs.fold_line(text);
            folded.strip_prefix(&*sought).filter(|rest| !begins_inside_letter(rest))?;
            Some(origins.get(sought.len()).copied().unwrap_or(there.len()))
        };
        self.read(text, index, &begins)
    }

    /// Reads a text as the end of the line, which it cannot bring a marker or a prefix for.
    fn ends(&self, text: &str, index: usize) -> Option<Reading> {
        let found = self.index.text(index);
        let (folded, origins) = self.rungs.fold_line_with_origins(found);
        let sought = self.rungs.fold_line(text);
        let start = folded.strip_suffix(&*sought).map(str::len)?;
        let start = origins.get(start).copied().unwrap_or(found.len());
        // What replaces all that a marker stands before may bring one.
        let bullet = self.index.bullet_line(index).filter(|bullet| bullet.rest_start == start);
        let marker = if bullet.is_some() { MarkerReading::LeftOut } else { MarkerReading::AsItStands };
        let start = bullet.map_or(start, |bullet| bullet.indentation.len());
        Some(Reading { read: ReadLine { marker, ..ReadLine::plain(text) }, start, end: found.len() })
    }

    /// Reads a text as the line, or a part of it from its beginning on: `compare` tells where in what stands there it ends.
    fn read(&self, text: &str, index: usize, compare: &dyn Fn(&str, &str) -> Option<usize>) -> Option<Reading> {
        let found = self.index.text(index);
        let bullet = self.index.bullet_line(index).filter(|_| self.rungs.has(Rung::BulletMarker));
        let prefixed = Some(text).filter(|_| self.rungs.has(Rung::ViewPrefix));
        let prefixed = prefixed.and_then(|text| Some((self.index.label(index).strip(text)?, view_prefix(text)?.0)));
        let texts = [Some((text, None)), prefixed.map(|(text, prefix)| (text, Some(prefix)))];
        texts.into_iter().flatten().find_map(|(text, prefix)| {
            let line = |text: &str, marker, start, end| {
                let read = ReadLine { text: text.to_owned(), marker, prefix: prefix.map(str::to_owned) };
                Some(Reading { read, start, end })
            };
            if let Some(end) = compare(text, found) {
                return line(text, MarkerReading::AsItStands, 0, end);
            }
            let BulletLine { indentation, marker, rest, rest_start } = bullet?;
            let body = text.strip_prefix(indentation)?;
            if !begins_with_sign(body) {
                let end = compare(body, rest)?;
                return line(text, MarkerReading::LeftOut, indentation.len(), rest_start + end);
            }
            let behind = behind_doubled(body).filter(|_| body.starts_with(marker))?;
            let end = compare(behind, rest)?;
            let once = [found.get(..rest_start)?, behind].concat();
            line(&once, MarkerReading::Doubled, indentation.len(), rest_start + end)
        })
    }
}
