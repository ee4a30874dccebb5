//! `replace_in_memory`: exactly this text, exactly so often (SPEC § 8).
//!
//! The texts are compared line by line, and only lines that differ are written: context that a model copies along, healed
//! or not, is never rewritten.

use std::ops::Range;

use super::{Refusal, Request, RequestError, View};
use crate::document::{ContextGuard, MemoryDoc, bullet_start, heading};
use crate::edit::compose::{adopt_marker, ending_for, last_ending_before};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::locate::{
    Fix, LocateError, Rung, Rungs, Scope, TextSearch, block_by_id, collapse_markers, may_heal, needle_as_read,
    section_by_name,
};
use crate::text::{Ending, Line, Lines, Span, differing, is_blank};

/// Replaces a literal text by another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Replace {
    /// The text to be found, exactly.
    pub old: String,
    /// The text to put there, literally.
    pub new: String,
    /// How often the text must occur. Default: once.
    pub expected: usize,
    /// Where to look.
    pub within: Within,
}

/// The part of a document that a replacement is limited to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// The whole document.
    #[default]
    Document,
    /// A section's extent, by title or path.
    Section(String),
    /// A block, by ID.
    Block(String),
}

impl Replace {
    /// Replaces the one occurrence of `old`.
    pub fn new(old: impl Into<String>, new: impl Into<String>) -> Self {
        Self { old: old.into(), new: new.into(), expected: 1, within: Within::Document }
    }

    /// Sets how often the text must occur.
    #[must_use]
    pub fn expecting(mut self, expected: usize) -> Self {
        self.expected = expected;
        self
    }

    /// Limits the replacement to a part of the document.
    #[must_use]
    pub fn within(mut self, within: Within) -> Self {
        self.within = within;
        self
    }

    fn scope(&self, doc: &MemoryDoc) -> Result<(Scope, Vec<Rung>), LocateError> {
        match &self.within {
            Within::Document => Ok((Scope::Document, Vec::new())),
            Within::Section(name) => section_by_name(doc, name).map(|found| (Scope::Section(found.at), found.healed)),
            Within::Block(id) => block_by_id(doc, id).map(|found| (Scope::Block(found.at), found.healed)),
        }
    }

    fn find(&self, doc: &MemoryDoc, scope: Scope) -> Result<(Vec<Span>, Rungs), Refusal> {
        let search = TextSearch { doc, scope, needle: &self.old, replacement: &self.new };
        let exact = search.exact();
        if exact.is_overlapping {
            return Err(search.ambiguous(&exact).into());
        }
        match exact.spans.len() {
            0 if may_heal(doc, self.expected) => {
                let found = search.healed().map_err(|error| self.as_count(error))?;
                Ok((vec![found.at.0], found.at.1))
            }
            0 => Err(search.not_found().into()),
            found if found == self.expected => Ok((exact.spans, Rungs::NONE)),
            _ => Err(self.as_count(search.ambiguous(&exact))),
        }
    }

    /// More places than expected are a wrong count, not an ambiguity, unless they share bytes (SPEC § 6.3).
    fn as_count(&self, error: LocateError) -> Refusal {
        match error {
            LocateError::Ambiguous { count, overlapping: false, mut help, .. } => {
                // One place fewer than expected is chosen by no candidate.
                if count < self.expected || help.candidates.iter().all(|candidate| candidate.fix.is_none()) {
                    help.fix = Some(Fix::Expect(count));
                }
                Refusal::CountMismatch { expected: self.expected, found: count, help }
            }
            error => error.into(),
        }
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
        Err(Refusal::ContextTooThin {
            expected: format!(
                "at least {wanted} lines, or a heading and two neighbors, or a whole line with its section named"
            ),
            fix: self.widened(doc, span, wanted),
        })
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
        is_short.then(|| Fix::Widen { old: wide.of(text).to_owned(), new: [before, &self.new, after].concat() })
    }
}

impl Request for Replace {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let invalid = |argument, expected, found: &str| {
            RequestError::of(0, Refusal::InvalidArgument { argument, expected, found: found.to_owned() })
        };
        if self.old.is_empty() {
            return Err(invalid("old_string", "the text to be replaced", "an empty text"));
        }
        if self.expected == 0 {
            return Err(invalid("expected_replacements", "a number of at least 1", "0"));
        }
        let doc = view.doc;
        let (scope, named) = self.scope(doc).map_err(|error| RequestError::of(0, error))?;
        let (spans, rungs) = self.find(doc, scope).map_err(|refusal| RequestError::of(0, refusal))?;
        if let ([only], 1) = (spans.as_slice(), self.expected) {
            self.check_context(doc, *only).map_err(|refusal| RequestError::of(0, refusal))?;
        }
        let change = Change::new(self, rungs);
        let mut edit = EditBuilder::new(doc);
        for span in spans {
            let status = if change.is_nothing() { PartStatus::NoChange } else { PartStatus::Applied };
            let healed = named.iter().copied().chain(rungs.iter()).collect();
            edit.part(Part::new(status).with_healed(healed));
            change.splice(doc, span, &mut edit);
        }
        edit.finish().map_err(|overlap| RequestError::of(0, overlap))
    }
}

