//! Literal text: every occurrence, overlapping ones noticed, and the ladder where there is none.

use std::cell::OnceCell;

use super::diagnostic::LocateError;
use super::folded::FoldedText;
use super::ladder::{Rung, Rungs};
use super::lines::LineIndex;
use super::marker::begin_with_alike_dashes;
use super::matches::Matches;
use super::occurrences::occurrences;
use super::pasted::{Paste, ReadLine};
use super::scope::Scope;
use super::target::Target;
use super::words::may_hold;
use crate::document::MemoryDoc;
use crate::text::{Ending, Line, Lines, Span, is_blank};

/// How many places are counted on the ladder, where one is one too many.
const MOST_HEALED: usize = 1_000;

/// A text that is looked for in a scope of a document.
#[derive(Debug)]
pub(crate) struct TextSearch<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) scope: Scope<'a>,
    pub(super) needle: &'a str,
    /// What the request would put there, for diagnosis.
    pub(super) replacement: &'a str,
    pub(super) index: LineIndex<'a>,
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
            None => Err(self.unfound(None)),
            Some((rungs, found)) => match found.as_slice() {
                [only] => self.minimized(*only, rungs),
                _ => Err(self.ambiguous(Matches::new(self.doc, found))),
            },
        }
    }

    /// Returns the error for a text that occurs nowhere in its scope as the policy lets it be looked for.
    pub(crate) fn not_found(&self) -> LocateError {
        self.first_rung().map_or_else(|error| error, |healed| self.unfound(healed))
    }

    /// Returns the error for a text that stands nowhere, or only where it is read on these rungs.
    fn unfound(&self, healed: Option<(Rungs, Vec<Span>)>) -> LocateError {
        let help = self.help(healed);
        help.map_or_else(|error| error, |help| LocateError::not_found(self.target(), help))
    }

    fn target(&self) -> Target {
        Target::Text(self.needle.into())
    }

    /// Returns the error for a text that occurs more often than it may.
    pub(crate) fn ambiguous(&self, matches: Matches) -> LocateError {
        LocateError::Ambiguous { what: self.target(), matches: Box::new(self.choosable(matches)) }
    }

    /// Returns the first rung that finds something, and where.
    fn first_rung(&self) -> Result<Option<(Rungs, Vec<Span>)>, LocateError> {
        let scope = self.scope.span(self.doc);
        let there = Span::new(scope.start(), self.line_at(scope.end()).full.end().max(scope.end())).of(self.doc.text());
        let [as_sent, unescaped] = [OnceCell::new(), OnceCell::new()];
        let may_stand = |rungs: &Rungs| {
            let known = if rungs.has(Rung::Escapes) { &unescaped } else { &as_sent };
            *known.get_or_init(|| self.may_stand(there, *rungs))
        };
        let may_lack_ending = self.needle.ends_with('\n') && !there.ends_with('\n');
        let reads_more = |rungs: &Rungs| may_lack_ending || rungs.read_more([there, self.needle]);
        let tells_more = |rungs: &Rungs| rungs.tell_apart([self.needle]) && reads_more(rungs);
        for rungs in Rungs::climb().filter(tells_more).filter(may_stand) {
            let found = self.matches(scope, rungs)?;
            if !found.is_empty() {
                return Ok(Some((rungs, found)));
            }
        }
        Ok(None)
    }

    /// Reports whether the needle may stand in `there` on any rungs that read its escapes as these do, as far as that is soon told.
    fn may_stand(&self, there: &str, rungs: Rungs) -> bool {
        let all = Rungs::up_to(Rung::ViewPrefix).without(Rung::Escapes);
        let read = rungs.read(self.needle);
        may_hold(there, Lines::of(&read).map(|line| line.text.of(&read)), all)
    }

    /// Keeps of `rungs` what the match at `span` needs.
    pub(super) fn minimized(&self, span: Span, rungs: Rungs) -> Result<TextMatch, LocateError> {
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
        let rungs = text.rungs;
        if needle.is_empty() {
            return Vec::new();
        }
        let found = occurrences(&text.folded, Span::new(0, text.folded.len()), needle);
        let fits = |span: &&Span| end == LineEnd::AsWritten || text.is_line_end(span.end());
        let origins = found.iter().filter(fits).filter_map(|span| text.origin(span.start(), span.end()));
        // An ending that is not there is no place of its own.
        origins.filter(|span| !span.is_empty() && self.begins_alike(*span, rungs)).take(MOST_HEALED).collect()
    }

    /// Reports whether no line of the needle has a dash for the marker of the line that it stands on, or the other way round.
    fn begins_alike(&self, span: Span, rungs: Rungs) -> bool {
        let (text, needle) = (self.doc.text(), rungs.read(self.needle));
        let before = Span::new(self.line_at(span.start()).full.start(), span.start());
        let within_line = usize::from(!is_blank(before.of(text)));
        let lines = Lines::of(&needle).zip(Lines::of(span.of(text))).skip(within_line);
        lines
            .into_iter()
            .all(|(sought, there)| begin_with_alike_dashes(sought.text.of(&needle), there.text.of(span.of(text))))
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
}

/// What is done with white space at the very end of a needle, behind which no line feed stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    /// It counts: the line may go on behind it.
    AsWritten,
    /// It is overlooked, and the line ends there.
    Trimmed,
}
