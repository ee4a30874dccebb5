//! What went wrong with a statement, and what is known after it.

use tokio_postgres::error::{Error, Severity, SqlState};

use crate::memory::{IoAction, StoreError};

/// A call that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: StoreError,
    pub(crate) lost: Lost,
}

/// What was lost by a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Nothing: the server, or the library, has refused.
    Nothing,
    /// The connection, before anything was decided: the same may be done on another.
    Connection,
    /// The answer to a commit, which may have been made.
    Answer,
}

impl Failure {
    /// Returns that the server has not answered in time, before anything was decided.
    pub(crate) fn no_answer() -> Self {
        let source = "the server has not answered in time".into();
        StoreError::Held { relation: "memdoc".into(), source }.into()
    }
}

impl From<StoreError> for Failure {
    /// Takes over an error that has nothing to do with the connection.
    fn from(error: StoreError) -> Self {
        Self { error, lost: Lost::Nothing }
    }
}

/// What the server says where others hold what a transaction needs: the same may be tried again.
const HELD: [SqlState; 4] = [
    SqlState::LOCK_NOT_AVAILABLE,
    SqlState::QUERY_CANCELED,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
];

/// What is done with a relation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) action: IoAction,
    pub(crate) relation: &'static str,
}

impl Task {
    pub(crate) const fn new(action: IoAction, relation: &'static str) -> Self {
        Self { action, relation }
    }

    /// Returns that it failed with `error`.
    pub(crate) fn failed(self, error: Error) -> Failure {
        let is_held = error.code().is_some_and(|state| HELD.contains(state));
        let lost = if is_connection_lost(&error) { Lost::Connection } else { Lost::Nothing };
        let (relation, source) = (self.relation.into(), reason(error));
        let error = match is_held {
            true => StoreError::Held { relation, source },
            false => StoreError::Relation { action: self.action, relation, source },
        };
        Failure { error, lost }
    }

    /// Returns that the commit of it failed with `error`.
    pub(crate) fn commit_failed(self, error: Error) -> Failure {
        match is_connection_lost(&error) {
            true => self.answer_lost(reason(error)),
            false => self.failed(error),
        }
    }

    /// Returns that the answer to the commit of it was lost.
    pub(crate) fn answer_lost(self, source: Box<dyn std::error::Error + Send + Sync>) -> Failure {
        Failure { error: StoreError::Lost { relation: self.relation.into(), source }, lost: Lost::Answer }
    }

    /// Returns that it failed for another reason.
    pub(crate) fn refused(self, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Relation { action: self.action, relation: self.relation.into(), source: why.into() }
    }
}

/// Returns true unless it is an error of one statement, after which the connection goes on.
fn is_connection_lost(error: &Error) -> bool {
    error.as_db_error().is_none_or(|error| error.parsed_severity() != Some(Severity::Error))
}

/// Returns what the server says, or the system. Details of the server are left out: they may hold values.
fn reason(error: Error) -> Box<dyn std::error::Error + Send + Sync> {
    match error.as_db_error() {
        Some(error) => format!("{}: {}", error.severity(), error.message()).into(),
        None => {
            let kind = error.to_string();
            error.into_source().map_or_else(|| kind.clone().into(), |cause| format!("{kind}: {cause}").into())
        }
    }
}
