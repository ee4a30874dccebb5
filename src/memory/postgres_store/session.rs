//! [`Session`]: one connection for one call. It executes statements up to a deadline, runs a transaction, reads the
//! values of columns, and tells what a failure means.

use std::cell::Cell;
use std::future::Future;
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use tokio_postgres::error::{Severity, SqlState};
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Error, Row};

use crate::memory::journal::{Entry, Head, Sealer, Seq};
use crate::memory::postgres_store::database::Connection;
use crate::memory::{StoreError, Version};

/// A memory in a database, as one store sees it.
#[derive(Clone)]
pub(crate) struct Register {
    pub(crate) memory: String,
    pub(crate) sealer: Sealer,
    /// The limit for one statement, for one lock and for one pause.
    pub(crate) patience: Duration,
}

/// A connection for the time of one call about one memory.
pub(crate) struct Session<'a> {
    connection: &'a Connection,
    pub(crate) register: &'a Register,
    deadline: Instant,
    /// Whether the connection was lost, or is about to be.
    pub(crate) is_lost: Cell<bool>,
}

/// How a transaction is to end.
pub(crate) enum Ready<T> {
    /// It is to be committed.
    Commit(T),
    /// It is to be rolled back, because nothing is to be changed.
    Nothing(T),
}

impl<'a> Session<'a> {
    pub(crate) const fn new(connection: &'a Connection, register: &'a Register, deadline: Instant) -> Self {
        Self { connection, register, deadline, is_lost: Cell::new(false) }
    }

    /// Queries rows of the memory. Its ID is the first value of the statement.
    pub(crate) async fn rows(&self, task: Task, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StoreError> {
        let values = [&[text(&self.register.memory)], values].concat();
        self.answer(task, self.connection.client.query_typed(statement, &values)).await
    }

    /// Changes rows of the memory, and returns how many. Its ID is the first value of the statement.
    pub(crate) async fn change(&self, task: Task, statement: &str, values: &[Value<'_>]) -> Result<u64, StoreError> {
        let values = [&[text(&self.register.memory)], values].concat();
        self.answer(task, self.connection.client.execute_typed(statement, &values)).await
    }

    /// Queries the rows of a statement without values.
    pub(crate) async fn query(&self, task: Task, statement: &str) -> Result<Vec<Row>, StoreError> {
        self.answer(task, self.connection.client.query_typed(statement, &[])).await
    }

    /// Executes statements without values.
    pub(crate) async fn batch(&self, task: Task, statements: &str) -> Result<(), StoreError> {
        self.answer(task, self.connection.client.batch_execute(statements)).await
    }

    async fn answer<T>(&self, task: Task, answer: impl Future<Output = Result<T, Error>>) -> Result<T, StoreError> {
        match timeout_at(self.deadline, answer).await {
            Ok(answer) => answer.map_err(|error| {
                self.is_lost.set(self.is_lost.get() || is_connection_lost(&error));
                task.failed(error)
            }),
            Err(_) => Err(no_answer()),
        }
    }

    /// Runs `work` in a transaction. The server ends a statement, a wait for a lock or a pause that takes longer than
    /// the memory's patience. These limits are set for the transaction only: a pooler may give the connection to others
    /// after it.
    ///
    /// # Errors
    ///
    /// The server refuses: nothing is changed. [`StoreError::Lost`]: the answer to `COMMIT` is lost.
    pub(crate) async fn transaction<T>(
        &self,
        task: Task,
        work: impl Future<Output = Result<Ready<T>, StoreError>>,
    ) -> Result<T, StoreError> {
        let limit = self.register.patience.as_millis().clamp(1, 2_147_483_647);
        let begin = format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = {limit}; \
             SET LOCAL lock_timeout = {limit}; SET LOCAL idle_in_transaction_session_timeout = {limit}"
        );
        self.batch(task, &begin).await?;
        match work.await? {
            Ready::Commit(value) => self.commit(task).await.map(|()| value),
            Ready::Nothing(value) => self.batch(task, "ROLLBACK").await.map(|()| value),
        }
    }

    /// Commits. If the server answers with an ordinary error, it has rolled back. If the connection is lost, no answer
    /// comes in time, or the server warns that no standby has confirmed, it is not known whether the server has
    /// committed.
    async fn commit(&self, task: Task) -> Result<(), StoreError> {
        let warnings = || self.connection.warnings.load(Ordering::SeqCst);
        let before = warnings();
        match timeout_at(self.deadline, self.connection.client.batch_execute("COMMIT")).await {
            Ok(Ok(())) if warnings() == before => Ok(()),
            Ok(Ok(())) => Err(task.answer_lost("the server has warned at the commit".into())),
            Ok(Err(error)) if is_connection_lost(&error) => Err(task.answer_lost(reason(error))),
            Ok(Err(error)) => Err(task.failed(error)),
            Err(_) => Err(task.answer_lost("the server has not answered in time".into())),
        }
    }
}

/// A value of a statement, with its type.
pub(crate) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

pub(crate) fn text(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::TEXT)
}

