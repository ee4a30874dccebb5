//! The tools of editing sessions: what is staged, looked at, and then committed or dropped.

mod edit;
mod session;

use crate::toolbox::ToolDefinition;

/// All of them, in the order in which they are listed to a model.
pub(crate) static ALL: [ToolDefinition; 13] = [
    ToolDefinition::of::<session::MemoRead>(),
    ToolDefinition::of::<edit::MemoReplace>(),
    ToolDefinition::of::<edit::MemoReplaceSpan>(),
    ToolDefinition::of::<edit::MemoAppend>(),
    ToolDefinition::of::<edit::MemoStage>(),
    ToolDefinition::of::<edit::MemoUnstage>(),
    ToolDefinition::of::<session::MemoPreview>(),
    ToolDefinition::of::<session::MemoCommit>(),
    ToolDefinition::of::<session::MemoCommitAuto>(),
    ToolDefinition::of::<session::MemoRevert>(),
    ToolDefinition::of::<session::MemoBeginTask>(),
    ToolDefinition::of::<session::MemoExportSession>(),
    ToolDefinition::of::<session::MemoExportDiff>(),
];
