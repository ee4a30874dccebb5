//! Verbs: each kind of edit is a [`Request`] that plans purely against a [`View`].
//!
//! A new kind of edit is one new file here and one in `toolbox/`. It locates with `locate`, writes with `edit::compose`,
//! and neither checks what is forbidden nor stores anything.

mod bullet_plan;
mod claims;
mod error;
mod insert;
mod items;
mod known;
mod new_bullet;
mod note;
pub mod patch;
mod rebase;
mod replace;
mod restore;
mod rewrite;
mod section;
mod slot;
mod sort;
mod sub_memory;
mod validate;
mod view;

pub use error::{Argument, Enough, Failure, Refusal, RequestError};
pub use insert::InsertLines;
pub use items::{Annotation, Children, Destination, Evidence, ItemEdit, ItemOp, ItemPlace, Items, NewItem};
pub use known::{Basis, Known};
pub use note::{ActivityLine, NoteEdit};
pub use rebase::{Rebased, rebase};
pub use replace::{Expected, Place, Replace, ReplaceSpan, Within};
pub use restore::Restore;
pub(crate) use rewrite::Reach;
pub use rewrite::{
    Budget, BulletOutcome, BulletReport, CompactionReport, CompactionRequest, LostLine, RefusedCandidate, Rejection,
    Rewrite,
};
pub use section::{MergeSections, SectionOp, SectionPlace};
pub use slot::SlotOp;
pub use sort::{SortItems, SortKey, SortOrder, Ties};
pub use sub_memory::{SubMemoryIntent, SubMemoryOp, SubMemoryOps};
pub use validate::{Repair, Violation, ViolationKind, validate};
pub use view::View;

use std::fmt::Debug;

use crate::edit::Edit;

/// A change that is asked for, in the words of who asks.
pub trait Request: Debug + Send + Sync {
    /// Finds every part of the request in the document, and composes the edit.
    ///
    /// Planning is pure and deterministic: it has no clock, no randomness, and no store.
    ///
    /// # Errors
    ///
    /// Every part that cannot be made, with its reason and what to send instead.
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError>;
}
