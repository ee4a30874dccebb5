//! [`Place`]: the memory that is meant in the database, and what is known of it.

use std::sync::{Mutex, MutexGuard, PoisonError};

use postgres::Row;

use super::super::journal::{EntryHash, Head, Sealer};
use super::super::{IoAction, StoreError};
use super::Warnings;
use super::failure::{Failure, Task};
use super::rows::{column, number, seq};
use super::transaction::Beginning;

/// A memory in a database.
pub(super) struct Place {
    pub(super) memory: String,
    pub(super) sealer: Sealer,
    pub(super) warnings: Warnings,
    pub(super) patience: std::time::Duration,
    /// The last entry that was seen: it must not go.
    known: Mutex<Head>,
}

/// The head as a row tells it: `seq`, `hash`, and as `known` the hash of the entry that was known as the last one.
pub(super) struct FoundHead {
    /// `None` if there is no such memory.
    pub(super) head: Option<Head>,
    known: Option<String>,
}

impl FoundHead {
    /// Reads it from a row.
    ///
    /// # Errors
    ///
    /// The row holds something else.
    pub(super) fn of(row: &Row) -> Result<Self, Failure> {
        let task = Task::new(IoAction::Read, "memdoc.memory");
        let found: Option<i64> = column(row, "seq", task)?;
        let hash: Option<String> = column(row, "hash", task)?;
        let head = match (found, hash) {
            (Some(found), Some(hash)) => {
                let hash: EntryHash = hash.parse().map_err(|error| task.refused(error))?;
                Some(Head { seq: seq(found), hash })
            }
            _ => None,
        };
        Ok(Self { head, known: column(row, "known", task)? })
    }
}

impl Place {
    pub(super) const fn new(memory: String, warnings: Warnings, patience: std::time::Duration) -> Self {
        let sealer = Sealer::new();
        Self { memory, sealer, warnings, patience, known: Mutex::new(Head::START) }
    }

    pub(super) fn with_patience(&self, patience: std::time::Duration) -> Self {
        let known = Mutex::new(*self.lock());
        Self {
            memory: self.memory.clone(),
            sealer: self.sealer.clone(),
            warnings: self.warnings.clone(),
            patience,
            known,
        }
    }

    #[cfg(feature = "signing")]
    pub(super) fn signed_by(&self, key: super::super::journal::SigningKey) -> Self {
        Self { sealer: Sealer::signing(key), ..self.with_patience(self.patience) }
    }

    /// Returns how a transaction begins.
    pub(super) fn beginning(&self) -> Beginning {
        Beginning::new(self.patience)
    }

    fn lock(&self) -> MutexGuard<'_, Head> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the last entry that is known, to be asked for its hash.
    pub(super) fn known(&self) -> i64 {
        number(self.lock().seq)
    }

    /// Takes note of the head that was found by who had asked for the entry `asked`.
    ///
    /// # Errors
    ///
    /// The journal was set back. From now on, what was found is what is known.
    pub(super) fn see(&self, asked: i64, found: &FoundHead) -> Result<Head, StoreError> {
        let head = found.head.unwrap_or(Head::START);
        let mut known = self.lock();
        // Another call may have seen a later one since.
        let is_comparable = number(known.seq) == asked;
        let is_there = asked == 0 || found.known.as_deref() == Some(known.hash.to_string().as_str());
        if is_comparable && !is_there {
            let error = StoreError::SetBack { known: known.seq, found: head.seq };
            *known = head;
            return Err(error);
        }
        if head.seq > known.seq {
            *known = head;
        }
        Ok(head)
    }

    /// Takes note of a head that was made.
    pub(super) fn made(&self, head: Head) {
        let mut known = self.lock();
        if head.seq > known.seq {
            *known = head;
        }
    }
}
