//! What the toolbox has shown its agent: the latest text of each document, and a few before it.

use std::collections::{HashMap, VecDeque};

use crate::document::MemoryDoc;
use crate::memory::{Applied, AppliedStatus, DocName, RequestId};
use crate::request::{Basis, Known};
use crate::text::{Content, Revision, RevisionPrefix};

/// How many older texts of a document an agent may still name as its base.
const REMEMBERED: usize = 8;

/// A document as it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// The text.
    pub text: Content,
    /// Its revision.
    pub revision: Revision,
}

/// What the agent knows of each document: the latest text first, and a few before it.
#[derive(Debug, Default)]
pub(super) struct KnownDocuments {
    latest_first: HashMap<DocName, VecDeque<Known>>,
    /// The request that made the latest text of a document, and the revision that it was based on.
    made: HashMap<DocName, (RequestId, Revision)>,
    /// How often each document was shown.
    times: HashMap<DocName, usize>,
}

impl KnownDocuments {
    /// Notes that the document was shown.
    pub(super) fn show(&mut self, name: &DocName, doc: &MemoryDoc) {
        self.made.remove(name);
        *self.times.entry(name.clone()).or_default() += 1;
        self.push(name, Known::of(doc));
    }

    /// Returns how often a document was shown.
    pub(super) fn times_shown(&self, name: &DocName) -> usize {
        self.times.get(name).copied().unwrap_or_default()
    }

    /// Notes that a part of the document was shown. It can be edited, if nothing was known of it before; where another text was, only
    /// reading all takes the place of that: what others have changed in the other parts has not been seen.
    pub(super) fn show_part(&mut self, name: &DocName, doc: &MemoryDoc) {
        if self.latest(name).is_none() {
            self.show(name, doc);
        }
    }

    /// Notes what became of an edit of the agent's own, as [`update`](Self::update) does, that `request` asked for.
    pub(super) fn update_by(&mut self, request: RequestId, known: Option<Known>, applied: &Applied) {
        let base = known.as_ref().map(Known::revision);
        self.update(known, applied);
        if let (Some(base), AppliedStatus::Committed) = (base, applied.status) {
            self.made.insert(applied.document.clone(), (request, base));
        }
    }

    /// Notes what became of an edit of the agent's own that was based on `known`; `None` for one that named its revision. What was
    /// shown later than that has not been forgotten by it.
    pub(super) fn update(&mut self, known: Option<Known>, applied: &Applied) {
        if applied.status != AppliedStatus::Committed {
            return;
        }
        self.made.remove(&applied.document);
        if known.is_none() {
            *self.times.entry(applied.document.clone()).or_default() += 1;
        }
        let later = known.as_ref().and_then(|known| self.shown_after(&applied.document, known)).cloned();
        let mut known = known.unwrap_or_else(|| Known::of(&applied.doc));
        applied.update(&mut known);
        self.push(&applied.document, known);
        if let Some(mut later) = later {
            applied.update_on(&mut later);
            self.push(&applied.document, later);
        }
    }

    /// Returns what the agent was shown last.
    pub(super) fn latest(&self, name: &DocName) -> Option<&Known> {
        self.latest_first.get(name)?.front()
    }

    /// Returns what the agent was shown last, if it was shown that after this.
    fn shown_after(&self, name: &DocName, known: &Known) -> Option<&Known> {
        let mut latest_first = self.latest_first.get(name)?.iter();
        let latest = latest_first.next().filter(|latest| latest.revision() != known.revision())?;
        latest_first.any(|older| older.revision() == known.revision()).then_some(latest)
    }

    /// Returns what an edit is based on that names a revision.
    pub(super) fn named(&self, name: &DocName, prefix: &RevisionPrefix) -> Basis<'_> {
        let mut known = self.latest_first.get(name).into_iter().flatten();
        let known = known.find(|known| prefix.matches(&known.revision()));
        known.map_or_else(|| Basis::Revision(prefix.clone()), Basis::Known)
    }

    /// Returns what a request was based on that is made again at once: the latest text is what it has made.
    pub(super) fn base_of(&self, name: &DocName, request: RequestId) -> Option<&Known> {
        let (_, base) = self.made.get(name).filter(|(made, _)| *made == request)?;
        self.latest_first.get(name)?.iter().find(|known| known.revision() == *base)
    }

    fn push(&mut self, name: &DocName, known: Known) {
        let latest_first = self.latest_first.entry(name.clone()).or_default();
        latest_first.push_front(known);
        latest_first.truncate(REMEMBERED);
    }
}
