//! What a replacement writes: only lines that differ, with the endings and the markers of the place.

use std::ops::Range;

use crate::document::MemoryDoc;
use crate::edit::compose::{adopt_marker, endings, last_ending_before};
use crate::edit::{EditBuilder, Promise};
use crate::locate::{CopiedPrefixes, MarkerReading, ReadLine, Rungs, without_doubled};
use crate::text::{Ending, Line, Span, differing};

/// Where a text was found, and how it was read.
pub(super) struct Occurrences {
    pub(super) spans: Vec<Span>,
    pub(super) lines: Vec<ReadLine>,
    pub(super) rungs: Rungs,
}

impl Occurrences {
    /// Reports whether the text ends with a line ending that the document lacks at its end.
    fn lacks_ending(&self, doc: &MemoryDoc) -> bool {
        let endings = |span: &Span| span.of(doc.text()).matches('\n').count();
        self.spans.first().is_some_and(|span| endings(span) + 1 < self.lines.len())
    }
}

/// What differs between the two texts of a replacement, by lines without their endings.
pub(super) struct Change<'a> {
    old: &'a [ReadLine],
    pub(super) new: Vec<String>,
    /// Ranges of lines that differ.
    differing: Vec<(Range<usize>, Range<usize>)>,
    removes_all: bool,
}

impl<'a> Change<'a> {
    pub(super) fn new(doc: &MemoryDoc, new: &str, found: &'a Occurrences) -> Self {
        let written = found.rungs.read(new).replace("\r\n", "\n");
        // Where the last line's ending is not there, none is written in its place either.
        let (found_lines, written) = match (found.lacks_ending(doc), found.lines.split_last()) {
            (true, Some((_, lines))) => (lines, written.strip_suffix('\n').unwrap_or(&written)),
            _ => (found.lines.as_slice(), &*written),
        };
        let lines: Vec<&str> = written.split('\n').collect();
        let copied = found_lines.iter().filter_map(|line| line.prefix.as_deref());
        let copied = CopiedPrefixes::new(copied, lines.len());
        let is_doubled = found_lines.iter().any(|line| line.marker == MarkerReading::Doubled);
        let as_read = |line: &&str| {
            let line = copied.strip(line);
            without_doubled(line).filter(|_| is_doubled).unwrap_or_else(|| line.to_owned())
        };
        let removes_all = written.is_empty() && found_lines.last().is_some_and(|line| !line.text.is_empty());
        let new: Vec<String> = lines.iter().map(as_read).collect();
        let old: Vec<String> = found_lines.iter().map(|line| line.text.clone()).collect();
        Self { old: found_lines, differing: differing(&old, &new), new, removes_all }
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.differing.is_empty()
    }

    /// Adds the splices for the occurrence at `span`, whose lines correspond to those of the old text one by one.
    pub(super) fn splice(&self, doc: &MemoryDoc, span: Span, edit: &mut EditBuilder) {
        if let Some(lines) = whole_lines(doc, span).filter(|_| self.removes_all) {
            edit.replace(lines, "", Promise::Lines);
            return;
        }
        let found = pieces(doc, span, self.old.len());
        for (old, new) in &self.differing {
            let place = Place { found: &found, old, new };
            edit.replace(place.span(span), self.written(doc, span, &place), Promise::Lines);
        }
    }

