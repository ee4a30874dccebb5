//! Verbs: each kind of edit is a [`Request`] that plans purely against a [`View`].
//!
//! A new kind of edit is one new file here and one in `toolbox/`. It locates with `locate`, writes with `edit::compose`,
//! and neither checks what is forbidden nor stores anything.

mod bullet_plan;
mod claims;
mod error;
mod graft;
mod insert;
mod items;
mod known;
mod note;
pub mod patch;
mod replace;
mod restore;
mod rewrite;
mod said;
mod section;
mod slot;
mod sort;
mod sub_memory;
mod validate;
mod written_lines;

pub use error::{Argument, Failure, Refusal, RequestError};
pub use insert::{Append, InsertLines};
pub use items::{Annotation, Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
pub use known::{Basis, Known};
pub use note::{ActivityLine, NoteEdit};
pub use replace::{Place, Replace};
pub use restore::{Rebased, Restore, rebase};
pub(crate) use rewrite::Goal;
pub use rewrite::{
    Budget, BulletOutcome, BulletReport, CompactionReport, CompactionRequest, LostLine, RefusedCandidate, Rejection,
    Rewrite,
};
pub use section::{MergeSections, SectionOp, SectionPlace};
pub use slot::SlotOp;
pub use sort::{SortItems, SortKey};
pub use sub_memory::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
pub use validate::{Violation, ViolationKind, validate};

use std::fmt::Debug;

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::text::Timestamp;

/// A change that an editor asks for, before it is located in the document.
pub trait Request: Debug + Send + Sync {
    /// Finds every part of the request in the document, and composes the edit.
    ///
    /// Planning is pure and deterministic: it has no clock, no randomness, and no store.
    ///
    /// # Errors
    ///
    /// Every part that cannot be made, with its reason and what to send instead.
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError>;

    /// Returns the rewrite that this is, if it is one: its text may be written by the host's compactor, and it is reported on.
    fn as_rewrite(&self) -> Option<&Rewrite> {
        None
    }
}

/// The document, what the editor knows of it, and the time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The document as it stands.
    pub doc: &'a MemoryDoc,
    /// What the editor knows, where its edit is based on that.
    pub known: Option<&'a Known>,
    /// The host's time.
    pub now: Timestamp,
    /// The text before the first rewrite of the last 24 hours, if there was one: a rewrite is measured against it too.
    pub(crate) earlier: Option<&'a MemoryDoc>,
    /// Whether the edit is only tried: nobody reads its warnings.
    pub(crate) is_trial: bool,
    is_stale: bool,
}

impl<'a> View<'a> {
    /// Views a document as it stands, on no other basis.
    pub const fn current(doc: &'a MemoryDoc, now: Timestamp) -> Self {
        Self { doc, known: None, now, earlier: None, is_trial: false, is_stale: false }
    }

    /// Views a document on the basis of the edit that is to be planned.
    pub fn new(doc: &'a MemoryDoc, basis: &Basis<'a>, now: Timestamp) -> Self {
        Self { known: basis.known(), is_stale: basis.is_stale(doc), ..Self::current(doc, now) }
    }

    /// Returns the view of `believed`, the document as the editor believes it to be, with all else as in this one.
    #[must_use]
    pub(crate) const fn on(self, believed: &'a MemoryDoc) -> Self {
        Self { doc: believed, ..self }
    }

    /// Views it with the text before the first rewrite of the last 24 hours.
    #[must_use]
    pub(crate) const fn since(self, earlier: Option<&'a MemoryDoc>) -> Self {
        Self { earlier, ..self }
    }

    /// Reports whether others have changed the document since the text that the edit is based on.
    pub const fn is_stale(&self) -> bool {
        self.is_stale
    }
}
