//! Where a place of the text before an edit stands after it.

use super::splice::Edit;
use crate::text::Span;

/// An edit, ready for many look-ups.
#[derive(Debug)]
pub(crate) struct Carry<'a> {
    edit: &'a Edit,
    written: Vec<Span>,
}

impl<'a> Carry<'a> {
    pub(crate) fn new(edit: &'a Edit) -> Self {
        Self { edit, written: edit.result_spans() }
    }

    /// Returns where the byte at `offset` stands after the edit; `None` if the edit removes it.
    pub(crate) fn survivor(&self, offset: usize) -> Option<usize> {
        let splices = self.edit.splices();
        let before = splices.partition_point(|splice| splice.span.end() <= offset);
        if splices.get(before).is_some_and(|splice| splice.span.contains(offset)) {
            return None;
        }
        let Some(last) = before.checked_sub(1) else { return Some(offset) };
        Some(self.written.get(last)?.end() + offset - splices.get(last)?.span.end())
    }
}
