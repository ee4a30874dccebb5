//! [`InsertLines`]: lines that are added behind a line, which its number names.

use super::{Argument, Refusal, Request, RequestError, View};
use crate::edit::{Edit, EditBuilder, Part, PartStatus, Promise};
use crate::text::{Content, Lines};

/// Adds lines as they are behind a line of the text that the editor saw. One line break at the end of the text ends its last line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InsertLines {
    /// How many lines stand before the new ones.
    pub after: usize,
    /// The lines.
    pub text: Content,
}

impl InsertLines {
    /// Adds lines behind so many lines of the text.
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
        let mut lines: Vec<&str> = Lines::of(&self.text).map(|line| line.text.of(&self.text)).collect();
        if lines.is_empty() {
            lines.push("");
        }
        let mut edit = EditBuilder::new(doc);
        edit.part(Part::new(PartStatus::Applied));
        edit.for_part(0).insert_lines(doc, doc.line_start(self.after), &lines, Promise::Lines);
        edit.finish().map_err(|overlap| RequestError::of(0, overlap))
    }
}