    /// Writes the new lines of one range, with the endings of the place.
    fn written(&self, doc: &MemoryDoc, span: Span, place: &Place<'_>) -> String {
        if let ([_], [line], [_]) = (place.found, &*self.new, &*self.differing) {
            // A line that becomes another goes on as it did, whatever ends it.
            return self.with_marker(doc.text(), line, 0, place);
        }
        let replaced = place.found.get(place.old.clone()).unwrap_or_default();
        // A last line that goes on behind the occurrence ends there.
        let ending = |piece: &Line| match piece.full.is_empty() {
            true => Ending::None,
            false => doc.lines().line(doc.text(), doc.lines().index_at(piece.full.start())).ending(),
        };
        let replaced: Vec<Ending> = replaced.iter().map(ending).collect();
        let here = last_ending_before(doc, place.span(span).start());
        let lines = self.new.get(place.new.clone()).unwrap_or_default();
        let mut endings = endings(&replaced, lines.len(), here);
        if let Some(last) = endings.last_mut().filter(|_| place.old.end == place.found.len()) {
            *last = Ending::None;
        }
        let joins_above = place.is_behind_all() && !lines.is_empty();
        let mut written = String::from(if joins_above { here.as_str() } else { "" });
        for (nth, (line, ending)) in lines.iter().zip(endings).enumerate() {
            written.push_str(&self.with_marker(doc.text(), line, nth, place));
            written.push_str(ending.as_str());
        }
        written
    }

    /// Gives a line the marker that the request left out, where that was overlooked.
    fn with_marker(&self, text: &str, line: &str, nth: usize, place: &Place<'_>) -> String {
        let last = place.old.len().checked_sub(1).map(|last| place.old.start + nth.min(last));
        let pair = last.and_then(|at| Some((place.found.get(at)?.text.of(text), self.old.get(at)?)));
        match pair {
            // A line that is further in than the one it replaces goes on with the line above.
            Some((there, sought)) if sought.marker == MarkerReading::LeftOut && !is_further_in(line, &sought.text) => {
                adopt_marker(there, line)
            }
            _ => line.to_owned(),
        }
    }
}

fn is_further_in(line: &str, other: &str) -> bool {
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    indentation(line) > indentation(other)
}

/// One range of lines that differ, at one occurrence.
struct Place<'a> {
    /// The lines of the occurrence, of which the first and the last may be parts of lines.
    found: &'a [Line],
    old: &'a Range<usize>,
    new: &'a Range<usize>,
}

impl Place<'_> {
    /// Reports whether the range stands behind the last line of the occurrence.
    fn is_behind_all(&self) -> bool {
        self.old.start == self.found.len()
    }

    /// Returns the bytes that the range replaces.
    ///
    /// Behind the last line that stays, what is removed begins with that line's ending, and what is written with another.
    fn span(&self, occurrence: Span) -> Span {
        let start = |at: usize| self.found.get(at).map_or(occurrence.end(), |line| line.full.start());
        let is_cut_off = self.new.is_empty() && self.old.end == self.found.len();
        let before = self.old.start.checked_sub(1).filter(|_| is_cut_off).and_then(|before| self.found.get(before));
        Span::new(before.map_or(start(self.old.start), |line| line.text.end()), start(self.old.end))
    }
}

/// Returns the whole lines, endings included, that an occurrence takes up; what stands before a bullet's marker is no text.
fn whole_lines(doc: &MemoryDoc, span: Span) -> Option<Span> {
    let (table, text) = (doc.lines(), doc.text());
    let first = doc.line_start(table.index_at(span.start()));
    let last = table.line(text, table.index_at(span.end().saturating_sub(1).max(span.start())));
    let bullet = doc.bullet_at(span.start());
    let begins_line = first == span.start() || bullet.is_some_and(|bullet| bullet.marker.start() == span.start());
    (begins_line && last.text.end() == span.end()).then(|| Span::new(first, last.full.end()))
}

/// Divides an occurrence into its `count` lines.
fn pieces(doc: &MemoryDoc, span: Span, count: usize) -> Vec<Line> {
    let (table, text) = (doc.lines(), doc.text());
    let mut found = Vec::with_capacity(count);
    let mut at = span.start();
    while found.len() < count {
        let line = table.line(text, table.index_at(at));
        let cut = |offset: usize| offset.clamp(at, span.end().max(at));
        found.push(Line { text: Span::new(at, cut(line.text.end())), full: Span::new(at, cut(line.full.end())) });
        at = cut(line.full.end());
    }
    found
}
