//! [`Store`]: where a memory is kept; [`Change`]: what it is asked to commit; and [`Outcome`]: its answer.

use std::collections::HashSet;
use std::ops::Deref;
use std::sync::Arc;

use crate::document::MemoryDoc;
use crate::memory::journal::{
    Attempt, Body, Entry, EntryKind, Genesis, Head, Header, LinkKind, MemoryId, Prepared, Salt, Seq, Splice, prepare,
};
use crate::memory::{Actor, Clock, DocName, RequestId, StoreError, Unusable, random};
use crate::text::{Content, Revision, Timestamp};

/// Keeps one memory: named documents, and the journal of all that was done to them.
///
/// Appending to the journal is the commit, and the documents follow from it. Calls are synchronous and return when
/// the state is durable. A store reads only what it is asked for, and need not know what requests and retries mean.
///
/// # A store for another engine
///
/// It keeps:
///
/// - the head ([`Head`]): number and hash of the last entry, [`Head::START`] at first;
/// - the entries, as lines of bytes ([`Entry::to_line`], [`Entry::parse`]). They are found by number, and by document: an
///   entry belongs to each document that its header names, those for which [`Entry::link`] is `Some`;
/// - the documents by name: text, revision, and tip, which is the number of the last entry that changed it. The tip stays
///   when a document is deleted. Texts are any UTF-8, characters of 0 included; names are compared byte by byte;
/// - the attempts that it said were not made ([`Landed::Not`]), for good.
///
/// A commit has one entry, and is one transaction, made in this order:
///
/// 1. If the attempt is one that was given up, it fails ([`StoreError::Fenced`]).
/// 2. From here on no other commit of the memory runs. A commit may have to wait for another, because the numbers of
///    entries have no gaps, but it is not refused because others have changed other documents. Steps 3 to 5 are
///    checked from here on, not before.
/// 3. If an entry after `looked_to` is of the request ([`Entry::is_of`]), it is [`Outcome::Repeated`], also if the
///    change has no documents. An entry at or before `looked_to` does not count: the caller knows it, and makes the
///    request once more on purpose.
/// 4. If the change expects a last entry ([`Change::expected_head`]), and another one is the last, it is
///    [`Outcome::HeadMoved`].
/// 5. Each document must be at the [`Version`](super::Version) that is expected, tip included, or the outcome is
///    [`Outcome::Conflict`], and nothing is changed. An engine that locks documents one by one locks them in the order
///    of the change, which is that of their names.
/// 6. [`Sealer::seal`](super::journal::Sealer::seal) gives the entry the number after the head. The entry is appended,
///    and becomes the head.
/// 7. The documents get their texts and revisions, or are deleted; the entry becomes the tip of each. The entry of a
///    change links its documents, and no others.
/// 8. Each entry that [`Header::erased`] of the new entry names is replaced by its [`Entry::redacted`], in every copy
///    and index that the store has. Numbers that no entry has are skipped.
/// 9. All of it becomes durable, and visible to every handle, at once. Then the outcome is [`Outcome::Committed`].
///
/// An error says that nothing was changed, and nothing will be. If a store does not know that, its commit is
/// [`Outcome::Indeterminate`], and the caller asks [`landed`](Self::landed). An error is [`StoreError::Relation`] if it
/// concerns a table or a collection, [`StoreError::Io`] if it concerns a file, [`StoreError::Held`] if a call may succeed
/// later, and else [`StoreError::Other`].
///
/// With feature `testing`, the module `memdoc::testing` holds a store to all of this. A complete store of 300 lines, on a
/// key-value engine, is in the repository: `tests/stores/src/redb_store.rs`.
pub trait Store: Send + Sync {
    /// Begins the journal, if it has not begun: with one entry of kind genesis ([`genesis`](super::genesis)), committed
    /// like any other. However many call at once, there is one such entry. Called before anything is committed; until
    /// then, reading finds everything empty.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    fn begin(&self) -> Result<(), StoreError>;

