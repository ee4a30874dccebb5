//! What a request is planned against.

use crate::document::MemoryDoc;
use crate::edit::Trail;
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
    /// Whether others have changed the document since the editor saw it.
    others_changed: bool,
}

impl<'a> View<'a> {
    /// Views a document that the editor sees as it stands.
    pub const fn current(doc: &'a MemoryDoc, now: Timestamp) -> Self {
        Self { doc, seen: Seen::Current, now, others_changed: false }
    }

    /// Views a document of which the editor had seen something else.
    pub fn new(doc: &'a MemoryDoc, seen: Seen<'a>, now: Timestamp) -> Self {
        let others_changed = match seen {
            Seen::Current => false,
            Seen::Older { believed, .. } => believed.revision() != doc.revision(),
        };
        Self { doc, seen, now, others_changed }
    }

    /// Views instead the document that the editor believes in, knowing what the editor does not.
    #[must_use]
    pub const fn on(self, believed: &'a MemoryDoc) -> Self {
        Self { doc: believed, ..self }
    }

    /// Reports whether others have changed the document since the editor saw it.
    pub const fn changed_by_others(&self) -> bool {
        self.others_changed
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
        /// Where the editor's own edits since have left its bullets.
        own: &'a Trail,
        /// The text shown with the editor's own edits made: what it believes the document to be.
        believed: &'a MemoryDoc,
    },
}
