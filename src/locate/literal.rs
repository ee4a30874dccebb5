//! Literal text: every occurrence, overlapping ones noticed, and the ladder where there is none (SPEC §§ 6.2, 6.3, 8).

use std::borrow::Cow;

use memchr::memmem;

use super::candidate::candidates;
use super::closest::{Reason, closest};
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::folded::FoldedText;
use super::ladder::{Rung, Rungs, strip_view_prefix, unescape};
use super::names::unique_name;
use super::scope::Scope;
use crate::document::{Healing, MemoryDoc, bullet_start};
use crate::text::{Line, Lines, Span};

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
    let borders = borders(needle.as_bytes());
    if borders.last().is_none_or(|border| *border == 0) {
        return Occurrences::of(memmem::find_iter(haystack.as_bytes(), needle.as_bytes()).map(span).collect());
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
    Occurrences::of(spans)
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

/// A text that is looked for in a scope of a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextSearch<'a> {
    pub(crate) doc: &'a MemoryDoc,
    pub(crate) scope: Scope,
    pub(crate) needle: &'a str,
    /// What the request would put there, for diagnosis.
    pub(crate) replacement: &'a str,
}

impl<'a> TextSearch<'a> {
    /// Returns the exact occurrences.
    pub(crate) fn exact(&self) -> Occurrences {
        occurrences(self.doc.text(), self.scope.span(self.doc), self.needle)
    }

    /// Climbs the ladder to the first rung that finds something, which must be one place.
    pub(crate) fn healed(&self) -> Result<Found<(Span, Rungs)>, LocateError> {
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
        if !self.replacement.is_empty() && !occurrences(self.doc.text(), scope, self.replacement).spans.is_empty() {
            help.reasons.push(Reason::AlreadyApplied);
        }
        if help.fix.is_none() {
            help.closest = closest(self.doc, scope, self.telling_line(scope));
            help.fix = self.fix_from_closest(scope, &help);
        }
        LocateError::NotFound { what: Sought::Text(self.needle.to_owned()), help: Box::new(help) }
    }

    /// Returns the error for a text that occurs more often than it may.
    pub(crate) fn ambiguous(&self, found: &Occurrences) -> LocateError {
        let (mut candidates, not_shown) = candidates(self.doc, &found.spans);
        for candidate in &mut candidates {
            candidate.fix = self.fix_for(candidate.span, found);
        }
        LocateError::Ambiguous {
            what: Sought::Text(self.needle.to_owned()),
            count: found.spans.len(),
            overlapping: found.is_overlapping,
            help: Box::new(Diagnostic { candidates, not_shown, ..Diagnostic::default() }),
        }
    }

    fn first_rung(&self, scope: Span) -> Option<(Rungs, Occurrences)> {
        let rungs = Rung::LADDER.into_iter().map(Rungs::up_to);
        rungs.map(|rungs| (rungs, self.matches(scope, rungs))).find(|(_, found)| !found.spans.is_empty())
    }

    /// Keeps of `rungs` what the match at `span` needs.
    fn minimized(&self, span: Span, rungs: Rungs) -> Found<(Span, Rungs)> {
        let text = self.doc.text();
        let lines = Span::new(
            Line::holding(text, span.start()).full.start(),
            Line::holding(text, span.end().saturating_sub(1).max(span.start())).full.end(),
        );
        let needed = rungs.minimized(|fewer| !self.matches(lines, fewer).spans.is_empty());
        let span = self.matches(lines, needed).spans.first().copied().unwrap_or(span);
        Found { at: (span, needed), healed: needed.iter().collect() }
    }

    fn matches(&self, scope: Span, rungs: Rungs) -> Occurrences {
        let needle = FoldedNeedle::new(self.needle, rungs);
        if needle.text.is_empty() {
            return Occurrences::default();
        }
        let text = FoldedText::new(self.doc.text(), scope, rungs);
        let found = occurrences(&text.folded, Span::new(0, text.folded.len()), &needle.text);
        let fits = |span: &&Span| {
            (!needle.begins_line || text.is_line_start(span.start()))
                && (!needle.ends_line || text.is_line_end(span.end()))
        };
        let origins = found.spans.iter().filter(fits).filter_map(|span| text.origin(span.start(), span.end()));
        Occurrences::of(origins.filter(|span| self.markers_agree(*span, rungs)).collect())
    }

