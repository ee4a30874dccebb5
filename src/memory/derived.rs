//! State that is computed from the whole journal: read once, and then kept up to date entry by entry.

use std::collections::BTreeMap;

use super::journal::{Entry, EntryKind, Head, Seq, Supersessions};
use super::{EntryQuery, RequestId, Store, StoreError};

/// How many entries are read at once.
const PAGE: usize = 256;

/// How far a reader has read the journal.
#[derive(Debug, Default)]
pub(crate) struct Follower {
    /// The last entry that was read.
    read: Head,
    /// The last entry when reading began. What redactions up to it erased was never read.
    erased_until: Seq,
}

impl Follower {
    /// Calls `take` for each entry that was appended since the last call. Returns false if what was read before is no
    /// longer valid, because the journal is another one or a redaction has erased some of it: the reader must then
    /// forget all of it and begin with a new follower.
    ///
    /// # Errors
    ///
    /// The store cannot be read. The next call goes on behind the last entry that was taken.
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

/// What is computed from the journal.
#[derive(Debug, Default)]
pub(super) struct Derived {
    follower: Follower,
    pub(super) supersessions: Supersessions,
    /// The entries that keep what a write policy withheld and the host has not released, each with the request that
    /// asked for it.
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
