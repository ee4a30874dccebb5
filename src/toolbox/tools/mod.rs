//! The tools: a file each, or a folder for those of one subject, and a line each in this list.

mod edit;
mod items;
mod marks;
mod patch;
mod preview;
mod read;
mod replace;
mod rewrite;
mod sections;
mod selector;
mod slots;
mod sub_memory;
mod validate;

use super::ToolDefinition;

/// What the least agent needs.
pub(super) const MINIMAL: &[&ToolDefinition] = &[&read::TOOL, &patch::TOOL, &replace::TOOL];

/// What an agent needs that keeps a memory of sections and bullets.
pub(super) const STANDARD: &[&ToolDefinition] =
    &[&read::TOOL, &patch::TOOL, &replace::TOOL, &items::TOOL, &rewrite::TOOL, &preview::TOOL, &validate::TOOL];

/// What an agent needs that keeps a memory of blocks with IDs.
pub(super) const SUB_MEMORY: &[&ToolDefinition] = &[&read::TOOL, &sub_memory::TOOL, &preview::TOOL, &validate::TOOL];

/// What an agent needs that keeps house: whole sections, slots, bullets.
pub(super) const SECTIONS: &[&ToolDefinition] = &[
    &read::TOOL,
    &items::TOOL,
    &marks::PIN,
    &marks::UNPIN,
    &marks::SET_TTL,
    &marks::CLEAR_TTL,
    &sections::RENAME,
    &sections::MERGE,
    &sections::MOVE,
    &sections::DELETE,
    &slots::SET,
    &slots::REMOVE,
    &preview::TOOL,
    &validate::TOOL,
];

/// All tools, in the order in which they are listed to a model.
pub(super) const ALL: &[&ToolDefinition] = &[
    &read::TOOL,
    &patch::TOOL,
    &replace::TOOL,
    &items::TOOL,
    &marks::PIN,
    &marks::UNPIN,
    &marks::SET_TTL,
    &marks::CLEAR_TTL,
    &sections::RENAME,
    &sections::MERGE,
    &sections::MOVE,
    &sections::DELETE,
    &slots::SET,
    &slots::REMOVE,
    &sub_memory::TOOL,
    &rewrite::TOOL,
    &preview::TOOL,
    &validate::TOOL,
];
