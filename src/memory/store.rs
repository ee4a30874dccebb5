//! [`Store`]: where a memory is kept.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::name::DocName;
use super::request_id::RequestId;
use super::store_error::StoreError;
use crate::text::{Content, Revision, RevisionPrefix};

/// Keeps the documents of one memory. Calls are synchronous and return when the state is durable.
pub trait Store: Send + Sync {
    /// Loads every document, as of one moment.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn load(&self) -> Result<State, StoreError>;

    /// Replaces and deletes documents, all or none, if each still has the revision that the change expects.
    ///
    /// # Errors
    ///
    /// The store cannot be written; its state is as before. An answer that was lost is no error but
    /// [`Outcome::Indeterminate`].
    fn commit(&self, change: &Change) -> Result<Outcome, StoreError>;

    /// Reports whether a commit of the request with this ID is known to have been made.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    fn landed(&self, id: RequestId) -> Result<bool, StoreError>;
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn load(&self) -> Result<State, StoreError> {
        (**self).load()
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        (**self).commit(change)
    }

    fn landed(&self, id: RequestId) -> Result<bool, StoreError> {
        (**self).landed(id)
    }
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn load(&self) -> Result<State, StoreError> {
        (**self).load()
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        (**self).commit(change)
    }

    fn landed(&self, id: RequestId) -> Result<bool, StoreError> {
        (**self).landed(id)
    }
}

/// All documents of a memory, as of one moment.
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct State {
    /// The texts, by name.
    pub documents: BTreeMap<DocName, Arc<str>>,
}

impl std::fmt::Debug for State {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sizes = self.documents.iter().map(|(name, text)| (name, Content::from(&**text)));
        f.debug_map().entries(sizes).finish()
    }
}

impl State {
    /// Creates the state of these documents.
    pub const fn new(documents: BTreeMap<DocName, Arc<str>>) -> Self {
        Self { documents }
    }
}

/// A commit: documents that are replaced or deleted together.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// The ID of the request.
    pub request: RequestId,
    /// The revisions that the ID was made of. When a document is at one of them again, the same request is a
    /// new one, so that a store forgets the ID.
    pub bases: Vec<(DocName, RevisionPrefix)>,
    /// The documents, each once.
    pub documents: Vec<DocumentChange>,
}

impl Change {
    /// Creates a commit of these documents.
    pub const fn new(request: RequestId, documents: Vec<DocumentChange>) -> Self {
        Self { request, bases: Vec::new(), documents }
    }

    /// Sets the revisions that the ID was made of.
    #[must_use]
    pub fn with_bases(mut self, bases: Vec<(DocName, RevisionPrefix)>) -> Self {
        self.bases = bases;
        self
    }

    /// Reports whether the change brings a document back to one of these revisions.
    pub fn returns_to(&self, bases: &[(DocName, RevisionPrefix)]) -> bool {
        self.documents.iter().any(|document| {
            let revision = document.revision();
            bases.iter().any(|(name, base)| *name == document.name && base.matches(&revision))
        })
    }
}

/// What becomes of one document.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentChange {
    /// Its name.
    pub name: DocName,
    /// The revision that it must have; `None` if it must not exist.
    pub expected: Option<Revision>,
    /// Its next text; `None` if it is deleted.
    pub text: Option<Arc<str>>,
}

impl DocumentChange {
    /// Replaces a document, or creates it.
    pub fn new(name: DocName, expected: Option<Revision>, text: impl Into<Arc<str>>) -> Self {
        Self { name, expected, text: Some(text.into()) }
    }

    /// Deletes a document.
    pub const fn deletion(name: DocName, expected: Revision) -> Self {
        Self { name, expected: Some(expected), text: None }
    }

    /// Returns the revision of the document afterwards: of one that is deleted, that of the empty text that it reads as.
    pub fn revision(&self) -> Revision {
        Revision::of(self.text.as_deref().unwrap_or_default())
    }
}

impl std::fmt::Debug for DocumentChange {
    /// Shows sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = self.text.as_deref().map(str::len);
        write!(f, "{} from {:?} to {bytes:?} bytes", self.name, self.expected)
    }
}

/// What became of a commit.
#[derive(Debug)]
pub enum Outcome {
    /// It was made, and is durable.
    Committed,
    /// A document has another revision than expected. Nothing was changed.
    Conflict {
        /// The document.
        document: DocName,
        /// Its revision; `None` if it does not exist.
        current: Option<Revision>,
    },
    /// The answer was lost: [`Store::landed`] tells whether it was made.
    Indeterminate(StoreError),
}
