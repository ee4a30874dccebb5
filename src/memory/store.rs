//! [`Store`]: where a memory is kept.

use std::ops::Deref;

use super::change::{Change, Landed, Outcome};
use super::journal::{Attempt, Entry, Head, Seq};
use super::name::DocName;
use super::snapshot::Snapshot;
use super::store_error::StoreError;
use super::unusable::Unusable;
use crate::text::{Digest, Revision};

/// Keeps one memory: named documents, and the journal of all that was done to them.
///
/// Appending to the journal is the commit, and the documents are what follows from it. Calls are synchronous and return when the
/// state is durable. Nothing is read but what is asked for. What requests and retries mean is none of a store's business.
pub trait Store: Send + Sync {
    /// Begins the journal, if it has not begun. `policy` is the digest of the policy that the memory is made with.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    fn begin(&self, policy: &Digest) -> Result<(), StoreError>;

    /// Reads where the journal ends.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn head(&self) -> Result<Head, StoreError>;

    /// Lists the documents that exist, in order of their names: at most `limit` of those behind `after`.
    ///
    /// # Errors
    ///
    /// The store cannot be read. A document that cannot be used is left out.
    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError>;

    /// Reads documents, as of one moment, in the order in which they are named.
    ///
    /// # Errors
    ///
    /// The store, or one of the documents, cannot be read.
    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError>;

    /// Reads entries. Numbers that no entry has, and entries that cannot be read, are passed over.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError>;

    /// Hands over the lines of the journal, one by one and in order, as they stand and without their ends. Returns the head
    /// behind which the first of them stands: [`Head::START`], but in a store that drops old entries on purpose.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<Head, StoreError>;

    /// Appends a group of entries and changes the documents, all or nothing, if each document still is what the change expects.
    /// The store gives the entries their numbers and their predecessors.
    ///
    /// # Errors
    ///
    /// The store cannot be written; its state is as before. An answer that was lost is no error but
    /// [`Outcome::Indeterminate`].
    fn commit(&self, change: &Change) -> Result<Outcome, StoreError>;

    /// Tells what became of an attempt that was made when entry `after` was the last one.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError>;

    /// Runs `work` on this store while no other writer can commit: a store that cannot do that hands itself over.
    ///
    /// # Errors
    ///
    /// The store cannot be locked; `work` has not been run.
    fn alone(&self, work: &mut dyn FnMut(&dyn Store)) -> Result<(), StoreError>;

    /// Lists what people have put among the documents and what cannot be one, by its name or for what it is: nothing, in a store
    /// that people do not put things into.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        Ok(Vec::new())
    }
}

/// Anything that leads to a store is one: a `Box`, an `Arc`, a reference.
impl<P> Store for P
where
    P: Deref<Target: Store> + Send + Sync,
{
    fn begin(&self, policy: &Digest) -> Result<(), StoreError> {
        (**self).begin(policy)
    }

    fn head(&self) -> Result<Head, StoreError> {
        (**self).head()
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        (**self).revisions(after, limit)
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        (**self).read(names)
    }

    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError> {
        (**self).entries(query)
    }

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<Head, StoreError> {
        (**self).scan(visit)
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        (**self).commit(change)
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        (**self).landed(attempt, after)
    }

    fn alone(&self, work: &mut dyn FnMut(&dyn Store)) -> Result<(), StoreError> {
        (**self).alone(work)
    }

    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        (**self).unusable()
    }
}

/// Which entries to read.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum EntryQuery<'a> {
    /// Those from a number on, ascending.
    From {
        /// The lowest number.
        seq: Seq,
        /// How many at most.
        limit: usize,
    },
    /// Those that changed a document, latest first.
    OfDocument {
        /// The document.
        document: &'a DocName,
        /// The number of the first of them, which changed the document.
        seq: Seq,
        /// How many at most.
        limit: usize,
    },
}
