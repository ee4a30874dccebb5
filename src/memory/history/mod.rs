//! The past of a memory, from its journal: what was done and by whom, the texts of earlier moments, who wrote a bullet,
//! and undo.

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
