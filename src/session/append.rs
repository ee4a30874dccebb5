//! [`Append`]: lines at the end of a section, or of the document.

use crate::document::{MemoryDoc, heading};
use crate::edit::Edit;
use crate::request::patch::{Anchor, DocumentPatch, Hunk, HunkLine, LineOp, PatchPart};
use crate::request::{Argument, Refusal, Request, RequestError, View};
use crate::text::{Content, Line, is_blank};

/// Adds lines where a patch adds them that says nothing but where: at the end of a section's own text, before its subsections, or of
/// the document. A heading is set apart by a blank line.
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

    /// Adds them at the end of this section instead.
    #[must_use]
    pub fn to_section(mut self, section: impl Into<Content>) -> Self {
        self.section = Some(section.into());
        self
    }

    fn patch<'t>(&self, lines: impl Iterator<Item = &'t str>) -> DocumentPatch {
        let line = |text: &str| HunkLine { op: LineOp::Add, text: text.into() };
        let hunk = Hunk {
            lines: lines.map(line).collect(),
            anchors: self.section.iter().cloned().map(Anchor::Section).collect(),
            is_at_end_of_file: self.section.is_none(),
            ..Hunk::default()
        };
        DocumentPatch { parts: vec![PatchPart::Hunk(hunk)], ..DocumentPatch::default() }
    }
}

impl Request for Append {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let text = self.text.replace("\r\n", "\n");
        let text = text.strip_suffix('\n').unwrap_or(&text);
        if is_blank(text) {
            return Err(Refusal::invalid(Argument::NewText, "a text to append", "an empty text").into());
        }
        let edit = self.patch(text.split('\n')).plan(view)?;
        let needs_blank = text.split('\n').next().is_some_and(|first| heading(first).is_some());
        let place = edit.splices().first().filter(|_| needs_blank).map(|splice| splice.span.start());
        match place.filter(|place| !is_below_blank(view.doc, *place)) {
            Some(_) => self.patch([""].into_iter().chain(text.split('\n'))).plan(view),
            None => Ok(edit),
        }
    }
}

/// Reports whether the line above a place is blank, or there is none.
fn is_below_blank(doc: &MemoryDoc, place: usize) -> bool {
    place.checked_sub(1).is_none_or(|above| is_blank(Line::holding(doc.text(), above).text.of(doc.text())))
}
