//! [`Desk`]: the state of one agent: its memory, the author of its edits, its editing session, and its last call.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use litemap::LiteMap;

use crate::edit::Edit;
use crate::memory::journal::Seq;
use crate::memory::{Actor, Applied, DocName, Memory, MemoryError, Origin, RequestId};
use crate::recall::Recall;
use crate::request::Known;
use crate::toolbox::editing::Editing;
use crate::toolbox::known::KnownDocuments;
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
    pub(super) seen_before: SeenBefore,
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
            seen_before: SeenBefore::new(),
            editor: random_number(),
        }
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        self.recall.memory()
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

/// What an agent knew of each document before a refusal showed it the current text.
pub(super) type SeenBefore = LiteMap<DocName, Known>;

/// Draws a random number.
fn random_number() -> u128 {
    let [high, low] = [0, 1].map(|half| u128::from(RandomState::new().hash_one(half)));
    high << 64 | low
}
