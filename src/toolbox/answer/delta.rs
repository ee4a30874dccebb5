//! [`HistoryDelta`]: by how much a commit has shortened the host's chat.

use serde::Serialize;

/// By how much a chat is shorter.
#[derive(Clone, Copy, Debug, Serialize, derive_more::Display)]
#[display("\nhistory: {messages_removed} messages fewer, {tokens_saved} tokens saved")]
pub(in super::super) struct HistoryDelta {
    pub(in super::super) messages_removed: usize,
    pub(in super::super) tokens_saved: usize,
}
