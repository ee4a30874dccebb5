//! [`Desk`]: what the tools of one agent work on.

use std::collections::HashMap;
use std::sync::Arc;

use super::shown::Sights;
use crate::memory::{DocName, Memory};

/// A memory, and what the agent has been shown of it.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) memory: Arc<Memory>,
    sights: HashMap<DocName, Sights>,
}

impl Desk {
    pub(super) fn new(memory: Arc<Memory>) -> Self {
        Self { memory, sights: HashMap::new() }
    }

    /// Returns what the agent has seen of a document, if anything.
    pub(super) fn seen(&self, document: &DocName) -> Option<&Sights> {
        self.sights.get(document)
    }

    /// Returns what the agent has seen of a document, to be added to.
    pub(super) fn seen_mut(&mut self, document: &DocName) -> &mut Sights {
        self.sights.entry(document.clone()).or_default()
    }
}
