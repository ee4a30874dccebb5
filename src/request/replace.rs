//! `replace_in_memory`: exactly this text, exactly so often.
//!
//! The texts are compared line by line, and only lines that differ are written: context that a model copies along, healed
//! or not, is never rewritten. Where one or more whole lines are replaced by nothing, the last one's ending goes too.

use std::ops::Range;

use super::{Argument, Enough, Refusal, Request, RequestError, View, literal_escape};
use crate::document::{ContextGuard, MemoryDoc, heading};
use crate::edit::compose::{adopt_marker, endings, last_ending_before};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::locate::{
    CopiedPrefixes, Fix, Found, LocateError, MarkerReading, Matches, ReadLine, Rung, Rungs, Scope, Target, TextSearch,
    block_by_id, section_by_name, without_doubled,
};
use crate::text::{Content, Ending, Line, Lines, Span, differing, is_blank};

/// Replaces a literal text by another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replace {
    /// The text to be found, exactly.
    pub old: Content,
    /// The text to put there, literally.
    pub new: Content,
    /// How often the text must occur. Default: once.
    pub expected: Expected,
    /// Where to look.
    pub within: Within,
}

/// How often a text must occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// As often as this, at least once.
    Exactly(usize),
    /// As often as it does, at least once.
    Any,
}

impl Expected {
    const fn is_met_by(self, count: usize) -> bool {
        match self {
            Self::Exactly(expected) => expected == count,
            Self::Any => count > 0,
        }
    }
}

/// The part of a document that a replacement is limited to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// The whole document.
    #[default]
    Document,
    /// A section's extent, by title or path.
    Section(Content),
    /// A block, by ID.
    Block(Content),
}

impl Replace {
    /// Replaces the one occurrence of `old`.
    pub fn new(old: impl Into<Content>, new: impl Into<Content>) -> Self {
        Self { old: old.into(), new: new.into(), expected: Expected::Exactly(1), within: Within::Document }
    }

    /// Sets how often the text must occur.
    #[must_use]
    pub fn expecting(mut self, expected: usize) -> Self {
        self.expected = Expected::Exactly(expected);
        self
    }

    /// Replaces all occurrences, however many there are.
    #[must_use]
    pub fn everywhere(mut self) -> Self {
        self.expected = Expected::Any;
        self
    }

    /// Limits the replacement to a part of the document.
    #[must_use]
    pub fn within(mut self, within: Within) -> Self {
        self.within = within;
        self
    }

    fn scope<'a>(&self, doc: &'a MemoryDoc) -> Result<Found<Scope<'a>>, LocateError> {
        match &self.within {
            Within::Document => Ok(Found { at: Scope::Document, healed: Vec::new() }),
            Within::Section(name) => Ok(section_by_name(doc, name)?.map(Scope::Section)),
            Within::Block(id) => Ok(block_by_id(doc, id)?.map(Scope::Block)),
        }
    }

    fn find(&self, doc: &MemoryDoc, scope: Scope<'_>) -> Result<Occurrences, Refusal> {
        let search = TextSearch::new(doc, scope, &self.old, &self.new);
        let exact = search.exact();
        match (exact.len(), self.expected) {
            (0, Expected::Exactly(1)) if Rungs::heal(doc) => match search.healed() {
                Ok(found) => Ok(Occurrences { spans: vec![found.span], lines: found.lines, rungs: found.rungs }),
                Err(LocateError::Ambiguous { matches, .. }) => Err(self.miscounted(*matches, None)),
                Err(error) => Err(error.into()),
            },
            (0, _) => Err(search.not_found().into()),
            (found, expected) if exact.is_overlapping() || !expected.is_met_by(found) => {
                let is_free = exact.spans().iter().all(|span| doc.reserved_section_at(span.start()).is_none());
                // One place fewer than expected is chosen by no candidate.
                let is_offered = is_free || matches!(expected, Expected::Exactly(expected) if found < expected);
                let fix = is_offered.then(|| Box::new(Fix::Expect(found)));
                Err(self.miscounted(search.choosable(exact), fix))
            }
            _ => Ok(Occurrences { spans: exact.spans().to_vec(), lines: search.lines_as_sent(), rungs: Rungs::NONE }),
        }
    }

    /// More places than expected are a wrong count, not an ambiguity, unless they share bytes.
    fn miscounted(&self, mut matches: Matches, fix: Option<Box<Fix>>) -> Refusal {
        if self.expected != Expected::Exactly(1) {
            matches.rephrase(|fix| Fix::Once(Box::new(fix)));
        }
        let (what, matches) = (Target::Text(self.old.clone()), Box::new(matches));
        if matches.is_overlapping() {
            return LocateError::Ambiguous { what, matches }.into();
        }
        let expected = if let Expected::Exactly(expected) = self.expected { expected } else { 1 };
        Refusal::CountMismatch { what, expected, matches, fix }
    }

    /// Refuses a text that names too little, where the policy asks for more.
    fn check_context(&self, doc: &MemoryDoc, span: Span) -> Result<(), Refusal> {
        let ContextGuard::Lines(wanted) = doc.policy().context_guard() else { return Ok(()) };
        let lines: Vec<_> =
            Lines::of(&self.old).map(|line| line.text.of(&self.old)).filter(|line| !is_blank(line)).collect();
        let has_heading = lines.iter().any(|line| heading(line).is_some());
        let line = Line::holding(doc.text(), span.start()).text;
        let is_whole_line = self.within != Within::Document && line.start() == span.start() && line.end() <= span.end();
        if lines.len() >= wanted || (has_heading && lines.len() >= 3) || is_whole_line {
            return Ok(());
        }
        Err(Refusal::ContextTooThin { enough: Enough::Lines(wanted), fix: self.widened(doc, span, wanted) })
    }

    /// Takes lines around the place until there are enough.
    fn widened(&self, doc: &MemoryDoc, span: Span, wanted: usize) -> Option<Fix> {
        let (lines, text) = (doc.lines(), doc.text());
        let (mut first, mut last) = (lines.index_at(span.start()), lines.index_at(span.end().saturating_sub(1)));
        let count = |first: usize, last: usize| {
            (first..=last).filter(|index| !is_blank(lines.line(text, *index).text.of(text))).count()
        };
        while count(first, last) < wanted && (first > 0 || last + 1 < lines.len()) {
            first = first.saturating_sub(1);
            if count(first, last) < wanted {
                last = (last + 1).min(lines.len() - 1);
            }
        }
        let wide = Span::new(lines.start(first), lines.line(text, last).text.end());
        let before = Span::new(wide.start(), span.start()).of(text);
        let after = Span::new(span.end(), wide.end().max(span.end())).of(text);
        let is_short = wide.len() <= 600 && count(first, last) >= wanted;
        is_short.then(|| Fix::Widen { old: wide.of(text).into(), new: [before, &self.new, after].concat().into() })
    }
}

