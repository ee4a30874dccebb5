//! [`Desk`]: the state of one agent: its memory, the author of its edits, its editing session, and what it has been
//! shown of each document.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::memory::journal::Seq;
use crate::memory::{Actor, Applied, AppliedStatus, DocName, Memory, MemoryError, Origin, RequestId};
use crate::recall::Recall;
use crate::request::Known;
use crate::session::Session;
use crate::text::{Content, Revision, RevisionPrefix, Span};
use crate::toolbox::editing::Editing;
use crate::toolbox::{FilesConfig, Reply};

/// The state of one agent.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(super) recall: Arc<Recall>,
    pub(super) known: KnownDocuments,
    /// The author of its edits. During a call, also the reason and the arguments.
    pub(super) origin: Origin,
    /// How the tool `memory` shows the documents as files.
    pub(super) files: FilesConfig,
    /// Its editing session and tasks.
    pub(super) editing: Editing,
    /// The last entry of the journal when a keyed tool was called first. It stays until the outcome of the call is
    /// known, so that the journal recognizes the call if it is sent again.
    pub(super) since: Option<Seq>,
    /// The last call and its reply; `None` after a refusal.
    pub(super) previous: Option<(RequestId, Reply)>,
    /// True while a call is only planned, to find out whether it would succeed.
    pub(crate) is_trial: bool,
    /// Whether the last planned call removes text and writes none in its place.
    pub(crate) removes: bool,
    /// While a stale call is planned anew: what the agent knew when it made the call.
    pub(super) seen_before: Option<Box<SeenBefore>>,
    /// A random number that tells agents of the same name apart.
    editor: u128,
}

impl Desk {
    pub(super) fn new(recall: Arc<Recall>) -> Self {
        Self {
            recall,
            known: KnownDocuments::default(),
            origin: Origin::new(Actor::default(), ""),
            files: FilesConfig::default(),
            editing: Editing::default(),
            since: None,
            previous: None,
            is_trial: false,
            removes: false,
            seen_before: None,
            editor: random_number(),
        }
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        self.recall.memory()
    }

    /// Returns what the agent knew of a document when it made the stale call that is planned anew.
    pub(super) fn seen_before(&self, document: &DocName) -> Option<&Known> {
        let seen = self.seen_before.as_ref().filter(|seen| seen.document == *document);
        seen.map(|seen| &seen.known)
    }

    /// Returns the origin of a call of a keyed tool, which has no base revision. It names the last entry of the
    /// journal instead.
    pub(super) fn origin_of_keyed(&mut self, tool: &str) -> Result<Origin, MemoryError> {
        let since = self.since.map_or_else(|| self.memory().head().map(|head| head.seq), Ok)?;
        self.since = Some(since);
        Ok(Origin { editor: Some(self.editor), ..self.author(tool).knowing(since) })
    }

    /// Returns the origin of a call.
    pub(super) fn author(&self, tool: &str) -> Origin {
        Origin { tool: tool.to_owned(), is_trial: self.is_trial, ..self.origin.clone() }
    }

    /// Updates what the agent knows after a call of a keyed tool. A document stays as it was if the agent did not
    /// know the text that was edited.
    pub(super) fn update_known(&mut self, applied: &[Applied]) {
        for applied in applied {
            let is_base = |known: &&Known| applied.plan.as_ref().map(Edit::base) == Some(known.believed().revision());
            let known = self.known.latest(&applied.document).filter(is_base).cloned();
            known.inspect(|known| self.known.update(Some(known), applied));
        }
    }
}

/// What an agent knew of a document before a refusal showed it the current text.
#[derive(Clone)]
pub(crate) struct SeenBefore {
    pub(super) document: DocName,
    pub(super) known: Known,
}

/// Draws a random number.
fn random_number() -> u128 {
    let [high, low] = [0, 1].map(|half| u128::from(RandomState::new().hash_one(half)));
    high << 64 | low
}

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
        let known = same.cloned().map_or_else(|| Known::of_part(doc, part), |known| known.and_numbered(part));
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
