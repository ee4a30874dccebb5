//! The table of tools, and the tools themselves, with a file for each subject.
//!
//! A new tool is a struct of its arguments, which derives `Deserialize` and `JsonSchema` and implements
//! [`Tool`](super::definition::Tool); a line in the table; and its name in each set that has it. Its documentation
//! is the description that models read. The keyword `fix` says which field of a request an argument holds, for
//! retries. Nothing else is needed for schemas, the reading of arguments, texts of replies, retries, previews,
//! staging and telemetry.

mod edits;
mod history;
mod items;
mod notes;
mod read;
mod recall;
mod sections;
mod sort;
mod sub_memory;

use std::sync::LazyLock;

use crate::toolbox::Effect::{Edit, Read, Record, Settle, Stage};
use crate::toolbox::definition::Kind::{Editor, Once, Plain, Reader, Stager};
use crate::toolbox::{ToolDefinition as Def, editing, files};

pub(super) use items::check_members;
pub(super) use read::{editor, part, undated};

/// The tools in the order in which models see them. Each has the type of its arguments, its kind, its name, its
/// title, and its effect.
static DEFINED: [Def; 46] = [
    Def::of::<read::MemoryRead>(Reader, "memory_read", "Read memory", Read),
    Def::of::<edits::PatchMemory>(Editor, "patch_memory", "Patch memory", Edit),
    Def::of::<edits::ReplaceInMemory>(Editor, "replace_in_memory", "Replace in memory", Edit),
    Def::of::<items::EditItems>(Editor, "edit_items", "Edit bullets", Edit),
    Def::of::<items::PinItems>(Editor, "pin_items", "Pin bullets", Settle),
    Def::of::<items::UnpinItems>(Editor, "unpin_items", "Unpin bullets", Settle),
    Def::of::<items::SetTtl>(Editor, "set_ttl", "Let bullets expire", Edit),
    Def::of::<items::ClearTtl>(Editor, "clear_ttl", "Keep bullets for good", Settle),
    Def::of::<sort::SortItemsArguments>(Editor, "sort_items", "Sort bullets", Settle),
    Def::of::<sections::EditSection>(Editor, "edit_section", "Edit a section", Edit),
    Def::of::<sections::RenameSection>(Editor, "rename_section", "Rename a section", Edit),
    Def::of::<sections::MergeInto>(Editor, "merge_sections", "Merge sections", Edit),
    Def::of::<sections::MoveSection>(Editor, "move_section", "Move a section", Settle),
    Def::of::<sections::DeleteSection>(Editor, "delete_section", "Delete a section", Edit),
    Def::of::<sections::SetSlot>(Editor, "set_slot", "Set a slot", Settle),
    Def::of::<sections::RemoveSlot>(Editor, "remove_slot", "Remove a slot", Edit),
    Def::of::<sub_memory::ApplySubMemoryOps>(Editor, "apply_sub_memory_ops", "Edit memory blocks", Settle),
    Def::of::<edits::RewriteMemory>(Editor, "rewrite_memory", "Compact memory", Edit),
    Def::of::<read::DiffPreview>(Plain, "diff_preview", "Preview an edit", Read),
    Def::of::<read::ValidateMemory>(Reader, "validate_memory", "Check memory", Read),
    Def::of::<history::MemoryHistory>(Plain, "memory_history", "List what was done", Read),
    Def::of::<history::MemoryDiff>(Plain, "memory_diff", "Compare two moments", Read),
    Def::of::<history::MemoryUndo>(Plain, "memory_undo", "Undo an edit", Edit),
    Def::of::<history::MemoryVerify>(Plain, "memory_verify", "Verify the journal", Read),
    Def::of::<recall::MemoryCommit>(Once, "memory_commit", "Remember", Record),
    Def::of::<recall::MemoryRethink>(Once, "memory_rethink", "Supersede memories", Record),
    Def::of::<recall::MemoryRecall>(Plain, "memory_recall", "Recall", Read),
    Def::of::<recall::BlockGet>(Plain, "block_get", "Read a core block", Read),
    Def::of::<recall::BlockUpdateArguments>(Plain, "block_update", "Update a core block", Settle),
    Def::of::<notes::WriteMemory>(Plain, "write_memory", "Write a note", Edit),
    Def::of::<notes::SearchMemory>(Plain, "search_memory", "Search memory", Read),
    Def::of::<notes::WriteSessionHandoff>(Plain, "write_session_handoff", "Hand over", Settle),
    Def::of::<notes::ScratchNote>(Plain, "scratch_note", "Use the scratchpad", Edit),
    Def::of::<editing::MemoRead>(Reader, "memo_read", "Read the draft", Read),
    Def::of::<editing::MemoReplace>(Stager, "memo_replace", "Stage a replacement", Stage),
    Def::of::<editing::MemoReplaceSpan>(Stager, "memo_replace_span", "Stage the replacement of a span", Stage),
    Def::of::<editing::MemoAppend>(Stager, "memo_append", "Stage an addition", Stage),
    Def::of::<editing::MemoStage>(Stager, "memo_stage", "Stage any edit", Stage),
    Def::of::<editing::MemoUnstage>(Once, "memo_unstage", "Take a change out", Stage),
    Def::of::<editing::MemoPreview>(Plain, "memo_preview", "Preview the session", Read),
    Def::of::<editing::MemoCommit>(Once, "memo_commit", "Commit the session", Edit),
    Def::of::<editing::MemoCommitAuto>(Once, "memo_commit_auto", "Commit with a summary made", Edit),
    Def::of::<editing::MemoRevert>(Once, "memo_revert", "Revert the session", Stage),
    Def::of::<editing::MemoBeginTask>(Plain, "memo_begin_task", "Begin a task", Stage),
    Def::of::<editing::MemoExportSession>(Plain, "memo_export_session", "Export the session", Read),
    Def::of::<editing::MemoExportDiff>(Plain, "memo_export_diff", "Export a diff", Read),
];

/// All tools; the last is that of the set `files`.
pub(super) static ALL: LazyLock<Vec<&Def>> = LazyLock::new(|| DEFINED.iter().chain([&files::TOOL]).collect());
