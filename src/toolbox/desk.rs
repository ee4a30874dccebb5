//! [`Desk`]: what the tools of one agent work on.

use std::sync::Arc;

use super::shown::KnownDocuments;
use crate::memory::{Actor, Memory};

/// A memory, what the agent knows of it, and in whose name it edits.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) memory: Arc<Memory>,
    pub(super) known: KnownDocuments,
    pub(super) actor: Actor,
}

impl Desk {
    pub(super) fn new(memory: Arc<Memory>) -> Self {
        Self { memory, known: KnownDocuments::default(), actor: Actor::default() }
    }
}
