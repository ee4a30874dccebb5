//! What a request is planned against.

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::text::Timestamp;

/// The document, what the editor had seen of it, and the time.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct View<'a> {
    /// The document as it stands.
    pub doc: &'a MemoryDoc,
    /// What the editor had seen.
    pub seen: Seen<'a>,
    /// The host's time.
    pub now: Timestamp,
}

impl<'a> View<'a> {
    /// Views a document that the editor sees as it stands.
    pub const fn current(doc: &'a MemoryDoc, now: Timestamp) -> Self {
        Self { doc, seen: Seen::Current, now }
    }

    /// Views a document of which the editor had seen something else.
    pub const fn new(doc: &'a MemoryDoc, seen: Seen<'a>, now: Timestamp) -> Self {
        Self { doc, seen, now }
    }
}

/// What an editor had seen of a document when it decided on a request.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Seen<'a> {
    /// The document as it stands.
    Current,
    /// An older text, which the editor has changed since by its own edits.
    Older {
        /// The text last shown.
        shown: &'a MemoryDoc,
        /// The editor's own edits since, as one.
        own: &'a Edit,
        /// The text shown with the editor's own edits made: what it believes the document to be.
        believed: &'a MemoryDoc,
    },
}
