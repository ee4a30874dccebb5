//! Literal text: every occurrence, overlapping ones noticed, and the ladder where there is none.

use std::collections::HashSet;

use memchr::memmem;

use super::closest::{closest, ignoring_case, reason_of_rung};
use super::diagnostic::{Diagnostic, LocateError};
use super::fix::Fix;
use super::folded::FoldedText;
use super::ladder::{Rung, Rungs};
use super::lines::LineIndex;
use super::matches::Matches;
use super::occurrences::occurrences;
use super::pasted::{Paste, ReadLine};
use super::reason::Reason;
use super::scope::Scope;
use super::target::Target;
use crate::document::MemoryDoc;
use crate::text::{Ending, Line, Lines, Span};

/// How many places are counted on the ladder, where one is one too many.
const MOST_HEALED: usize = 1_000;
/// For how many lines that are no whole lines of a document all of it is searched, to tell which is not there.
const SEARCHES: usize = 500;

/// A text that is looked for in a scope of a document.
#[derive(Debug)]
pub(crate) struct TextSearch<'a> {
    doc: &'a MemoryDoc,
    scope: Scope<'a>,
    needle: &'a str,
    /// What the request would put there, for diagnosis.
    replacement: &'a str,
    index: LineIndex<'a>,
}

/// A text that was found, and how it was read.
#[derive(Clone, Debug)]
pub(crate) struct TextMatch {
    pub(crate) span: Span,
    /// The lines of the text, as they were read.
    pub(crate) lines: Vec<ReadLine>,
    pub(crate) rungs: Rungs,
}

impl<'a> TextSearch<'a> {
    /// Prepares to look for `needle`, which is to be replaced.
    pub(crate) fn new(doc: &'a MemoryDoc, scope: Scope<'a>, needle: &'a str, replacement: &'a str) -> Self {
        Self { doc, scope, needle, replacement, index: LineIndex::new(doc, Lines::of(needle).count()) }
    }

    /// Returns the lines of the text as they were sent.
    pub(crate) fn lines_as_sent(&self) -> Vec<ReadLine> {
        self.lines_read(Rungs::NONE)
    }

    /// Returns the lines of the text read on rungs that tell nothing of markers and views.
    fn lines_read(&self, rungs: Rungs) -> Vec<ReadLine> {
        // A CR at the very end ends no line; it is text.
        rungs.read(self.needle).replace("\r\n", "\n").split('\n').map(ReadLine::plain).collect()
    }

    /// Returns the exact occurrences. One that begins with a line's LF takes the CR of that ending along.
    pub(crate) fn exact(&self) -> Matches {
        let text = self.doc.text();
        let mut found = occurrences(text, self.scope.span(self.doc), self.needle);
        for span in found.iter_mut().filter(|_| self.needle.starts_with('\n')) {
            let has_cr = span.start().checked_sub(1).is_some_and(|before| text.as_bytes().get(before) == Some(&b'\r'));
            *span = Span::new(span.start() - usize::from(has_cr), span.end());
        }
        Matches::new(self.doc, found)
    }

    /// Climbs the ladder to the first rung that finds something, which must be one place.
    pub(crate) fn healed(&self) -> Result<TextMatch, LocateError> {
        match self.first_rung()? {
            None => Err(self.not_found()),
            Some((rungs, found)) => match found.as_slice() {
                [only] => self.minimized(*only, rungs),
                _ => Err(self.ambiguous(Matches::new(self.doc, found))),
            },
        }
    }

    /// Returns the error for a text that occurs nowhere in its scope as the policy lets it be looked for.
    pub(crate) fn not_found(&self) -> LocateError {
        match self.help() {
            Ok(help) => LocateError::not_found(self.target(), help),
            Err(error) => error,
        }
    }

    fn target(&self) -> Target {
        Target::Text(self.needle.into())
    }

