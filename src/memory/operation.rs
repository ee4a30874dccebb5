//! What a memory is asked for, and what became of it.

use super::journal::{EntryKind, Record, Seq};
use super::{DocName, Version};
use crate::document::MemoryDoc;
use crate::edit::{Commit, Edit};
use crate::request::{Basis, CompactionReport, Known, Request, Restore, Rewrite};
use crate::text::Content;

/// One share of a commit: what is to become of a document.
#[derive(Clone, Debug)]
pub struct Operation<'a> {
    pub(super) document: DocName,
    pub(super) kind: Kind<'a>,
    pub(super) remark: Remark,
    /// Whether it is made only beside another of the commit that changes something.
    pub(super) accompanies: bool,
    /// What the document is at, where the operation is made only for that.
    pub(super) expected: Option<Version>,
}

/// What the entry of an operation says beside the change; by default, that it is an edit.
#[derive(Clone, Debug, Default)]
pub(super) struct Remark {
    /// What it records.
    pub(super) kind: EntryKind,
    /// That, beside the change of documents.
    pub(super) record: Option<Record>,
    /// The entry with the version before of what it records.
    pub(super) replaces: Option<Seq>,
    /// The entry that it takes back.
    pub(super) undoes: Option<Seq>,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    /// An edit of a document that is there, or may be created.
    Edit { basis: Basis<'a>, request: &'a dyn Request },
    /// A compaction, whose text the host's compactor writes if it comes with none.
    Compact { basis: Basis<'a>, rewrite: &'a Rewrite },
    /// A document that is not there yet.
    Create { text: Content },
    /// Another text for a document.
    Write { text: Content },
    /// Another name for a document, and an edit of it.
    Rename { to: &'a DocName, seen: Option<Basis<'a>>, request: Option<&'a dyn Request> },
    /// The end of a document.
    Delete { seen: Option<Basis<'a>> },
    /// What an entry did, taken back.
    TakeBack { known: Box<Known>, restore: Box<Restore> },
}

impl Remark {
    /// Says what kind of entry it is, and nothing else.
    pub(super) fn of(kind: EntryKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

impl<'a> Operation<'a> {
    fn of(document: DocName, kind: Kind<'a>) -> Self {
        Self { document, kind, remark: Remark::default(), accompanies: false, expected: None }
    }

    /// Asks for an edit of `document`.
    pub fn edit(document: DocName, basis: Basis<'a>, request: &'a dyn Request) -> Self {
        Self::of(document, Kind::Edit { basis, request })
    }

    /// Asks for a compaction of `document`, of which a report is given. If `rewrite` comes without a text, the host's compactor
    /// writes it; where the host has none, the built-in one.
    pub fn compact(document: DocName, basis: Basis<'a>, rewrite: &'a Rewrite) -> Self {
        Self::of(document, Kind::Compact { basis, rewrite })
    }

    /// Asks for a document with this text, which is not there yet.
    pub fn create(document: DocName, text: &Content) -> Self {
        Self::of(document, Kind::Create { text: text.clone() })
    }

    /// Asks for this text in the place of the text of `document`, which is created if there is none.
    /// What others have written is lost: an editor who has read the document asks for an
    /// [`edit`](Self::edit).
    pub fn write(document: DocName, text: &Content) -> Self {
        Self::of(document, Kind::Write { text: text.clone() })
    }

    /// Asks for another name for `document`.
    pub fn rename(document: DocName, to: &'a DocName) -> Self {
        Self::of(document, Kind::Rename { to, seen: None, request: None })
    }

    /// Asks for the end of `document`.
    pub fn delete(document: DocName) -> Self {
        Self::of(document, Kind::Delete { seen: None })
    }

    /// Has a document deleted or renamed only as long as it is what its editor has seen, and guarded as an edit is that takes all of
    /// its text away: reserved and required sections stay where they are, and bullets that are pinned against the editor.
    #[must_use]
    pub fn guarded(mut self, basis: Basis<'a>) -> Self {
        if let Kind::Rename { seen, .. } | Kind::Delete { seen } = &mut self.kind {
            *seen = Some(basis);
        }
        self
    }

    /// Has a document edited in the step that renames it, on the basis that [guards](Self::guarded) the renaming.
    #[must_use]
    pub fn with_edit(mut self, edit: &'a dyn Request) -> Self {
        if let Kind::Rename { request, .. } = &mut self.kind {
            *request = Some(edit);
        }
        self
    }

    pub(super) fn take_back(document: DocName, known: Known, restore: Restore) -> Self {
        Self::of(document, Kind::TakeBack { known: Box::new(known), restore: Box::new(restore) })
    }

    /// Has its entry say this beside the change.
    pub(super) fn remarked(self, remark: Remark) -> Self {
        Self { remark, ..self }
    }

    /// Has it made only if the document is still at this version.
    pub(super) fn at(self, expected: Version) -> Self {
        Self { expected: Some(expected), ..self }
    }

    /// Has it made only if another operation of the commit changes something.
    pub(super) fn accompanying(self) -> Self {
        Self { accompanies: true, ..self }
    }

    /// Returns the name of the document.
    pub const fn document(&self) -> &DocName {
        &self.document
    }

    /// Returns what it is based on, where it may be based on what an editor has seen.
    pub const fn basis(&self) -> Option<&Basis<'a>> {
        match &self.kind {
            Kind::Edit { basis, .. } | Kind::Compact { basis, .. } => Some(basis),
            Kind::Rename { seen, .. } | Kind::Delete { seen } => seen.as_ref(),
            Kind::Create { .. } | Kind::Write { .. } | Kind::TakeBack { .. } => None,
        }
    }

    /// Returns the names of the documents that it reads or writes.
    pub(super) fn documents(&self) -> impl Iterator<Item = &DocName> {
        let to = if let Kind::Rename { to, .. } = self.kind { Some(to) } else { None };
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
    /// The document as it stands now; one that is gone is empty.
    pub doc: MemoryDoc,
    /// The plan, with a part for each part of the request; `None` if only the ID is known to have landed, and for what is no edit.
    pub plan: Option<Edit>,
    /// The commit, if the document was edited.
    pub commit: Option<Commit>,
    /// What became of every bullet, if the document was compacted.
    pub report: Option<CompactionReport>,
    /// The number of the entry that records it, of an earlier one if the same request had landed; `None` if nothing was changed.
    pub seq: Option<Seq>,
    /// The plan on the text that the editor believes in, where that is another text.
    pub(super) on_believed: Option<Edit>,
}

impl Applied {
    pub(super) const fn new(document: DocName, status: AppliedStatus, doc: MemoryDoc) -> Self {
        Self { document, status, doc, plan: None, commit: None, report: None, seq: None, on_believed: None }
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

    /// Reports whether it was planned on another text than the document, and carried over.
    pub(crate) const fn is_carried_over(&self) -> bool {
        self.on_believed.is_some()
    }

    /// Notes in `known`, which the edit was not based on, what the editor now knows: nothing more, if it was made of another text.
    pub(crate) fn update_on(&self, known: &mut Known) {
        let is_on = |plan: &&Edit| plan.base() == known.believed().revision();
        if let Some(plan) = self.plan.as_ref().filter(is_on) {
            known.edited(Some(plan), &self.doc);
        }
    }

    /// Returns the plan on the text as it stood, and the one on the text that the editor believed in, where that is another.
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
