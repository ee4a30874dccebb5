//! [`InSession`]: what every tool of editing sessions tells: whether a session is open, and what is pending in it.

use serde::Serialize;

/// Whether a session is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Idle,
    Editing,
}

/// Whether a session is open, and which.
#[derive(Clone, Serialize)]
pub(crate) struct SessionState {
    pub(crate) state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) session_id: Option<String>,
}

/// What every tool of editing sessions tells.
#[derive(Clone, Serialize)]
pub(crate) struct InSession {
    #[serde(flatten)]
    pub(crate) session: SessionState,
    /// What is pending, in the order of the letters, as it stands in the drafts.
    pub(crate) pending_changes: Option<Vec<ChangeRow>>,
    /// What may be called next.
    pub(crate) next_actions: Option<Vec<&'static str>>,
}

/// A pending change.
#[derive(Clone, Serialize)]
pub(crate) struct ChangeRow {
    pub(crate) change_id: String,
    pub(crate) kind: &'static str,
    pub(crate) document: String,
    pub(crate) section: Option<String>,
    /// Its line in the draft, from 1.
    pub(crate) line: usize,
    /// Its position in the draft, in characters from 0.
    pub(crate) position: usize,
    /// By how many characters the text grows or shrinks.
    pub(crate) delta: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) preview: Option<String>,
}

/// By how much a commit has shortened the host's chat.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct HistoryDelta {
    pub(crate) messages_removed: usize,
    pub(crate) tokens_saved: usize,
}
