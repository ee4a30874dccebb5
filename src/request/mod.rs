//! Requests: each kind of edit is a [`Request`], which plans an [`Edit`] for the document of a [`View`]. Planning is pure.
//!
//! A request does not check what is forbidden, and stores nothing: [`MemoryDoc::commit`](crate::MemoryDoc::commit) checks,
//! and [`Memory::apply`](crate::Memory::apply) stores.

// A new kind of edit is one new file here and one in `toolbox/`. It finds its places with `locate` and writes with
// `edit::compose`.

mod bullet_plan;
mod claims;
mod duplicates;
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
pub use rewrite::{
    Budget, BulletOutcome, BulletReport, CompactionReport, CompactionRequest, LostLine, RefusedCandidate, Rejection,
    Rewrite,
};
pub(crate) use rewrite::{Goal, plural};
pub use section::{MergeSections, SectionOp, SectionPlace};
pub use slot::SlotOp;
pub use sort::{SortItems, SortKey};
pub use sub_memory::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
pub use validate::{Violation, ViolationKind, validate};

use std::fmt::Debug;

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::text::Timestamp;

/// What helps if the number of a key may have changed.
const KEYS_AGAIN: &str = "the number of this `key` has changed since it was shown: read the keys again";

/// A change that an editor asks for, before it is located in the document.
pub trait Request: Debug + Send + Sync {
    /// Finds the place of every part of the request in the document, and composes the edit.
    ///
    /// Planning is pure and deterministic: it has no clock, no randomness, and no store.
    ///
    /// # Errors
    ///
    /// Lists every part that cannot be made, with the reason and, if there is one, a call that works.
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError>;

    /// Returns the request as a rewrite, if it is one. Only a rewrite may get its text from the host's compactor, and
    /// only a rewrite gets a compaction report.
    fn as_rewrite(&self) -> Option<&Rewrite> {
        None
    }
}

/// The document, what the editor knows of it, and the time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The document as it is now.
    pub doc: &'a MemoryDoc,
    /// What the editor knows of the document, if the edit is based on that.
    pub known: Option<&'a Known>,
    /// The host's time.
    pub now: Timestamp,
    /// The text before the first rewrite of the last 24 hours, if there was one: the loss of a rewrite is also measured
    /// against it.
    pub(crate) earlier: Option<&'a MemoryDoc>,
    /// Whether the edit is only tried: nobody reads its warnings.
    pub(crate) is_trial: bool,
    /// The text that others have made of the document since the edit's basis, if they have.
    pub(crate) newer: Option<&'a MemoryDoc>,
}

impl<'a> View<'a> {
    /// Views a document as it is now. The edit has no other basis.
    pub const fn current(doc: &'a MemoryDoc, now: Timestamp) -> Self {
        Self { doc, known: None, now, earlier: None, is_trial: false, newer: None }
    }

    /// Views a document for an edit that is based on `basis`.
    pub fn new(doc: &'a MemoryDoc, basis: &Basis<'a>, now: Timestamp) -> Self {
        Self { known: basis.known(), newer: basis.is_stale(doc).then_some(doc), ..Self::current(doc, now) }
    }

    /// Returns this view with the text before the first rewrite of the last 24 hours.
    #[must_use]
    pub(crate) const fn since(self, earlier: Option<&'a MemoryDoc>) -> Self {
        Self { earlier, ..self }
    }

    /// Refuses a key with a number, such as `k7f3a2#2`, unless the bullet with it surely had it when it was shown: an edit of
    /// the editor's own since may have changed which of the equal bullets come before.
    pub(crate) fn check_key(&self, key: &str) -> Result<(), Refusal> {
        let line = |doc: &MemoryDoc| doc.bullets_by_key(key).first().map(|bullet| bullet.line_index());
        let known = self.known.filter(|known| key.contains('#') && known.believed() == self.doc);
        let now = known.and_then(|known| Some(known.line_now(line(known.shown())?)));
        let is_another = now.is_some_and(|now| now != line(self.doc));
        if is_another { Err(Refusal::too_thin(KEYS_AGAIN)) } else { Ok(()) }
    }

    /// Returns true if the document is not the one that the edit is based on, because others have changed it.
    pub const fn is_stale(&self) -> bool {
        self.newer.is_some()
    }
}