/// What differs between the two texts of a replacement, by lines.
struct Change {
    /// Lines of the old and the new text, each with its line feed; a CR before it is no part of them.
    old: Vec<String>,
    new: Vec<String>,
    /// Ranges of lines that differ.
    differing: Vec<(Range<usize>, Range<usize>)>,
    rungs: Rungs,
}

impl Change {
    fn new(request: &Replace, rungs: Rungs) -> Self {
        let lines = |text: &str| -> Vec<String> {
            text.split_inclusive('\n')
                .map(|line| line.strip_suffix("\r\n").map_or_else(|| line.to_owned(), |line| format!("{line}\n")))
                .collect()
        };
        let old = lines(&needle_as_read(&request.old, rungs));
        let new = lines(&needle_as_read(&request.new, rungs));
        let differing = differing(&old, &new);
        Self { old, new, differing, rungs }
    }

    fn is_nothing(&self) -> bool {
        self.differing.is_empty()
    }

    /// Adds the splices for the occurrence at `span`, whose lines correspond to those of the old text one by one.
    fn splice(&self, doc: &MemoryDoc, span: Span, edit: &mut EditBuilder) {
        let text = doc.text();
        let mut found = Vec::with_capacity(self.old.len());
        let mut at = span.start();
        while at < span.end() {
            let end = Line::holding(text, at).full.end().min(span.end());
            found.push(Span::new(at, end));
            at = end;
        }
        for (old, new) in &self.differing {
            let start = found.get(old.start).map_or(span.end(), |line| line.start());
            let end = old
                .end
                .checked_sub(1)
                .filter(|_| !old.is_empty())
                .and_then(|last| found.get(last))
                .map_or(start, |line| line.end());
            let replaced = found.get(old.clone()).unwrap_or_default();
            let written = self.written(text, start, replaced, old, new);
            edit.replace(Span::new(start, end), written, Promise::Lines);
        }
    }

    /// Writes the new lines of one range, with the endings of the place.
    fn written(&self, text: &str, start: usize, replaced: &[Span], old: &Range<usize>, new: &Range<usize>) -> String {
        let before = last_ending_before(text, start);
        let ending_of = |line: &Span| {
            if line.of(text).ends_with("\r\n") {
                Ending::CrLf
            } else if line.of(text).ends_with('\n') {
                Ending::Lf
            } else {
                Ending::None
            }
        };
        let last_replaced = replaced.iter().map(ending_of).rfind(|ending| *ending != Ending::None);
        let mut written = String::new();
        for (nth, line) in self.new.get(new.clone()).unwrap_or_default().iter().enumerate() {
            let own = replaced.get(nth).map_or(Ending::None, ending_of);
            let is_last = nth + 1 == new.len();
            let ending = match last_replaced {
                Some(ending) if is_last => ending,
                // A line between two others stands on neither.
                _ if replaced.is_empty() && Line::holding(text, start).full.start() == start => before,
                _ => ending_for(own, last_replaced.unwrap_or_else(|| ending_here(text, start, before))),
            };
            match line.strip_suffix('\n') {
                Some(line) => {
                    written.push_str(&self.with_marker(text, line, nth, replaced, old));
                    written.push_str(ending.as_str());
                }
                None => written.push_str(&self.with_marker(text, line, nth, replaced, old)),
            }
        }
        written
    }

    /// Gives a line the marker that the request left out or doubled, where that was overlooked.
    fn with_marker(&self, text: &str, line: &str, nth: usize, replaced: &[Span], old: &Range<usize>) -> String {
        let last = replaced.len().checked_sub(1).map(|last| nth.min(last));
        let (true, Some(place)) = (self.rungs.has(Rung::BulletMarker), last) else { return line.to_owned() };
        let (Some(there), Some(sought)) = (replaced.get(place), self.old.get(old.start + place)) else {
            return line.to_owned();
        };
        let there = there.of(text);
        let is_same =
            bullet_start(there).is_some() == bullet_start(sought).is_some() && collapse_markers(sought).is_none();
        if is_same { line.to_owned() } else { adopt_marker(there, line) }
    }
}

/// Returns the ending for a line that replaces none which ends: that of the line it stands on, else of the one before.
fn ending_here(text: &str, at: usize, before: Ending) -> Ending {
    ending_for(Line::holding(text, at).ending(), before)
}
