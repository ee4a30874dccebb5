//! The commit of a session: all its changes as one write.

use serde_json::{Value, json};

use super::{PendingChange, Session};
use crate::edit::Edit;
use crate::memory::{Applied, Memory, MemoryError, Operation, Origin, REWRITE_TOOL, RequestId};
use crate::request::{Basis, Request, RequestError, View};

impl Session {
    /// Writes all changes as one commit, with the reason of `origin`. A session without changes writes nothing, and so
    /// does a session that was committed before.
    ///
    /// If one change is a rewrite, the commit is recorded as made by `rewrite_memory`. If others have changed a
    /// document since the session began, the commit is refused, or its changes are carried over: the policy decides.
    ///
    /// # Errors
    ///
    /// The memory refuses an edit, or the store fails. Nothing was written, unless the error is `Indeterminate`.
    pub fn commit(&self, memory: &Memory, origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        let request = RequestId::new("session", &self.identity());
        let mut origin = origin.clone();
        if self.changes.iter().any(PendingChange::is_rewrite) {
            REWRITE_TOOL.clone_into(&mut origin.tool);
        }
        let changed = self.documents.iter().filter(|(name, _)| self.of(name).next().is_some());
        let staged: Vec<_> =
            changed.filter_map(|(name, known)| Some((name, known, Staged(self.edit(name)?)))).collect();
        let operations: Vec<_> = staged
            .iter()
            .map(|(name, known, staged)| Operation::edit((*name).clone(), Basis::Known(known), staged))
            .collect();
        if operations.is_empty() { Ok(Vec::new()) } else { memory.apply(&operations, &origin, request) }
    }

    /// Returns what identifies the commit: for each change, its document and the revisions before and after it.
    fn identity(&self) -> Value {
        let identity = |change: &PendingChange| {
            let texts = [&change.before, &change.after].map(|doc| doc.revision().to_string());
            json!({"document": change.document.as_str(), "texts": texts})
        };
        self.changes.iter().map(identity).collect()
    }
}

/// A request whose plan is known: all changes of one document, as one edit of its base.
#[derive(Debug)]
struct Staged(Edit);

impl Request for Staged {
    fn plan(&self, _view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.0.clone())
    }
}