    /// Sets the clock for entries that the store makes by itself: the first one, and those of what people write among
    /// its documents. Without it, a store uses [`SystemClock`](crate::memory::SystemClock).
    fn use_clock(&self, _clock: Arc<dyn Clock>) {}

    /// Reads where the journal ends. It is called often: a store overrides it if that costs less than a read of no
    /// document.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn head(&self) -> Result<Head, StoreError> {
        Ok(self.read(&[])?.head)
    }

    /// Lists the documents that exist, in order of their names: at most `limit` of those after `after`. If it returns
    /// fewer than `limit`, there are no more; `limit` may be `usize::MAX`.
    ///
    /// # Errors
    ///
    /// The store cannot be read. A document that cannot be used is left out.
    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError>;

    /// Reads documents, in the order in which they are named, and the head, as of one moment. A document that does not
    /// exist is returned without a text; if it never existed, at [`Version::default`](super::Version).
    ///
    /// # Errors
    ///
    /// The store, or one of the documents, cannot be read.
    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError>;

    /// Reads the entries from a number on, ascending, at most `limit`. Numbers that no entry has, and entries that
    /// cannot be read, are skipped; the answer is shorter than the limit only if there are no more.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// Reads the entries that changed a document, latest first, at most `limit`. The first is `last`, which changed
    /// the document.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// Calls `visit` with each line of the journal, in order, unchanged but without its line ending, readable or not.
    /// Lines that are committed meanwhile may be among them or not.
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
    /// The store cannot be written, or the attempt was given up; its state is as before, and stays so. If the answer
    /// was lost, that is no error but [`Outcome::Indeterminate`].
    fn commit(&self, change: &Change) -> Result<Outcome, StoreError>;

    /// Tells what became of an attempt that was made, by this handle, when entry `after` was the last one.
    ///
    /// An attempt is found by [`Header::attempt`](super::journal::Header::attempt) of the entries after `after`.
    /// [`Landed::Not`] is final: the attempt is given up, and fails if it arrives later. No other attempt is given up
    /// with it, not even one of the same request. While an attempt is under way, the call waits, or answers
    /// [`Landed::Unknown`].
    ///
    /// # Errors
    ///
    /// The store cannot be read, or cannot give the attempt up: nothing is known.
    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError>;

    /// Returns the last entry that the store knew and that is missing from the journal now.
    /// [`verify`](super::Memory::verify) reports it until the host acknowledges it.
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

    /// Lists the files that people have put among the documents and that cannot be read as a document, because of their
    /// names or of what they are. A store that people put no files into has none.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        Ok(Vec::new())
    }
}

/// Writes methods that forward their call to another value.
macro_rules! forwarded {
    (($self:ident) => $to:expr; $(fn $name:ident($($argument:ident: $of:ty),*) -> $answer:ty;)*) => {
        $(fn $name(&$self, $($argument: $of),*) -> $answer {
            ($to).$name($($argument),*)
        })*
    };
}
#[cfg(feature = "testing")]
pub(crate) use forwarded;

