//! The tools of editing sessions. [`Editing`] is their state: the open [`Session`](crate::session::Session), if there is
//! one, and the stack of tasks.

mod base;
mod commit;
mod look;
mod search;
mod stage;
mod state;
mod task;

pub(super) use base::refuse_to_carry;
pub(super) use commit::{MemoCommit, MemoCommitAuto, MemoRevert};
pub(super) use look::{MemoExportDiff, MemoExportSession, MemoPreview, MemoRead};
pub(super) use search::{MemoReplace, MemoReplaceSpan};
pub(super) use stage::{MemoAppend, MemoStage, MemoUnstage, stage};
pub(super) use state::Editing;
pub(super) use task::MemoBeginTask;
