//! [`Register`]: one memory in the database, and the last entry that was seen of it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio_postgres::Row;

use crate::memory::journal::{EntryHash, Head, Sealer};
use crate::memory::postgres_store::failure::{Failure, Task};
use crate::memory::postgres_store::session::{column, number, seq};
use crate::memory::{IoAction, StoreError};

const TASK: Task = Task::new(IoAction::Read, "memdoc.memory");

/// A memory in a database, as one store sees it.
pub(crate) struct Register {
    pub(crate) memory: String,
    pub(crate) sealer: Sealer,
    /// The limit for one statement, for one lock and for one pause.
    pub(crate) patience: Duration,
    /// The last entry that was seen: the journal must not go back behind it.
    seen: Mutex<Head>,
    /// The last entry that was seen and is not there any more, until the host acknowledges it.
    lost: Mutex<Option<Head>>,
}

impl Register {
    pub(crate) const fn new(memory: String, sealer: Sealer, patience: Duration) -> Self {
        Self { memory, sealer, patience, seen: Mutex::new(Head::START), lost: Mutex::new(None) }
    }

    /// Returns how long a call takes at most. The server's own limits come first, as they say more.
    pub(crate) fn deadline(&self) -> Duration {
        self.patience.saturating_mul(3) / 2
    }

    fn lock(&self) -> MutexGuard<'_, Head> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the last entry that was seen and is not there any more.
    pub(crate) fn lost(&self) -> MutexGuard<'_, Option<Head>> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the last entry that was seen, for a statement that returns its hash as `known`.
    pub(crate) fn seen(&self) -> i64 {
        number(self.lock().seq)
    }

    /// Takes note of the head that a statement has returned: `seq`, `hash`, and as `known` the hash of the entry `asked`.
    ///
    /// # Errors
    ///
    /// The row holds something else; or the entry `asked` is not there any more. From then on, what was found is what counts.
    pub(crate) fn see(&self, asked: i64, row: &Row) -> Result<Head, Failure> {
        let head = head(row)?;
        let hash: Option<&str> = column(row, "known", TASK)?;
        let mut seen = self.lock();
        // Another call may have seen a later one since.
        let is_comparable = number(seen.seq) == asked;
        let is_there = asked == 0 || hash == Some(seen.hash.to_string().as_str());
        if is_comparable && !is_there {
            let error = StoreError::SetBack { known: seen.seq, found: head.seq };
            *self.lost() = Some(std::mem::replace(&mut *seen, head));
            return Err(error.into());
        }
        if head.seq > seen.seq {
            *seen = head;
        }
        Ok(head)
    }

    /// Takes note of a head that was committed.
    pub(crate) fn committed(&self, head: Head) {
        let mut seen = self.lock();
        if head.seq > seen.seq {
            *seen = head;
        }
    }
}

/// Returns the head in a row; [`Head::START`] if there is no such memory.
fn head(row: &Row) -> Result<Head, Failure> {
    let number: Option<i64> = column(row, "seq", TASK)?;
    let hash: Option<&str> = column(row, "hash", TASK)?;
    let (Some(number), Some(hash)) = (number, hash) else { return Ok(Head::START) };
    let hash: EntryHash = hash.parse().map_err(|error| TASK.refused(error))?;
    Ok(Head { seq: seq(number), hash })
}