pub(crate) fn texts(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::TEXT_ARRAY)
}

pub(crate) fn int(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::INT8)
}

pub(crate) fn bytes(value: &(dyn ToSql + Sync)) -> Value<'_> {
    (value, Type::BYTEA)
}

/// Returns a number as the database keeps it.
pub(crate) fn number(seq: Seq) -> i64 {
    i64::try_from(seq.get()).unwrap_or(i64::MAX)
}

/// Returns a number that the database kept.
pub(crate) fn seq(number: i64) -> Seq {
    Seq::new(u64::try_from(number).unwrap_or_default())
}

/// Returns a limit as the database takes it.
pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// Returns the value of a column.
///
/// # Errors
///
/// It is of another type.
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, name: &str, task: Task) -> Result<T, StoreError> {
    row.try_get(name).map_err(|error| task.refused(error))
}

/// Parses the text in a column; returns `None` if it is null.
///
/// # Errors
///
/// It is of another type, or cannot be parsed.
pub(crate) fn parsed<T>(row: &Row, name: &str, task: Task) -> Result<Option<T>, StoreError>
where
    T: FromStr<Err: Into<Box<dyn std::error::Error + Send + Sync>>>,
{
    column::<Option<&str>>(row, name, task)?.map(str::parse).transpose().map_err(|error| task.refused(error))
}

/// Returns the head in a row; [`Head::START`] if there is no such memory.
///
/// # Errors
///
/// The row holds something else.
pub(crate) fn head(row: &Row) -> Result<Head, StoreError> {
    let task = Task::new("read", "memdoc.memory");
    let (number, hash) = (column::<Option<i64>>(row, "seq", task)?, parsed(row, "hash", task)?);
    Ok(number.zip(hash).map_or(Head::START, |(number, hash)| Head { seq: seq(number), hash }))
}

/// Returns the version in a row of `memdoc.document`.
///
/// # Errors
///
/// The row holds something else.
pub(crate) fn version(row: &Row, task: Task) -> Result<Version, StoreError> {
    Ok(Version::new(parsed(row, "revision", task)?, column::<Option<i64>>(row, "tip", task)?.map(seq)))
}

/// Returns the entries of rows with a column `line`. Lines that cannot be read are skipped.
///
/// # Errors
///
/// There is no such column.
pub(crate) fn entries(rows: &[Row], task: Task) -> Result<Vec<Entry>, StoreError> {
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        entries.extend(Entry::parse(column(row, "line", task)?));
    }
    Ok(entries)
}

/// The errors of a server if others hold what a transaction needs: the transaction may be tried again.
const HELD: [SqlState; 4] = [
    SqlState::LOCK_NOT_AVAILABLE,
    SqlState::QUERY_CANCELED,
    SqlState::T_R_DEADLOCK_DETECTED,
    SqlState::T_R_SERIALIZATION_FAILURE,
];

/// An action on a relation, for error messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) action: &'static str,
    pub(crate) relation: &'static str,
}

impl Task {
    pub(crate) const fn new(action: &'static str, relation: &'static str) -> Self {
        Self { action, relation }
    }

    /// Returns the error for a failure that the server or the connection reported.
    pub(crate) fn failed(self, error: Error) -> StoreError {
        let is_held = error.code().is_some_and(|state| HELD.contains(state));
        match (self.relation.into(), reason(error)) {
            (relation, source) if is_held => StoreError::Held { relation, source },
            (relation, source) => StoreError::Relation { action: self.action, relation, source },
        }
    }

    /// Returns the error for a lost answer to the commit.
    fn answer_lost(self, source: Box<dyn std::error::Error + Send + Sync>) -> StoreError {
        StoreError::Lost { relation: self.relation.into(), source }
    }

    /// Returns the error for another failure.
    pub(crate) fn refused(self, why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
        StoreError::Relation { action: self.action, relation: self.relation.into(), source: why.into() }
    }
}

/// Returns the error for an answer that did not come in time, before `COMMIT` was sent.
pub(crate) fn no_answer() -> StoreError {
    StoreError::Held { relation: "memdoc".into(), source: "the server has not answered in time".into() }
}

/// Returns true unless only one statement failed: after that, the connection can still be used.
fn is_connection_lost(error: &Error) -> bool {
    error.as_db_error().is_none_or(|error| error.parsed_severity() != Some(Severity::Error))
}

/// Returns what the server or the system says. The server's details are left out: they may hold values of the memory.
fn reason(error: Error) -> Box<dyn std::error::Error + Send + Sync> {
    match error.as_db_error() {
        Some(error) => format!("{}: {}", error.severity(), error.message()).into(),
        None => {
            let kind = error.to_string();
            error.into_source().map_or_else(|| kind.clone().into(), |cause| format!("{kind}: {cause}").into())
        }
    }
}
