//! The past of a memory, from its journal: what was done, by whom, what texts were, and what of it is still true of a bullet.

mod diff;
mod listing;
mod past;
mod trace;
mod undo;
mod verification;

pub use diff::ChangedDocument;
pub use listing::{HistoryPage, HistoryQuery, HistoryRow};
pub use past::Moment;
pub(crate) use past::REWRITE_TOOL;
pub(super) use past::TextWalk;
pub(super) use undo::Undoings;
pub use undo::{Undo, Undone};
