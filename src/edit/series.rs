//! Edits in a series, each planned on the result of those before it: what they make, and how they stand over another edit.

use super::algebra::Tie;
use super::{Edit, Overlap};
use crate::document::MemoryDoc;
use crate::text::Revision;

/// Returns what `edit`, planned on `doc`, makes of it, unchecked.
pub(crate) fn made(doc: &MemoryDoc, edit: &Edit) -> MemoryDoc {
    edit.made(doc).0
}

/// Returns the one edit of `doc` that does what the edits of a series that begins there do.
pub(crate) fn composed<'e>(doc: &MemoryDoc, series: impl IntoIterator<Item = &'e Edit>) -> Edit {
    series.into_iter().fold(Edit::nothing(doc), |whole, edit| whole.then(edit))
}

/// An edit of a series that changes bytes which another edit changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clash {
    /// Its index in the series.
    pub(crate) nth: usize,
}

/// Carries the edits of a series over `later`, an edit of the text that the series begins with, which makes `result` of it.
///
/// # Errors
///
/// The first that changes the same bytes.
pub(crate) fn carried_over(series: &[&Edit], later: &Edit, result: &MemoryDoc) -> Result<Vec<Edit>, Clash> {
    let mut carried = Vec::with_capacity(series.len());
    let (mut later, mut text, mut revision) = (later.clone(), result.text().to_owned(), result.revision());
    for (nth, edit) in series.iter().enumerate() {
        let clash = |_: Overlap| Clash { nth };
        let moved = edit.over_text(&later, (&text, revision)).map_err(clash)?;
        for step in edit.steps() {
            let splices = later.carried(step, Tie::Before).map_err(clash)?;
            later = Edit::from_sorted(step.base(), splices, Vec::new());
        }
        text = moved.apply_to(&text);
        revision = Revision::of(&text);
        carried.push(moved);
    }
    Ok(carried)
}
