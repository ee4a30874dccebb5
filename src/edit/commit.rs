//! Commit: the checked edit becomes the next document, in one step.

use super::{Authority, Draft, Edit, EditError, Receipt, guard};
use crate::document::MemoryDoc;
use crate::text::{Span, Unit};

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

    /// Drafts `edit`, checked as a whole: what a commit of it makes, without telling what that
    /// changes.
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
