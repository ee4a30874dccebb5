//! What has become of the documents since a caller looked last, whoever changed them.

use std::collections::BTreeMap;
use std::sync::Arc;

use memdoc::{DocName, Revision, Store, memory::StoreError};

/// How many documents are listed at once.
const PAGE: usize = 1000;

/// Remembers the revision of each document.
pub(super) struct Watch {
    store: Arc<dyn Store>,
    /// `None` before the first look.
    seen: Option<BTreeMap<DocName, Revision>>,
}

/// What has changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The documents that are new, deleted, or of another text.
    pub(super) documents: Vec<DocName>,
    /// Whether the list of documents is another.
    pub(super) is_list_changed: bool,
}

impl Watch {
    pub(super) const fn new(store: Arc<dyn Store>) -> Self {
        Self { store, seen: None }
    }

    /// Begins with what is there, unless it has begun.
    pub(super) fn begin(&mut self) {
        if self.seen.is_none() {
            self.seen = revisions(&*self.store).ok();
        }
    }

    /// Returns what has changed since the last look.
    pub(super) fn look(&mut self) -> Result<Changes, StoreError> {
        let current = revisions(&*self.store)?;
        let mut changes = Changes::default();
        if let Some(seen) = &self.seen {
            changes.is_list_changed = !seen.keys().eq(current.keys());
            let changed = current.iter().filter(|(name, revision)| seen.get(name) != Some(revision));
            let deleted = seen.iter().filter(|(name, _)| !current.contains_key(name));
            changes.documents = changed.chain(deleted).map(|(name, _)| name.clone()).collect();
        }
        self.seen = Some(current);
        Ok(changes)
    }
}

fn revisions(store: &dyn Store) -> Result<BTreeMap<DocName, Revision>, StoreError> {
    let mut revisions = BTreeMap::new();
    loop {
        let page = store.revisions(revisions.last_key_value().map(|(name, _)| name), PAGE)?;
        let is_last = page.len() < PAGE;
        revisions.extend(page);
        if is_last {
            return Ok(revisions);
        }
    }
}