    fn help(&self) -> Result<Diagnostic, LocateError> {
        let scope = self.scope.span(self.doc);
        let mut help = Diagnostic::default();
        if let Some((rungs, found)) = self.first_rung()? {
            self.explain_rung(rungs, &found, &mut help)?;
        }
        self.look_elsewhere(scope, &mut help);
        if self.has_replacement(scope) {
            help.reasons.push(Reason::AlreadyApplied);
        }
        let is_reserved = help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_)));
        if help.fix.is_none() && !is_reserved {
            help.closest = closest(self.doc, scope, self.telling_line(scope));
            help.fix = self.fix_from_closest(scope, &help);
        }
        Ok(help)
    }

    /// Returns the error for a text that occurs more often than it may.
    pub(crate) fn ambiguous(&self, matches: Matches) -> LocateError {
        LocateError::Ambiguous { what: self.target(), matches: Box::new(self.choosable(matches)) }
    }

    /// Adds the changes that choose one of the matches.
    pub(crate) fn choosable(&self, mut matches: Matches) -> Matches {
        matches.offer(|nth, matches| {
            let span = *matches.spans().get(nth)?;
            // What stands in a reserved section cannot be chosen.
            let is_reserved = self.doc.reserved_section_at(span.start()).is_some();
            if is_reserved { None } else { self.fix_for(span, matches) }
        });
        matches
    }

    fn first_rung(&self) -> Result<Option<(Rungs, Vec<Span>)>, LocateError> {
        let scope = self.scope.span(self.doc);
        for rungs in Rungs::climb() {
            let found = self.matches(scope, rungs)?;
            if !found.is_empty() {
                return Ok(Some((rungs, found)));
            }
        }
        Ok(None)
    }

    /// Keeps of `rungs` what the match at `span` needs.
    fn minimized(&self, span: Span, rungs: Rungs) -> Result<TextMatch, LocateError> {
        let last = span.end().saturating_sub(1).max(span.start());
        let around = Span::new(self.line_at(span.start()).full.start(), self.line_at(last).full.end());
        let rungs = rungs.minimized(|fewer| self.matches(around, fewer).is_ok_and(|found| !found.is_empty()));
        if rungs.reads_lines()
            && let Some(found) = Paste::new(&self.index, self.needle, rungs).find(around, 1)?.pop()
        {
            return Ok(TextMatch { span: found.span, lines: found.lines, rungs });
        }
        let span = self.matches(around, rungs)?.first().copied().unwrap_or(span);
        Ok(TextMatch { span, lines: self.lines_read(rungs), rungs })
    }

    /// Returns where the needle stands on these rungs: as it is, else without the white space at its very end, which then
    /// is at a line's end.
    fn matches(&self, scope: Span, rungs: Rungs) -> Result<Vec<Span>, LocateError> {
        if rungs.reads_lines() {
            let found = Paste::new(&self.index, self.needle, rungs).find(scope, MOST_HEALED)?;
            return Ok(found.into_iter().map(|found| found.span).collect());
        }
        let text = FoldedText::new(self.doc.text(), scope, rungs);
        let found = self.matches_of(&self.folded_needle(rungs, LineEnd::AsWritten), &text, LineEnd::AsWritten);
        if found.is_empty() && rungs.has(Rung::TrailingSpace) && self.needle.ends_with([' ', '\t']) {
            return Ok(self.matches_of(&self.folded_needle(rungs, LineEnd::Trimmed), &text, LineEnd::Trimmed));
        }
        Ok(found)
    }

    fn matches_of(&self, needle: &str, text: &FoldedText<'_>, end: LineEnd) -> Vec<Span> {
        if needle.is_empty() {
            return Vec::new();
        }
        let found = occurrences(&text.folded, Span::new(0, text.folded.len()), needle);
        let fits = |span: &&Span| end == LineEnd::AsWritten || text.is_line_end(span.end());
        let origins = found.iter().filter(fits).filter_map(|span| text.origin(span.start(), span.end()));
        origins.take(MOST_HEALED).collect()
    }

    /// Returns the needle as these rungs see it.
    fn folded_needle(&self, rungs: Rungs, end: LineEnd) -> String {
        let read = rungs.read(self.needle);
        let mut folded = String::with_capacity(read.len());
        for line in Lines::of(&read) {
            let ending = line.ending();
            let keeps_space = ending == Ending::None && end == LineEnd::AsWritten;
            let folds = if keeps_space { rungs.without(Rung::TrailingSpace) } else { rungs };
            folded.push_str(&folds.fold_line(line.text.of(&read)));
            let is_folded = rungs.has(Rung::LineEndings) && ending == Ending::CrLf;
            folded.push_str(if is_folded { "\n" } else { ending.as_str() });
        }
        folded
    }

    fn line_at(&self, offset: usize) -> Line {
        let table = self.doc.lines();
        table.line(self.doc.text(), table.index_at(offset))
    }

    fn explain_rung(&self, rungs: Rungs, found: &[Span], help: &mut Diagnostic) -> Result<(), LocateError> {
        let Some(first) = found.first() else { return Ok(()) };
        let healed = self.minimized(*first, rungs)?;
        let there = healed.span.of(self.doc.text());
        help.reasons.extend(healed.rungs.iter().map(|rung| reason_of_rung(rung, self.needle, there)));
        help.reasons.push(Reason::Overlooked(healed.rungs.iter().collect()));
        if found.len() == 1 {
            help.fix = Some(Fix::CopyText(there.into()));
        }
        Ok(())
    }

    /// Looks for the text outside its scope.
    fn look_elsewhere(&self, scope: Span, help: &mut Diagnostic) {
        if scope == self.doc.span() {
            return;
        }
        let found = occurrences(self.doc.text(), self.doc.span(), self.needle);
        let [only] = found.as_slice() else { return };
        let is_by_section = matches!(self.scope, Scope::Section(_));
        let there = Diagnostic::elsewhere(self.doc, only.start(), |section| {
            let named = section.filter(|section| is_by_section && section.extent.covers(*only));
            Some(Fix::section(named).unwrap_or(Fix::DropScope))
        });
        help.reasons.extend(there.reasons);
        help.fix = there.fix.or(help.fix.take());
    }

    /// Reports whether the new text stands in the scope, not merely inside a word.
    fn has_replacement(&self, scope: Span) -> bool {
        let text = self.doc.text();
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let stands_alone = |span: &Span| {
            let before = text.get(..span.start()).and_then(|text| text.chars().next_back());
            let after = text.get(span.end()..).and_then(|text| text.chars().next());
            let (first, last) = (self.replacement.chars().next(), self.replacement.chars().next_back());
            let continues = is_letter(before) && is_letter(first);
            !(continues || (is_letter(after) && is_letter(last)))
        };
        let is_blank = self.replacement.trim().is_empty();
        !is_blank && occurrences(text, scope, self.replacement).iter().any(stands_alone)
    }

    /// Returns the first line of the needle that does not occur, else its first line.
    fn telling_line(&self, scope: Span) -> &'a str {
        let needle = self.needle;
        let text = scope.of(self.doc.text());
        let mut lines = Lines::of(needle).map(|line| line.text.of(needle)).filter(|line| !line.is_empty());
        let first = lines.clone().next().unwrap_or(needle);
        let whole: HashSet<&str> = Lines::of(text).map(|line| line.text.of(text)).collect();
        let mut searches = 0..SEARCHES;
        let is_absent = |line: &&str| {
            !whole.contains(line)
                && searches.next().is_some()
                && memmem::find(text.as_bytes(), line.as_bytes()).is_none()
        };
        lines.find(is_absent).unwrap_or(first)
    }

    /// Offers the text that stands there, if it differs from the one sought only in letter case.
    fn fix_from_closest(&self, scope: Span, help: &Diagnostic) -> Option<Fix> {
        let closest = help.closest.first().filter(|closest| closest.difference.reason == Reason::Case)?;
        let table = self.doc.lines();
        let line = table.line(self.doc.text(), closest.line.checked_sub(1)?).text.of(self.doc.text());
        let there = ignoring_case(line, self.needle)?;
        (occurrences(self.doc.text(), scope, there).len() == 1).then(|| Fix::CopyText(there.into()))
    }

    /// Returns the change that chooses the occurrence at `span`: its section's name, or more of the text around it.
    fn fix_for(&self, span: Span, found: &Matches) -> Option<Fix> {
        let is_named = self.scope == Scope::Document && !found.is_overlapping();
        let section = if is_named { found.section_of(span) } else { None };
        section.or_else(|| self.widened(span))
    }

    /// Takes whole lines around `span`, a few, until they occur once.
    fn widened(&self, span: Span) -> Option<Fix> {
        let text = self.doc.text();
        let scope = self.scope.span(self.doc);
        let lines = self.doc.lines();
        let (mut first, mut last) = (lines.index_at(span.start()), lines.index_at(span.end().saturating_sub(1)));
        for step in 0..6 {
            let wide =
                Span::new(lines.start(first).max(scope.start()), lines.line(text, last).text.end().min(scope.end()));
            let old = wide.of(text);
            if old.len() > 400 {
                return None;
            }
            if wide.covers(span) && occurrences(text, scope, old).len() == 1 {
                let before = Span::new(wide.start(), span.start()).of(text);
                let after = Span::new(span.end(), wide.end()).of(text);
                let new = [before, self.replacement, after].concat();
                return Some(Fix::Widen { old: old.into(), new: new.into() });
            }
            if step % 2 == 0 && first > 0 {
                first -= 1;
            } else if last + 1 < lines.len() {
                last += 1;
            }
        }
        None
    }
}

/// What is done with white space at the very end of a needle, behind which no line feed stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    /// It counts: the line may go on behind it.
    AsWritten,
    /// It is overlooked, and the line ends there.
    Trimmed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stand_there_are_not_searched_for() {
        let lines: String = (0..4 * SEARCHES).map(|number| format!("## T{number}\n")).collect();
        let doc = MemoryDoc::parse(lines.as_str());
        let telling = |needle: &str| {
            let search = TextSearch::new(&doc, Scope::Document, needle, "");
            search.telling_line(doc.span()).to_owned()
        };
        assert_eq!(telling(&format!("{lines}T7\nabsent\nT8\n")), "absent");
        assert_eq!(telling(&lines), "## T0");
    }
}
