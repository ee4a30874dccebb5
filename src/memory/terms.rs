//! On what terms operations are planned: with whose authority, at what time, and with what the host's compactor has said so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::CompactorError;
use crate::edit::Authority;
use crate::text::Timestamp;

/// How often a hook is asked for one compaction: once, and twice more with what was wrong.
pub(super) const ASKED: usize = 3;

/// What planning needs beside the documents.
#[derive(Clone, Copy)]
pub(crate) struct Terms<'a> {
    pub(crate) authority: Authority,
    pub(crate) now: Timestamp,
    /// What the host's compactor has said; `None` if the built-in one writes.
    pub(crate) answers: Option<&'a Answers>,
}

impl<'a> Terms<'a> {
    /// Returns who writes the text of a compaction that the operation of this index needs.
    pub(super) fn writer(&self, operation: usize) -> Writer<'a> {
        match self.answers {
            None => Writer::BuiltIn,
            Some(answers) => answers.writer(operation),
        }
    }
}

/// Who writes the text of a compaction.
#[derive(Clone, Copy)]
pub(super) enum Writer<'a> {
    /// The built-in compactor, while planning.
    BuiltIn,
    /// The host's, which has said this, or nothing yet.
    Host(Option<&'a Answer>),
}

/// What the host's compactor said last for each operation.
#[derive(Default)]
pub(crate) struct Answers {
    of_operations: BTreeMap<usize, Answer>,
}

/// What the host's compactor said last for one operation.
pub(super) struct Answer {
    pub(super) asked: usize,
    pub(super) said: Result<String, Arc<dyn std::error::Error + Send + Sync>>,
}

impl Answers {
    /// Returns the host's compactor with what it has said for the operation of this index.
    pub(super) fn writer(&self, operation: usize) -> Writer<'_> {
        Writer::Host(self.of_operations.get(&operation))
    }

    /// Returns the text that it wrote last for the operation of this index.
    pub(super) fn text(&self, operation: usize) -> Option<&str> {
        self.of_operations.get(&operation)?.said.as_deref().ok()
    }

    /// Notes what it said for the operation of this index.
    pub(crate) fn note(&mut self, operation: usize, said: Result<String, CompactorError>) {
        let asked = self.of_operations.get(&operation).map_or(0, |before| before.asked) + 1;
        self.of_operations.insert(operation, Answer { asked, said: said.map_err(Arc::from) });
    }
}
