//! [`Refusals`]: whether a model sends the very same call again that was just refused, or one patch after the other.

use serde_json::Value;

use super::answer::Refused;
use crate::locate::Code;
use crate::memory::RequestId;

/// The last call, if it was refused, and how often in a row.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    last: Option<(RequestId, usize)>,
}

impl Refusals {
    /// Notes that a call was not refused.
    pub(super) const fn clear(&mut self) {
        self.last = None;
    }

    /// Counts how often this call has now been refused in a row; 0 if sending the same call again is right.
    pub(super) fn count(&mut self, tool: &str, arguments: &Value, refused: &Refused) -> usize {
        // Where the store is at fault, or the reply has shown what was missing, the same call may succeed as it is.
        if matches!(refused.code, Code::Busy | Code::Store | Code::Indeterminate) || refused.changes.is_some() {
            self.clear();
            return 0;
        }
        // The digest of a tool and its arguments does not depend on the order of their members.
        let id = RequestId::new(tool, arguments);
        let before = self.last.filter(|(last, _)| *last == id).map_or(0, |(_, times)| times);
        self.last = Some((id, before + 1));
        before + 1
    }
}

/// The patches of one document that were refused in a row.
#[derive(Debug, Default)]
pub(super) struct RefusedPatches {
    document: String,
    count: usize,
}

impl RefusedPatches {
    /// Counts another one of this document.
    pub(super) fn count(&mut self, document: &str) -> usize {
        self.count = if self.document == document { self.count + 1 } else { 1 };
        document.clone_into(&mut self.document);
        self.count
    }
}
