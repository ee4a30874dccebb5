//! What one editor has seen of one document, and what it has changed since.

use crate::document::MemoryDoc;
use crate::edit::{Edit, Trail};
use crate::request::Seen;
use crate::text::Revision;

/// What an editor knows of a document: the text it was shown, its own edits since, and the revision of the last answer.
///
/// What others have changed is not in it until the editor reads again, not even after an edit that was rebased over their
/// changes. It holds two texts and where the bullets of the one stand in the other: no more after many edits than after one.
#[derive(Clone, Debug)]
pub struct Sight {
    shown: MemoryDoc,
    own: Trail,
    believed: MemoryDoc,
    acknowledged: Revision,
}

impl Sight {
    /// Notes that `doc` was shown.
    pub fn of(doc: &MemoryDoc) -> Self {
        Self { shown: doc.clone(), own: Trail::of(doc), believed: doc.clone(), acknowledged: doc.revision() }
    }

    /// Returns the revision that the editor was last told.
    pub const fn revision(&self) -> Revision {
        self.acknowledged
    }

    /// Returns the text shown with the editor's own edits made.
    pub const fn believed(&self) -> &MemoryDoc {
        &self.believed
    }

    /// Returns the text last shown.
    pub const fn shown(&self) -> &MemoryDoc {
        &self.shown
    }

    /// Returns what was seen, for planning.
    pub fn seen(&self) -> Seen<'_> {
        Seen::Older { shown: &self.shown, own: &self.own, believed: &self.believed }
    }

    /// Notes an edit of the editor's own, planned on the text that it believes in, that made `committed`.
    ///
    /// Without such a plan the editor is taken to have been shown the result.
    pub(super) fn edited(&mut self, on_believed: Option<&Edit>, committed: &MemoryDoc) {
        match on_believed {
            Some(edit) if edit.base() == self.believed.revision() => {
                self.own.follow(edit);
                let text = edit.apply_to(self.believed.text());
                self.believed = if text == committed.text() {
                    committed.clone()
                } else {
                    MemoryDoc::with_rules(text, self.believed.rules().clone())
                };
                self.acknowledged = committed.revision();
            }
            _ => *self = Self::of(committed),
        }
    }
}
