//! [`Desk`]: what the tools of one agent work on.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use crate::memory::journal::Seq;
use crate::memory::{Actor, Applied, Memory, MemoryError, Origin, RequestId};
use crate::recall::Recall;
use crate::request::Known;
use crate::text::Content;
use crate::toolbox::editing::Editing;
use crate::toolbox::retry::Taken;
use crate::toolbox::shown::KnownDocuments;
use crate::toolbox::{FilesConfig, Reply};

/// A memory, what the agent knows of it, and in whose name it edits.
#[derive(Clone)]
pub(crate) struct Desk {
    pub(super) recall: Arc<Recall>,
    pub(super) known: KnownDocuments,
    pub(super) actor: Actor,
    /// Where the host has from what the agent writes.
    pub(super) source: Option<Content>,
    /// Why the call is made, as it says itself.
    pub(super) reason: Option<Content>,
    /// The arguments that the journal keeps.
    pub(super) arguments: BTreeMap<Box<str>, Content>,
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
            actor: Actor::default(),
            source: None,
            reason: None,
            arguments: BTreeMap::new(),
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
    pub(super) fn origin(&mut self, tool: &str) -> Result<Origin, MemoryError> {
        let since = match self.since {
            Some(since) => since,
            None => self.memory().head()?.seq,
        };
        self.since = Some(since);
        let mut origin = self.author(tool).knowing(since);
        origin.editor = Some(self.editor);
        Ok(origin)
    }

    /// Says whom a call of a tool comes from.
    pub(super) fn author(&self, tool: &str) -> Origin {
        let mut origin = Origin::new(self.actor.clone(), tool);
        origin.reason.clone_from(&self.reason);
        origin.source.clone_from(&self.source);
        origin.arguments.clone_from(&self.arguments);
        origin
    }

    /// Notes what became of a call that is based on no revision. Where the agent knew a text, it knows what has become of it.
    pub(super) fn made(&mut self, applied: &[Applied]) {
        applied.iter().for_each(|applied| self.learn(applied));
    }

    fn learn(&mut self, applied: &Applied) {
        let known = self.known.latest(&applied.document);
        let is_known =
            |known: &&Known| applied.plan.as_ref().is_some_and(|plan| plan.base() == known.believed().revision());
        if let Some(known) = known.filter(is_known).cloned() {
            self.known.update(Some(&known), applied);
        }
    }
}

/// Draws a number that no other desk has.
fn drawn() -> u128 {
    let [high, low] = [0, 1].map(|half| u128::from(RandomState::new().hash_one(half)));
    high << 64 | low
}
