//! A store whose commits and answers a test decides on.

use std::collections::BTreeMap;

use memdoc::memory::journal::{Attempt, Entry, Head, Seq};
use memdoc::memory::{Change, Landed, Outcome, Snapshot, StoreError};
use memdoc::text::Content;
use memdoc::{DocName, InMemoryStore, Revision, Store};

/// Returns all texts of a store.
pub fn texts(store: &dyn Store) -> BTreeMap<DocName, Content> {
    let names: Vec<_> = store.revisions(None, usize::MAX).unwrap().into_iter().map(|(name, _)| name).collect();
    let stored = store.read(&names).unwrap().documents;
    stored.into_iter().filter_map(|stored| Some((stored.name, stored.text?))).collect()
}

type Commit = Box<dyn Fn(&InMemoryStore, &Change) -> Result<Outcome, StoreError> + Send + Sync>;

/// An [`InMemoryStore`] whose commits go the way of a closure, and whose word on lost answers is given.
pub struct Hooked {
    pub inner: InMemoryStore,
    pub commit: Commit,
    /// What it says of every attempt; `None` leaves that to the store.
    pub landed: Option<fn() -> Result<Landed, StoreError>>,
}

impl Hooked {
    pub fn new(
        inner: InMemoryStore,
        commit: impl Fn(&InMemoryStore, &Change) -> Result<Outcome, StoreError> + Send + Sync + 'static,
    ) -> Self {
        Self { inner, commit: Box::new(commit), landed: None }
    }
}

impl Store for Hooked {
    fn begin(&self) -> Result<(), StoreError> {
        self.inner.begin()
    }

    fn head(&self) -> Result<Head, StoreError> {
        self.inner.head()
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        self.inner.revisions(after, limit)
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        self.inner.read(names)
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries(from, limit)
    }

    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.inner.entries_of(document, last, limit)
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        self.inner.scan(visit)
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        (self.commit)(&self.inner, change)
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        self.landed.map_or_else(|| self.inner.landed(attempt, after), |landed| landed())
    }
}
