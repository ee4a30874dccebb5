//! What has become of the documents since a session looked last, whoever changed them.

use std::collections::BTreeMap;
use std::sync::Arc;

use memdoc::{DocName, Revision, Store, memory::StoreError};

/// How many documents are listed at once.
const PAGE: usize = 1000;

/// Remembers the revision of each document.
pub(crate) struct Watch {
    store: Arc<dyn Store>,
    known: BTreeMap<DocName, Revision>,
}

/// What has changed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Changes {
    /// The documents that are new, gone, or of another text.
    pub(crate) documents: Vec<DocName>,
    /// Whether the list of documents is another.
    pub(crate) is_list_changed: bool,
}

impl Watch {
    /// Begins with what is there.
    pub(crate) fn begin(store: Arc<dyn Store>) -> Result<Self, StoreError> {
        let known = revisions(&*store)?;
        Ok(Self { store, known })
    }

    /// Returns what has changed since the last look.
    pub(crate) fn look(&mut self) -> Result<Changes, StoreError> {
        let current = revisions(&*self.store)?;
        let known = std::mem::replace(&mut self.known, current);
        let mut changes = Changes { is_list_changed: !known.keys().eq(self.known.keys()), ..Changes::default() };
        let changed = self.known.iter().filter(|(name, revision)| known.get(name) != Some(revision));
        let gone = known.iter().filter(|(name, _)| !self.known.contains_key(name));
        changes.documents = changed.chain(gone).map(|(name, _)| name.clone()).collect();
        Ok(changes)
    }
}

fn revisions(store: &dyn Store) -> Result<BTreeMap<DocName, Revision>, StoreError> {
    let mut known = BTreeMap::new();
    loop {
        let page = store.revisions(known.last_key_value().map(|(name, _)| name), PAGE)?;
        let is_last = page.len() < PAGE;
        known.extend(page);
        if is_last {
            return Ok(known);
        }
    }
}
