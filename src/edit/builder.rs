//! [`EditBuilder`]: from splices in the order of a request to an edit.

use super::{Edit, Overlap, Part, Promise, Splice};
use crate::document::MemoryDoc;
use crate::locate::Leniency;
use crate::text::{Content, Revision, Span};

/// Collects splices in the order of a request, and sorts them into an [`Edit`].
#[derive(Debug)]
pub struct EditBuilder {
    base: Revision,
    splices: Vec<Splice>,
    parts: Vec<Part>,
    /// The splice that completes the last line of a text without a final newline, and how many
    /// bytes that takes.
    completion: Option<(usize, String)>,
}

impl EditBuilder {
    /// Starts an edit of `doc`.
    pub fn new(doc: &MemoryDoc) -> Self {
        Self { base: doc.revision(), splices: Vec::new(), parts: Vec::new(), completion: None }
    }

    /// Begins the next part of the request; the splices that follow belong to it.
    pub fn part(&mut self, part: Part) -> &mut Self {
        self.parts.push(part);
        self
    }

    /// Notes leniencies that were needed for the request as a whole, with its first part.
    pub(crate) fn heal(&mut self, leniencies: &[Leniency]) {
        if let Some(first) = self.parts.first_mut() {
            first.healed.extend(leniencies);
        }
    }

    /// Replaces the bytes under `span` by `text`.
    pub fn replace(&mut self, span: Span, text: impl Into<Content>, promise: Promise) -> &mut Self {
        let part = self.parts.len().saturating_sub(1);
        self.for_part(part).replace(span, text, promise);
        self
    }

    /// Goes on with the part of this index.
    pub(crate) const fn for_part(&mut self, part: usize) -> PartEdit<'_> {
        PartEdit { edit: self, part }
    }

    /// Completes the last line before the first text that is written behind it, unless the line is
    /// removed.
    fn complete(splices: &mut [Splice], completion: Option<(usize, String)>) {
        let Some((at, ending)) = completion else { return };
        let is_removed = |splice: &Splice| splice.span.end() == at && !splice.span.is_empty() && splice.text.is_empty();
        if splices.iter().any(is_removed) {
            return;
        }
        if let Some(first) = splices.iter_mut().find(|splice| splice.span == Span::at(at)) {
            first.text = [&*ending, &*first.text].concat().into();
        }
    }

    /// Sorts the splices.
    ///
    /// # Errors
    ///
    /// Two splices that change the same bytes; an insertion strictly inside what another removes
    /// shares its place with it.
    pub fn finish(self) -> Result<Edit, Overlap> {
        let Self { base, mut splices, parts, completion } = self;
        splices.retain(|splice| !splice.is_nothing());
        // Stable, so that insertions at one place keep the request's order; they come before what
        // is removed there.
        splices.sort_by_key(|splice| (splice.span.start(), !splice.span.is_empty()));
        Self::complete(&mut splices, completion);
        for pair in splices.windows(2) {
            if let [a, b] = pair
                && b.span.start() < a.span.end()
            {
                let span = Span::new(b.span.start(), a.span.end().min(b.span.end()));
                return Err(Overlap { first: a.part.min(b.part), second: a.part.max(b.part), span });
            }
        }
        Ok(Edit::from_sorted(base, splices, parts))
    }
}

/// An edit that is written on behalf of one part of the request.
#[derive(Debug)]
pub(crate) struct PartEdit<'e> {
    edit: &'e mut EditBuilder,
    part: usize,
}

impl PartEdit<'_> {
    /// Replaces the bytes under `span` by `text`.
    pub(crate) fn replace(&mut self, span: Span, text: impl Into<Content>, promise: Promise) {
        self.edit.splices.push(Splice::new(span, text, promise, self.part));
    }

    /// Inserts lines at the end of a text without a final newline, whose last line `ending`
    /// completes; of several such insertions, only the first has to.
    pub(crate) fn append(&mut self, at: usize, ending: &str, lines: &str, promise: Promise) {
        self.edit.completion.get_or_insert_with(|| (at, ending.to_owned()));
        self.replace(Span::at(at), lines, promise);
    }
}
