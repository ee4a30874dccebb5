//! The tools: a file each, or one for those of one subject, and a line each in the lists below.
//!
//! A new tool is a new file with a type for its arguments, which derives `Deserialize` and `JsonSchema`; a type for what it tells,
//! which derives `Serialize` and `JsonSchema`, writes its text as [`super::answer::Tell`], and may embed
//! [`super::answer::Edited`]; and a `static` that is made of them by [`ToolDefinition::reading`] or [`ToolDefinition::editing`].
//! Its line in each set that holds it is all that is needed elsewhere: schemas in every dialect, lenient reading
//! of arguments, hints and telemetry follow.

mod block_get;
mod block_update;
mod diff;
mod edit;
mod handoff;
mod history;
mod items;
mod marks;
mod memo;
mod move_section;
mod patch;
mod preview;
mod query;
mod read;
mod recall;
mod remember;
mod replace;
mod rewrite;
mod scratch;
mod search;
mod sections;
mod selector;
mod slots;
mod sub_memory;
mod undo;
mod validate;
mod verify;
mod write_memory;

use std::sync::LazyLock;

use super::{ToolDefinition, files};

type Tools = &'static [&'static ToolDefinition];

/// What the least agent needs.
pub(super) static MINIMAL: Tools = &[&read::TOOL, &patch::TOOL, &replace::TOOL];

/// What an agent needs that keeps a memory of sections and bullets.
pub(super) static STANDARD: Tools =
    &[&read::TOOL, &patch::TOOL, &replace::TOOL, &items::TOOL, &rewrite::TOOL, &preview::TOOL, &validate::TOOL];

/// What an agent needs that keeps a memory of blocks with IDs.
pub(super) static SUB_MEMORY: Tools = &[&read::TOOL, &sub_memory::TOOL, &preview::TOOL, &validate::TOOL];

/// Edits of bullets, whole sections and slots.
static HOUSE: Tools = &[
    &items::TOOL,
    &marks::PIN,
    &marks::UNPIN,
    &marks::SET_TTL,
    &marks::CLEAR_TTL,
    &sections::RENAME,
    &sections::MERGE,
    &move_section::TOOL,
    &sections::DELETE,
    &slots::SET,
    &slots::REMOVE,
];

static LOOKS: Tools = &[&preview::TOOL, &validate::TOOL];

/// What an agent needs that keeps house: whole sections, slots, bullets.
pub(super) static SECTIONS: LazyLock<Vec<&ToolDefinition>> = LazyLock::new(|| [&[&read::TOOL], HOUSE, LOOKS].concat());

/// What an agent needs to know what was done, to take it back, to remember beside the documents, and to keep what it is to know
/// always.
pub(super) static JOURNAL: Tools = &[
    &history::TOOL,
    &diff::TOOL,
    &undo::TOOL,
    &verify::TOOL,
    &remember::COMMIT,
    &remember::RETHINK,
    &recall::TOOL,
    &block_get::TOOL,
    &block_update::TOOL,
];

/// What an agent needs that keeps notes by key.
pub(super) static NOTES: Tools = &[&write_memory::TOOL, &search::TOOL, &handoff::TOOL, &scratch::TOOL];

/// What an agent needs that looks at its edits before they are written.
pub(super) static SESSION: Tools = &[
    &memo::read::TOOL,
    &memo::replace::REPLACE,
    &memo::replace::REPLACE_SPAN,
    &memo::append::TOOL,
    &memo::stage::TOOL,
    &memo::unstage::TOOL,
    &memo::preview::TOOL,
    &memo::commit::COMMIT,
    &memo::commit::AUTO,
    &memo::revert::TOOL,
    &memo::task::TOOL,
    &memo::export::SESSION,
    &memo::export::DIFF,
];

/// What an agent needs that knows its memory as a directory of files.
pub(super) static FILES: Tools = &[&files::TOOL];

/// All tools but those of [`FILES`], in the order in which they are listed to a model.
pub(super) static OFFERED: LazyLock<Vec<&ToolDefinition>> =
    LazyLock::new(|| [MINIMAL, HOUSE, &[&sub_memory::TOOL, &rewrite::TOOL], LOOKS, JOURNAL, NOTES, SESSION].concat());

/// All tools.
pub(super) static ALL: LazyLock<Vec<&ToolDefinition>> = LazyLock::new(|| [&OFFERED, FILES].concat());
