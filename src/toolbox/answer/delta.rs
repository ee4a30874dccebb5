//! [`HistoryDelta`]: by how much a commit has shortened the host's chat.

use serde::Serialize;

/// By how much a chat is shorter.
#[derive(Clone, Copy, Debug, Serialize, derive_more::Display)]
#[display("\nhistory: {messages_removed} messages fewer, {tokens_saved} tokens saved")]
pub(crate) struct HistoryDelta {
    pub(crate) messages_removed: usize,
    pub(crate) tokens_saved: usize,
}
