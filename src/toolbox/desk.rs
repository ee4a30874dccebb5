//! [`Desk`]: what the tools of one agent work on, and what it has been shown: the latest text of each document, and a few before
//! it.

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
use crate::toolbox::{FilesConfig, Reply, Taken};

/// A memory, what the agent knows of it, and in whose name it edits.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(super) recall: Arc<Recall>,
    pub(super) known: KnownDocuments,
    /// In whose name it edits; of a call, also why, and with which arguments.
    pub(super) origin: Origin,
    /// How the memory is shown as a directory.
    pub(super) files: FilesConfig,
    /// What is staged, and the tasks that it is staged for.
    pub(super) editing: Editing,
    /// The last entry that there was before a call that is based on no revision, until its answer is known.
    pub(super) since: Option<Seq>,
    /// The last call and its answer, if that was no refusal.
    pub(super) previous: Option<(RequestId, Reply)>,
    /// Whether a call is only planned, to see whether it would be made.
    pub(crate) is_trial: bool,
    /// What the call that was tried takes away.
    pub(crate) taken: Taken,
    /// Tells it from the desks of other agents of the same name.
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
            taken: Taken::default(),
            editor: drawn(),
        }
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        self.recall.memory()
    }

    /// Says whom a call of a tool comes from that is based on no revision.
    pub(super) fn origin_of_keyed(&mut self, tool: &str) -> Result<Origin, MemoryError> {
        let since = match self.since {
            Some(since) => since,
            None => self.memory().head()?.seq,
        };
        self.since = Some(since);
        Ok(Origin { editor: Some(self.editor), ..self.author(tool).knowing(since) })
    }

    /// Says whom a call of a tool comes from.
    pub(super) fn author(&self, tool: &str) -> Origin {
        Origin { tool: tool.to_owned(), ..self.origin.clone() }
    }

    /// Notes what became of a call that is based on no revision. Where the agent knew a text, it knows what has become of it.
    pub(super) fn made(&mut self, applied: &[Applied]) {
        for applied in applied {
            let base = applied.plan.as_ref().map(Edit::base);
            if let Some(known) =
                self.known.latest(&applied.document).filter(|known| Some(known.believed().revision()) == base).cloned()
            {
                self.known.update(Some(&known), applied);
            }
        }
    }
}

/// Draws a number that no other desk has.
fn drawn() -> u128 {
    let [high, low] = [0, 1].map(|half| u128::from(RandomState::new().hash_one(half)));
    high << 64 | low
}

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
#[derive(Clone, Debug, Default)]
pub(super) struct KnownDocuments {
    latest_first: HashMap<DocName, VecDeque<Known>>,
    /// Of each document that changes were staged of since it was shown, the draft as it was shown, if that was later.
    in_session: HashMap<DocName, Option<Known>>,
}

impl KnownDocuments {
    /// Notes that the document was shown.
    pub(super) fn show(&mut self, name: &DocName, doc: &MemoryDoc) {
        self.show_as(name, Known::of(doc));
    }

    /// Notes that something was found in the document, of which nothing was known before: it can be edited, but what was not
    /// read of it not be replaced as a whole.
    pub(super) fn show_found(&mut self, name: &DocName, doc: &MemoryDoc) {
        if self.latest(name).is_none() {
            self.show_lines(name, doc, Span::at(0));
        }
    }

    /// Notes that these lines of the document were shown. Where nothing was known of it before, it can be edited; what was known of
    /// another text stays as it is, unless others have changed this section alone.
    pub(super) fn show_lines(&mut self, name: &DocName, doc: &MemoryDoc, part: Span) {
        let known = match self.latest(name) {
            None => Some(Known::of_part(doc, part)),
            Some(known) => known.with_part(doc, part),
        };
        if let Some(known) = known {
            self.show_as(name, known);
        }
    }

    /// Notes that these lines were shown with their numbers: what was known of another text is past, for it is counted otherwise.
    pub(super) fn show_numbered(&mut self, name: &DocName, doc: &MemoryDoc, part: Span) {
        let known = match self.latest(name).filter(|known| known.believed().revision() == doc.revision()) {
            Some(known) => known.clone().and_numbered(part),
            None => Known::of_part(doc, part),
        };
        self.show_as(name, known);
    }

