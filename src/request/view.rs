//! What a request is planned against.

use super::known::{Basis, Known};
use crate::document::MemoryDoc;
use crate::text::Timestamp;

/// The document, what the editor knows of it, and the time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The document as it stands.
    pub doc: &'a MemoryDoc,
    /// What the editor knows, where its edit is based on that.
    pub known: Option<&'a Known>,
    /// The host's time.
    pub now: Timestamp,
    /// The text before the first rewrite of the last 24 hours, if there was one: a rewrite is measured against it too.
    pub(crate) earlier: Option<&'a MemoryDoc>,
    is_stale: bool,
}

impl<'a> View<'a> {
    /// Views a document as it stands, on no other basis.
    pub const fn current(doc: &'a MemoryDoc, now: Timestamp) -> Self {
        Self { doc, known: None, now, earlier: None, is_stale: false }
    }

    /// Views a document on the basis of the edit that is to be planned.
    pub fn new(doc: &'a MemoryDoc, basis: &Basis<'a>, now: Timestamp) -> Self {
        Self { doc, known: basis.known(), now, earlier: None, is_stale: basis.is_stale(doc) }
    }

    /// Views instead the document that the editor believes in, knowing what the editor does not.
    #[must_use]
    pub(crate) const fn on(self, believed: &'a MemoryDoc) -> Self {
        Self { doc: believed, ..self }
    }

    /// Views it with the text before the first rewrite of the last 24 hours.
    #[must_use]
    pub(crate) const fn since(self, earlier: Option<&'a MemoryDoc>) -> Self {
        Self { earlier, ..self }
    }

    /// Reports whether others have changed the document since the text that the edit is based on.
    pub const fn is_stale(&self) -> bool {
        self.is_stale
    }
}
