//! [`SessionConfig`]: the settings of editing sessions, tasks and the compression of chats.

use serde::{Deserialize, Serialize};

use super::Letter;
use crate::document::{InvalidSetting, check_count};

/// The largest valid value of `max_stack_depth`.
const MAX_DEPTH: usize = 64;

/// The configuration of editing sessions. In JSON, a missing member has its default, and an unknown member is refused.
///
/// # Examples
///
/// ```
/// use memdoc::session::SessionConfig;
///
/// let config: SessionConfig = serde_json::from_str(r#"{"tasks": {"max_stack_depth": 2}}"#)?;
/// assert_eq!((config.tasks.max_stack_depth, config.editing.max_pending_changes), (2, 26));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SessionConfig {
    /// Staged changes and their previews.
    pub editing: EditingConfig,
    /// The task stack.
    pub tasks: TaskConfig,
    /// Compression of the host's chat history.
    pub history: HistoryConfig,
    /// How candidates are chosen and shown.
    pub matching: MatchingConfig,
}

impl SessionConfig {
    /// Checks that every value is in its range.
    ///
    /// # Errors
    ///
    /// The first setting that is out of range.
    pub fn check(&self) -> Result<(), InvalidSetting> {
        for (setting, expected, most, found) in [
            ("editing.max_pending_changes", "1 to 26", Letter::COUNT, self.editing.max_pending_changes),
            ("tasks.max_stack_depth", "1 to 64", MAX_DEPTH, self.tasks.max_stack_depth),
        ] {
            if !(1..=most).contains(&found) {
                return Err(InvalidSetting { setting, expected, found: found.to_string() });
            }
        }
        check_count("editing.preview_max_length", self.editing.preview_max_length)?;
        check_count("history.compression_threshold", self.history.compression_threshold)?;
        check_count("matching.max_candidates_shown", self.matching.max_candidates_shown)
    }
}

/// Staged changes and their previews.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct EditingConfig {
    /// Whether each reply shows the pending changes.
    pub auto_preview: bool,
    /// How many changes may be pending, 1 to 26.
    pub max_pending_changes: usize,
    /// How many lines of context a preview shows around a change.
    pub preview_context_lines: usize,
    /// The maximum length of a preview in characters, 1 or more.
    pub preview_max_length: usize,
    /// The form of a preview.
    pub preview_mode: PreviewMode,
}

impl Default for EditingConfig {
    fn default() -> Self {
        Self {
            auto_preview: true,
            max_pending_changes: 26,
            preview_context_lines: 3,
            preview_max_length: 500,
            preview_mode: PreviewMode::Compact,
        }
    }
}

/// The form of a session's preview.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewMode {
    /// Some lines around each change.
    #[default]
    Compact,
    /// Like `Compact`, but lines are not cut and none are left out.
    Full,
    /// For each change, its place and how many characters it adds and removes.
    Stats,
    /// A unified diff.
    Diff,
}

/// The task stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskConfig {
    /// How deep tasks may nest, 1 to 64.
    pub max_stack_depth: usize,
    /// Whether a commit ends its task.
    pub auto_pop_on_commit: bool,
    /// Whether the prompt shows the tree of tasks.
    pub show_tree_in_prompt: bool,
}

impl Default for TaskConfig {
    fn default() -> Self {
        Self { max_stack_depth: 3, auto_pop_on_commit: true, show_tree_in_prompt: true }
    }
}

/// Compression of the host's chat history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct HistoryConfig {
    /// Whether histories are compressed.
    pub enable_compression: bool,
    /// A chat is compressed only if at least this many messages can be removed. 1 or more.
    pub compression_threshold: usize,
    /// Whether messages marked as decisions stay.
    pub keep_key_decisions: bool,
}

impl Default for HistoryConfig {
    fn default() -> Self {
        Self { enable_compression: true, compression_threshold: 5, keep_key_decisions: true }
    }
}

/// How candidates are chosen and shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct MatchingConfig {
    /// Whether a single match is used without asking.
    pub auto_select_single_match: bool,
    /// Whether one of several candidates is recommended.
    pub smart_recommendation: bool,
    /// How many candidates are shown, 1 or more.
    pub max_candidates_shown: usize,
}

impl Default for MatchingConfig {
    fn default() -> Self {
        Self { auto_select_single_match: true, smart_recommendation: true, max_candidates_shown: 5 }
    }
}