    /// Notes that the numbers of a document's lines have not been shown, though its text has.
    pub(super) fn forget_lines(&mut self, name: &DocName) {
        if let Some(known) = self.latest(name).map(|known| Known::of_part(known.believed(), Span::at(0))) {
            self.push(name, known);
        }
    }

    fn show_as(&mut self, name: &DocName, known: Known) {
        self.in_session.remove(name);
        self.push(name, known);
    }

    /// Notes that the lines under `part` of the draft of a document were shown.
    pub(super) fn show_draft(&mut self, name: &DocName, session: &Session, draft: &MemoryDoc, part: Span) {
        let before = self.in_session(name, session).filter(|_| part != draft.span());
        let known = match before {
            Some(known) => known.with_part(draft, part).unwrap_or_else(|| Known::of_part(draft, part)),
            None => Known::of(draft),
        };
        self.in_session.insert(name.clone(), Some(known));
    }

    /// Notes that an edit of a document was staged.
    pub(super) fn stage(&mut self, name: &DocName, edit: &Edit) {
        if self.latest(name).is_some_and(|known| known.believed().revision() == edit.base()) {
            self.in_session.entry(name.clone()).or_default();
        }
    }

    /// Returns what the agent was shown last of a document that is open in a session, with what it has staged since.
    pub(super) fn in_session(&self, name: &DocName, session: &Session) -> Option<Known> {
        let shown = match self.in_session.get(name) {
            // Shown while changes were pending, it is not what those were staged on.
            None => return self.latest(name).cloned(),
            Some(None) => self.latest(name)?,
            Some(Some(draft)) => draft,
        };
        let own = session.changes().iter().filter(|change| change.document == *name);
        Some(shown.after(own.map(|change| &change.edit).skip_while(|edit| edit.base() != shown.believed().revision())))
    }

    /// Returns the draft of a document that was shown, if that is later than the document.
    pub(super) fn draft(&self, name: &DocName) -> Option<&Known> {
        self.in_session.get(name)?.as_ref()
    }

    /// Notes that the draft of a document has become the document, which the agent knows as its draft was shown.
    pub(super) fn end_draft(&mut self, name: &DocName) {
        let Some(Some(draft)) = self.in_session.remove(name) else { return };
        if let Some(latest) = self.latest_first.get_mut(name).and_then(VecDeque::front_mut) {
            *latest = latest.with_shown(&draft);
        }
    }

    /// Notes what became of an edit of the agent's own that was based on `known`; `None` for one that named its revision. Where
    /// another text was shown later than that, it stays the latest.
    pub(super) fn update(&mut self, known: Option<&Known>, applied: &Applied) {
        if applied.status != AppliedStatus::Committed {
            return;
        }
        let mut next = known.cloned().unwrap_or_else(|| Known::of(&applied.doc));
        applied.update(&mut next);
        let is_later = |latest: &&Known| known.is_some_and(|known| known.revision() != latest.revision());
        if let Some(mut latest) = self.latest(&applied.document).filter(is_later).cloned() {
            applied.update_on(&mut latest);
            // On the text as it stands, what was shown of another is past.
            if applied.is_carried_over() || latest.believed().revision() == applied.doc.revision() {
                next = latest;
            }
        }
        let is_base = |known: &Known| applied.plans().any(|plan| plan.base() == known.believed().revision());
        if self.draft(&applied.document).is_some_and(is_base) {
            // What was shown is the document, in which the agent has seen the edit.
            self.in_session.remove(&applied.document);
        }
        self.push(&applied.document, next);
    }

    /// Returns what the agent was shown last.
    pub(super) fn latest(&self, name: &DocName) -> Option<&Known> {
        self.latest_first.get(name)?.front()
    }

    /// Returns what the agent knew when it was told a revision.
    pub(super) fn named(&self, name: &DocName, prefix: &RevisionPrefix) -> Option<&Known> {
        self.latest_first.get(name)?.iter().find(|known| prefix.matches(&known.revision()))
    }

    /// Notes what the agent knows of a document.
    pub(super) fn push(&mut self, name: &DocName, known: Known) {
        let latest_first = self.latest_first.entry(name.clone()).or_default();
        latest_first.push_front(known);
        latest_first.truncate(REMEMBERED);
    }
}
