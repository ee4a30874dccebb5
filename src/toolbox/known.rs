//! [`KnownDocuments`]: what an agent has been shown of each document.

use std::collections::{HashMap, VecDeque};

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::memory::{Applied, AppliedStatus, DocName};
use crate::request::Known;
use crate::session::Session;
use crate::text::{Content, Revision, RevisionPrefix, Span};

/// How many texts of a document are remembered, so that a call can name their revisions.
const REMEMBERED: usize = 8;

/// A document that was shown to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shown {
    /// The text.
    pub text: Content,
    /// Its revision.
    pub revision: Revision,
}

/// What the agent knows of each document.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownDocuments {
    latest_first: HashMap<DocName, VecDeque<Known>>,
    /// Documents that have had changes staged since they were shown. The value is the draft, if it was shown after
    /// that.
    in_session: HashMap<DocName, Option<Known>>,
}

impl KnownDocuments {
    /// Records that the whole document was shown.
    pub(super) fn show(&mut self, name: &DocName, doc: &MemoryDoc) {
        self.show_as(name, Known::of(doc));
    }

    /// Records that a search found something in the document. If the agent knew nothing of it, it may edit the
    /// document now, but not replace it as a whole.
    pub(super) fn show_found(&mut self, name: &DocName, doc: &MemoryDoc) {
        if self.latest(name).is_none() {
            self.show_lines(name, doc, Span::at(0));
        }
    }

    /// Records that some lines were shown. If the agent knew nothing of the document, it may edit it now. If it
    /// knew another text, that stays, unless only the section that was shown has changed since.
    pub(super) fn show_lines(&mut self, name: &DocName, doc: &MemoryDoc, part: Span) {
        let known =
            self.latest(name).map_or_else(|| Some(Known::of_part(doc, part)), |known| known.with_part(doc, part));
        if let Some(known) = known {
            self.show_as(name, known);
        }
    }

    /// Records that some lines were shown with their numbers. Numbers count in one text, so what was known of
    /// another text is dropped.
    pub(super) fn show_numbered(&mut self, name: &DocName, doc: &MemoryDoc, part: Span) {
        let same = self.latest(name).filter(|known| known.believed().revision() == doc.revision());
        let known = same.cloned().map_or_else(|| Known::of_part(doc, part), |known| known.with_lines_shown(part));
        self.show_as(name, known);
    }

    /// Records that the text is known, but not the numbers of its lines.
    pub(super) fn forget_lines(&mut self, name: &DocName) {
        if let Some(known) = self.latest(name).map(|known| Known::of_part(known.believed(), Span::at(0))) {
            self.push(name, known);
        }
    }

    fn show_as(&mut self, name: &DocName, known: Known) {
        self.in_session.remove(name);
        self.push(name, known);
    }

    /// Records that a part of the draft was shown.
    pub(super) fn show_draft(&mut self, name: &DocName, session: &Session, draft: &MemoryDoc, part: Span) {
        let before = self.in_session(name, session).filter(|_| part != draft.span());
        let known = match before {
            Some(known) => known.with_part(draft, part).unwrap_or_else(|| Known::of_part(draft, part)),
            None => Known::of(draft),
        };
        self.in_session.insert(name.clone(), Some(known));
    }

    /// Records that an edit was staged.
    pub(super) fn stage(&mut self, name: &DocName, edit: &Edit) {
        if self.latest(name).is_some_and(|known| known.believed().revision() == edit.base()) {
            self.in_session.entry(name.clone()).or_default();
        }
    }

    /// Returns what the agent knows of a draft: the text that it was shown last, with the changes that it has
    /// staged since.
    pub(super) fn in_session(&self, name: &DocName, session: &Session) -> Option<Known> {
        let shown = match self.in_session.get(name) {
            // The document was shown last, while changes were pending: it is not the text that they were staged on.
            None => return self.latest(name).cloned(),
            Some(None) => self.latest(name)?,
            Some(Some(draft)) => draft,
        };
        let own = session.changes().iter().filter(|change| change.document == *name);
        Some(shown.after(own.map(|change| &change.edit).skip_while(|edit| edit.base() != shown.believed().revision())))
    }

    /// Returns the draft, if it was shown after the document.
    pub(super) fn draft(&self, name: &DocName) -> Option<&Known> {
        self.in_session.get(name)?.as_ref()
    }

    /// Records that the draft was committed: the document is known as far as the draft was.
    pub(super) fn end_draft(&mut self, name: &DocName) {
        let Some(Some(draft)) = self.in_session.remove(name) else { return };
        if let Some(latest) = self.latest_first.get_mut(name).and_then(VecDeque::front_mut) {
            *latest = latest.with_shown(&draft);
        }
    }

    /// Updates what the agent knows after its own edit. `known` is what the edit was based on; `None` if the call
    /// named a revision that was not shown. A text that was shown later than `known` stays the latest.
    pub(super) fn update(&mut self, known: Option<&Known>, applied: &Applied) {
        if applied.status != AppliedStatus::Committed {
            return;
        }
        let mut next = known.cloned().unwrap_or_else(|| Known::of(&applied.doc));
        applied.update(&mut next);
        let is_later = |latest: &&Known| known.is_some_and(|known| known.revision() != latest.revision());
        if let Some(mut latest) = self.latest(&applied.document).filter(is_later).cloned() {
            applied.update_on(&mut latest);
            // If the later text is the current one, it replaces what the edit was based on.
            if applied.on_believed.is_some() || latest.believed().revision() == applied.doc.revision() {
                next = latest;
            }
        }
        let is_base = |known: &Known| applied.plans().any(|plan| plan.base() == known.believed().revision());
        if self.draft(&applied.document).is_some_and(is_base) {
            // The draft that was shown is the document now.
            self.in_session.remove(&applied.document);
        }
        self.push(&applied.document, next);
    }

    /// Returns what the agent was shown last of the document.
    pub(super) fn latest(&self, name: &DocName) -> Option<&Known> {
        self.latest_first.get(name)?.front()
    }

    /// Returns what the agent knew of the text with this revision.
    pub(super) fn named(&self, name: &DocName, prefix: &RevisionPrefix) -> Option<&Known> {
        self.latest_first.get(name)?.iter().find(|known| prefix.matches(&known.revision()))
    }

    /// Records what the agent knows now.
    pub(super) fn push(&mut self, name: &DocName, known: Known) {
        let latest_first = self.latest_first.entry(name.clone()).or_default();
        latest_first.push_front(known);
        latest_first.truncate(REMEMBERED);
    }
}
