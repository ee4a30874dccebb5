//! Numbers of ordered lists that a patch puts out of sequence: they are written as they were sent, and named.

use crate::document::MemoryDoc;
use crate::edit::compose::{touches_numbers, uncounted};
use crate::edit::{Edit, Warning, made};

/// Returns the warning of lists that counted before `edit`, and do not afterwards.
pub(super) fn warning(doc: &MemoryDoc, edit: &Edit) -> Option<Warning> {
    if !touches_numbers(doc, edit) {
        return None;
    }
    let new = made(doc, edit);
    let lines: Vec<usize> = uncounted(doc, edit, &new).iter().map(|bullet| bullet.line_number()).collect();
    (!lines.is_empty()).then_some(Warning::Numbering { lines })
}
