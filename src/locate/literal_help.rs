//! What is told of a text that does not stand in one place: why it was not found, and what chooses one of several.

use std::collections::HashSet;

use memchr::memmem;

use super::closest::{closest, ignoring_case};
use super::diagnostic::{Diagnostic, LocateError};
use super::difference::reason_of_rung;
use super::fix::Fix;
use super::indented::indented;
use super::ladder::Rungs;
use super::literal::TextSearch;
use super::matches::Matches;
use super::occurrences::occurrences;
use super::reason::Reason;
use super::scope::Scope;
use crate::text::{Lines, Span};

impl<'a> TextSearch<'a> {
    /// Returns why the text was not found, and what helps. `healed` are the first rungs that find it, and where.
    pub(super) fn help(&self, healed: Option<(Rungs, Vec<Span>)>) -> Result<Diagnostic, LocateError> {
        let scope = self.scope.span(self.doc);
        let mut help = Diagnostic::default();
        if let Some((rungs, found)) = healed {
            self.explain_rung(rungs, &found, &mut help)?;
        }
        self.look_elsewhere(scope, &mut help);
        if self.has_replacement(scope) {
            help.reasons.push(Reason::AlreadyApplied);
        }
        let is_reserved = help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_)));
        if help.fix.is_none() && !is_reserved {
            match self.telling_line(scope) {
                Some(line) => help.closest = closest(self.doc, scope, line),
                None => help.reasons.push(Reason::NotAdjacent),
            }
            let indented = || indented(self.doc, scope, self.needle, self.replacement);
            help.fix = self.fix_from_closest(scope, &help).or_else(indented);
        }
        Ok(help)
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

    /// Returns the first line of the needle that does not occur, or the only one; `None` if there are several, and all do. Only the
    /// first may begin inside of a line, and only the last may end there.
    fn telling_line(&self, scope: Span) -> Option<&'a str> {
        let needle = self.needle;
        let text = scope.of(self.doc.text());
        let mut lines = Lines::of(needle).map(|line| line.text.of(needle)).filter(|line| !line.is_empty()).peekable();
        let first = lines.next().unwrap_or(needle);
        let Some(_) = lines.peek() else { return Some(first) };
        let whole: HashSet<&str> = Lines::of(text).map(|line| line.text.of(text)).collect();
        let occurs = |line: &str| memmem::find(text.as_bytes(), line.as_bytes()).is_some();
        if !whole.contains(first) && !occurs(first) {
            return Some(first);
        }
        while let Some(line) = lines.next() {
            let is_last = lines.peek().is_none();
            let begins_a_line = || is_last && occurs(&["\n", line].concat());
            if !whole.contains(line) && !begins_a_line() {
                return Some(line);
            }
        }
        None
    }

    /// Offers the text that stands there, if it differs from the one sought only in letter case.
    fn fix_from_closest(&self, scope: Span, help: &Diagnostic) -> Option<Fix> {
        let closest = help.closest.first().filter(|closest| closest.difference.reason == Reason::Case)?;
        let table = self.doc.lines();
        let line = table.line(self.doc.text(), closest.line.checked_sub(1)?).text.of(self.doc.text());
        let there = ignoring_case(line, self.needle)?;
        match occurrences(self.doc.text(), scope, there).as_slice() {
            [only] if self.doc.reserved_section_at(only.start()).is_none() => Some(Fix::CopyText(there.into())),
            _ => None,
        }
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
            // The last line ending counts only where it is sought.
            let end = lines.line(text, last).text.end().max(span.end()).min(scope.end());
            let wide = Span::new(lines.start(first).max(scope.start()), end);
            let old = wide.of(text);
            if old.len() > 400 {
                return None;
            }
            if wide.covers(span) && occurrences(text, scope, old).len() == 1 {
                return Some(Fix::widened(text, wide, span, self.replacement));
            }
            if step % 2 == 0 && first > 0 {
                first -= 1;
            } else if last + 1 < lines.len() {
                last += 1;
            }
        }
        None
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::MemoryDoc;

    #[test]
    fn the_first_line_that_does_not_stand_there_is_told() {
        let doc = MemoryDoc::parse("- a b\n  c\n  d\nef\n");
        let telling = |needle| {
            let search = TextSearch::new(&doc, Scope::Document, needle, "");
            search.telling_line(doc.span()).map(str::to_owned)
        };
        assert_eq!(telling("b\n  c\n  x").as_deref(), Some("  x"));
        assert_eq!(telling("b\nc\n  d").as_deref(), Some("c"), "a line in the middle stands there whole");
        assert_eq!(telling("b\n  c\nd").as_deref(), Some("d"), "the last begins a line");
        assert_eq!(telling("x\nc\n  d").as_deref(), Some("x"));
        assert_eq!(telling("  d\ne\n  d").as_deref(), Some("e"), "a line in the middle ends there, too");
        assert_eq!(telling("  d\ne"), None, "the last need not");
        assert_eq!(telling("a\n  d"), None, "each of them stands there");
    }
}
