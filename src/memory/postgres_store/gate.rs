//! [`Gate`]: one caller alone.
//!
//! A transaction holds a lock of the memory that every commit of others waits for, as long as the caller works, on a connection of
//! its own: so each commit of the caller is a transaction like any other. It is no lock of a session, which poolers would lose.
//! Should that transaction end early, because its server or its connection does, the caller's next commit notices.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use postgres::Client;

use super::super::StoreError;
use super::failure::{Failure, silent};
use super::place::Place;
use super::transaction::HEAD;
use super::workers::Workers;

/// While it is there, nobody else commits.
pub(super) struct Gate {
    /// Dropped, it ends the transaction.
    pulse: Pulse,
}

/// Tells whether the gate still is held.
#[derive(Clone)]
pub(super) struct Pulse {
    questions: Sender<Sender<()>>,
    patience: Duration,
}

impl Pulse {
    /// Feels whether the gate still is held.
    ///
    /// # Errors
    ///
    /// It is not.
    pub(super) fn feel(&self) -> Result<(), StoreError> {
        let (answer, answers) = channel();
        let asked = self.questions.send(answer).is_ok();
        match asked && answers.recv_timeout(self.patience).is_ok() {
            true => Ok(()),
            false => Err(StoreError::Held {
                relation: HEAD.relation.into(),
                source: "the lock that kept others from it was lost; nothing was changed".into(),
            }),
        }
    }
}

impl Gate {
    /// Closes the gate behind the caller, by one of `workers`.
    ///
    /// # Errors
    ///
    /// Others do not let go of it in time; the server refuses.
    pub(super) fn close(workers: &Workers, place: &Arc<Place>) -> Result<Self, StoreError> {
        let (ready, is_ready) = channel();
        let (questions, asked) = channel();
        let held = Arc::clone(place);
        workers.begin(Box::new(move |session| {
            if let Err(error) = session.run(&|client| hold(client, &held, &ready, &asked)) {
                let _ = ready.send(Err(error));
            }
        }))?;
        let pulse = Pulse { questions, patience: place.patience };
        is_ready.recv_timeout(workers.deadline()).unwrap_or_else(|_| Err(silent())).map(|()| Self { pulse })
    }

    pub(super) fn pulse(&self) -> Pulse {
        self.pulse.clone()
    }
}

/// Holds the lock until nobody asks any more.
///
/// # Errors
///
/// It was not got.
fn hold(
    client: &mut Client,
    place: &Place,
    ready: &Sender<Result<(), StoreError>>,
    asked: &Receiver<Sender<()>>,
) -> Result<(), Failure> {
    place.alone().begin(client, HEAD)?;
    let _ = ready.send(Ok(()));
    loop {
        // The server ends a transaction that is silent for as long as its patience lasts.
        let answer = match asked.recv_timeout(place.patience / 3) {
            Ok(answer) => Some(answer),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if client.batch_execute("").is_err() {
            break;
        }
        let _ = answer.map(|answer| answer.send(()));
    }
    // It ends with its connection, if not so.
    let _ = client.batch_execute("ROLLBACK");
    Ok(())
}

/// Lets one caller after the other have something.
#[derive(Debug, Default)]
pub(super) struct Turns {
    is_taken: Mutex<bool>,
    given_back: Condvar,
}

/// A turn, which ends when it is dropped.
pub(super) struct Turn<'a>(&'a Turns);

impl Turns {
    /// Waits for a turn; `None` if none comes in time.
    pub(super) fn take(&self, patience: Duration) -> Option<Turn<'_>> {
        let is_taken = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.given_back.wait_timeout_while(is_taken, patience, |is_taken| *is_taken);
        let (mut is_taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        (!std::mem::replace(&mut *is_taken, true)).then(|| Turn(self))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.0.is_taken.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.given_back.notify_one();
    }
}
