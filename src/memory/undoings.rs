//! [`Undoings`]: what later entries have taken back.

use std::collections::BTreeMap;

use super::journal::{Entry, Seq};

/// Which entries have been taken back, as far as later entries that were seen say. They are seen latest first.
#[derive(Debug, Default)]
pub(super) struct Undoings {
    by: BTreeMap<Seq, By>,
}

/// An undoing.
#[derive(Clone, Copy, Debug)]
struct By {
    entry: Seq,
    /// In format 1, it takes back all entries of a commit and names the first.
    is_of_commit: bool,
}

impl Undoings {
    pub(super) fn see(&mut self, entry: &Entry) {
        // An undoing that is itself taken back has taken back nothing.
        if let Some(undone) = entry.header().undoes
            && self.by(entry).is_none()
        {
            self.by.insert(undone, By { entry: entry.seq(), is_of_commit: entry.is_of_format_1() });
        }
    }

    /// Returns the entry that took back this one.
    pub(super) fn by(&self, entry: &Entry) -> Option<Seq> {
        let of_commit = || self.by.get(&entry.commit()).filter(|by| by.is_of_commit);
        self.by.get(&entry.seq()).or_else(of_commit).map(|by| by.entry)
    }
}
