//! What went wrong with a statement, and whether its connection is still of use.

use postgres::error::{Error, Severity, SqlState};

use super::super::{IoAction, StoreError};

/// A call that failed before anything was decided.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) error: StoreError,
    /// Whether the connection has to be given up.
    pub(super) is_connection_lost: bool,
}

impl From<StoreError> for Failure {
    /// Takes over an error that has nothing to do with the connection.
    fn from(error: StoreError) -> Self {
        Self { error, is_connection_lost: false }
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
pub(super) struct Task {
    pub(super) action: IoAction,
    pub(super) relation: &'static str,
}

impl Task {
    pub(super) const fn new(action: IoAction, relation: &'static str) -> Self {
        Self { action, relation }
    }

    /// Returns what it is that it failed with `error`.
    pub(super) fn failed(self, error: Error) -> Failure {
        let state = error.code();
        let is_held = HELD.iter().any(|held| state == Some(held));
        let is_connection_lost = is_lost(&error);
        let (relation, source) = (self.relation.into(), told(error));
        let error = match is_held {
            true => StoreError::Held { relation, source },
            false => StoreError::Relation { action: self.action, relation, source },
        };
        Failure { error, is_connection_lost }
    }

    /// Returns that it failed for another reason.
    pub(super) fn refused(self, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Relation { action: self.action, relation: self.relation.into(), source: why.into() }
    }
}

/// Reports whether nothing more is to be had of the connection: all but an error of one statement.
pub(super) fn is_lost(error: &Error) -> bool {
    error.as_db_error().is_none_or(|told| told.parsed_severity().is_none_or(|severity| severity != Severity::Error))
}

/// Returns what the server has said, or the system; the client's own words say neither. Details are left out: they may hold values.
pub(super) fn told(error: Error) -> Box<dyn std::error::Error + Send + Sync> {
    match error.as_db_error() {
        Some(told) => format!("{}: {}", told.severity(), told.message()).into(),
        None => {
            let kind = error.to_string();
            error.into_source().map_or_else(|| kind.clone().into(), |cause| format!("{kind}: {cause}").into())
        }
    }
}

/// Returns that the server does not answer.
pub(super) fn silent() -> StoreError {
    StoreError::Held { relation: "memdoc".into(), source: "the server has not answered in time".into() }
}
