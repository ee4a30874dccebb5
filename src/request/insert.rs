//! [`InsertLines`] adds lines behind a line with a given number; [`Append`] adds lines at the end of a section or the
//! document. Both write the lines as they are.

use super::{Argument, Refusal, Request, RequestError, View};
use crate::document::{MemoryDoc, heading};
use crate::edit::compose::{append_point, before_trailing_blanks, check_open_fence, competing_labels};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::locate::{Found, Leniency, Matches, Names, NodeKind, Scope};
use crate::text::{Content, Line, is_blank};

/// Adds lines, as they are, behind a line of the text that the editor saw. A line break at the end of the text ends its
/// last line, and adds no empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InsertLines {
    /// The number of the line behind which the new lines go, from 1; 0 for the beginning.
    pub after: usize,
    /// The lines.
    pub text: Content,
}

impl InsertLines {
    /// Adds lines behind the line with the number `after`.
    pub fn new(after: usize, text: impl Into<Content>) -> Self {
        Self { after, text: text.into() }
    }
}

impl Request for InsertLines {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        if self.after > doc.lines().len() {
            return Err(Refusal::invalid(Argument::Index, "a line of the document", self.after.to_string()).into());
        }
        let mut lines: Vec<&str> = Line::texts(&self.text).collect();
        if lines.is_empty() {
            lines.push("");
        }
        inserted(doc, doc.line_start(self.after), &lines, Vec::new())
    }
}

/// Adds lines, as they are, at the end of the document or of a section's own text, before its subsections. If the lines
/// begin with a heading, they go behind the subsections, below a blank line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Append {
    /// The lines.
    pub text: Content,
    /// The title or path of the section.
    pub section: Option<Content>,
}

impl Append {
    /// Adds lines at the end of the document.
    pub fn new(text: impl Into<Content>) -> Self {
        Self { text: text.into(), section: None }
    }
}

impl Request for Append {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let doc = view.doc;
        if is_blank(&self.text) {
            return Err(Refusal::invalid(Argument::NewText, "a text to append", "an empty text").into());
        }
        let scope = match &self.section {
            Some(section) => Names::new(doc).scope(NodeKind::Section, section, doc.span())?,
            None => Found::exact(Scope::Document),
        };
        let mut lines: Vec<&str> = Line::texts(&self.text).collect();
        let first = lines.first().copied().unwrap_or_default();
        let (at, begins_section) = (end_for(doc, scope.at, first)?, heading(first).is_some());
        if begins_section && !is_below_blank(doc, at) {
            lines.insert(0, "");
        }
        inserted(doc, at, &lines, scope.healed)
    }
}

/// Returns where lines appended to a scope go. If the `first` one is a heading, they go behind the subsections of a section.
///
/// # Errors
///
/// Several labels own all bullets of the scope, or the lines would be part of a fence that nothing closes.
pub(super) fn end_for(doc: &MemoryDoc, scope: Scope<'_>, first: &str) -> Result<usize, Refusal> {
    let at = match scope {
        Scope::Section(section) if heading(first).is_some() => before_trailing_blanks(doc, section.extent),
        Scope::Document => doc.text().len(),
        scope => check_labels(doc, scope).map(|()| append_point(doc, scope))?,
    };
    check_open_fence(doc, at)?;
    Ok(at)
}

/// Refuses to append to a scope of which several labels own all bullets.
pub(super) fn check_labels(doc: &MemoryDoc, scope: Scope<'_>) -> Result<(), Refusal> {
    let labels = competing_labels(doc, scope);
    if labels.is_empty() {
        return Ok(());
    }
    let mut places = Matches::new(doc, labels.iter().map(|label| label.line).collect());
    places.offer(|place, places| places.section_of(place));
    Err(Refusal::needs_anchor(labels.iter().map(|label| label.name().into()).collect(), Some(places)))
}

/// Returns true if the line above a place is blank, or the place is the start of the document.
fn is_below_blank(doc: &MemoryDoc, place: usize) -> bool {
    place.checked_sub(1).is_none_or(|above| is_blank(Line::holding(doc.text(), above).text.of(doc.text())))
}

/// Returns the edit that adds lines at the start of a line, or at the end of the text.
fn inserted(doc: &MemoryDoc, at: usize, lines: &[&str], healed: Vec<Leniency>) -> Result<Edit, RequestError> {
    let mut edit = EditBuilder::new(doc);
    edit.part(Part::new(PartStatus::Applied).with_healed(healed));
    edit.for_part(0).insert_lines(doc, at, lines, Promise::Lines);
    Ok(edit.finish()?)
}
