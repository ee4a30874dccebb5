//! A store for tests, and for memories that need not outlive the process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::name::DocName;
use super::request_id::RequestId;
use super::store::{Change, Outcome, State, Store};
use super::store_error::StoreError;
use crate::text::{Revision, RevisionPrefix};

/// Keeps documents in memory. Share one store between memories by an [`Arc`].
#[derive(Debug, Default)]
pub struct InMemoryStore {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    state: State,
    landed: HashMap<RequestId, Vec<(DocName, RevisionPrefix)>>,
}

impl InMemoryStore {
    /// Creates an empty store.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document, or replaces it.
    #[must_use]
    pub fn with(self, name: DocName, text: impl Into<Arc<str>>) -> Self {
        self.lock().state.documents.insert(name, text.into());
        self
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Each change is one insertion after all checks, so that a panic elsewhere leaves nothing half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for InMemoryStore {
    fn load(&self) -> Result<State, StoreError> {
        Ok(self.lock().state.clone())
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let mut inner = self.lock();
        for document in &change.documents {
            let current = inner.state.documents.get(&document.name).map(|text| Revision::of(text));
            if current != document.expected {
                return Ok(Outcome::Conflict { document: document.name.clone(), current });
            }
        }
        for document in &change.documents {
            match &document.text {
                Some(text) => drop(inner.state.documents.insert(document.name.clone(), text.clone())),
                None => drop(inner.state.documents.remove(&document.name)),
            }
        }
        inner.landed.retain(|_, bases| !change.returns_to(bases));
        inner.landed.insert(change.request, change.bases.clone());
        Ok(Outcome::Committed)
    }

    fn landed(&self, id: RequestId) -> Result<bool, StoreError> {
        Ok(self.lock().landed.contains_key(&id))
    }
}
