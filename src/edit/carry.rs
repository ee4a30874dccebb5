//! Where a place of the text before an edit stands after it.

use std::borrow::Cow;

use super::{Draft, Edit};
use crate::text::Span;

/// An edit, ready for many look-ups.
#[derive(Debug)]
pub(crate) struct Carry<'a> {
    edit: &'a Edit,
    written: Cow<'a, [Span]>,
}

impl<'a> Carry<'a> {
    pub(crate) fn new(edit: &'a Edit) -> Self {
        Self { edit, written: edit.result_spans().into() }
    }

    pub(crate) fn of(draft: &'a Draft<'_>) -> Self {
        Self { edit: draft.edit, written: Cow::Borrowed(&draft.written) }
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

    /// Returns where the byte of the result at `offset` stood before the edit; `None` if the edit writes it.
    pub(crate) fn origin(&self, offset: usize) -> Option<usize> {
        let before = self.written.partition_point(|written| written.end() <= offset);
        if self.written.get(before).is_some_and(|written| written.contains(offset)) {
            return None;
        }
        let Some(last) = before.checked_sub(1) else { return Some(offset) };
        Some(self.edit.splices().get(last)?.span.end() + offset - self.written.get(last)?.end())
    }

    /// Returns where what the edit removes began, in whose place it writes what begins at `offset` of the result.
    pub(crate) fn written_over(&self, offset: usize) -> Option<usize> {
        let nth = self.written.partition_point(|written| written.end() <= offset);
        self.written.get(nth).filter(|written| written.start() == offset)?;
        self.edit.splices().get(nth).filter(|splice| !splice.span.is_empty()).map(|splice| splice.span.start())
    }
}
