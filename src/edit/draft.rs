//! [`Draft`]: a document with an edit made, before it is known whether it may be.

use super::splice::{Edit, Promise};
use crate::document::MemoryDoc;
use crate::text::{Line, Span};

/// The result of an edit, next to what it was made from.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    pub(crate) old: &'a MemoryDoc,
    pub(crate) new: MemoryDoc,
    pub(crate) edit: &'a Edit,
    /// Where the splices' texts stand in the result.
    pub(crate) written: Vec<Span>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(old: &'a MemoryDoc, edit: &'a Edit) -> Self {
        let new = MemoryDoc::with_rules(edit.apply_to(old.text()), old.rules().clone());
        Self { old, new, edit, written: edit.result_spans() }
    }

    /// Returns the document as it would be.
    pub const fn doc(&self) -> &MemoryDoc {
        &self.new
    }

    /// Returns the whole lines of the old text that the splices touch, merged where they meet.
    pub(super) fn old_lines(&self) -> Vec<Span> {
        touched_lines(self.old.text(), self.edit.splices().iter().map(|splice| splice.span))
    }

    /// Returns the whole lines of the new text that the splices touch, merged where they meet.
    pub(super) fn new_lines(&self) -> Vec<Span> {
        touched_lines(self.new.text(), self.written.iter().copied())
    }

    /// Iterates over the removed bytes, the written bytes, and the promise of each splice.
    pub(super) fn splices(&self) -> impl Iterator<Item = (Span, Span, Promise)> + '_ {
        self.edit.splices().iter().zip(&self.written).map(|(splice, written)| (splice.span, *written, splice.promise))
    }
}

fn touched_lines(text: &str, spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        let last = span.end().saturating_sub(1).max(span.start());
        // The line before may gain or lose its ending, or a joiner its neighbor.
        let first = Line::holding(text, span.start().saturating_sub(1)).full.start();
        let lines = Span::new(first, Line::holding(text, last).full.end());
        match merged.last_mut() {
            Some(before) if lines.start() <= before.end() => {
                *before = Span::new(before.start(), lines.end().max(before.end()))
            }
            _ => merged.push(lines),
        }
    }
    merged
}
