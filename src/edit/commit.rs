//! [`Draft`] and [`Commit`]: an edit is made, checked, and becomes the next document in one step.

use super::{Edit, EditError, OffsetMap, Receipt, guard};
use crate::document::{MemoryDoc, Unit};
use crate::text::{Difference, Span};

/// A committed edit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Commit {
    /// The next document.
    pub doc: MemoryDoc,
    /// What was done, without content.
    pub receipt: Receipt,
    /// The edit of `doc` that takes it back.
    pub inverse: Edit,
    /// The document before.
    pub(super) base: MemoryDoc,
}

impl MemoryDoc {
    /// Makes `edit`, and checks all but the size and the required sections of the result.
    ///
    /// For a change that is one of several: what holds for the whole is checked when the whole is
    /// committed.
    ///
    /// # Errors
    ///
    /// Any [`EditError`] but `MissingSection`; `TooLarge` only for a document of more than 4 GiB,
    /// which is not edited.
    pub fn draft<'a>(&'a self, edit: &'a Edit, authority: Authority) -> Result<Draft<'a>, EditError> {
        if edit.base() != self.revision() {
            return Err(EditError::StaleRevision { planned: edit.base(), current: self.revision() });
        }
        let length = self.text().len();
        if length > Span::LARGEST {
            let limit = Span::LARGEST;
            return Err(EditError::TooLarge { unit: Unit::Bytes, is: length, would_be: length, limit });
        }
        let draft = Draft::new(self, edit);
        guard::check_draft(&draft, authority)?;
        Ok(draft)
    }

    /// Drafts `edit` and checks it as [`commit`](Self::commit) does, without a receipt and an inverse.
    pub(crate) fn checked<'a>(&'a self, edit: &'a Edit, authority: Authority) -> Result<Draft<'a>, EditError> {
        let draft = self.draft(edit, authority)?;
        guard::check_result(&draft)?;
        Ok(draft)
    }

    /// Makes `edit`, checked as a whole.
    ///
    /// # Errors
    ///
    /// Any [`EditError`]; the document, which is a value, is as before.
    pub fn commit(&self, edit: &Edit, authority: Authority) -> Result<Commit, EditError> {
        let draft = self.checked(edit, authority)?;
        let receipt = Receipt::new(&draft);
        let inverse = Edit::inverse(&draft);
        Ok(Commit { doc: draft.new, receipt, inverse, base: self.clone() })
    }
}

#[cfg(feature = "testing")]
impl Draft<'_> {
    /// Checks it as it is checked before it is committed.
    ///
    /// # Errors
    ///
    /// Any [`EditError`] but `TooLarge` and `MissingSection`.
    pub(crate) fn verdict(&self, authority: Authority) -> Result<(), EditError> {
        guard::check_draft(self, authority)
    }
}

/// On whose behalf an edit is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// A model's, through a tool: reserved sections are out of reach.
    #[default]
    Agent,
    /// The host's own code: reserved sections may be changed.
    Host,
}

/// The result of an edit, next to what it was made from.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    pub(crate) old: &'a MemoryDoc,
    pub(crate) new: MemoryDoc,
    pub(crate) edit: &'a Edit,
    pub(super) offsets: OffsetMap,
    /// Where the structure of the two documents may differ: outside, they have the same nodes.
    pub(super) restructured: Vec<Difference>,
}

impl<'a> Draft<'a> {
    /// Makes `edit`, planned on `old`, unchecked.
    pub(crate) fn new(old: &'a MemoryDoc, edit: &'a Edit) -> Self {
        let (new, restructured) = edit.made(old);
        Self { old, new, edit, offsets: OffsetMap::of(edit), restructured }
    }

    /// Creates the draft of `edit`, planned on `old`, whose result is known to be `new`.
    pub(crate) fn between(old: &'a MemoryDoc, edit: &'a Edit, new: MemoryDoc) -> Self {
        let restructured = vec![Difference::whole(old.text(), new.text())];
        Self { old, new, edit, offsets: OffsetMap::of(edit), restructured }
    }

    /// Returns it with its result read anew, as a whole: the same, and judged the same.
    #[cfg(feature = "testing")]
    pub(crate) fn read_anew(&self) -> Self {
        let text = self.new.shared_text().clone();
        Self::between(self.old, self.edit, MemoryDoc::with_rules(text, self.new.rules().clone()))
    }

    /// Returns the document as it would be.
    pub const fn doc(&self) -> &MemoryDoc {
        &self.new
    }

    /// Returns the whole lines of the old text that the splices touch, merged where they meet.
    pub(super) fn old_lines(&self) -> Vec<Span> {
        touched_lines(self.old, self.edit.splices().iter().map(|splice| splice.span))
    }

    /// Returns the whole lines of the new text that the splices touch, merged where they meet.
    pub(crate) fn new_lines(&self) -> Vec<Span> {
        touched_lines(&self.new, self.edit.splices_in_result().map(|(_, written)| written))
    }
}

/// Returns the whole lines that spans touch, merged where they meet. The line before a span and the line on which it
/// ends count too: a line may gain or lose its ending, and a joiner the character before it. The rule is the same for
/// both texts, so that their characters can be compared.
fn touched_lines(doc: &MemoryDoc, spans: impl Iterator<Item = Span>) -> Vec<Span> {
    merged(spans.map(|span| doc.lines().around(span)))
}

/// Joins spans, sorted by their starts, that meet or overlap.
pub(super) fn merged(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut() {
            Some(before) if span.start() <= before.end() => {
                *before = Span::new(before.start(), span.end().max(before.end()))
            }
            _ => merged.push(span),
        }
    }
    merged
}