/// A pointer to a store is a store, too: a `Box`, an `Arc`, a reference.
impl<P: Deref<Target: Store> + Send + Sync> Store for P {
    forwarded! { (self) => **self;
        fn begin() -> Result<(), StoreError>;
        fn use_clock(clock: Arc<dyn Clock>) -> ();
        fn head() -> Result<Head, StoreError>;
        fn revisions(after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError>;
        fn read(names: &[DocName]) -> Result<Snapshot, StoreError>;
        fn entries(from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;
        fn entries_of(document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError>;
        fn scan(visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError>;
        fn commit(change: &Change) -> Result<Outcome, StoreError>;
        fn landed(attempt: Attempt, after: Seq) -> Result<Landed, StoreError>;
        fn lost_head() -> Result<Option<Head>, StoreError>;
        fn acknowledge_loss() -> Result<(), StoreError>;
        fn unusable() -> Result<Vec<Unusable>, StoreError>;
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
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// Its name.
    pub name: DocName,
    /// Its text; `None` if it does not exist.
    pub text: Option<Content>,
    /// Its version.
    pub version: Version,
    /// Whether it is being changed from outside. If so, the text is the last one that was committed.
    pub is_unsettled: bool,
    /// Whether it was changed from outside, and the journal does not record that, because the store cannot be written.
    pub is_unrecorded: bool,
}

impl Stored {
    /// Creates a document with this text at `version`. Without a text, the document does not exist.
    pub const fn new(name: DocName, text: Option<Content>, version: Version) -> Self {
        Self { name, text, version, is_unsettled: false, is_unrecorded: false }
    }

    /// Returns what is kept of a document that never existed.
    pub(crate) fn missing(name: &DocName) -> Self {
        Self::new(name.clone(), None, Version::default())
    }

    /// Reports whether it exists, or did and was deleted.
    pub(crate) const fn has_been(&self) -> bool {
        self.text.is_some() || self.version.tip.is_some()
    }
}

/// The version of a document, by which a commit says what it expects. A text that was changed and changed back has
/// another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The revision of its text; `None` if it does not exist.
    pub revision: Option<Revision>,
    /// The last entry that changed it; `None` if none ever did.
    pub tip: Option<Seq>,
}

impl Version {
    /// Creates a version.
    pub const fn new(revision: Option<Revision>, tip: Option<Seq>) -> Self {
        Self { revision, tip }
    }
}

/// What a store is asked to commit: an entry, and the changes of documents that it records.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Change {
    /// The ID of the request. The caller may want the same request committed once more later.
    pub request: RequestId,
    /// This attempt to commit it, which is made at most once.
    pub attempt: Attempt,
    /// The entry up to which the caller has looked for the request. If a later entry is of the request, the request
    /// must not be committed again.
    pub looked_to: Seq,
    /// The entry that must still be the last one, if the commit depends on the whole journal and not on its documents
    /// alone.
    pub expected_head: Option<Seq>,
    /// When it is made, by the host's clock.
    pub time: Timestamp,
    /// The documents that change, each once, sorted by name.
    pub documents: Vec<DocumentChange>,
    /// The entry, which records the changes, and says which parts of earlier entries are erased.
    pub entry: Prepared,
}

impl Change {
    /// Creates the change whose entry records these changes of documents. It is a new attempt, unless the header names
    /// one.
    ///
    /// # Errors
    ///
    /// The system has no random bytes; the entry cannot be written as JSON.
    pub fn new(
        request: RequestId,
        mut header: Header,
        body: Body,
        mut documents: Vec<DocumentChange>,
    ) -> Result<Self, StoreError> {
        let attempt = header.attempt.map_or_else(|| random::bytes().map(Attempt::new), Ok)?;
        header.attempt = Some(attempt);
        let entry = prepare(header, body, Some(request), &documents)?;
        documents.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self {
            request,
            attempt,
            looked_to: Seq::default(),
            expected_head: None,
            time: Timestamp::default(),
            documents,
            entry,
        })
    }

    /// Sets when it is made.
    pub fn at(self, time: Timestamp) -> Self {
        Self { time, ..self }
    }

    /// Sets the entry up to which the request was looked for.
    pub fn looked_to(self, looked_to: Seq) -> Self {
        Self { looked_to, ..self }
    }

    /// Sets the entry that must still be the last one.
    pub fn on_head(self, head: Seq) -> Self {
        Self { expected_head: Some(head), ..self }
    }
}

/// The change of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentChange {
    /// Its name.
    pub name: DocName,
    /// The version that it must have.
    pub expected: Version,
    /// Its next text; `None` if it is deleted.
    pub text: Option<Content>,
    /// The revision of the next text.
    pub revision: Option<Revision>,
    /// The splices, for the entry; `None` if the text before is not known or, as in a redaction, must not be recorded.
    pub splices: Option<Vec<Splice>>,
    /// Whether the entry records the whole next text, because the splices are not enough to compute it.
    pub is_whole: bool,
}

impl DocumentChange {
    /// Returns the change of a document to `new` by these splices; `None` deletes it.
    pub(super) fn new(name: DocName, expected: Version, new: Option<&MemoryDoc>, splices: Vec<Splice>) -> Self {
        let (text, revision) = new.map(|doc| (doc.shared_text().clone(), doc.revision())).unzip();
        Self { name, expected, text, revision, splices: Some(splices), is_whole: false }
    }

