//! What is told of a text that does not stand in its scope.

use std::collections::HashSet;

use memchr::memmem;

use super::closest::{closest, ignoring_case};
use super::diagnostic::{Diagnostic, LocateError};
use super::difference::reason_of_rung;
use super::fix::Fix;
use super::normal::exactly;
use super::reason::Reason;
use super::scope::Scope;
use super::target::Target;
use super::text_search::TextSearch;
use crate::text::{Lines, Span, is_whole_words};

impl<'a> TextSearch<'a> {
    /// Returns the error for a text that occurs nowhere in its scope as it is looked for.
    pub(crate) fn not_found(&self) -> LocateError {
        LocateError::not_found(Target::Text(self.needle.into()), self.help())
    }

    fn help(&self) -> Diagnostic {
        let scope = self.scope.span(self.doc);
        let mut help = Diagnostic::default();
        if let Some(healed) = self.healed() {
            let there = healed.spans.first().map_or("", |span| span.of(self.doc.text()));
            help.reasons.extend(healed.healed.iter().map(|rung| reason_of_rung(*rung, &healed.old, there)));
            help.reasons.push(Reason::Overlooked(healed.healed));
            help.fix = (healed.spans.len() == 1).then(|| Fix::CopyText(there.into()));
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
            help.fix = self.fix_from_closest(scope, &help);
        }
        help
    }

    /// Looks for the text outside its scope.
    fn look_elsewhere(&self, scope: Span, help: &mut Diagnostic) {
        if scope == self.doc.span() {
            return;
        }
        let found = exactly(self.doc.text(), self.doc.span(), self.needle);
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
        let is_told = !self.replacement.trim().is_empty();
        is_told && exactly(text, scope, self.replacement).into_iter().any(|span| is_whole_words(text, span))
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
        match exactly(self.doc.text(), scope, there).as_slice() {
            [only] if self.doc.reserved_section_at(only.start()).is_none() => Some(Fix::CopyText(there.into())),
            _ => None,
        }
    }
}
