//! Numbers of ordered lists that a patch puts out of sequence: they are written as they were sent, and told of.

use super::between;
use crate::document::{BulletRef, MemoryDoc};
use crate::edit::compose::{out_of_sequence, touches_numbers};
use crate::edit::{Edit, Warning};
use crate::text::Span;

/// The longest patch that is offered to put numbers right, in characters.
const OFFERED: usize = 500;
/// How many lines it changes at most.
const MOST: usize = 40;

/// Returns the warning of lists that counted on from 0 or 1 before `edit`, and do not afterwards.
pub(super) fn warning(doc: &MemoryDoc, edit: &Edit) -> Option<Warning> {
    if !touches_numbers(doc, edit) {
        return None;
    }
    let new = MemoryDoc::with_rules(edit.apply_to(doc.text()), doc.rules().clone());
    let moved = out_of_sequence(doc, edit, &new);
    let lines: Vec<usize> = moved.iter().map(|(bullet, _)| bullet.line_number()).collect();
    let patch = if moved.len() <= MOST { repaired(&new, &moved) } else { None };
    (!lines.is_empty()).then_some(Warning::Numbering { lines, patch })
}

/// Returns the patch that gives these bullets their numbers.
fn repaired(doc: &MemoryDoc, moved: &[(BulletRef<'_>, usize)]) -> Option<String> {
    let mut text = String::with_capacity(doc.text().len());
    let mut read = 0;
    for (bullet, number) in moved {
        let delimiter = bullet.marker().chars().next_back()?;
        text.push_str(Span::new(read, bullet.marker.start()).of(doc.text()));
        text.push_str(&format!("{number}{delimiter}"));
        read = bullet.marker.end();
    }
    text.push_str(Span::new(read, doc.text().len()).of(doc.text()));
    between(doc.text(), &text).ok().filter(|patch| patch.chars().count() <= OFFERED)
}
