//! The tools: a file each, and a line each in this list.

mod edit;
mod items;
mod patch;
mod preview;
mod read;
mod replace;
mod sub_memory;
mod validate;

use super::ToolDefinition;

/// All tools, in the order in which they are listed to a model.
pub(super) const ALL: &[&ToolDefinition] =
    &[&read::TOOL, &patch::TOOL, &replace::TOOL, &items::TOOL, &sub_memory::TOOL, &preview::TOOL, &validate::TOOL];
