//! [`Undoings`]: what later entries have taken back.

use std::collections::BTreeMap;

use super::journal::{Entry, Seq};

/// Which groups have been taken back, as far as later entries that were seen say. They are seen latest first.
#[derive(Debug, Default)]
pub(super) struct Undoings {
    by: BTreeMap<Seq, Seq>,
}

impl Undoings {
    pub(super) fn see(&mut self, entry: &Entry) {
        // An undoing that is itself taken back has taken back nothing.
        if let Some(undone) = entry.header().undoes
            && self.by(entry.group().first()).is_none()
        {
            self.by.insert(undone, entry.group().first());
        }
    }

    /// Returns the first entry of the group that took back the group that begins with `first`.
    pub(super) fn by(&self, first: Seq) -> Option<Seq> {
        self.by.get(&first).copied()
    }
}
