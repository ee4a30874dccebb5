//! [`Draft`], an edit that is made but not committed, and [`Commit`], a checked edit with the next document.

use super::{Edit, EditError, OffsetMap, Receipt, guard};
use crate::document::MemoryDoc;
use crate::text::{Difference, Span};

/// A committed edit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Commit {
    /// The next document.
    pub doc: MemoryDoc,
    /// What the commit did, without content.
    pub receipt: Receipt,
    /// The edit of `doc` that undoes this one.
    pub inverse: Edit,
    /// The document before.
    pub(super) base: MemoryDoc,
}

impl MemoryDoc {
    /// Makes `edit`, and checks everything but the size and the required sections of the result.
    ///
    /// Use it for one of several changes that are committed together: size and required sections are checked for all of
    /// them at once.
    ///
    /// # Errors
    ///
    /// Any [`EditError`] but `MissingSection`. `TooLarge` only if the document has more than 4 GiB: such a document
    /// cannot be edited.
    pub fn draft<'a>(&'a self, edit: &'a Edit, authority: Authority) -> Result<Draft<'a>, EditError> {
        if edit.base() != self.revision() {
            return Err(EditError::StaleRevision { planned: edit.base(), current: self.revision() });
        }
        guard::check_growth(self, 0)?;
        let draft = Draft::new(self, edit);
        guard::check_draft(&draft, authority)?;
        Ok(draft)
    }

    /// Makes and checks `edit` as [`commit`](Self::commit) does, but computes no receipt and no inverse.
    pub(crate) fn checked<'a>(&'a self, edit: &'a Edit, authority: Authority) -> Result<Draft<'a>, EditError> {
        let draft = self.draft(edit, authority)?;
        guard::check_size(&draft)?;
        guard::check_required(&draft)?;
        Ok(draft)
    }

    /// Makes `edit` and checks the result. The document itself, which is immutable, stays as it is.
    ///
    /// # Errors
    ///
    /// Any [`EditError`].
    pub fn commit(&self, edit: &Edit, authority: Authority) -> Result<Commit, EditError> {
        let draft = self.checked(edit, authority)?;
        let receipt = Receipt::new(&draft);
        let inverse = Edit::inverse(&draft);
        Ok(Commit { doc: draft.new, receipt, inverse, base: self.clone() })
    }
}

/// On whose behalf an edit is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// A model's, through a tool. Reserved sections cannot be changed, nor pinned bullets with
    /// [`Pins::Host`](crate::document::Pins::Host).
    #[default]
    Agent,
    /// The host's own code. Reserved sections and pinned bullets can be changed.
    Host,
}

/// An edit, the document before it, and the document after it.
#[derive(Clone, Debug)]
pub struct Draft<'a> {
    pub(crate) old: &'a MemoryDoc,
    pub(crate) new: MemoryDoc,
    pub(crate) edit: &'a Edit,
    pub(super) offsets: OffsetMap,
    /// The parts that were parsed again: outside of them, both documents have the same nodes.
    pub(super) restructured: Vec<Difference>,
}

impl<'a> Draft<'a> {
    /// Makes `edit`, which was planned on `old`. Nothing is checked.
    pub(crate) fn new(old: &'a MemoryDoc, edit: &'a Edit) -> Self {
        let (new, restructured) = edit.parsed_result(old);
        Self { old, new, edit, offsets: OffsetMap::of(edit), restructured }
    }

    /// Creates the draft of `edit`, planned on `old`, whose result is known to be `new`.
    pub(crate) fn between(old: &'a MemoryDoc, edit: &'a Edit, new: MemoryDoc) -> Self {
        let restructured = vec![Difference::whole(old.text(), new.text())];
        Self { old, new, edit, offsets: OffsetMap::of(edit), restructured }
    }

    /// Returns the draft with a result that was parsed as a whole. It must have the same nodes, and pass the same
    /// checks.
    #[cfg(feature = "testing")]
    pub(crate) fn parsed_anew(&self) -> Self {
        let text = self.new.shared_text().clone();
        Self::between(self.old, self.edit, MemoryDoc::with_rules(text, self.new.rules().clone()))
    }

    /// Returns the document after the edit.
    pub const fn doc(&self) -> &MemoryDoc {
        &self.new
    }

    /// Returns the whole lines of the old text that the splices touch, merged where they meet. The line before a splice and
    /// the line at its end are included: an edit may change the ending of the line before, or remove the character before
    /// a joiner.
    pub(super) fn old_lines(&self) -> Vec<Span> {
        merge_spans(self.edit.splices().iter().map(|splice| self.old.lines().around(splice.span)))
    }

    /// Returns the whole lines of the new text that the splices touch, merged where they meet. The rule is that of
    /// [`old_lines`](Self::old_lines), so that the characters of the lines can be compared.
    pub(crate) fn new_lines(&self) -> Vec<Span> {
        merge_spans(self.edit.splices_in_result().map(|(_, written)| self.new.lines().around(written)))
    }
}

/// Merges spans that meet or overlap. They are sorted by their starts.
pub(super) fn merge_spans(spans: impl Iterator<Item = Span>) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        let before = merged.pop_if(|before| span.start() <= before.end());
        merged.push(before.map_or(span, |before| Span::new(before.start(), span.end().max(before.end()))));
    }
    merged
}
