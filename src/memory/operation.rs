//! [`Operation`]: what a memory is asked to do with a document; and [`Applied`]: the result.

use crate::document::MemoryDoc;
use crate::edit::{Commit, Draft, Edit, Preview};
use crate::memory::journal::Seq;
use crate::memory::{DocName, DocumentChange};
use crate::request::{Basis, CompactionReport, Known, Request};
use crate::text::Content;

/// What a commit is asked to do with one document: edit it, create it, replace its text, rename it or delete it.
#[derive(Clone, Debug)]
pub struct Operation<'a> {
    pub(super) document: DocName,
    pub(super) kind: OperationKind<'a>,
    /// What its editor has seen of the document; `None` if it does not depend on that.
    pub(super) basis: Option<Basis<'a>>,
    /// Whether it is left out if no operation before it changes anything. The line in `activity` about a note is such
    /// an operation.
    pub(super) accompanies: bool,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) enum OperationKind<'a> {
    /// An edit of a document that is there, or may be created.
    Edit(&'a dyn Request),
    /// A document that is not there yet.
    Create { text: Content },
    /// Another text for a document.
    Write { text: Content },
    /// Another name for a document, and an edit of it.
    Rename { to: &'a DocName, request: Option<&'a dyn Request> },
    /// The deletion of a document.
    Delete,
    /// An edit that was planned on the document as it stands.
    Planned(Box<Edit>),
}

impl<'a> Operation<'a> {
    fn of(document: DocName, kind: OperationKind<'a>) -> Self {
        Self { document, kind, basis: None, accompanies: false }
    }

    /// Asks for an edit of `document`. A [`Rewrite`](crate::request::Rewrite) is answered with a report. If it comes
    /// without a text, the host's compactor writes one; if the host has no compactor, the built-in one does.
    pub fn edit(document: DocName, basis: Basis<'a>, request: &'a dyn Request) -> Self {
        Self { basis: Some(basis), ..Self::of(document, OperationKind::Edit(request)) }
    }

    /// Asks for a document with this text, which is not there yet.
    pub fn create(document: DocName, text: &Content) -> Self {
        Self::of(document, OperationKind::Create { text: text.clone() })
    }

    /// Asks to replace the text of `document` by this one. The document is created if there is none.
    /// What others have written is lost: an editor who has read the document asks for an [`edit`](Self::edit).
    pub fn write(document: DocName, text: &Content) -> Self {
        Self::of(document, OperationKind::Write { text: text.clone() })
    }

    /// Asks for another name for `document`, and for an edit of it, whose basis is the one that [guards](Self::guarded)
    /// the renaming.
    pub fn rename(document: DocName, to: &'a DocName, edit: Option<&'a dyn Request>) -> Self {
        Self::of(document, OperationKind::Rename { to, request: edit })
    }

    /// Asks to delete `document`.
    pub fn delete(document: DocName) -> Self {
        Self::of(document, OperationKind::Delete)
    }

    /// Makes a deletion or renaming depend on what its editor has seen: it is refused if the document has changed
    /// since. It is also refused if an edit that removes all of the text would be: for a reserved or required
    /// section, or for a pinned bullet that the editor may not remove.
    #[must_use]
    pub fn guarded(self, basis: Basis<'a>) -> Self {
        Self { basis: Some(basis), ..self }
    }

    pub(super) fn planned(document: DocName, plan: Edit) -> Self {
        Self::of(document, OperationKind::Planned(Box::new(plan)))
    }

    /// Returns the names of the documents that it reads or writes.
    pub(super) fn documents(&self) -> impl Iterator<Item = &DocName> {
        let to = if let OperationKind::Rename { to, .. } = self.kind { Some(to) } else { None };
        [&self.document].into_iter().chain(to)
    }
}

/// What became of one operation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The document, under the name that it has now.
    pub document: DocName,
    /// Whether it was changed.
    pub status: AppliedStatus,
    /// The document as it stands now; empty if it was deleted.
    pub doc: MemoryDoc,
    /// The plan, with a part for each part of the request; `None` if the operation is no edit, or was not planned
    /// because the request was committed before.
    pub plan: Option<Edit>,
    /// The commit, if the document was edited.
    pub commit: Option<Commit>,
    /// What became of every bullet, if the document was compacted.
    pub report: Option<CompactionReport>,
    /// The number of the entry that records it. If the same request was committed before, it is that entry; `None` if
    /// nothing was changed.
    pub seq: Option<Seq>,
    /// If the edit was carried over to a newer text: the plan on the text that the editor knew.
    pub(crate) on_believed: Option<Edit>,
    /// Whether its operation [accompanies](Operation::accompanies) others.
    pub(super) accompanies: bool,
    /// The document as it stood.
    pub(super) before: MemoryDoc,
    /// The changes of documents, until they are moved into the commit.
    pub(super) changes: Vec<DocumentChange>,
}

impl Applied {
    /// Returns the result for a document that was `before`, and is `doc` now.
    pub(super) const fn new(document: DocName, status: AppliedStatus, before: MemoryDoc, doc: MemoryDoc) -> Self {
        Self {
            document,
            status,
            doc,
            plan: None,
            commit: None,
            report: None,
            seq: None,
            on_believed: None,
            accompanies: false,
            before,
            changes: Vec::new(),
        }
    }

    /// Renders what the edit changes, if it is one.
    pub(crate) fn preview(&self, preview: &Preview) -> String {
        self.plan.as_ref().map_or_else(String::new, |plan| Draft::new(&self.before, plan).preview(preview))
    }

    /// Notes in `known` what the editor now knows of the document.
    pub fn update(&self, known: &mut Known) {
        if self.status == AppliedStatus::Committed {
            match &self.on_believed {
                Some(seen) => known.rebased(seen, &self.doc),
                None => known.edited(self.plan.as_ref(), &self.doc),
            }
        }
    }

    /// Notes in `known`, which is not what the edit was based on, what the editor now knows. Does nothing if the plan
    /// is of another text than that of `known`.
    pub(crate) fn update_on(&self, known: &mut Known) {
        let is_on = |plan: &&Edit| plan.base() == known.believed().revision();
        if let Some(plan) = self.plan.as_ref().filter(is_on) {
            known.edited(Some(plan), &self.doc);
        }
    }

    /// Returns the plan on the current text and, if it was carried over, the plan on the text that the editor knew.
    pub(crate) fn plans(&self) -> impl Iterator<Item = &Edit> {
        self.plan.iter().chain(&self.on_believed)
    }
}

/// Whether a document was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AppliedStatus {
    /// It was.
    Committed,
    /// The request asks for no change.
    NoChange,
    /// The wanted state was there already, or the same request is known to have been committed.
    AlreadyApplied,
}
