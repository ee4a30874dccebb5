//! The commit of a session: all that is pending, as one write.

use std::fmt::Write as _;

use serde_json::{Value, json};
use thiserror::Error;

use super::staged::Staged;
use super::{Letter, PendingChange, Session};
use crate::memory::{Applied, Memory, MemoryError, Operation, Origin, RequestId};
use crate::request::Basis;
use crate::text::{Revision, sort};

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

impl NotCommitted {
    /// Returns the letters of the changes that no longer stand where they were meant, in their order.
    pub fn conflicts(&self) -> Vec<Letter> {
        self.session.conflicts(&self.error)
    }
}

impl Session {
    /// Writes all changes as one commit, whose reason is the origin's. One without changes writes nothing.
    ///
    /// A document that others have changed since is refused, or its changes are carried over, as the policy says.
    ///
    /// # Errors
    ///
    /// What a memory refuses, or a failure of the store; the session is given back.
    pub fn commit(self, memory: &Memory, origin: &Origin) -> Result<Vec<Applied>, NotCommitted> {
        let known = self.documents.iter();
        let staged: Vec<_> =
            known.map(|(name, known)| (name, known, Staged::of(&self, name, known.believed()))).collect();
        let changed = staged.iter().filter(|(.., staged)| !staged.changes.is_empty());
        let operations: Vec<_> = changed
            .map(|(name, known, staged)| Operation::edit((*name).clone(), Basis::Known(known), staged))
            .collect();
        if operations.is_empty() {
            return Ok(Vec::new());
        }
        let request = RequestId::new("session", &self.identity());
        let applied = memory.apply(&operations, origin, request);
        applied.map_err(|error| NotCommitted { session: Box::new(self), error })
    }

    /// Returns what tells the commit of these changes from others.
    fn identity(&self) -> Value {
        let told = |change: &PendingChange| {
            let mut splices = String::new();
            for splice in change.edit.splices() {
                let (span, text) = (splice.span, &splice.text);
                let _ = write!(splices, "{} {} {} {text}", span.start(), span.end(), text.len());
            }
            json!({"document": change.document.as_str(), "splices": Revision::of(&splices).to_string()})
        };
        self.changes.iter().map(told).collect()
    }

    /// Returns the letters of the changes that a refusal of the whole is about.
    pub(crate) fn conflicts(&self, error: &MemoryError) -> Vec<Letter> {
        let of = |error: &MemoryError| {
            let (MemoryError::NotRebased { document, error, .. } | MemoryError::Request { document, error }) = error
            else {
                return Vec::new();
            };
            let letters: Vec<_> = self.of(document).map(|change| change.letter).collect();
            error.failures().iter().filter_map(|failure| letters.get(failure.part).copied()).collect()
        };
        match error {
            MemoryError::Several { first, others } => {
                let mut letters: Vec<_> = [&**first].into_iter().chain(others).flat_map(of).collect();
                sort(&mut letters);
                letters
            }
            error => of(error),
        }
    }
}
