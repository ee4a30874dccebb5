//! What is told of a text that does not stand in its scope.

use super::closest::{closest, ignoring_case};
use super::diagnostic::{Diagnostic, LocateError};
use super::doc_lines::DocLines;
use super::fix::Fix;
use super::nearest::{Sought, nearest_run};
use super::normal::exactly;
use super::reason::Reason;
use super::scope::Scope;
use super::target::Target;
use super::text_search::TextSearch;
use crate::text::{Lines, Span, is_whole_words};

impl TextSearch<'_> {
    /// Returns the error for a text that occurs nowhere in its scope as it is looked for.
    pub(crate) fn not_found(&self) -> LocateError {
        LocateError::not_found(Target::Text(self.needle.into()), self.help())
    }

    fn help(&self) -> Diagnostic {
        let (scope, mut help) = (self.scope.span(self.doc), self.elsewhere());
        if self.has_replacement(scope) {
            help.reasons.push(Reason::AlreadyApplied);
        }
        if help.fix.is_some() || help.reasons.iter().any(|reason| matches!(reason, Reason::Reserved(_))) {
            return help;
        }
        let lines: Vec<&str> = Lines::of(self.needle).map(|line| line.text.of(self.needle)).collect();
        let nearest = match lines.as_slice() {
            [] => Diagnostic::default(),
            [line] => Diagnostic { closest: closest(self.doc, scope, line), ..Diagnostic::default() },
            lines => {
                let range = self.doc.line_range(scope);
                nearest_run(&DocLines::new(self.doc, lines.len()), &range, Sought::Text(lines))
            }
        };
        help.closest = nearest.closest;
        help.reasons.extend(nearest.reasons);
        help.fix = self.as_it_stands().or_else(|| self.in_its_case(scope, &help));
        help
    }

    /// Offers the one text that would be found if it were healed.
    fn as_it_stands(&self) -> Option<Fix> {
        let found = self.healed()?;
        let [only] = found.spans.as_slice() else { return None };
        Some(Fix::CopyText(only.of(self.doc.text()).into()))
    }

    /// Offers the text as it stands there, if it differs in letter case alone.
    fn in_its_case(&self, scope: Span, help: &Diagnostic) -> Option<Fix> {
        let closest = help.closest.first().filter(|closest| closest.difference.reason == Reason::Case)?;
        let line = self.doc.lines().line(self.doc.text(), closest.line.checked_sub(1)?).text.of(self.doc.text());
        let there = ignoring_case(line, self.needle)?;
        let is_only = exactly(self.doc.text(), scope, there).len() == 1;
        is_only.then(|| Fix::CopyText(there.into()))
    }

    /// Tells of the one place outside of the scope that holds the text.
    fn elsewhere(&self) -> Diagnostic {
        let found = exactly(self.doc.text(), self.doc.span(), self.needle);
        let [only] = found.as_slice() else { return Diagnostic::default() };
        let is_by_section = matches!(self.scope, Scope::Section(_));
        Diagnostic::elsewhere(self.doc, only.start(), |section| {
            let named = section.filter(|section| is_by_section && section.extent.covers(*only));
            Some(Fix::section(named).unwrap_or(Fix::DropScope))
        })
    }

    /// Reports whether the new text stands in the scope, not merely inside a word.
    fn has_replacement(&self, scope: Span) -> bool {
        let text = self.doc.text();
        let is_told = !self.replacement.trim().is_empty();
        is_told && exactly(text, scope, self.replacement).into_iter().any(|span| is_whole_words(text, span))
    }
}
