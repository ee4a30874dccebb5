//! [`Memory`]: the handle of a memory. It holds the store, the host's hooks and the parsed documents.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::{Value, json};

use crate::document::{InvalidSetting, MemoryDoc, Policy};
use crate::locate::Code;
use crate::memory::derived::{Derived, Followed};
use crate::memory::journal::Head;
use crate::memory::policies::RuleBook;
use crate::memory::{
    Applied, CORE_BLOCKS, Clock, Compactor, DocName, MemoryError, Operation, Origin, Policies, RequestId, Store,
    StoreError, Stored, SystemClock, Unusable, WritePolicy,
};
use crate::text::{Revision, Timestamp, TokenCounter, normal_name};

/// Named documents in a store. Shared by all editors of a memory: wrap it in an [`Arc`].
///
/// # Examples
///
/// ```
/// use memdoc::{Basis, DocName, InMemoryStore, Known, Memory, Operation, Origin, Policy, Replace, memory::Actor, memory::RequestId};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "- Lives in Denver\n");
/// let memory = Memory::new(store, Policy::default())?;
/// let known = Known::of(&memory.read(&DocName::memory())?);
///
/// let request = Replace::new("Denver", "Austin");
/// let operation = Operation::edit(DocName::memory(), Basis::Known(&known), &request);
/// let origin = Origin::new("importer".parse::<Actor>()?, "replace").with_reason("moved to Austin");
/// memory.apply(&[operation], &origin, RequestId::new("replace", &"Austin".into()))?;
/// assert_eq!(memory.read(&DocName::memory())?.text(), "- Lives in Austin\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Memory {
    store: Box<dyn Store>,
    pub(super) rules: RuleBook,
    clock: Arc<dyn Clock>,
    pub(super) compactor: Option<Box<dyn Compactor>>,
    pub(crate) write_policy: Option<Box<dyn WritePolicy>>,
    /// The labels of the core blocks, as they stand in headings.
    blocks: Vec<String>,
    /// State that is computed from the whole journal.
    derived: Mutex<Followed<Derived>>,
    /// Whose signatures a verification expects.
    #[cfg(feature = "signing")]
    pub(super) signatures: Option<super::journal::Signatures>,
    /// Set once the store's journal has begun.
    begun: OnceLock<()>,
    /// The documents as last parsed. A text is parsed again only if it has changed.
    parsed: Mutex<HashMap<DocName, MemoryDoc>>,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("policy", self.policy()).finish_non_exhaustive()
    }
}

impl Memory {
    /// Opens the memory in `store`, under one policy or several.
    ///
    /// # Errors
    ///
    /// A value of a policy is out of its range.
    pub fn new(store: impl Store + 'static, policies: impl Into<Policies>) -> Result<Self, InvalidSetting> {
        Ok(Self {
            store: Box::new(store),
            rules: RuleBook::new(policies.into())?,
            clock: Arc::new(SystemClock),
            compactor: None,
            write_policy: None,
            blocks: CORE_BLOCKS.map(str::to_owned).to_vec(),
            derived: Mutex::default(),
            #[cfg(feature = "signing")]
            signatures: None,
            begun: OnceLock::new(),
            parsed: Mutex::default(),
        })
    }

    /// Counts tokens with the host's own counter.
    pub fn with_counter(self, counter: impl TokenCounter + 'static) -> Self {
        let counter: Arc<dyn TokenCounter> = Arc::new(counter);
        Self { rules: self.rules.counted_by(&counter), parsed: Mutex::default(), ..self }
    }

    /// Lets the host write the texts of compactions; without it, the built-in compactor does.
    pub fn with_compactor(mut self, compactor: impl Compactor + 'static) -> Self {
        self.compactor = Some(Box::new(compactor));
        self
    }

    /// Lets the host judge each write before it is made: allow it, refuse it, or hold it back.
    pub fn with_write_policy(mut self, policy: impl WritePolicy + 'static) -> Self {
        self.write_policy = Some(Box::new(policy));
        self
    }

