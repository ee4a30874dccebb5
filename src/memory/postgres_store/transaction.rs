//! A transaction, from its beginning to its end, and the moment from which its caller cannot give it up.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use postgres::Client;

use super::super::{IoAction, StoreError};
use super::Warnings;
use super::failure::{Failure, Task, is_lost, silent, told};

/// How a transaction begins.
#[derive(Clone, Debug)]
pub(super) struct Beginning(String);

impl Beginning {
    /// Creates the beginning of a transaction of which no statement takes longer than `patience`, nor any lock or pause. What the
    /// server has for defaults does not matter then. Everything in it lasts as long as the transaction, as poolers need it.
    pub(super) fn new(patience: Duration) -> Self {
        let limit = patience.as_millis().clamp(1, 2_147_483_647);
        Self(format!(
            "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = {limit}; \
             SET LOCAL lock_timeout = {limit}; SET LOCAL idle_in_transaction_session_timeout = {limit}"
        ))
    }

    /// Begins a transaction.
    ///
    /// # Errors
    ///
    /// The server refuses: none is begun.
    pub(super) fn begin(&self, client: &mut Client, task: Task) -> Result<(), Failure> {
        client.batch_execute(&self.0).map_err(|error| undone(client, task.failed(error)))
    }
}

/// Rolls back what has failed.
fn undone(client: &mut Client, mut failure: Failure) -> Failure {
    failure.is_connection_lost |= client.batch_execute("ROLLBACK").is_err();
    failure
}

/// What a transaction came to, before its end.
pub(super) enum Ready<T> {
    /// It is to be committed.
    Commit(T),
    /// It is to be rolled back: nothing was to be changed.
    Nothing(T),
}

/// What became of a transaction.
#[derive(Debug)]
pub(super) enum Ended<T> {
    /// It was committed, and is durable; or there was nothing to commit.
    Done(T),
    /// It may be committed, or may not be durable.
    Unknown(StoreError),
}

/// Who decides what becomes of a transaction: its worker, by committing, or its caller, by giving it up.
#[derive(Debug, Default)]
pub(super) struct Decision(AtomicU8);

impl Decision {
    const OPEN: u8 = 0;
    const TO_COMMIT: u8 = 1;
    const GIVEN_UP: u8 = 2;

    fn decide(&self, what: u8) -> bool {
        let decided = self.0.compare_exchange(Self::OPEN, what, Ordering::SeqCst, Ordering::SeqCst);
        decided.is_ok() || decided == Err(what)
    }

    /// Gives the transaction up, if it is not being committed: then it never will be.
    pub(super) fn give_up(&self) -> bool {
        self.decide(Self::GIVEN_UP)
    }
}

/// A transaction to be made.
pub(super) struct Transaction<'a> {
    pub(super) beginning: &'a Beginning,
    pub(super) warnings: &'a Warnings,
    pub(super) decision: &'a Decision,
    /// What it is that may fail at its beginning and at its end.
    pub(super) task: Task,
}

impl Transaction<'_> {
    /// Begins, lets `work` do what is to be done, and commits.
    ///
    /// # Errors
    ///
    /// The server refuses, or the caller has given up: nothing has been changed.
    pub(super) fn make<T>(
        &self,
        client: &mut Client,
        work: impl FnOnce(&mut Client) -> Result<Ready<T>, Failure>,
    ) -> Result<Ended<T>, Failure> {
        self.beginning.begin(client, self.task)?;
        match work(client) {
            Ok(Ready::Commit(made)) if self.decision.decide(Decision::TO_COMMIT) => self.commit(client, made),
            Ok(Ready::Commit(_)) => Err(undone(client, silent().into())),
            Ok(Ready::Nothing(told)) => match client.batch_execute("ROLLBACK") {
                Ok(()) => Ok(Ended::Done(told)),
                Err(error) => Err(self.task.failed(error)),
            },
            Err(failure) => Err(undone(client, failure)),
        }
    }

    /// Commits. A server that refuses by an ordinary error has rolled back; whatever else is said, or not said, leaves it open. So
    /// does a warning: of a commit that no standby has confirmed.
    fn commit<T>(&self, client: &mut Client, made: T) -> Result<Ended<T>, Failure> {
        let before = self.warnings.count();
        let lost = |source| StoreError::Lost { relation: self.task.relation.into(), source };
        match client.batch_execute("COMMIT") {
            Ok(()) if self.warnings.count() == before => Ok(Ended::Done(made)),
            Ok(()) => Ok(Ended::Unknown(lost("the server has warned at the commit".into()))),
            Err(error) if is_lost(&error) => Ok(Ended::Unknown(lost(told(error)))),
            Err(error) => Err(undone(client, self.task.failed(error))),
        }
    }
}

/// What is written at last, and locked first.
pub(super) const HEAD: Task = Task::new(IoAction::Write, "memdoc.memory");
