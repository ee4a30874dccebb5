//! [`Desk`]: what the tools of one agent work on.

use std::sync::Arc;

use super::editing::{Editing, follow};
use super::shown::KnownDocuments;
use crate::memory::journal::Seq;
use crate::memory::{Actor, Applied, Memory, MemoryError, Origin};
use crate::request::Known;

/// A memory, what the agent knows of it, and in whose name it edits.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) memory: Arc<Memory>,
    pub(super) known: KnownDocuments,
    pub(super) actor: Actor,
    /// What is staged, and the tasks that it is staged for.
    pub(super) editing: Editing,
    /// The last entry that the agent knows of, once it has made one or has named something by its key.
    pub(super) since: Option<Seq>,
}

impl Desk {
    pub(super) fn new(memory: Arc<Memory>) -> Self {
        Self {
            memory,
            known: KnownDocuments::default(),
            actor: Actor::default(),
            editing: Editing::default(),
            since: None,
        }
    }

    /// Says whom a call of a tool comes from that is based on no revision.
    pub(super) fn origin(&mut self, tool: &str) -> Result<Origin, MemoryError> {
        let since = match self.since {
            Some(since) => since,
            None => self.memory.head()?.seq,
        };
        self.since = Some(since);
        Ok(Origin::new(self.actor.clone(), tool).knowing(since))
    }

    /// Notes what became of a call that is based on no revision. Where the agent knew the text, it knows what has become of it.
    pub(super) fn made(&mut self, applied: &Applied) {
        self.since = self.since.max(applied.seq);
        follow(&mut self.editing, applied);
        let known = self.known.latest(&applied.document);
        let is_known =
            |known: &&Known| applied.plan.as_ref().is_some_and(|plan| plan.base() == known.believed().revision());
        if let Some(known) = known.filter(is_known).cloned() {
            self.known.update(Some(known), applied);
        }
    }
}
