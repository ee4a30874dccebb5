//! What follows from the journal as a whole: read once, and then entry by entry as they come.

use std::collections::BTreeMap;

use super::journal::{Entry, EntryKind, Head, Seq, Supersessions};
use super::{EntryQuery, RequestId, Store, StoreError};

/// How many entries are read at once.
const PAGE: usize = 256;

/// How far a reader has come who follows the journal.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    /// The last entry that was read.
    read: Head,
    /// The last entry when reading began: what redactions up to it have erased was never seen.
    erased_until: Seq,
}

impl Follower {
    /// Hands over the entries that the journal has got since, one by one. Returns false if what was handed over before holds no longer,
    /// since the journal is another one, or a redaction has erased some of it: then the reader begins anew.
    ///
    /// # Errors
    ///
    /// The store cannot be read. Reading goes on there the next time.
    pub(super) fn go_on(&mut self, store: &dyn Store, take: &mut dyn FnMut(&Entry)) -> Result<bool, StoreError> {
        let head = store.head()?;
        if head == self.read {
            return Ok(true);
        }
        if self.read == Head::START {
            self.erased_until = head.seq;
        } else if store.entries(&EntryQuery::From { seq: self.read.seq, limit: 1 })?.first().map(Entry::head)
            != Some(self.read)
        {
            return Ok(false);
        }
        loop {
            let page = store.entries(&EntryQuery::From { seq: self.read.seq.plus(1), limit: PAGE })?;
            if page.is_empty() {
                return Ok(true);
            }
            for entry in &page {
                if entry.header().kind == EntryKind::Redaction && entry.seq() > self.erased_until {
                    return Ok(false);
                }
                take(entry);
                self.read = entry.head();
            }
        }
    }
}

/// What follows from the journal.
#[derive(Debug, Default)]
pub(super) struct Derived {
    follower: Follower,
    pub(super) supersessions: Supersessions,
    /// What is withheld and was not released, by what was asked for.
    pub(super) withheld: BTreeMap<Seq, Option<RequestId>>,
}

impl Derived {
    /// Reads what the journal has got since.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn follow(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        loop {
            let Self { follower, supersessions, withheld } = self;
            let is_right = follower.go_on(store, &mut |entry| {
                supersessions.entry(entry);
                let header = entry.header();
                if header.kind == EntryKind::Quarantine {
                    withheld.insert(entry.seq(), entry.request());
                } else if let Some(released) = header.replaces {
                    withheld.remove(&released);
                }
            })?;
            if is_right {
                return Ok(());
            }
            *self = Self::default();
        }
    }

    /// Returns the last entry that was read.
    pub(super) const fn head(&self) -> Seq {
        self.follower.read.seq
    }
}
