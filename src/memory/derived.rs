//! State that is computed from the whole journal: read once, and then kept up to date entry by entry.

use litemap::LiteMap;

use super::journal::{Entry, EntryKind, Head, Seq, Supersessions};
use super::{Memory, RequestId, Store, StoreError};

/// How many entries are read at once.
const PAGE: usize = 256;

/// A value that is computed from the journal, and how far the journal was read for it.
#[derive(Debug, Default)]
pub(crate) struct Followed<T> {
    /// What was computed.
    pub(crate) value: T,
    /// The last entry that was read.
    read: Head,
    /// The last entry when reading began. What redactions up to this entry erased was gone by then, and was never read.
    erased_until: Seq,
}

impl<T: Default> Followed<T> {
    /// Calls `take` with each entry that was appended since the last call. If the journal was replaced by another, or
    /// a redaction erased a part of what was read, the whole journal is read again.
    ///
    /// # Errors
    ///
    /// The store cannot be read. The next call continues after the last entry that was taken.
    pub(crate) fn follow(&mut self, memory: &Memory, take: impl Fn(&mut T, &Entry)) -> Result<(), StoreError> {
        let store = memory.store()?;
        while !self.catch_up(store, &take)? {
            *self = Self::default();
        }
        Ok(())
    }

    /// Reads the entries after the last one that was read. Returns false if what was read before is no longer valid.
    fn catch_up(&mut self, store: &dyn Store, take: &impl Fn(&mut T, &Entry)) -> Result<bool, StoreError> {
        let head = store.head()?;
        if head == self.read {
            return Ok(true);
        }
        if self.read == Head::START {
            self.erased_until = head.seq;
        } else if store.entries(self.read.seq, 1)?.first().map(Entry::head) != Some(self.read) {
            return Ok(false);
        }
        loop {
            let page = store.entries(self.read.seq.plus(1), PAGE)?;
            if page.is_empty() {
                return Ok(true);
            }
            for entry in &page {
                if entry.header().kind == EntryKind::Redaction && entry.seq() > self.erased_until {
                    return Ok(false);
                }
                take(&mut self.value, entry);
                self.read = entry.head();
            }
        }
    }
}

/// What a memory computes from the journal.
#[derive(Debug, Default)]
pub(super) struct Derived {
    pub(super) supersessions: Supersessions,
    /// The entries of writes that a write policy withheld and the host has not released, each with its request.
    pub(super) withheld: LiteMap<Seq, Option<RequestId>>,
}

impl Derived {
    /// Adds the next entry.
    pub(super) fn entry(&mut self, entry: &Entry) {
        self.supersessions.entry(entry);
        let header = entry.header();
        if header.kind == EntryKind::Quarantine {
            self.withheld.insert(entry.seq(), entry.request());
        } else if let Some(released) = header.replaces {
            self.withheld.remove(&released);
        }
    }
}
