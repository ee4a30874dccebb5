//! The tools of editing sessions: what is staged, looked at, and then committed or dropped.

mod edit;
mod session;

pub(super) use edit::{MemoAppend, MemoReplace, MemoReplaceSpan, MemoStage, MemoUnstage};
pub(super) use session::{
    MemoBeginTask, MemoCommit, MemoCommitAuto, MemoExportDiff, MemoExportSession, MemoPreview, MemoRead, MemoRevert,
};
