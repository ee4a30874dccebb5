//! What follows from the journal as a whole: read once, and then entry by entry as they come.

use std::collections::BTreeMap;

use super::journal::{EntryKind, Head, Seq, Supersessions};
use super::{EntryQuery, RequestId, Store, StoreError};

/// How many entries are read at once.
const PAGE: usize = 256;

/// What follows from the journal.
#[derive(Debug, Default)]
pub(super) struct Derived {
    /// The last entry that was read.
    read: Head,
    pub(super) supersessions: Supersessions,
    /// What is withheld and was not released, by what was asked for.
    pub(super) withheld: BTreeMap<Seq, Option<RequestId>>,
}

impl Derived {
    /// Reads what the journal has got since. A journal that does not go on where this one ended is read anew.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn follow(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        let head = store.head()?;
        if head == self.read {
            return Ok(());
        }
        if !is_continued(store, self.read)? {
            *self = Self::default();
        }
        loop {
            let page = store.entries(&EntryQuery::From { seq: self.read.seq.plus(1), limit: PAGE })?;
            let Some(last) = page.last() else { return Ok(()) };
            self.read = last.head();
            for entry in &page {
                self.supersessions.entry(entry);
                let header = entry.header();
                if header.kind == EntryKind::Quarantine {
                    self.withheld.insert(entry.seq(), entry.request());
                } else if let Some(released) = header.replaces {
                    self.withheld.remove(&released);
                }
            }
        }
    }

    /// Returns the last entry that was read.
    pub(super) const fn head(&self) -> Seq {
        self.read.seq
    }
}

/// Reports whether a journal still has the entry with which it ended once.
///
/// # Errors
///
/// The store cannot be read.
pub(super) fn is_continued(store: &dyn Store, head: Head) -> Result<bool, StoreError> {
    let last = store.entries(&EntryQuery::From { seq: head.seq, limit: 1 })?;
    Ok(head == Head::START || last.first().is_some_and(|entry| entry.head() == head))
}
