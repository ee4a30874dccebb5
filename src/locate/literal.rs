//! Literal text: every occurrence, overlapping ones noticed, and the ladder where there is none.

use memchr::memmem;

use super::candidate::candidates;
use super::closest::{Reason, closest, ignoring_case};
use super::diagnostic::{Diagnostic, Fix, LocateError, Sought};
use super::folded::{FoldedText, begins_inside_letter};
use super::ladder::{Rung, Rungs};
use super::pasted::{self, ReadLine};
use super::scope::Scope;
use crate::document::{Healing, MemoryDoc, SectionId};
use crate::text::{Ending, Line, Lines, Span};

/// The places where a text occurs, in order; those that share bytes included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Occurrences {
    pub(crate) spans: Vec<Span>,
    pub(crate) is_overlapping: bool,
}

impl Occurrences {
    fn of(spans: Vec<Span>) -> Self {
        let is_overlapping = spans.windows(2).any(|pair| matches!(pair, [a, b] if a.overlaps(*b)));
        Self { spans, is_overlapping }
    }
}

/// Finds all occurrences of `needle` inside `scope`, in time linear in both.
pub(crate) fn occurrences(text: &str, scope: Span, needle: &str) -> Occurrences {
    let haystack = scope.of(text);
    if needle.is_empty() || needle.len() > haystack.len() {
        return Occurrences::default();
    }
    let span = |at: usize| Span::new(scope.start() + at, scope.start() + at + needle.len());
    // `cafe` does not stand in `café`, whatever its accent is written with.
    let is_whole = |span: &Span| !text.get(span.end()..).is_some_and(begins_inside_letter);
    let borders = borders(needle.as_bytes());
    if borders.last().is_none_or(|border| *border == 0) {
        let spans = memmem::find_iter(haystack.as_bytes(), needle.as_bytes()).map(span);
        return Occurrences::of(spans.filter(is_whole).collect());
    }
    // Only a text that ends as it begins can overlap itself; then every start is looked at (Knuth, Morris, Pratt).
    let mut spans = Vec::new();
    let mut matched = 0;
    for (at, byte) in haystack.bytes().enumerate() {
        matched = extend(needle.as_bytes(), &borders, matched, byte);
        if matched == needle.len() {
            spans.push(span(at + 1 - matched));
            matched = borders.last().copied().unwrap_or(0);
        }
    }
    Occurrences::of(spans.into_iter().filter(is_whole).collect())
}

/// Returns, for each prefix of `needle`, how much of its start it also ends with.
fn borders(needle: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(needle.len());
    let mut matched = 0;
    for (at, byte) in needle.iter().enumerate() {
        matched = if at == 0 { 0 } else { extend(needle, &borders, matched, *byte) };
        borders.push(matched);
    }
    borders
}

fn extend(needle: &[u8], borders: &[usize], mut matched: usize, byte: u8) -> usize {
    while needle.get(matched) != Some(&byte) {
        match matched.checked_sub(1).and_then(|last| borders.get(last)) {
            Some(border) => matched = *border,
            None => return 0,
        }
    }
    matched + 1
}

/// How many places are counted on the ladder, where one is one too many.
const MOST_HEALED: usize = 1_000;

