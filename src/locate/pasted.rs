//! Text that was pasted with what does not belong to it: markers left out or doubled, the prefixes of a view. Such a text is
//! compared line by line, since all of that stands at the beginning of a line.

use std::ops::Range;

use memchr::memmem;

use super::diagnostic::LocateError;
use super::folded::begins_inside_letter;
use super::ladder::{Rung, Rungs};
use super::line_core::lookup_key;
use super::line_form::{LineForm, TargetLine};
use super::line_reading::MarkerReading;
use super::lines::{COMPARISON, LineIndex};
use super::marker::begin_with_alike_dashes;
use crate::text::{Ending, Span, is_blank};

/// One line of a text that was found, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReadLine {
    /// Its text without a prefix, unescaped if that was needed; a marker that was doubled stands there once.
    pub(crate) text: String,
    pub(crate) marker: MarkerReading,
    /// The prefix of a view that it brought.
    pub(crate) prefix: Option<String>,
}

impl ReadLine {
    /// A line that was read as it was written.
    pub(crate) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), marker: MarkerReading::AsItStands, prefix: None }
    }
}

/// Where a pasted text stands, and how its lines were read.
#[derive(Clone, Debug)]
pub(super) struct Pasted {
    pub(super) span: Span,
    pub(super) lines: Vec<ReadLine>,
}

/// A pasted text that is looked for, read on some rungs.
pub(super) struct Paste<'a, 'i> {
    index: &'i LineIndex<'a>,
    lines: Vec<PastedLine>,
    has_crlf: bool,
    rungs: Rungs,
}

/// A line of the text, folded once.
struct PastedLine {
    text: String,
    folded: String,
    /// For each byte of `folded` where in `text` the character that it comes from starts.
    origins: Vec<usize>,
    /// Where in `folded` the white space at the line's end begins, if that is overlooked.
    end: usize,
}

impl PastedLine {
    fn new(text: &str, rungs: Rungs) -> Self {
        let (folded, origins) = rungs.without(Rung::TrailingSpace).fold_line_with_origins(text);
        Self { text: text.to_owned(), end: rungs.fold_line(text).len(), folded, origins }
    }

    /// Returns the folded text from where `rest`, an end of the line, starts; `end` is where it ends.
    fn folded(&self, rest: &str, end: usize) -> &str {
        let start = self.text.len() - rest.len();
        let start = self.origins.partition_point(|origin| *origin < start);
        self.folded.get(start..end.max(start)).unwrap_or_default()
    }

    /// Returns the folded text of `rest`, without the white space at its end if that is overlooked.
    fn whole(&self, rest: &str) -> &str {
        self.folded(rest, self.end)
    }

    /// Returns the folded text of `rest`, which may go on.
    fn beginning(&self, rest: &str) -> &str {
        self.folded(rest, self.folded.len())
    }
}

/// How one line was read, and the bytes of the document's line that it stands for.
struct Reading {
    read: ReadLine,
    start: usize,
    end: usize,
}

impl<'a, 'i> Paste<'a, 'i> {
    /// Reads `needle` on `rungs`, to be looked for in the document of `index`.
    pub(super) fn new(index: &'i LineIndex<'a>, needle: &str, rungs: Rungs) -> Self {
        let (read, rungs) = (rungs.read(needle), rungs.without(Rung::Escapes));
        let lines = read.split('\n').map(|line| PastedLine::new(line.strip_suffix('\r').unwrap_or(line), rungs));
        Self { index, lines: lines.collect(), has_crlf: read.contains("\r\n"), rungs }
    }