    /// Adds labels of core blocks to those that every memory has. A block of an added label is in every prompt only after an
    /// update with `is_core` set to true; else it is recalled as records are. Labels are compared as the keys of notes are. A
    /// label that cannot be the title of a section names no block.
    pub fn with_blocks<L: AsRef<str>>(mut self, labels: impl IntoIterator<Item = L>) -> Self {
        for label in labels.into_iter().map(|label| normal_name(label.as_ref())) {
            if !self.blocks.contains(&label) {
                self.blocks.push(label);
            }
        }
        self
    }

    /// Takes the time from the host's clock, also for the entries that the store makes by itself.
    pub fn with_clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self.store.use_clock(Arc::clone(&self.clock));
        self
    }

    /// Expects entries to be signed, when the journal is verified. Stores sign them.
    #[cfg(feature = "signing")]
    pub fn with_signatures(mut self, signatures: super::journal::Signatures) -> Self {
        self.signatures = Some(signatures);
        self
    }

    /// Returns the policy of the documents that have none of their own.
    pub fn policy(&self) -> &Policy {
        self.rules.common.policy()
    }

    /// Returns the policy of a document.
    pub fn policy_of(&self, document: &DocName) -> &Policy {
        self.rules.of(document).policy()
    }

    /// Returns the labels of the core blocks.
    pub fn block_labels(&self) -> &[String] {
        &self.blocks
    }

    /// Returns how many tokens a text has, by the host's counter.
    pub fn tokens(&self, text: &str) -> usize {
        self.rules.common.tokens(text)
    }

    /// Returns the host's time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns where the journal ends.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn head(&self) -> Result<Head, MemoryError> {
        Ok(self.store()?.head()?)
    }

    /// Returns the names of all documents.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn documents(&self) -> Result<Vec<DocName>, MemoryError> {
        Ok(self.revisions()?.into_iter().map(|(name, _)| name).collect())
    }

    /// Returns the names of all documents, each with the revision of its text.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn revisions(&self) -> Result<Vec<(DocName, Revision)>, MemoryError> {
        Ok(self.store()?.revisions(None, usize::MAX)?)
    }

    /// Reads a document. `memory` and the other built-in documents read as empty until they are first written.
    ///
    /// # Errors
    ///
    /// There is no such document; the store cannot be read.
    pub fn read(&self, document: &DocName) -> Result<MemoryDoc, MemoryError> {
        let stored = self.stored(document)?;
        match stored.text.is_some() || document.is_built_in() {
            true => Ok(self.parse(&stored)),
            false => Err(self.unknown(document)),
        }
    }

    /// Reads a document as it is kept.
    pub(super) fn stored(&self, document: &DocName) -> Result<Stored, StoreError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        Ok(snapshot.documents.into_iter().next().unwrap_or_else(|| Stored::missing(document)))
    }

    /// Lists the files among the documents that cannot be read as a document, such as links and files that are not
    /// UTF-8.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn unusable(&self) -> Result<Vec<Unusable>, MemoryError> {
        Ok(self.store()?.unusable()?)
    }

    /// Returns the empty document that an edit may create; `None` if the document exists. An editor may edit it
    /// without having been shown anything.
    ///
    /// # Errors
    ///
    /// The document does not exist, and tools may not create it; the store cannot be read.
    pub fn unwritten(&self, document: &DocName) -> Result<Option<MemoryDoc>, MemoryError> {
        let stored = self.stored(document)?;
        if stored.text.is_some() {
            return Ok(None);
        }
        match document.is_built_in() || self.policy_of(document).allow_new_documents {
            true => Ok(Some(self.parse(&stored))),
            false => Err(self.unknown(document)),
        }
    }

    /// Parses a document, unless it was parsed at this revision before; one that does not exist is empty.
    pub(super) fn parse(&self, stored: &Stored) -> MemoryDoc {
        let mut cache = self.cache();
        if let Some(doc) = cache.get(&stored.name).filter(|doc| Some(doc.revision()) == stored.version.revision) {
            return doc.clone();
        }
        let text = stored.text.clone().unwrap_or_default();
        let doc = MemoryDoc::with_rules(text, self.rules.of(&stored.name).clone());
        cache.insert(stored.name.clone(), doc.clone());
        doc
    }

    /// Returns the documents as last parsed.
    pub(super) fn cache(&self) -> MutexGuard<'_, HashMap<DocName, MemoryDoc>> {
        self.parsed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the store for reading. It is returned even if its journal cannot be begun: for example, because the
    /// directory is read-only.
    ///
    /// # Errors
    ///
    /// Others keep the store busy.
    pub(super) fn store(&self) -> Result<&dyn Store, StoreError> {
        match self.begin() {
            Err(error) if error.code() != Code::Store => Err(error),
            _ => Ok(&*self.store),
        }
    }

    /// Begins the store's journal if it has not begun, and returns the store for writing.
    ///
    /// # Errors
    ///
    /// The store cannot be written.
    pub(super) fn begin(&self) -> Result<&dyn Store, StoreError> {
        if self.begun.get().is_none() {
            self.store.begin()?;
            let _ = self.begun.set(());
        }
        Ok(&*self.store)
    }

    /// Returns the state that is computed from the whole journal, up to its last entry.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn derived(&self) -> Result<MutexGuard<'_, Followed<Derived>>, StoreError> {
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        derived.follow(self, Derived::entry)?;
        Ok(derived)
    }

    pub(super) fn unknown(&self, document: &DocName) -> MemoryError {
        MemoryError::UnknownDocument { document: document.clone(), known: self.documents().unwrap_or_default() }
    }

    /// Creates a document with this text, which is checked like any that is written.
    ///
    /// # Errors
    ///
    /// There is one of this name already; the text is refused; the store failed. Nothing has been changed, but for
    /// `Indeterminate`: then creating it again tells whether it is there.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{InMemoryStore, Memory, MemoryError, Policy};
    ///
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// let projects = "projects".parse()?;
    /// memory.create(&projects, "## Open\n")?;
    /// assert!(matches!(memory.create(&projects, ""), Err(MemoryError::DocumentExists { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn create(&self, document: &DocName, text: &str) -> Result<MemoryDoc, MemoryError> {
        Ok(self.apply_one(Operation::create(document.clone(), &text.into()), "create_document", &json!(text))?.doc)
    }

    /// Creates a document with this text unless there is one already, and returns what stands there.
    ///
    /// # Errors
    ///
    /// The text is refused; the store failed. Nothing has been changed, but for `Indeterminate`: then the document may be there,
    /// and seeding it again is right.
    pub fn seed(&self, document: &DocName, text: &str) -> Result<MemoryDoc, MemoryError> {
        match self.create(document, text) {
            Err(MemoryError::DocumentExists { .. }) => self.read(document),
            created => created,
        }
    }

    /// Replaces the text of a document, which is created if there is none. The text is checked like any that is
    /// written, with two exceptions: reserved sections may change, and it may begin with a byte order mark.
    ///
    /// # Errors
    ///
    /// The text is refused; the store failed. Nothing has been changed, but for `Indeterminate`: then writing it again is right.
    pub fn write(&self, document: &DocName, text: &str) -> Result<Applied, MemoryError> {
        self.apply_one(Operation::write(document.clone(), &text.into()), "write_document", &json!(text))
    }

    /// Gives a document another name. Its text stays byte for byte, whatever the policy of the new name says of it.
    ///
    /// # Errors
    ///
    /// There is no such document; there is one of the new name; the store failed. Nothing has been changed, but for
    /// `Indeterminate`: then it has the one name or the other.
    pub fn rename(&self, document: &DocName, to: &DocName) -> Result<MemoryDoc, MemoryError> {
        Ok(self.apply_one(Operation::rename(document.clone(), to, None), "rename_document", &json!(to.as_str()))?.doc)
    }

    /// Deletes a document, reserved sections and all.
    ///
    /// # Errors
    ///
    /// There is no such document; the store failed. Nothing has been changed, but for `Indeterminate`: then deleting it again
    /// tells whether it was there.
    pub fn delete(&self, document: &DocName) -> Result<(), MemoryError> {
        self.apply_one(Operation::delete(document.clone()), "delete_document", &Value::Null).map(drop)
    }

    /// Applies an operation of the host's.
    fn apply_one(&self, operation: Operation<'_>, what: &str, arguments: &Value) -> Result<Applied, MemoryError> {
        let document = operation.document.clone();
        let applied = self.apply(&[operation], &Origin::host(what), RequestId::new(what, arguments))?;
        applied.into_iter().next().ok_or(MemoryError::Contended(document))
    }
}
