//! [`Session`]: one connection for one call: statements up to a deadline, and a transaction; and the values of columns.

use std::future::Future;
use std::sync::Arc;

use deadpool::managed::Object;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Error, Row};

use crate::memory::journal::{Entry, Seq};
use crate::memory::postgres_store::database::Connector;
use crate::memory::postgres_store::failure::{Failure, Task};
use crate::memory::postgres_store::register::Register;

/// A connection for the time of one call about one memory.
pub(crate) struct Session {
    connection: Arc<Object<Connector>>,
    pub(crate) register: Arc<Register>,
    deadline: Instant,
}

/// What a transaction comes to before its end.
pub(crate) enum Ready<T> {
    /// It is to be committed.
    Commit(T),
    /// It is to be rolled back: nothing was to be changed.
    Nothing(T),
}

impl Session {
    pub(crate) fn new(connection: Arc<Object<Connector>>, register: Arc<Register>, deadline: Instant) -> Self {
        Self { connection, register, deadline }
    }

    /// Asks for rows.
    pub(crate) async fn rows(&self, task: Task, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Failure> {
        self.answer(task, self.connection.client.query_typed(statement, values)).await
    }

    /// Changes rows, and returns how many.
    pub(crate) async fn change(&self, task: Task, statement: &str, values: &[Value<'_>]) -> Result<u64, Failure> {
        self.answer(task, self.connection.client.execute_typed(statement, values)).await
    }

    /// Has statements executed that have no values.
    pub(crate) async fn batch(&self, task: Task, statements: &str) -> Result<(), Failure> {
        self.answer(task, self.connection.client.batch_execute(statements)).await
    }

    async fn answer<T>(&self, task: Task, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Failure> {
        match timeout_at(self.deadline, answer).await {
            Ok(answer) => answer.map_err(|error| task.failed(error)),
            Err(_) => Err(Failure::no_answer()),
        }
    }

    /// Makes a transaction of `work`. No statement of it takes longer than the memory's patience, nor any lock or pause; everything
    /// that is set for it lasts as long as the transaction, as poolers need it.
    ///
    /// # Errors
    ///
    /// The server refuses: nothing is changed. Or the answer to `COMMIT` is lost, of which the failure says so.
    pub(crate) async fn transaction<T>(
        &self,
        task: Task,
        work: impl Future<Output = Result<Ready<T>, Failure>>,
    ) -> Result<T, Failure> {
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

    /// Commits. A server that refuses by an ordinary error has rolled back; whatever else it says, or does not say, leaves it open.
    /// So does a warning: of a commit that no standby has confirmed.
    async fn commit(&self, task: Task) -> Result<(), Failure> {
        let before = self.connection.warnings();
        match timeout_at(self.deadline, self.connection.client.batch_execute("COMMIT")).await {
            Ok(Ok(())) if self.connection.warnings() == before => Ok(()),
            Ok(Ok(())) => Err(task.answer_lost("the server has warned at the commit".into())),
            Ok(Err(error)) => Err(task.commit_failed(error)),
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
pub(crate) fn column<'a, T: FromSql<'a>>(row: &'a Row, name: &str, task: Task) -> Result<T, Failure> {
    row.try_get(name).map_err(|error| task.refused(error).into())
}

/// Returns the entries of rows with a column `line`. What cannot be read is passed over.
///
/// # Errors
///
/// There is no such column.
pub(crate) fn entries(rows: &[Row], task: Task) -> Result<Vec<Entry>, Failure> {
    let mut entries = Vec::with_capacity(rows.len());
    for row in rows {
        entries.extend(Entry::parse(column(row, "line", task)?));
    }
    Ok(entries)
}
