//! Which tools a model is offered together.

use crate::document::IndexBase;
use crate::text::names;
use crate::toolbox::{ToolDefinition, guidance, tools};

names! {
    /// A set of tools that serve together.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum ToolSet, read as "one of the sets `minimal`, `standard`, `sub_memory`, `sections`, `journal`, `notes`, `session`, `files` and `all`" {
        /// `memory_read`, `patch_memory` and `replace_in_memory`.
        Minimal = "minimal",
        /// Those of `Minimal`, `edit_items`, `rewrite_memory`, `diff_preview` and `validate_memory`.
        Standard = "standard",
        /// For memories that are kept in blocks with IDs: `memory_read`, `apply_sub_memory_ops`, `diff_preview` and
        /// `validate_memory`. No other tool edits, so that the agent keeps to the contract of indexes.
        SubMemory = "sub_memory",
        /// For housekeeping: `memory_read`, `edit_items`, `pin_items`, `unpin_items`, `set_ttl`, `clear_ttl`, `sort_items`, `edit_section`,
        /// `rename_section`, `merge_sections`, `move_section`, `delete_section`, `set_slot`, `remove_slot`, `diff_preview` and `validate_memory`.
        Sections = "sections",
        /// For the past: `memory_history`, `memory_diff`, `memory_undo` and `memory_verify`; for what is remembered beside the
        /// documents: `memory_commit`, `memory_rethink` and `memory_recall`; and for what is to be known always: `block_get` and `block_update`. They
        /// serve beside those of another set.
        Journal = "journal",
        /// For notes by key: `write_memory`, `search_memory`, `write_session_handoff` and `scratch_note`. They serve beside those of another set.
        Notes = "notes",
        /// For edits that are looked at before they are written: `memo_read`, `memo_replace`, `memo_replace_span`, `memo_append`,
        /// `memo_stage`, `memo_unstage`, `memo_preview`, `memo_commit`, `memo_commit_auto`, `memo_revert`, `memo_begin_task`,
        /// `memo_export_session` and `memo_export_diff`. `memo_stage` stages what the editing tools of another set would do.
        Session = "session",
        /// For a model that knows Anthropic's memory tool, `memory_20250818`, or is to use the memory as a directory of files: `memory`. No
        /// other tool edits.
        Files = "files",
        /// All tools but that of `Files`.
        #[default]
        All = "all",
    }
}

impl ToolSet {
    /// Returns the tools in it, in the order in which they are listed to a model.
    pub fn tools(self) -> &'static [&'static ToolDefinition] {
        match self {
            Self::Minimal => tools::MINIMAL,
            Self::Standard => tools::STANDARD,
            Self::SubMemory => tools::SUB_MEMORY,
            Self::Sections => &tools::SECTIONS,
            Self::Journal => tools::JOURNAL,
            Self::Notes => tools::NOTES,
            Self::Session => tools::SESSION,
            Self::Files => tools::FILES,
            Self::All => &tools::OFFERED,
        }
    }

    /// Returns the policy of editing with these tools, for a system prompt: which tool when, and what to do about a refusal.
    /// The index base is that of the memory's policy; [`super::Toolbox::guidance`] knows it.
    pub fn guidance(self, index_base: IndexBase) -> String {
        guidance::guidance(self.tools(), index_base)
    }
}