    /// Finds the first `most` places inside `scope` where it stands.
    ///
    /// # Errors
    ///
    /// The lines repeat one another, and the document's, too often.
    pub(super) fn find(&self, scope: Span, most: usize) -> Result<Vec<Pasted>, LocateError> {
        let doc = self.index.doc();
        let range = doc.line_range(scope);
        let starts: Vec<usize> = match self.lines.get(1..self.lines.len().saturating_sub(1)).unwrap_or_default() {
            [] => self.likely_starts(&range),
            middle => {
                let sought: Vec<_> =
                    middle.iter().map(|line| TargetLine { text: &line.text, form: LineForm::Whole }).collect();
                let found = self.index.find_all(&sought, &range, self.rungs)?;
                found.into_iter().filter_map(|at| at.checked_sub(1)).filter(|at| range.contains(at)).collect()
            }
        };
        let mut found = Vec::new();
        for start in starts {
            found.extend(self.at(start, range.end)?);
            if found.len() >= most {
                break;
            }
        }
        Ok(found)
    }

    /// Returns the lines at which it may stand: all at which it does are among them.
    fn likely_starts(&self, range: &Range<usize>) -> Vec<usize> {
        let key = self.lines.first().map(|line| lookup_key(&line.text, self.rungs)).unwrap_or_default();
        let finder = memmem::Finder::new(&*key);
        // However a line is read, what is left of it holds this.
        let may_hold = |line: &usize| {
            let there = self.rungs.fold_line(self.index.text(*line));
            finder.find(there.as_bytes()).is_some()
        };
        range.clone().filter(may_hold).collect()
    }

    /// Reads the lines as those from `first` on, which end before `end`; `None` if they do not stand there.
    fn at(&self, first: usize, end: usize) -> Result<Option<Pasted>, LocateError> {
        // Those between are known to stand there, most often: what the last says tells sooner.
        if self.line_at(self.lines.len().saturating_sub(1), first, end)?.is_none() {
            return Ok(None);
        }
        let mut readings = Vec::with_capacity(self.lines.len());
        for nth in 0..self.lines.len() {
            let Some(reading) = self.line_at(nth, first, end)? else { return Ok(None) };
            readings.push(reading);
        }
        let (Some(one), Some(other)) = (readings.first(), readings.last()) else { return Ok(None) };
        let span = Span::new(self.offset(first) + one.start, self.offset(first + readings.len() - 1) + other.end);
        let lines = readings.into_iter().map(|reading| reading.read).collect();
        // An ending that is not there is no place of its own.
        Ok(Some(Pasted { span, lines }).filter(|found| !found.span.is_empty()))
    }

    /// Reads one of the lines, if the first is the one at `first`.
    fn line_at(&self, nth: usize, first: usize, end: usize) -> Result<Option<Reading>, LocateError> {
        self.index.spend(COMPARISON)?;
        let Some(line) = self.lines.get(nth) else { return Ok(None) };
        let index = first + nth;
        let (is_last, is_empty) = (nth + 1 == self.lines.len(), line.text.is_empty());
        let is_behind = index == end && is_last && is_empty;
        if (index >= end && !is_behind) || (nth > 0 && !self.ends_alike(index - 1)) {
            return Ok(None);
        }
        Ok(match (nth, is_last) {
            (0, true) => self.begins(line, index).filter(|reading| reading.read != ReadLine::plain(&line.text)),
            (0, false) => self.whole(line, index).or_else(|| self.ends(line, index)),
            (_, true) if is_empty => Some(Reading { read: ReadLine::plain(""), start: 0, end: 0 }),
            (_, true) => self.whole(line, index).or_else(|| self.begins(line, index)),
            (_, false) => self.whole(line, index),
        })
    }

    /// Reports whether a line ends as those of the text do, where that counts.
    fn ends_alike(&self, index: usize) -> bool {
        let doc = self.index.doc();
        let ending = doc.lines().line(doc.text(), index).ending();
        let is_alike = ending != Ending::None && (ending == Ending::CrLf) == self.has_crlf;
        self.rungs.has(Rung::LineEndings) || is_alike
    }

    fn offset(&self, index: usize) -> usize {
        self.index.span(&(index..index)).start()
    }

    /// Reads a text as the whole line.
    fn whole(&self, line: &PastedLine, index: usize) -> Option<Reading> {
        let equals = |text: &str, there: &str| (line.whole(text) == self.rungs.fold_line(there)).then_some(there.len());
        self.read(&line.text, index, &equals)
    }

