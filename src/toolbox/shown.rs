//! What the toolbox has shown its agent: the latest text of each document, and a few before it.

use std::collections::VecDeque;

use crate::document::MemoryDoc;
use crate::memory::{Applied, AppliedStatus, Base, Sight};
use crate::text::{Revision, RevisionPrefix};

/// How many older texts of a document an agent may still name as its base.
const REMEMBERED: usize = 8;

/// A document as it was shown.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// The text.
    pub text: String,
    /// Its revision.
    pub revision: Revision,
}

impl std::fmt::Debug for Shown {
    /// Shows the revision only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Shown({:?})", self.revision)
    }
}

/// What the agent has seen of one document, latest first.
#[derive(Debug, Default)]
pub(super) struct Sights {
    latest_first: VecDeque<Sight>,
}

impl Sights {
    /// Notes that the document was shown.
    pub(super) fn show(&mut self, doc: &MemoryDoc) {
        self.push(Sight::of(doc));
    }

    /// Notes what became of an edit of the agent's own that was based on `seen`; `None` for one that named its revision.
    pub(super) fn update(&mut self, seen: Option<Sight>, applied: &Applied) {
        if applied.status == AppliedStatus::Committed {
            let mut sight = seen.unwrap_or_else(|| Sight::of(&applied.doc));
            applied.update(&mut sight);
            self.push(sight);
        }
    }

    /// Returns what was shown last.
    pub(super) fn latest(&self) -> Option<&Sight> {
        self.latest_first.front()
    }

    /// Returns what an edit is based on that names a revision.
    pub(super) fn named(&self, prefix: &RevisionPrefix) -> Base<'_> {
        let known = self.latest_first.iter().find(|sight| prefix.matches(&sight.revision()));
        known.map_or_else(|| Base::Named(prefix.clone()), Base::Seen)
    }

    fn push(&mut self, sight: Sight) {
        self.latest_first.push_front(sight);
        self.latest_first.truncate(REMEMBERED);
    }
}
