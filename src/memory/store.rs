//! [`Store`]: where a memory is kept.

use std::ops::Deref;
use std::sync::Arc;

use super::change::{Change, Landed, Outcome};
use super::journal::{Attempt, Entry, Head, Seq};
use super::name::DocName;
use super::store_error::StoreError;
use crate::text::{Content, Digest, Revision};

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
}

/// Documents as of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Where the journal ended.
    pub head: Head,
    /// The documents that were asked for, in that order.
    pub documents: Vec<Stored>,
}

impl Snapshot {
    /// Creates the snapshot of these documents at `head`.
    pub const fn new(head: Head, documents: Vec<Stored>) -> Self {
        Self { head, documents }
    }

    /// Returns a document that was asked for.
    pub fn of(&self, name: &DocName) -> Option<&Stored> {
        self.documents.iter().find(|stored| stored.name == *name)
    }
}

/// A document as it is kept.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// Its name.
    pub name: DocName,
    /// Its text; `None` if it does not exist.
    pub text: Option<Arc<str>>,
    /// What it is at.
    pub version: Version,
    /// Whether it is being changed from outside: the text is the last one that was committed.
    pub is_unsettled: bool,
}

impl Stored {
    /// Creates a document of this text, `None` if it does not exist, at `version`.
    pub const fn new(name: DocName, text: Option<Arc<str>>, version: Version) -> Self {
        Self { name, text, version, is_unsettled: false }
    }

    /// Says that it is being changed from outside.
    #[must_use]
    pub fn unsettled(self) -> Self {
        Self { is_unsettled: true, ..self }
    }
}

impl std::fmt::Debug for Stored {
    /// Shows the text's size only, unless the alternate form is asked for.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.text.as_deref().map(Content::from);
        f.debug_struct("Stored")
            .field("name", &self.name)
            .field("text", &text)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

/// What a document is at: what a commit expects of it. A text that was changed and changed back is at another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The revision of its text; `None` if it does not exist.
    pub revision: Option<Revision>,
    /// The last entry that changed it; `None` if none ever did.
    pub tip: Option<Tip>,
}

impl Version {
    /// Creates a version.
    pub const fn new(revision: Option<Revision>, tip: Option<Tip>) -> Self {
        Self { revision, tip }
    }
}

/// The last entry that changed a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tip {
    /// Its number.
    pub seq: Seq,
    /// What its link to the document says under this name.
    pub since_keyframe: u64,
}

impl Tip {
    /// Returns that of `document` after `entry`; `None` if the entry did not change it.
    pub fn of(entry: &Entry, document: &DocName) -> Option<Self> {
        let since_keyframe = entry.link(document)?.since_keyframe;
        Some(Self { seq: entry.seq(), since_keyframe })
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