    /// Reads a text as the beginning of the line.
    fn begins(&self, line: &PastedLine, index: usize) -> Option<Reading> {
        let rungs = self.rungs.without(Rung::TrailingSpace);
        let begins = |text: &str, there: &str| {
            let (folded, origins) = rungs.fold_line_with_origins(there);
            let sought = line.beginning(text);
            folded.strip_prefix(sought).filter(|rest| !begins_inside_letter(rest))?;
            Some(origins.get(sought.len()).copied().unwrap_or(there.len()))
        };
        self.read(&line.text, index, &begins)
    }

    /// Reads a text as the end of the line, which it cannot bring a marker or a prefix for.
    fn ends(&self, line: &PastedLine, index: usize) -> Option<Reading> {
        let found = self.index.text(index);
        let (folded, origins) = self.rungs.fold_line_with_origins(found);
        let start = folded.strip_suffix(line.whole(&line.text)).map(str::len)?;
        let start = origins.get(start).copied().unwrap_or(found.len());
        let (before, there) = found.split_at_checked(start)?;
        if is_blank(before) && !begin_with_alike_dashes(&line.text, there) {
            return None;
        }
        // What replaces all that a marker stands before may bring one.
        let bullet = self.index.bullet_line(index).filter(|bullet| bullet.rest_start == start);
        let marker = if bullet.is_some() { MarkerReading::LeftOut } else { MarkerReading::AsItStands };
        let start = bullet.map_or(start, |bullet| bullet.indentation.len());
        Some(Reading { read: ReadLine { marker, ..ReadLine::plain(&line.text) }, start, end: found.len() })
    }

    /// Reads a text as the line, or a part of it from its beginning on: `compare` tells where in what stands there it ends.
    fn read(&self, text: &str, index: usize, compare: &dyn Fn(&str, &str) -> Option<usize>) -> Option<Reading> {
        let found = self.index.text(index);
        self.index.readings(text, index, self.rungs).find_map(|reading| {
            let there = found.len() - reading.there.len();
            let end = there + compare(reading.text, reading.there)?;
            let text = match reading.marker {
                MarkerReading::Doubled => [found.get(..there)?, reading.text].concat(),
                _ => reading.whole.to_owned(),
            };
            let read = ReadLine { text, marker: reading.marker, prefix: reading.prefix.map(str::to_owned) };
            // A text brings what stands before the line's marker.
            Some(Reading { read, start: 0, end })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::MemoryDoc;
    use proptest::prelude::*;

    /// Lines of documents, and such as models paste.
    const LINE: &str = "( {0,2}|\t|[1-3]\\| )(- |\\* |1\\. |- - |\u{2013} )?(\\[a\\] )?(tea|\u{201C}t\u{201D}|\"t\"|\u{E9}|e\u{301}|5)?( x)?[ \u{A0}\t]{0,2}";

    proptest! {
        #[test]
        fn no_line_is_passed_over_at_which_a_text_stands(
            lines in prop::collection::vec(LINE, 1..8),
            copied in any::<prop::sample::Index>(),
            others in prop::collection::vec(LINE, 1..3),
            ending in "\n|\r\n|\\\\n",
        ) {
            let doc = MemoryDoc::parse(lines.join("\n"));
            let index = LineIndex::new(&doc, 2);
            let copied = copied.get(&lines);
            for needle in [copied.clone(), copied.trim().to_owned(), others.join(&ending), format!("{copied}{ending}{}", others[0])] {
                for rungs in Rungs::climb().filter(|rungs| rungs.reads_lines()) {
                    let paste = Paste::new(&index, &needle, rungs);
                    let range = doc.lines().range(doc.span());
                    let spans = |found: Vec<Pasted>| found.into_iter().map(|found| found.span).collect::<Vec<_>>();
                    let scanned = range.clone().filter_map(|start| paste.at(start, range.end).ok().flatten()).collect();
                    prop_assert_eq!(paste.find(doc.span(), 100).map(spans), Ok(spans(scanned)), "{:?} {:?}", needle, rungs);
                }
            }
        }
    }
}
