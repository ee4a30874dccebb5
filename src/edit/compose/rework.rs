//! Several changes of one bullet's own text, made in a row on a scratch of the bullet alone, and written as one.

use super::super::{Edit, EditBuilder, Promise};
use crate::document::{BulletRef, MemoryDoc};
use crate::text::Span;

/// A change of text: what goes, what comes, and what it may do to the structure.
pub(super) type Change = (Span, String, Promise);

/// Returns the changes that do what `before`, in `doc`, and then `next`, planned on its result, do to a bullet; `None` if
/// `next` has nothing to do.
pub(super) fn reworked(
    bullet: BulletRef<'_>,
    before: &[Change],
    next: impl FnOnce(BulletRef<'_>) -> Vec<Change>,
) -> Option<Vec<Change>> {
    let extent = bullet.extent;
    let scratch = MemoryDoc::parse(extent.of(bullet.doc().text()));
    let first = edit_of(&scratch, extent.start(), before)?;
    let changed = MemoryDoc::parse(first.apply_to(scratch.text()));
    let changes = next(changed.bullets().next()?);
    if changes.is_empty() {
        return None;
    }
    let both = first.then(&edit_of(&changed, 0, &changes)?);
    let back = |at: usize| at + extent.start();
    let change = |splice: &super::super::Splice| {
        let promise = match splice.promise {
            kept @ (Promise::Inline | Promise::Marker) => kept,
            _ => Promise::Content,
        };
        (Span::new(back(splice.span.start()), back(splice.span.end())), splice.text.to_string(), promise)
    };
    Some(both.splices().iter().map(change).collect())
}

/// Returns the text of `span` with the changes inside it made.
pub(super) fn with_changes(doc: &MemoryDoc, span: Span, changes: &[Change]) -> Option<MemoryDoc> {
    let scratch = MemoryDoc::parse(span.of(doc.text()));
    let edit = edit_of(&scratch, span.start(), changes)?;
    Some(MemoryDoc::parse(edit.apply_to(scratch.text())))
}

fn edit_of(doc: &MemoryDoc, start: usize, changes: &[Change]) -> Option<Edit> {
    let mut edit = EditBuilder::new(doc);
    for (span, text, promise) in changes {
        let span = Span::new(span.start().checked_sub(start)?, span.end().checked_sub(start)?);
        edit.replace(span, text.as_str(), *promise);
    }
    edit.finish().ok()
}
