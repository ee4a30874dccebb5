//! The labels of the core blocks that every memory has.

/// The blocks that every memory has, which stand in every prompt unless something else is said.
pub const CORE_BLOCKS: [&str; 4] = ["persona", "user_profile", "goals", "knowledge"];

/// Reports whether a block stands in every prompt where nothing else was said.
pub(super) fn is_core_by_default(label: &str) -> bool {
    CORE_BLOCKS.contains(&label)
}
