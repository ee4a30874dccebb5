//! The tools: a file for those of one subject, and a line each in the lists below.
//!
//! A new tool is a struct of its arguments, which derives `Deserialize` and `JsonSchema` and implements
//! [`Tool`](super::definition::Tool), a line in the table, and one in each set that holds it; its documentation is the description that
//! models read. Schemas in every dialect, the reading of arguments, the text of replies, retries, previews, staging and telemetry
//! follow.

mod edits;
mod history;
mod items;
mod notes;
mod read;
mod recall;
mod sections;
mod sub_memory;

use std::sync::LazyLock;

use crate::toolbox::definition::Kind::{Editor, Reader, Stager};
use crate::toolbox::definition::ToolDefinition as Def;
use crate::toolbox::{Effect, editing, files};

pub(super) use read::{View, editor, part};

type Tools = &'static [&'static Def];

/// Each tool: the type of its arguments, its name, what it does in words for people, and what it does to the memory.
static READ: Def = Def::of::<read::MemoryRead>(Reader, "memory_read", "Read memory", Effect::Read);
static PATCH: Def = Def::of::<edits::PatchMemory>(Editor, "patch_memory", "Patch memory", Effect::Edit);
static REPLACE: Def = Def::of::<edits::ReplaceInMemory>(Editor, "replace_in_memory", "Replace in memory", Effect::Edit);
static EDIT_ITEMS: Def = Def::of::<items::EditItems>(Editor, "edit_items", "Edit bullets", Effect::Edit);
static REWRITE: Def = Def::of::<edits::RewriteMemory>(Editor, "rewrite_memory", "Compact memory", Effect::Edit);
static PREVIEW: Def = Def::tool::<read::DiffPreview>("diff_preview", "Preview an edit", Effect::Read);
static VALIDATE: Def = Def::of::<read::ValidateMemory>(Reader, "validate_memory", "Check memory", Effect::Read);
static SUB_MEMORY_OPS: Def =
    Def::of::<sub_memory::ApplySubMemoryOps>(Editor, "apply_sub_memory_ops", "Edit memory blocks", Effect::Settle);
static PIN: Def = Def::of::<items::PinItems>(Editor, "pin_items", "Pin bullets", Effect::Settle);
static UNPIN: Def = Def::of::<items::UnpinItems>(Editor, "unpin_items", "Unpin bullets", Effect::Settle);
static SET_TTL: Def = Def::of::<items::SetTtl>(Editor, "set_ttl", "Let bullets expire", Effect::Edit);
static CLEAR_TTL: Def = Def::of::<items::ClearTtl>(Editor, "clear_ttl", "Keep bullets for good", Effect::Settle);
static SORT: Def = Def::of::<items::SortItemsArguments>(Editor, "sort_items", "Sort bullets", Effect::Settle);
static EDIT_SECTION: Def = Def::of::<sections::EditSection>(Editor, "edit_section", "Edit a section", Effect::Edit);
static RENAME_SECTION: Def =
    Def::of::<sections::RenameSection>(Editor, "rename_section", "Rename a section", Effect::Edit);
static MERGE_SECTIONS: Def = Def::of::<sections::MergeInto>(Editor, "merge_sections", "Merge sections", Effect::Edit);
static MOVE_SECTION: Def = Def::of::<sections::MoveSection>(Editor, "move_section", "Move a section", Effect::Settle);
static DELETE_SECTION: Def =
    Def::of::<sections::DeleteSection>(Editor, "delete_section", "Delete a section", Effect::Edit);
static SET_SLOT: Def = Def::of::<sections::SetSlot>(Editor, "set_slot", "Set a slot", Effect::Settle);
static REMOVE_SLOT: Def = Def::of::<sections::RemoveSlot>(Editor, "remove_slot", "Remove a slot", Effect::Edit);
static HISTORY: Def = Def::tool::<history::MemoryHistory>("memory_history", "List what was done", Effect::Read);
static DIFF: Def = Def::tool::<history::MemoryDiff>("memory_diff", "Compare two moments", Effect::Read);
static UNDO: Def = Def::tool::<history::MemoryUndo>("memory_undo", "Undo an edit", Effect::Edit);
static VERIFY: Def = Def::tool::<history::MemoryVerify>("memory_verify", "Verify the journal", Effect::Read);
static COMMIT: Def = Def::tool::<recall::MemoryCommit>("memory_commit", "Remember", Effect::Record);
static RETHINK: Def = Def::tool::<recall::MemoryRethink>("memory_rethink", "Supersede memories", Effect::Record);
static RECALL: Def = Def::tool::<recall::MemoryRecall>("memory_recall", "Recall", Effect::Read);
static BLOCK_GET: Def = Def::tool::<recall::BlockGet>("block_get", "Read a core block", Effect::Read);
static BLOCK_UPDATE: Def =
    Def::tool::<recall::BlockUpdateArguments>("block_update", "Update a core block", Effect::Settle);
