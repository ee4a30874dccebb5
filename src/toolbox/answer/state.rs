//! [`SessionState`]: whether an editing session is open, and which.

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
