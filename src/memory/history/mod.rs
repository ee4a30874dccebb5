//! The past of a memory, from its journal: what was done, by whom, what texts were, and what of it is still true of a bullet.

mod changed_lines;
mod diff;
mod in_the_way;
mod line_track;
mod listing;
mod past;
mod trace;
mod undo;
mod verification;

pub use changed_lines::ChangedDocument;
pub use in_the_way::InTheWay;
pub(super) use in_the_way::overtaken;
pub use listing::{HistoryPage, HistoryQuery, HistoryRow};
pub use past::Moment;
pub(crate) use past::REWRITE_TOOL;
pub(super) use past::{TextWalk, entry_of};
pub(super) use undo::Undoings;
pub use undo::{Undo, Undone};
pub use verification::Verification;