    /// Returns the change of a document to this text, with one splice that is as short as it can be; `None` deletes
    /// it.
    pub fn between(before: &Stored, text: Option<Content>) -> Self {
        let [old, new] = [&before.text, &text].map(|text| text.as_deref().unwrap_or_default());
        let splices = Some(Splice::between(old, new).into_iter().collect());
        let revision = text.as_deref().map(Revision::of);
        Self { name: before.name.clone(), expected: before.version, text, revision, splices, is_whole: false }
    }

    /// Returns whether the document is created, changed or deleted.
    pub const fn kind(&self) -> LinkKind {
        LinkKind::between(self.expected.revision.is_some(), self.revision.is_some())
    }
}

/// The outcome of a commit.
#[derive(Debug)]
pub enum Outcome {
    /// It was made, and is durable. Its entry has this number.
    Committed(Seq),
    /// The request has landed in another attempt, with the entry of this number. Nothing was changed.
    Repeated(Seq),
    /// A document is not at the version that was expected. Nothing was changed.
    Conflict {
        /// The document.
        document: DocName,
        /// What was expected.
        expected: Version,
        /// What was found.
        found: Version,
    },
    /// The last entry is this one, and not the one that was expected. Nothing was changed.
    HeadMoved(Seq),
    /// The answer was lost. [`Store::landed`](super::Store::landed) tells whether the commit was made.
    Indeterminate(StoreError),
}

/// What is known of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landed {
    /// It was made; its entry has this number.
    At(Seq),
    /// It was not made, and never will be.
    Not,
    /// The store cannot tell.
    Unknown,
}

/// The attempts that a store said were not made: they must never be made.
#[derive(Debug, Default)]
pub(super) struct AbandonedAttempts(HashSet<Attempt>);

impl AbandonedAttempts {
    /// Refuses an attempt that was given up.
    pub(super) fn check(&self, attempt: Attempt) -> Result<(), StoreError> {
        if self.0.contains(&attempt) { Err(StoreError::Fenced) } else { Ok(()) }
    }

    /// Tells what became of an attempt, which made entry `made`, if any. If it made none, it is given up.
    pub(super) fn landed(&mut self, attempt: Attempt, made: Option<Seq>) -> Landed {
        if made.is_none() {
            self.0.insert(attempt);
        }
        made.map_or(Landed::Not, Landed::At)
    }
}

/// Returns the entry that begins the journal of a memory, with the documents that exist already. It is to be sealed
/// after [`Head::START`](super::journal::Head::START).
///
/// # Errors
///
/// The system has no random bytes.
pub fn genesis(documents: &[DocumentChange]) -> Result<Prepared, StoreError> {
    let genesis = Genesis { format: Genesis::FORMAT, memory: MemoryId::new(random::bytes()?) };
    own_entry(Header { genesis: Some(genesis), ..Header::new(EntryKind::Genesis, Actor::host()) }, documents)
}

/// Returns an entry that a store makes by itself.
///
/// # Errors
///
/// The system has no random bytes.
pub(super) fn own_entry(header: Header, documents: &[DocumentChange]) -> Result<Prepared, StoreError> {
    prepare(header, Body::new(Salt::new(random::bytes()?)), None, documents)
}
