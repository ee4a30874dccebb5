//! [`Session`]: one connection for one call: statements up to a deadline, and a transaction.

use std::future::Future;
use std::sync::Arc;

use deadpool::managed::Object;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::{Error, Row};

use crate::memory::postgres_store::database::Connector;
use crate::memory::postgres_store::failure::{Failure, Task};
use crate::memory::postgres_store::register::Register;
use crate::memory::postgres_store::rows::Value;

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
