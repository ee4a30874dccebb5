//! What becomes of a commit; and [`Tries`]: how often something is tried beside other writers, and how long is waited in between.

use std::time::Duration;

use super::journal::Seq;
use super::{Change, DocName, Landed, MemoryError, Outcome, Store, StoreError, random};

/// How often something is tried.
const MOST: u32 = 16;
/// The first wait, which is doubled, and the longest.
const WAITS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(250));

/// The tries of one call.
#[derive(Debug, Default)]
pub(super) struct Tries {
    done: u32,
}

impl Tries {
    /// Waits for the next try, not as long as others do; false if there is none.
    ///
    /// # Errors
    ///
    /// The system has no random numbers.
    pub(super) fn wait(&mut self) -> Result<bool, StoreError> {
        self.done = self.done.saturating_add(1);
        if self.done >= MOST {
            return Ok(false);
        }
        nap(WAITS, self.done.saturating_sub(1))?;
        Ok(true)
    }
}

/// Sleeps before another try, between a half and the whole of a time that is doubled with each round, so that those who wait do not
/// meet again.
///
/// # Errors
///
/// The system has no random numbers.
pub(super) fn nap((first, longest): (Duration, Duration), round: u32) -> Result<(), StoreError> {
    let wait = longest.min(first.saturating_mul(1 << round.min(8)));
    std::thread::sleep(wait.saturating_mul(256_u32.saturating_add(random::byte()?.into())) / 512);
    Ok(())
}

/// Does something until nobody else gets in its way, or as often as it is tried.
///
/// # Errors
///
/// Those of `act`; `Contended` if others get in its way each time.
pub(super) fn until_free<T>(mut act: impl FnMut() -> Result<T, MemoryError>) -> Result<T, MemoryError> {
    let mut tries = Tries::default();
    loop {
        match act() {
            Err(MemoryError::Contended { .. }) if tries.wait()? => {}
            done => return done,
        }
    }
}

/// A change that was made.
pub(super) struct Made {
    /// The number of its entry.
    pub(super) seq: Seq,
    /// Whether the same request had made it before.
    pub(super) is_repeated: bool,
}

/// Commits a change that was planned when entry `last` was the last one, and finds out what has become of it.
///
/// # Errors
///
/// `Contended`: a document, or the journal, is another than was expected: it is to be planned again. The store failed, or cannot
/// tell.
pub(super) fn commit(store: &dyn Store, change: &Change, last: Seq) -> Result<Made, MemoryError> {
    match store.commit(change)? {
        Outcome::Committed(seq) => Ok(Made { seq, is_repeated: false }),
        Outcome::Repeated(seq) => Ok(Made { seq, is_repeated: true }),
        Outcome::Conflict { document, .. } => Err(MemoryError::Contended { document }),
        Outcome::HeadMoved(_) => Err(MemoryError::Contended { document: DocName::memory() }),
        Outcome::Indeterminate(lost) => match store.landed(change.attempt, last) {
            Ok(Landed::At(seq)) => Ok(Made { seq, is_repeated: false }),
            Ok(Landed::Not) => Err(MemoryError::Store(lost)),
            Ok(Landed::Unknown) | Err(_) => Err(MemoryError::Indeterminate(lost)),
        },
    }
}