/// A text that is looked for in a scope of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSearch<'a> {
    pub(crate) doc: &'a MemoryDoc,
    pub(crate) scope: Scope,
    pub(crate) needle: &'a str,
    /// What the request would put there, for diagnosis.
    pub(crate) replacement: &'a str,
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
    pub(crate) fn exact(&self) -> Occurrences {
        let text = self.doc.text();
        let mut found = occurrences(text, self.scope.span(self.doc), self.needle);
        if self.needle.starts_with('\n') {
            for span in &mut found.spans {
                let has_cr =
                    span.start().checked_sub(1).is_some_and(|before| text.as_bytes().get(before) == Some(&b'\r'));
                *span = Span::new(span.start() - usize::from(has_cr), span.end());
            }
        }
        found
    }

    /// Climbs the ladder to the first rung that finds something, which must be one place.
    pub(crate) fn healed(&self) -> Result<TextMatch, LocateError> {
        match self.first_rung(self.scope.span(self.doc)) {
            None => Err(self.not_found()),
            Some((rungs, found)) => match found.spans.as_slice() {
                [only] => Ok(self.minimized(*only, rungs)),
                _ => Err(self.ambiguous(&found)),
            },
        }
    }

    /// Returns the error for a text that occurs nowhere in its scope as the policy lets it be looked for.
    pub(crate) fn not_found(&self) -> LocateError {
        let scope = self.scope.span(self.doc);
        let mut help = Diagnostic::default();
        if let Some((rungs, found)) = self.first_rung(scope) {
            self.explain_rung(rungs, &found, &mut help);
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
        LocateError::NotFound { what: Sought::Text(self.needle.into()), help: Box::new(help) }
    }

    /// Returns the error for a text that occurs more often than it may.
    pub(crate) fn ambiguous(&self, found: &Occurrences) -> LocateError {
        let (mut candidates, not_shown) = candidates(self.doc, &found.spans);
        for candidate in &mut candidates {
            // What stands in a reserved section cannot be chosen.
            let is_reserved = self.doc.reserved_section_at(candidate.span.start()).is_some();
            candidate.fix = if is_reserved { None } else { self.fix_for(candidate.span, found) };
        }
        LocateError::Ambiguous {
            what: Sought::Text(self.needle.into()),
            count: found.spans.len(),
            overlapping: found.is_overlapping,
            help: Box::new(Diagnostic { candidates, not_shown, ..Diagnostic::default() }),
        }
    }

    fn first_rung(&self, scope: Span) -> Option<(Rungs, Occurrences)> {
        let matches = |rungs| (rungs, self.matches(scope, rungs));
        Rungs::climb().map(matches).find(|(_, found)| !found.spans.is_empty())
    }

    /// Keeps of `rungs` what the match at `span` needs.
    fn minimized(&self, span: Span, rungs: Rungs) -> TextMatch {
        let last = span.end().saturating_sub(1).max(span.start());
        let around = Span::new(self.line_at(span.start()).full.start(), self.line_at(last).full.end());
        let rungs = rungs.minimized(|fewer| !self.matches(around, fewer).spans.is_empty());
        if rungs.reads_lines()
            && let Some(found) = pasted::find(self.doc, around, self.needle, rungs, 1).pop()
        {
            return TextMatch { span: found.span, lines: found.lines, rungs };
        }
        let span = self.matches(around, rungs).spans.first().copied().unwrap_or(span);
        TextMatch { span, lines: self.lines_read(rungs), rungs }
    }

    /// Returns where the needle stands on these rungs: as it is, else without the white space at its very end, which then
    /// is at a line's end.
    fn matches(&self, scope: Span, rungs: Rungs) -> Occurrences {
        if rungs.reads_lines() {
            let found = pasted::find(self.doc, scope, self.needle, rungs, MOST_HEALED);
            return Occurrences::of(found.into_iter().map(|found| found.span).collect());
        }
        let text = FoldedText::new(self.doc.text(), scope, rungs);
        let found = self.matches_of(&self.folded_needle(rungs, LineEnd::AsWritten), &text, LineEnd::AsWritten);
        if found.spans.is_empty() && rungs.has(Rung::TrailingSpace) && self.needle.ends_with([' ', '\t']) {
            return self.matches_of(&self.folded_needle(rungs, LineEnd::Trimmed), &text, LineEnd::Trimmed);
        }
        found
    }

    fn matches_of(&self, needle: &str, text: &FoldedText<'_>, end: LineEnd) -> Occurrences {
        if needle.is_empty() {
            return Occurrences::default();
        }
        let found = occurrences(&text.folded, Span::new(0, text.folded.len()), needle);
        let fits = |span: &&Span| end == LineEnd::AsWritten || text.is_line_end(span.end());
        let origins = found.spans.iter().filter(fits).filter_map(|span| text.origin(span.start(), span.end()));
        Occurrences::of(origins.take(MOST_HEALED).collect())
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

    fn explain_rung(&self, rungs: Rungs, found: &Occurrences, help: &mut Diagnostic) {
        let Some(first) = found.spans.first() else { return };
        let healed = self.minimized(*first, rungs);
        let there = healed.span.of(self.doc.text());
        help.reasons.extend(healed.rungs.iter().map(|rung| Reason::of_rung(rung, self.needle, there)));
        help.reasons.push(Reason::Overlooked(healed.rungs.iter().collect()));
        if found.spans.len() == 1 {
            help.fix = Some(Fix::CopyText(there.into()));
        }
    }

    /// Looks for the text outside its scope.
    fn look_elsewhere(&self, scope: Span, help: &mut Diagnostic) {
        if scope == self.doc.span() {
            return;
        }
        let found = occurrences(self.doc.text(), self.doc.span(), self.needle);
        let [only] = found.spans.as_slice() else { return };
        if let Some(reserved) = self.doc.reserved_section_at(only.start()) {
            help.reasons.push(Reason::Reserved(self.doc.section_name(reserved).into()));
            return;
        }
        let section = self.doc.outline().section_at(only.start());
        help.reasons.push(Reason::OtherSection(section.map(|id| self.doc.section_name(id)).map(Into::into)));
        let holds_it =
            |id: &SectionId| self.doc.outline().section(*id).is_some_and(|section| section.extent.covers(*only));
        let named = section.filter(holds_it).filter(|_| matches!(self.scope, Scope::Section(_)));
        help.fix = Some(
            named
                .and_then(|id| self.doc.unique_section_name(id))
                .map_or(Fix::DropScope, |name| Fix::NameSection(name.into())),
        );
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
        !is_blank && occurrences(text, scope, self.replacement).spans.iter().any(stands_alone)
    }

    /// Returns the first line of the needle that does not occur, else its first line.
    fn telling_line(&self, scope: Span) -> &'a str {
        let needle = self.needle;
        let mut lines = Lines::of(needle).map(|line| line.text.of(needle)).filter(|line| !line.is_empty());
        let first = lines.clone().next().unwrap_or(needle);
        lines
            .find(|line| memmem::find(scope.of(self.doc.text()).as_bytes(), line.as_bytes()).is_none())
            .unwrap_or(first)
    }

    /// Offers the text that stands there, if it differs from the one sought only in letter case.
    fn fix_from_closest(&self, scope: Span, help: &Diagnostic) -> Option<Fix> {
        let closest = help.closest.first().filter(|closest| closest.difference.reason == Reason::Case)?;
        let table = self.doc.lines();
        let line = table.line(self.doc.text(), closest.line.checked_sub(1)?).text.of(self.doc.text());
        let there = ignoring_case(line, self.needle)?;
        (occurrences(self.doc.text(), scope, there).spans.len() == 1).then(|| Fix::CopyText(there.into()))
    }

    /// Returns the change that chooses the occurrence at `span`: its section's name, or more of the text around it.
    fn fix_for(&self, span: Span, found: &Occurrences) -> Option<Fix> {
        let alone_in = |extent: Span| found.spans.iter().filter(|other| extent.overlaps(**other)).count() == 1;
        let outline = self.doc.outline();
        if self.scope == Scope::Document && !found.is_overlapping {
            let section = outline.section_at(span.start());
            let extent = section.and_then(|id| outline.section(id)).map(|section| section.extent);
            // An occurrence that runs on into the next section is not in this one.
            if let (Some(id), true) = (section, extent.is_some_and(|extent| extent.covers(span) && alone_in(extent)))
                && let Some(name) = self.doc.unique_section_name(id)
            {
                return Some(Fix::NameSection(name.into()));
            }
        }
        self.widened(span)
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
            if wide.covers(span) && occurrences(text, scope, old).spans.len() == 1 {
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

/// Reports whether the policy lets a text be looked for on the ladder.
pub(crate) fn may_heal(doc: &MemoryDoc, expected: usize) -> bool {
    doc.policy().healing == Healing::Narrow && expected == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, needle: &str) -> (Vec<usize>, bool) {
        let found = occurrences(text, Span::new(0, text.len()), needle);
        (found.spans.iter().map(|span| span.start()).collect(), found.is_overlapping)
    }

    #[test]
    fn every_occurrence_is_found_and_overlaps_are_noticed() {
        assert_eq!(all("aaa", "aa"), (vec![0, 1], true));
        assert_eq!(all("abab", "ab"), (vec![0, 2], false));
        assert_eq!(all("ababab", "abab"), (vec![0, 2], true));
        assert_eq!(all("abcab", "abcab"), (vec![0], false));
        assert_eq!(all("a", "aa"), (vec![], false));
    }
}
