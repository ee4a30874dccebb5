//! The tools: a file for those of one subject, and a line each in the lists below.
//!
//! A new tool is a struct of its arguments, which derives `Deserialize` and `JsonSchema` and implements
//! [`Tool`](super::definition::Tool), and a line in each set that holds it. Schemas in every dialect, the reading of arguments, the text
//! of replies, retries, previews, staging and telemetry follow.

mod blocks;
mod history;
mod items;
mod marks;
mod memo;
mod notes;
mod patch;
mod preview;
mod query;
mod read;
mod recall;
mod remember;
mod replace;
mod rewrite;
mod search;
mod sections;
mod selector;
mod slots;
mod sort;
mod sub_memory;
mod undo;
mod validate;

use std::sync::LazyLock;

use super::{ToolDefinition, files};

type Tools = &'static [&'static ToolDefinition];

static READ: ToolDefinition = ToolDefinition::of::<read::MemoryRead>();
static PATCH: ToolDefinition = ToolDefinition::of::<patch::PatchMemory>();
static REPLACE: ToolDefinition = ToolDefinition::of::<replace::ReplaceInMemory>();
static REWRITE: ToolDefinition = ToolDefinition::of::<rewrite::RewriteMemory>();
static PREVIEW: ToolDefinition = ToolDefinition::of::<preview::DiffPreview>();
static VALIDATE: ToolDefinition = ToolDefinition::of::<validate::ValidateMemory>();
static APPLY_SUB_MEMORY_OPS: ToolDefinition = ToolDefinition::of::<sub_memory::ApplySubMemoryOps>();
static SET_SLOT: ToolDefinition = ToolDefinition::of::<slots::SetSlot>();
static REMOVE_SLOT: ToolDefinition = ToolDefinition::of::<slots::RemoveSlot>();
static SORT: ToolDefinition = ToolDefinition::of::<sort::SortItemsArguments>();
static HISTORY: ToolDefinition = ToolDefinition::of::<history::MemoryHistory>();
static DIFF: ToolDefinition = ToolDefinition::of::<history::MemoryDiff>();
static UNDO: ToolDefinition = ToolDefinition::of::<undo::MemoryUndo>();
static VERIFY: ToolDefinition = ToolDefinition::of::<undo::MemoryVerify>();
static COMMIT: ToolDefinition = ToolDefinition::of::<remember::MemoryCommit>();
static RETHINK: ToolDefinition = ToolDefinition::of::<remember::MemoryRethink>();
static RECALL: ToolDefinition = ToolDefinition::of::<recall::MemoryRecall>();
static BLOCK_GET: ToolDefinition = ToolDefinition::of::<blocks::BlockGet>();
static BLOCK_UPDATE: ToolDefinition = ToolDefinition::of::<blocks::BlockUpdateArguments>();
static WRITE_MEMORY: ToolDefinition = ToolDefinition::of::<notes::WriteMemory>();
static SEARCH: ToolDefinition = ToolDefinition::of::<search::SearchMemory>();
static HANDOFF: ToolDefinition = ToolDefinition::of::<notes::WriteSessionHandoff>();
static SCRATCH: ToolDefinition = ToolDefinition::of::<notes::ScratchNote>();

/// What the least agent needs.
pub(super) static MINIMAL: Tools = &[&READ, &PATCH, &REPLACE];

/// What an agent needs that keeps a memory of sections and bullets.
pub(super) static STANDARD: Tools = &[&READ, &PATCH, &REPLACE, &items::TOOL, &REWRITE, &PREVIEW, &VALIDATE];

/// What an agent needs that keeps a memory of blocks with IDs.
pub(super) static SUB_MEMORY: Tools = &[&READ, &APPLY_SUB_MEMORY_OPS, &PREVIEW, &VALIDATE];

/// Edits of bullets, whole sections and slots.
static HOUSE: Tools = &[
    &items::TOOL,
    &marks::PIN,
    &marks::UNPIN,
    &marks::SET_TTL,
    &marks::CLEAR_TTL,
    &SORT,
    &sections::TOOL,
    &sections::RENAME,
    &sections::MERGE,
    &sections::MOVE,
    &sections::DELETE,
    &SET_SLOT,
    &REMOVE_SLOT,
];

static LOOKS: Tools = &[&PREVIEW, &VALIDATE];

/// What an agent needs that keeps house: whole sections, slots, bullets.
pub(super) static SECTIONS: LazyLock<Vec<&ToolDefinition>> = LazyLock::new(|| [&[&READ], HOUSE, LOOKS].concat());

/// What an agent needs to know what was done, to take it back, to remember beside the documents, and to keep what it is to know
/// always.
pub(super) static JOURNAL: Tools =
    &[&HISTORY, &DIFF, &UNDO, &VERIFY, &COMMIT, &RETHINK, &RECALL, &BLOCK_GET, &BLOCK_UPDATE];

/// What an agent needs that keeps notes by key.
pub(super) static NOTES: Tools = &[&WRITE_MEMORY, &SEARCH, &HANDOFF, &SCRATCH];

/// What an agent needs that looks at its edits before they are written.
pub(super) static SESSION: LazyLock<Vec<&ToolDefinition>> = LazyLock::new(|| memo::ALL.iter().collect());

/// What an agent needs that knows its memory as a directory of files.
pub(super) static FILES: Tools = &[&files::TOOL];

/// All tools but those of [`FILES`], in the order in which they are listed to a model.
pub(super) static OFFERED: LazyLock<Vec<&ToolDefinition>> =
    LazyLock::new(|| [MINIMAL, HOUSE, &[&APPLY_SUB_MEMORY_OPS, &REWRITE], LOOKS, JOURNAL, NOTES, &SESSION].concat());

/// All tools.
pub(super) static ALL: LazyLock<Vec<&ToolDefinition>> = LazyLock::new(|| [&OFFERED, FILES].concat());
