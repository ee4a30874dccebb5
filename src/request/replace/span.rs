//! [`ReplaceSpan`]: everything from the start of one text to the end of another.

use super::super::{Argument, Refusal, Request, RequestError, View};
use super::change::Change;
use super::place::{Behind, Place};
use crate::document::MemoryDoc;
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::locate::{Found, LocateError, Matches, Scope, Target, TextMatch, TextSearch};
use crate::text::{Content, Span, is_whole_words};

/// Replaces what begins with one text and ends with the nearest place of another behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReplaceSpan {
    /// The text that it begins with, exactly.
    pub start: Content,
    /// The text that it ends with, exactly.
    pub end: Content,
    /// The text to put there, literally.
    pub new: Content,
    /// A text that stands once, behind which to look.
    pub after: Option<Content>,
    /// Which of several places is meant.
    pub place: Option<Place>,
}

impl ReplaceSpan {
    /// Replaces from the start of `start` to the end of `end`.
    pub fn new(start: impl Into<Content>, end: impl Into<Content>, new: impl Into<Content>) -> Self {
        Self { start: start.into(), end: end.into(), new: new.into(), after: None, place: None }
    }

    /// Looks behind the one place of this text only.
    #[must_use]
    pub fn after(mut self, text: impl Into<Content>) -> Self {
        self.after = Some(text.into());
        self
    }

    /// Means this one of several places.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Returns the places that may be meant, in document order.
    ///
    /// # Errors
    ///
    /// There is none; the text to look behind does not stand there once.
    pub fn matches(&self, doc: &MemoryDoc) -> Result<Matches, RequestError> {
        Ok(self.found(doc)?.at.0)
    }

    /// Returns the places, and the one of them that is meant without being chosen.
    fn found(&self, doc: &MemoryDoc) -> Result<Found<(Matches, Option<Span>)>, Refusal> {
        if self.start.is_empty() || self.end.is_empty() {
            return Err(Refusal::invalid(Argument::OldText, "a text to begin and one to end with", "an empty text"));
        }
        let behind = self.after.as_deref().map(|text| Behind::of(doc, text)).transpose()?;
        let (behind, healed) = behind.map(|found| (found.at, found.healed)).unzip();
        let part = behind.map_or(doc.span(), |behind| behind.part);
        let starts = Matches::of_text(doc, part, &self.start);
        if starts.is_overlapping() {
            let what = Target::Text(self.start.clone());
            return Err(LocateError::Ambiguous { what, matches: Box::new(starts) }.into());
        }
        let found = Matches::of_range(doc, part, &self.start, &self.end);
        if found.is_empty() {
            return Err(self.unfound(doc, &starts).into());
        }
        let only = match (&self.place, found.spans()) {
            (Some(place), spans) => place.among(doc, spans),
            (None, [only]) => Some(*only).filter(|only| is_whole_words(doc.text(), *only)),
            (None, spans) => behind.and_then(|behind| behind.only_in_section(spans)),
        };
        let found = if behind.is_some() { found.recommending(0) } else { found };
        Ok(Found { at: (found, only), healed: healed.unwrap_or_default() })
    }

    /// Returns the error for a span of which no start, or no end behind one, stands in a part of a document.
    fn unfound(&self, doc: &MemoryDoc, starts: &Matches) -> LocateError {
        let sought = if starts.is_empty() { &self.start } else { &self.end };
        let mut error = TextSearch::new(doc, Scope::Document, sought, "").not_found();
        if self.after.is_some() || !starts.is_empty() {
            error = Behind::help(doc, error);
        }
        if let LocateError::NotFound { help, .. } = &mut error
            && self.after.is_none()
        {
            help.fix = None;
        }
        error
    }
}

impl Request for ReplaceSpan {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        let Found { at: (matches, only), healed } = self.found(doc)?;
        let Some(span) = only else {
            let inside_words = matches.spans().iter().filter(|span| !is_whole_words(doc.text(), **span)).count();
            let (what, matches) = (Target::Text(self.start.clone()), Box::new(matches));
            return Err(Refusal::CountMismatch { what, expected: 1, inside_words, matches, fix: None }.into());
        };
        let (old, new) = (span.of(doc.text()).to_owned(), self.new.to_string());
        let change = Change::new(doc, span, &TextMatch { spans: vec![span], old, new, healed: Vec::new() });
        let status = if change.splices.is_empty() { PartStatus::NoChange } else { PartStatus::Applied };
        let mut edit = EditBuilder::new(doc);
        edit.part(Part::new(status).with_healed(healed));
        for (span, text) in change.splices {
            edit.replace(span, text, Promise::Lines);
        }
        edit.finish().map_err(|overlap| RequestError::of(0, overlap))
    }
}
