//! The tools of editing sessions of one agent: the states `idle` and `editing` over [`Session`](crate::session::Session), and the
//! stack of tasks with their savepoints.

mod commit;
mod look;
mod search;
mod stage;
mod state;

pub(super) use commit::{MemoCommit, MemoCommitAuto, MemoRevert};
pub(super) use look::{MemoExportDiff, MemoExportSession, MemoPreview, MemoRead};
pub(super) use search::{MemoReplace, MemoReplaceSpan};
pub(super) use stage::{MemoAppend, MemoStage, MemoUnstage, stage};
pub(super) use state::{Editing, MemoBeginTask, refused};
