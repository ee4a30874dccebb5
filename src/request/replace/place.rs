//! [`Place`]: one of several places of a text, as it was shown to who chose it; and the part of a document behind a text.

use super::super::Refusal;
use crate::document::MemoryDoc;
use crate::locate::{Diagnostic, Fix, Found, LocateError, Matches, Scope, Target, TextMatch, TextSearch};
use crate::text::{Revision, Span};

/// One of several places of a text, as it was shown to who chose it. On another text it is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    shown: Revision,
    span: Span,
}

impl Place {
    /// Describes the place of these bytes.
    pub fn of(doc: &MemoryDoc, span: Span) -> Self {
        Self { shown: doc.revision(), span }
    }

    /// Returns which of `spans`, places of `doc`, it is.
    pub(super) fn among(self, doc: &MemoryDoc, spans: &[Span]) -> Option<Span> {
        spans.iter().copied().find(|span| doc.revision() == self.shown && *span == self.span)
    }
}

/// Returns the whole lines that a place stands in.
pub(super) fn lines_of(doc: &MemoryDoc, span: Span) -> Span {
    let table = doc.lines();
    let last = table.index_at(span.end().saturating_sub(1).max(span.start()));
    Span::new(table.start(table.index_at(span.start())), table.start(last + 1))
}

/// The part of a document behind a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behind {
    pub(super) part: Span,
    /// Where the section ends in which the text stands.
    pub(super) section_end: usize,
}

impl Behind {
    /// Finds the part of a scope behind the one place of `text` in it.
    pub(super) fn of(doc: &MemoryDoc, text: &str, scope: Scope<'_>) -> Result<Found<Self>, Refusal> {
        let search = TextSearch::new(doc, scope, text, "");
        let TextMatch { spans, healed, .. } = search.found();
        let place = match spans.as_slice() {
            [] => return Err(unfound(text, search.not_found()).into()),
            [only] => *only,
            _ => {
                let (what, matches) = (Target::Anchor(text.into()), Box::new(Matches::new(doc, spans)));
                return Err(LocateError::Ambiguous { what, matches }.into());
            }
        };
        let first = || doc.sections().next().map_or(doc.text().len(), |section| section.line.start());
        let section_end = doc.section_at(place.start()).map_or_else(first, |section| section.extent.end());
        Ok(Found { at: Self { part: Span::new(place.end(), scope.span(doc).end()), section_end }, healed })
    }

    /// Returns the only one of `spans` that stands in the section, if there is just one.
    pub(super) fn only_in_section(self, spans: &[Span]) -> Option<Span> {
        let mut inside = spans.iter().filter(|span| span.end() <= self.section_end);
        inside.next().copied().filter(|_| inside.next().is_none())
    }

    /// Says of a text that was not found behind the place on which line it stands, if it does.
    pub(super) fn help(doc: &MemoryDoc, error: LocateError) -> LocateError {
        let LocateError::NotFound { what: Target::Text(text), .. } = &error else { return error };
        let found = Matches::of_text(doc, doc.span(), text);
        let Some(first) = found.spans().first() else { return error };
        let help = Diagnostic::elsewhere(doc, first.start(), |_| Some(Fix::DropScope));
        LocateError::not_found(Target::Text(text.clone()), help)
    }
}

/// The error for a text to look behind that was not found.
fn unfound(text: &str, error: LocateError) -> LocateError {
    let LocateError::NotFound { mut help, .. } = error else { return error };
    help.fix = None;
    LocateError::NotFound { what: Target::Anchor(text.into()), help }
}
