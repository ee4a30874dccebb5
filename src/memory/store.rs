//! [`Store`]: where a memory is kept.

use std::ops::Deref;
use std::sync::Arc;

use super::journal::{Attempt, Entry, Head, Seq};
use super::{Change, Clock, DocName, Landed, Outcome, Snapshot, StoreError, Unusable};
use crate::text::{Digest, Revision};

/// Keeps one memory: named documents, and the journal of all that was done to them.
///
/// Appending to the journal is the commit, and the documents are what follows from it. Calls are synchronous and return when the
/// state is durable. Nothing is read but what is asked for. What requests and retries mean is none of a store's business.
///
/// # A store for another engine
///
/// It keeps:
///
/// - the head ([`Head`]): number and hash of the last entry, [`Head::START`] at first;
/// - the entries, as lines of bytes ([`Entry::to_line`], [`Entry::parse`]), found by number, and by document: for each name in the
///   entry's header, [`Entry::link`] is there;
/// - the documents by name: text, revision, and tip, which is the number of the last entry that changed it. Of a document that was
///   deleted the tip stays. Texts are any UTF-8, characters of 0 included; names are
///   compared byte by byte;
/// - the attempts that it was asked about and did not find, for good.
///
/// A commit has one entry, and is one transaction, made in this order:
///
/// 1. If the attempt is one that was given up, it fails ([`StoreError::Fenced`]).
/// 2. From here on no other commit of the memory comes between. Only numbers are given out in a row: a commit waits for another, but
///    is refused for none that changed other documents. What it is refused for is looked at under the lock, and not before.
/// 3. If an entry behind `looked_to` is of the request ([`Entry::is_of`]), it is [`Outcome::Repeated`]. This holds for a commit
///    without documents, too. An entry at or before `looked_to` does not count: the request is meant again.
/// 4. If the change expects a last entry ([`Change::expected_head`]), and another one is the last, it is [`Outcome::HeadMoved`].
/// 5. Each document must be at the [`Version`](super::Version) that is expected, tip included, or the outcome is
///    [`Outcome::Conflict`], and nothing is changed. An engine that locks documents one by one locks them in the order of their
///    names, as they stand in the change.
/// 6. [`Sealer::seal`](super::journal::Sealer::seal) gives the entry its number, behind the head; it is appended, and is the head.
/// 7. The documents get their texts and revisions, or are deleted; the tip of each is the entry. The entry of a change links its
///    documents, and no others.
/// 8. Of the entries that [`Change::erase`] names, [`Entry::redacted`] is what stays, in every copy and index that the store has.
///    Numbers that are not there are passed over.
/// 9. All of it becomes durable, and visible to every handle, at once. Then the outcome is [`Outcome::Committed`].
///
/// An error says that nothing was changed, now or later; a commit of which that is not known is [`Outcome::Indeterminate`], and
/// [`landed`](Self::landed) is asked. An error is [`StoreError::Relation`] where it concerns a table or a collection,
/// [`StoreError::Io`] where it concerns a file, [`StoreError::Held`] where a call may succeed later, and else
/// [`StoreError::Other`].
///
/// With feature `testing`, the module `memdoc::testing` holds a store to all of this. A complete store of 300 lines, on a
/// key-value engine, is in the repository: `tests/stores/src/redb_store.rs`.
pub trait Store: Send + Sync {
    /// Begins the journal, if it has not begun: with one entry of kind genesis ([`genesis`](super::genesis)), committed like
    /// any other, at most once whoever calls. `policy` is the digest of the policy that the memory is made with. Called before anything is
    /// committed; everything can be read before, and is empty.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    fn begin(&self, policy: &Digest) -> Result<(), StoreError>;

    /// Takes the time of entries that the store makes by itself from the host: of the first one, and of what people write among
    /// its documents. Without it, that is the time of the machine.
    fn use_clock(&self, clock: Arc<dyn Clock>) {
        let _ = clock;
    }

    /// Reads where the journal ends. Cheap: asked before others often.
    ///
    /// # Errors
    ///
    /// The store cannot be read; or [`StoreError::SetBack`], where a handle notices that its last entry is gone.
    fn head(&self) -> Result<Head, StoreError>;

    /// Lists the documents that exist, in order of their names: at most `limit` of those behind `after`. Fewer than `limit` are the
    /// last ones; `limit` may be `usize::MAX`.
    ///
    /// # Errors
    ///
    /// The store cannot be read. A document that cannot be used is left out.
    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError>;

    /// Reads documents, in the order in which they are named, and the head, as of one moment. One that does not exist is there
    /// without a text; if it never did, at [`Version::default`](super::Version).
    ///
    /// # Errors
    ///
    /// The store, or one of the documents, cannot be read.
    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError>;

    /// Reads entries. Numbers that no entry has, and entries that cannot be read, are passed over; the answer is shorter than the
    /// limit only where there are no more.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, StoreError>;

    /// Hands over the lines of the journal, one by one and in order, as they stand and without their ends, be they readable or not.
    /// What is committed meanwhile may be handed over or not.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError>;

    /// Appends an entry and changes the documents, all or nothing, if each document still is what the change expects.
    /// The store gives the entry its number and its predecessor.
    ///
    /// # Errors
    ///
    /// The store cannot be written, or the attempt was given up; its state is as before, and stays so. An answer that was lost is
    /// no error but [`Outcome::Indeterminate`].
    fn commit(&self, change: &Change) -> Result<Outcome, StoreError>;

    /// Tells what became of an attempt that was made, by this handle, when entry `after` was the last one.
    ///
    /// An attempt is found by [`Header::attempt`](super::journal::Header::attempt) of the entries behind `after`.
    /// [`Landed::Not`] is final: the attempt is given up, and if it arrives yet, it fails. No other attempt is given up with it,
    /// not even one of the same request. While an attempt is under way the call waits, or answers [`Landed::Unknown`].
    ///
    /// # Errors
    ///
    /// The store cannot be read, or cannot give the attempt up: nothing is known.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError>;

    /// Returns the last entry of which the store has noticed that it is not in the journal any more: [`verify`](super::Memory::verify)
    /// tells it until the host acknowledges it.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn lost_head(&self) -> Result<Option<Head>, StoreError> {
        Ok(None)
    }

    /// Forgets the entry that was lost.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    fn acknowledge_loss(&self) -> Result<(), StoreError> {
        Ok(())
    }

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

    fn use_clock(&self, clock: Arc<dyn Clock>) {
        (**self).use_clock(clock);
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

    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        (**self).scan(visit)
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        (**self).commit(change)
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        (**self).landed(attempt, after)
    }

    fn lost_head(&self) -> Result<Option<Head>, StoreError> {
        (**self).lost_head()
    }

    fn acknowledge_loss(&self) -> Result<(), StoreError> {
        (**self).acknowledge_loss()
    }

    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        (**self).unusable()
    }
}

/// Which entries to read.
#[derive(Clone, Copy, Debug)]
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
