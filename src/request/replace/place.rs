//! [`Place`]: one of several places of a text, as it was shown to who chose it; and the part of a document behind a text.

use super::super::Refusal;
use crate::document::{MemoryDoc, SectionRef};
use crate::locate::{Diagnostic, Fix, Found, LocateError, Matches, Scope, Target, TextMatch, TextSearch};
use crate::text::{Content, Revision, Span};

/// One of several places of a text, as it was shown to who chose it: on another text it is the only one in lines that read the same,
/// in a section of the same path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    shown: Revision,
    span: Span,
    lines: Content,
    /// Where in the lines it begins, in bytes.
    offset: usize,
    section: Option<Content>,
}

impl Place {
    /// Describes the place of these bytes.
    pub fn of(doc: &MemoryDoc, span: Span) -> Self {
        let lines = lines_of(doc, span);
        let section = doc.section_at(span.start()).map(|section| section.path().into());
        let offset = span.start() - lines.start();
        Self { shown: doc.revision(), span, lines: lines.of(doc.text()).into(), offset, section }
    }

    /// Returns which of `spans`, places of `doc`, it is.
    pub(super) fn among(&self, doc: &MemoryDoc, spans: &[Span]) -> Option<Span> {
        if doc.revision() == self.shown {
            return spans.iter().copied().find(|span| *span == self.span);
        }
        let is_of_section = |span: &Span| {
            let section = doc.section_at(span.start()).map(SectionRef::path);
            section.as_deref() == self.section.as_deref()
        };
        let mut alike = spans.iter().filter(|span| {
            let lines = lines_of(doc, **span);
            span.start() - lines.start() == self.offset && lines.of(doc.text()) == &*self.lines && is_of_section(span)
        });
        alike.next().copied().filter(|_| alike.next().is_none())
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
    /// Finds the part of a document behind the one place of `text`.
    pub(super) fn of(doc: &MemoryDoc, text: &str) -> Result<Found<Self>, Refusal> {
        let search = TextSearch::new(doc, Scope::Document, text, "");
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
        Ok(Found { at: Self { part: Span::new(place.end(), doc.text().len()), section_end }, healed })
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