    /// Reports whether each line of the needle that brings a marker brings the one that stands in the document.
    fn markers_agree(&self, span: Span, rungs: Rungs) -> bool {
        if !rungs.has(Rung::BulletMarker) {
            return true;
        }
        let text = self.doc.text();
        let needle = needle_as_read(self.needle, rungs);
        let found = Lines::within(text, Span::new(Line::holding(text, span.start()).full.start(), span.end()));
        found.zip(needle.split('\n')).all(|(found, sought)| {
            let found = found.text.of(text);
            match (bullet_start(sought), bullet_start(found)) {
                (Some(sought_start), Some(found_start)) => {
                    sought.get(sought_start.marker) == found.get(found_start.marker)
                }
                (Some(_), None) => false,
                (None, _) => true,
            }
        })
    }

    fn explain_rung(&self, rungs: Rungs, found: &Occurrences, help: &mut Diagnostic) {
        let Some(first) = found.spans.first() else { return };
        let healed = self.minimized(*first, rungs);
        let there = healed.at.0.of(self.doc.text());
        help.reasons.extend(healed.healed.iter().map(|rung| Reason::of_rung(*rung, self.needle, there)));
        if found.spans.len() == 1 {
            help.fix = Some(Fix::CopyText(there.to_owned()));
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
            help.reasons.push(Reason::Reserved(self.doc.section_path(reserved)));
            return;
        }
        let section = self.doc.outline().section_at(only.start());
        help.reasons.push(Reason::OtherSection(section.map(|id| self.doc.section_path(id)).unwrap_or_default()));
        help.fix = Some(section.and_then(|id| unique_name(self.doc, id)).map_or(Fix::DropScope, Fix::NameSection));
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
        let line = self.doc.lines().line(self.doc.text(), closest.line.checked_sub(1)?).text.of(self.doc.text());
        let wanted = self.needle.to_lowercase();
        let starts = line.char_indices().map(|(at, _)| at);
        let there =
            starts.filter_map(|at| line.get(at..at + self.needle.len())).find(|part| part.to_lowercase() == wanted)?;
        (occurrences(self.doc.text(), scope, there).spans.len() == 1).then(|| Fix::CopyText(there.to_owned()))
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
                && let Some(name) = unique_name(self.doc, id)
            {
                return Some(Fix::NameSection(name));
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
                return Some(Fix::Widen { old: old.to_owned(), new });
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

/// Returns a request's text as the rungs in use read it: unescaped, without the prefixes of a view.
pub(crate) fn needle_as_read(needle: &str, rungs: Rungs) -> Cow<'_, str> {
    let needle = if rungs.has(Rung::Escapes) { unescape(needle) } else { Cow::Borrowed(needle) };
    if !rungs.has(Rung::ViewPrefix) {
        return needle;
    }
    let lines: Vec<_> = needle.split('\n').map(|line| strip_view_prefix(line).unwrap_or(line)).collect();
    Cow::Owned(lines.join("\n"))
}

/// A needle as a rung of the ladder sees it.
struct FoldedNeedle {
    text: String,
    /// It lost a prefix or a marker at its start, which stands at the start of a line.
    begins_line: bool,
    /// It lost white space at its end, which stands at the end of a line.
    ends_line: bool,
}

impl FoldedNeedle {
    fn new(needle: &str, rungs: Rungs) -> Self {
        let read = needle_as_read(needle, rungs);
        let first = read.split('\n').next().unwrap_or_default();
        let lost_marker = rungs.has(Rung::BulletMarker) && bullet_start(first).is_some();
        let lost_prefix = rungs.has(Rung::ViewPrefix)
            && needle.split('\n').next().is_some_and(|line| strip_view_prefix(line).is_some());
        let mut text = String::with_capacity(read.len());
        for line in Lines::of(&read) {
            text.push_str(&rungs.fold_line(line.text.of(&read)));
            let ending = line.ending().as_str();
            text.push_str(if rungs.has(Rung::LineEndings) && ending == "\r\n" { "\n" } else { ending });
        }
        let ends_line = rungs.has(Rung::TrailingSpace) && read.ends_with([' ', '\t']);
        Self { text, begins_line: lost_marker || lost_prefix, ends_line }
    }
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
