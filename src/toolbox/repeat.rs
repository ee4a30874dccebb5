//! [`Refusals`]: whether a model sends the very same call again that was just refused.

use serde_json::Value;

use super::reply::{Reply, Status};
use crate::locate::Code;
use crate::memory::CommitId;

/// The last call, if it was refused, and how often in a row.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    last: Option<(CommitId, usize)>,
}

impl Refusals {
    /// Counts how often this call has now been refused in a row; 0 if it was not refused.
    pub(super) fn count(&mut self, tool: &str, arguments: &Value, reply: &Reply) -> usize {
        // Where the store is at fault, or the reply has shown what was missing, sending the same call again is right.
        let is_right = matches!(reply.code(), Some(Code::Busy | Code::Store)) || reply.get("changes").is_some();
        if reply.status() != Status::Error || is_right {
            self.last = None;
            return 0;
        }
        // The digest of a tool and its arguments does not depend on the order of their members.
        let id = CommitId::new(&[], tool, arguments);
        let before = self.last.filter(|(last, _)| *last == id).map_or(0, |(_, times)| times);
        self.last = Some((id, before + 1));
        before + 1
    }
}
