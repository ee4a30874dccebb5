//! The past of a memory, from its journal: what was done, by whom, what texts were, and what of it is still true of a bullet.

mod changed_lines;
mod diff;
mod line_track;
mod listing;
mod past;
mod trace;
mod undo;
mod verification;
mod way_back;

pub use changed_lines::ChangedDocument;
pub use listing::{HistoryPage, HistoryQuery, HistoryRow};
pub use past::Moment;
pub(crate) use past::REWRITE_TOOL;
pub(super) use past::{TextWalk, entry_of};
pub(super) use undo::Undoings;
pub use undo::{Undo, Undone};
pub use verification::Verification;
pub use way_back::InTheWay;
pub(super) use way_back::overtaken;
