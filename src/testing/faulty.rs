//! [`Faulty`]: a store that loses answers, and makes some commits late and in another order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::memory::journal::{Attempt, Entry, Seq};
use crate::memory::{Change, DocName, Landed, Outcome, Snapshot, Store, StoreError, forwarded};
use crate::text::Revision;

/// A store that loses answers to commits, and delays commits. A commit without an answer is [`Outcome::Indeterminate`],
/// as over a network. The faults are drawn from a seed, so that a failing test fails again.
#[derive(Debug)]
pub struct Faulty<S> {
    store: S,
    random: AtomicU64,
    late: Mutex<Vec<Change>>,
}

impl<S: Store> Faulty<S> {
    /// Adds faults to a store.
    pub const fn new(store: S, seed: u64) -> Self {
        Self { store, random: AtomicU64::new(seed), late: Mutex::new(Vec::new()) }
    }

    /// Makes the delayed commits, the last one first. The store may refuse them by now.
    pub fn deliver(&self) {
        let late = std::mem::take(&mut *self.late());
        for change in late.iter().rev() {
            // Nobody waits for the answer.
            let _ = self.store.commit(change);
        }
    }

    fn late(&self) -> MutexGuard<'_, Vec<Change>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws a number below 8.
    fn draw(&self) -> u64 {
        // The generator of Knuth's MMIX; its high bits are the random ones.
        let next = |last: u64| last.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let drawn = self.random.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |last| Some(next(last)));
        next(drawn.unwrap_or_default()) >> 61
    }
}

impl<S: Store> Store for Faulty<S> {
    forwarded! { (self) => self.store;
        fn begin() -> Result<(), StoreError>;
        fn revisions(after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError>;
        fn read(names: &[DocName]) -> Result<Snapshot, StoreError>;
        fn entries(from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;
        fn entries_of(document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;
        fn scan(visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError>;
        fn landed(attempt: Attempt, after: Seq) -> Result<Landed, StoreError>;
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let lost = || Ok(Outcome::Indeterminate(StoreError::Other("the answer was lost".into())));
        match self.draw() {
            // The commit is lost.
            0 => lost(),
            // The commit is made, but its answer is lost.
            1 | 2 => {
                self.store.commit(change)?;
                lost()
            }
            // The commit is delayed: it is made by a later call, after commits that began after it.
            3 => {
                self.late().push(change.clone());
                lost()
            }
            _ => {
                let outcome = self.store.commit(change);
                self.deliver();
                outcome
            }
        }
    }
}