static WRITE_MEMORY: Def = Def::tool::<notes::WriteMemory>("write_memory", "Write a note", Effect::Edit);
static SEARCH: Def = Def::tool::<notes::SearchMemory>("search_memory", "Search memory", Effect::Read);
static HANDOFF: Def = Def::tool::<notes::WriteSessionHandoff>("write_session_handoff", "Hand over", Effect::Settle);
static SCRATCH: Def = Def::tool::<notes::ScratchNote>("scratch_note", "Use the scratchpad", Effect::Edit);
static MEMO_READ: Def = Def::of::<editing::MemoRead>(Reader, "memo_read", "Read the draft", Effect::Read);
static MEMO_REPLACE: Def =
    Def::of::<editing::MemoReplace>(Stager, "memo_replace", "Stage a replacement", Effect::Stage);
static MEMO_REPLACE_SPAN: Def =
    Def::of::<editing::MemoReplaceSpan>(Stager, "memo_replace_span", "Stage the replacement of a span", Effect::Stage);
static MEMO_APPEND: Def = Def::of::<editing::MemoAppend>(Stager, "memo_append", "Stage an addition", Effect::Stage);
static MEMO_STAGE: Def = Def::of::<editing::MemoStage>(Stager, "memo_stage", "Stage any edit", Effect::Stage);
static MEMO_UNSTAGE: Def = Def::tool::<editing::MemoUnstage>("memo_unstage", "Take a change out", Effect::Stage);
static MEMO_PREVIEW: Def = Def::tool::<editing::MemoPreview>("memo_preview", "Preview the session", Effect::Read);
static MEMO_COMMIT: Def = Def::tool::<editing::MemoCommit>("memo_commit", "Commit the session", Effect::Edit);
static MEMO_COMMIT_AUTO: Def =
    Def::tool::<editing::MemoCommitAuto>("memo_commit_auto", "Commit with a summary made", Effect::Edit);
static MEMO_REVERT: Def = Def::tool::<editing::MemoRevert>("memo_revert", "Revert the session", Effect::Stage);
static MEMO_BEGIN_TASK: Def = Def::tool::<editing::MemoBeginTask>("memo_begin_task", "Begin a task", Effect::Stage);
static MEMO_EXPORT_SESSION: Def =
    Def::tool::<editing::MemoExportSession>("memo_export_session", "Export the session", Effect::Read);
static MEMO_EXPORT_DIFF: Def = Def::tool::<editing::MemoExportDiff>("memo_export_diff", "Export a diff", Effect::Read);

/// What the least agent needs.
pub(super) static MINIMAL: Tools = &[&READ, &PATCH, &REPLACE];

/// What an agent needs that keeps a memory of sections and bullets.
pub(super) static STANDARD: Tools = &[&READ, &PATCH, &REPLACE, &EDIT_ITEMS, &REWRITE, &PREVIEW, &VALIDATE];

/// What an agent needs that keeps a memory of blocks with IDs.
pub(super) static SUB_MEMORY: Tools = &[&READ, &SUB_MEMORY_OPS, &PREVIEW, &VALIDATE];

/// Edits of bullets, whole sections and slots.
static HOUSE: Tools = &[
    &EDIT_ITEMS,
    &PIN,
    &UNPIN,
    &SET_TTL,
    &CLEAR_TTL,
    &SORT,
    &EDIT_SECTION,
    &RENAME_SECTION,
    &MERGE_SECTIONS,
    &MOVE_SECTION,
    &DELETE_SECTION,
    &SET_SLOT,
    &REMOVE_SLOT,
];

static LOOKS: Tools = &[&PREVIEW, &VALIDATE];

/// What an agent needs that keeps house: whole sections, slots, bullets.
pub(super) static SECTIONS: LazyLock<Vec<&Def>> = LazyLock::new(|| [&[&READ], HOUSE, LOOKS].concat());

/// What an agent needs to know what was done, to take it back, to remember beside the documents, and to keep what it is to know
/// always.
pub(super) static JOURNAL: Tools =
    &[&HISTORY, &DIFF, &UNDO, &VERIFY, &COMMIT, &RETHINK, &RECALL, &BLOCK_GET, &BLOCK_UPDATE];

/// What an agent needs that keeps notes by key.
pub(super) static NOTES: Tools = &[&WRITE_MEMORY, &SEARCH, &HANDOFF, &SCRATCH];

/// What an agent needs that looks at its edits before they are written.
pub(super) static SESSION: Tools = &[
    &MEMO_READ,
    &MEMO_REPLACE,
    &MEMO_REPLACE_SPAN,
    &MEMO_APPEND,
    &MEMO_STAGE,
    &MEMO_UNSTAGE,
    &MEMO_PREVIEW,
    &MEMO_COMMIT,
    &MEMO_COMMIT_AUTO,
    &MEMO_REVERT,
    &MEMO_BEGIN_TASK,
    &MEMO_EXPORT_SESSION,
    &MEMO_EXPORT_DIFF,
];

/// What an agent needs that knows its memory as a directory of files.
pub(super) static FILES: Tools = &[&files::TOOL];

/// All tools but those of [`FILES`], in the order in which they are listed to a model.
pub(super) static OFFERED: LazyLock<Vec<&Def>> =
    LazyLock::new(|| [MINIMAL, HOUSE, &[&SUB_MEMORY_OPS, &REWRITE], LOOKS, JOURNAL, NOTES, SESSION].concat());

/// All tools.
pub(super) static ALL: LazyLock<Vec<&Def>> = LazyLock::new(|| [&OFFERED, FILES].concat());
