//! A store for tests, and for memories that need not outlive the process.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::hooks::{Clock, HostClock};
use super::journal::{Attempt, Entry, Head, Prepared, Sealer, Seq};
use super::store::AbandonedAttempts;
use super::{Change, DocName, DocumentChange, Landed, Outcome, Snapshot, Store, StoreError, Stored, Version, genesis};
use crate::text::{Content, Revision, Timestamp};

/// Keeps a memory in memory. Share one store between memories by an [`Arc`](std::sync::Arc).
///
/// It keeps the whole journal, too, so that it grows with each commit.
#[derive(Debug, Default)]
#[must_use]
pub struct InMemoryStore {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    documents: BTreeMap<DocName, Stored>,
    entries: Vec<Entry>,
    sealer: Sealer,
    clock: HostClock,
    abandoned: AbandonedAttempts,
}

impl InMemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds or replaces a document that exists before the memory begins.
    pub fn with(self, name: DocName, text: impl Into<Content>) -> Self {
        let text = text.into();
        let version = Version::new(Some(Revision::of(&text)), None);
        self.lock().documents.insert(name.clone(), Stored::new(name, Some(text), version));
        self
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(self, key: super::journal::SigningKey) -> Self {
        self.lock().sealer = Sealer::signing(key);
        self
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // All checks come first, and the steps after them cannot fail: so a panic leaves no change half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn head(&self) -> Head {
        self.entries.last().map_or(Head::START, Entry::head)
    }

    fn get(&self, name: &DocName) -> Stored {
        self.documents.get(name).cloned().unwrap_or_else(|| Stored::missing(name))
    }

    /// Iterates over the entries from a number on.
    fn from(&self, seq: Seq) -> impl Iterator<Item = &Entry> {
        // The numbers have no gaps.
        let before = usize::try_from(seq.get().saturating_sub(1)).unwrap_or(usize::MAX);
        self.entries.get(before..).unwrap_or_default().iter()
    }

    fn entry(&self, seq: Seq) -> Option<&Entry> {
        self.from(seq).next().filter(|entry| entry.seq() == seq)
    }

    /// Seals an entry and appends it.
    fn append(&mut self, prepared: Prepared, time: Timestamp, documents: &[DocumentChange]) -> Seq {
        let entry = self.sealer.seal(prepared, self.head(), time);
        let seq = entry.seq();
        for DocumentChange { name, text, revision, .. } in documents {
            let stored = Stored::new(name.clone(), text.clone(), Version::new(*revision, Some(seq)));
            self.documents.insert(name.clone(), stored);
        }
        self.entries.push(entry);
        seq
    }
}

impl Store for InMemoryStore {
    fn begin(&self) -> Result<(), StoreError> {
        let mut inner = self.lock();
        if inner.head() == Head::START {
            let first = |stored: &Stored| DocumentChange::between(&Stored::missing(&stored.name), stored.text.clone());
            let documents: Vec<_> = inner.documents.values().map(first).collect();
            let (prepared, now) = (genesis(&documents)?, inner.clock.0.now());
            inner.append(prepared, now, &documents);
        }
        Ok(())
    }

    fn use_clock(&self, clock: Arc<dyn Clock>) {
        self.lock().clock = HostClock(clock);
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let inner = self.lock();
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let following = inner.documents.range::<DocName, _>((from, Bound::Unbounded));
        let existing = following.filter_map(|(name, stored)| Some((name.clone(), stored.version.revision?)));
        Ok(existing.take(limit).collect())
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let inner = self.lock();
        Ok(Snapshot::new(inner.head(), names.iter().map(|name| inner.get(name)).collect()))
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        Ok(self.lock().from(from).take(limit).cloned().collect())
    }

    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let inner = self.lock();
        let history = std::iter::successors(inner.entry(last), |entry| inner.entry(entry.previous_of(document)?));
        Ok(history.take(limit).cloned().collect())
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let entries = self.lock().entries.clone();
        entries.iter().for_each(|entry| visit(entry.to_line().as_bytes()));
        Ok(())
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let mut inner = self.lock();
        inner.abandoned.check(change.attempt)?;
        let repeated = inner.from(change.looked_to.plus(1)).find(|entry| entry.is_of(change.request)).map(Entry::seq);
        if let Some(seq) = repeated {
            return Ok(Outcome::Repeated(seq));
        }
        let head = inner.head().seq;
        if change.expected_head.is_some_and(|expected| expected != head) {
            return Ok(Outcome::HeadMoved(head));
        }
        for DocumentChange { name, expected, .. } in &change.documents {
            let found = inner.get(name).version;
            if *expected != found {
                return Ok(Outcome::Conflict { document: name.clone(), expected: *expected, found });
            }
        }
        let seq = inner.append(change.entry.clone(), change.time, &change.documents);
        let erased = &change.entry.header().erased;
        if !erased.is_empty() {
            for entry in &mut inner.entries {
                if let Some(redacted) = entry.redacted(erased) {
                    *entry = redacted;
                }
            }
        }
        Ok(Outcome::Committed(seq))
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        let mut inner = self.lock();
        let found = inner.from(after.plus(1)).find(|entry| entry.header().attempt == Some(attempt)).map(Entry::seq);
        Ok(inner.abandoned.landed(attempt, found))
    }
}