impl Request for Replace {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        if self.old.is_empty() {
            return Err(Refusal::invalid(Argument::OldText, "the text to be replaced", "an empty text").into());
        }
        if self.expected == Expected::Exactly(0) {
            return Err(Refusal::invalid(Argument::Count, "a number of at least 1", "0").into());
        }
        let doc = view.doc;
        let scope = self.scope(doc).map_err(|error| RequestError::of(0, error))?;
        let found = self.find(doc, scope.at)?;
        if let ([only], Expected::Exactly(1)) = (found.spans.as_slice(), self.expected) {
            self.check_context(doc, *only)?;
        }
        let change = Change::new(self, &found);
        let status = if change.is_nothing() { PartStatus::NoChange } else { PartStatus::Applied };
        let healed: Vec<Rung> = scope.healed.into_iter().chain(found.rungs.iter()).collect();
        let mut warning = literal_escape(doc, &change.new);
        let mut edit = EditBuilder::new(doc);
        for span in found.spans.iter().copied() {
            edit.part(Part::new(status).with_healed(healed.clone()).with_warnings(warning.take()));
            change.splice(doc, span, &mut edit);
        }
        edit.finish().map_err(|overlap| RequestError::of(0, overlap))
    }
}

/// Where a text was found, and how it was read.
struct Occurrences {
    spans: Vec<Span>,
    lines: Vec<ReadLine>,
    rungs: Rungs,
}

/// What differs between the two texts of a replacement, by lines without their endings.
struct Change<'a> {
    old: &'a [ReadLine],
    new: Vec<String>,
    /// Ranges of lines that differ.
    differing: Vec<(Range<usize>, Range<usize>)>,
    removes_all: bool,
}

impl<'a> Change<'a> {
    fn new(request: &Replace, found: &'a Occurrences) -> Self {
        let written = found.rungs.read(&request.new).replace("\r\n", "\n");
        let lines: Vec<&str> = written.split('\n').collect();
        let copied = found.lines.iter().filter_map(|line| line.prefix.as_deref());
        let copied = CopiedPrefixes::new(copied, lines.len());
        let is_doubled = found.lines.iter().any(|line| line.marker == MarkerReading::Doubled);
        let as_read = |line: &&str| {
            let line = copied.strip(line);
            without_doubled(line).filter(|_| is_doubled).unwrap_or_else(|| line.to_owned())
        };
        let new: Vec<String> = lines.iter().map(as_read).collect();
        let old: Vec<String> = found.lines.iter().map(|line| line.text.clone()).collect();
        let removes_all = request.new.is_empty() && old.last().is_some_and(|line| !line.is_empty());
        Self { old: &found.lines, differing: differing(&old, &new), new, removes_all }
    }

    fn is_nothing(&self) -> bool {
        self.differing.is_empty()
    }

    /// Adds the splices for the occurrence at `span`, whose lines correspond to those of the old text one by one.
    fn splice(&self, doc: &MemoryDoc, span: Span, edit: &mut EditBuilder) {
        if let Some(lines) = whole_lines(doc, span).filter(|_| self.removes_all) {
            edit.name(lines);
            edit.replace(lines, "", Promise::Lines);
            return;
        }
        let found = pieces(doc, span, self.old.len());
        let (first, last) =
            (doc.lines().index_at(span.start()), doc.lines().index_at(span.end().saturating_sub(1).max(span.start())));
        edit.name(Span::new(doc.lines().start(first), doc.lines().start(last + 1)));
        for (old, new) in &self.differing {
            let place = Place { found: &found, old, new };
            edit.replace(place.span(span), self.written(doc, span, &place), Promise::Lines);
        }
    }

    /// Writes the new lines of one range, with the endings of the place.
    fn written(&self, doc: &MemoryDoc, span: Span, place: &Place<'_>) -> String {
        let replaced = place.found.get(place.old.clone()).unwrap_or_default();
        let replaced: Vec<Ending> = replaced.iter().map(|piece| piece.ending()).collect();
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
    let first = table.line(text, table.index_at(span.start()));
    let last = table.line(text, table.index_at(span.end().saturating_sub(1).max(span.start())));
    let bullet = doc.bullet_at(span.start());
    let begins_line =
        first.text.start() == span.start() || bullet.is_some_and(|bullet| bullet.marker.start() == span.start());
    (begins_line && last.text.end() == span.end()).then(|| Span::new(first.full.start(), last.full.end()))
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
