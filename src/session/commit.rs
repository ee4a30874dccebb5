//! The commit of a session: all that is pending, as one write.

use serde_json::{Value, json};
use thiserror::Error;

use super::{PendingChange, Session};
use crate::edit::Edit;
use crate::memory::{Applied, Memory, MemoryError, Operation, Origin, REWRITE_TOOL, RequestId};
use crate::request::{Basis, Request, RequestError, View};

/// A session that was not committed: nothing has been written, unless the error says that this is not known. The session is given
/// back as it was.
#[derive(Debug, Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct NotCommitted {
    /// The session.
    pub session: Box<Session>,
    /// Why.
    #[source]
    pub error: MemoryError,
}

impl Session {
    /// Writes all changes as one commit, whose reason is the origin's. A session without changes writes nothing.
    ///
    /// A session that holds a rewrite is recorded as made by `rewrite_memory`. If others have changed a document
    /// since, the commit is refused, or its changes are carried over, as the policy says.
    ///
    /// # Errors
    ///
    /// What a memory refuses, or a failure of the store; the session is given back.
    pub fn commit(self, memory: &Memory, origin: &Origin) -> Result<Vec<Applied>, NotCommitted> {
        let changed = self.documents.iter().filter(|(name, _)| self.of(name).next().is_some());
        let staged: Vec<_> =
            changed.filter_map(|(name, known)| Some((name, known, Staged(self.edit(name)?)))).collect();
        let operations: Vec<_> = staged
            .iter()
            .map(|(name, known, staged)| Operation::edit((*name).clone(), Basis::Known(known), staged))
            .collect();
        if operations.is_empty() {
            return Ok(Vec::new());
        }
        let request = RequestId::new("session", &self.identity());
        let mut origin = origin.clone();
        if self.changes.iter().any(PendingChange::is_rewrite) {
            REWRITE_TOOL.clone_into(&mut origin.tool);
        }
        let applied = memory.apply(&operations, &origin, request);
        applied.map_err(|error| NotCommitted { session: Box::new(self), error })
    }

    /// Returns what identifies the commit of these changes: the documents, with the revisions before and after each
    /// change.
    fn identity(&self) -> Value {
        let identity = |change: &PendingChange| {
            let texts = [&change.before, &change.after].map(|doc| doc.revision().to_string());
            json!({"document": change.document.as_str(), "texts": texts})
        };
        self.changes.iter().map(identity).collect()
    }
}

/// The pending changes of one document, as one edit of the text that they begin with.
#[derive(Debug)]
struct Staged(Edit);

impl Request for Staged {
    fn plan(&self, _view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(self.0.clone())
    }
}
