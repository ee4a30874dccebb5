//! [`Session`]: a worker's connection, made anew when it is of no use any more.

use std::sync::Arc;

use postgres::Client;

use super::super::StoreError;
use super::PooledClient;
use super::failure::Failure;
use super::source::Source;

/// What a worker works with.
pub(super) struct Session {
    source: Arc<Source>,
    client: Option<PooledClient>,
}

/// What is done on a connection. It is done once again on another if the first one dies: nothing is decided then.
pub(super) type Work<'a, T> = dyn Fn(&mut Client) -> Result<T, Failure> + 'a;

impl Session {
    pub(super) const fn new(source: Arc<Source>) -> Self {
        Self { source, client: None }
    }

    /// Does something on a connection.
    ///
    /// # Errors
    ///
    /// There is no connection, or the server refuses; nothing has been changed.
    pub(super) fn run<T>(&mut self, work: &Work<'_, T>) -> Result<T, StoreError> {
        // One that was kept may have died since, and a new one may die at once, of which only its use tells.
        let first = self.client.take().map_or_else(|| self.connected(), Ok)?;
        match self.on(first, work) {
            Err(failure) if failure.is_connection_lost => {}
            done => return done.map_err(|failure| failure.error),
        }
        let second = self.connected()?;
        self.on(second, work).map_err(|failure| failure.error)
    }

    fn connected(&self) -> Result<PooledClient, StoreError> {
        self.source.connect().map_err(|failure| failure.error)
    }

    fn on<T>(&mut self, mut client: PooledClient, work: &Work<'_, T>) -> Result<T, Failure> {
        let done = work(&mut client);
        let is_lost = matches!(&done, Err(failure) if failure.is_connection_lost) || client.is_closed();
        if self.source.is_kept() && !is_lost {
            self.client = Some(client);
        }
        done
    }
}
