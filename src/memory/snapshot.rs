//! [`Snapshot`]: documents as a store keeps them, and what they are at.

use super::DocName;
use super::journal::{Head, Seq};
use crate::text::{Revision, SharedText};

/// Documents as of one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snapshot {
    /// Where the journal ended.
    pub head: Head,
    /// The documents that were asked for, in that order.
    pub documents: Vec<Stored>,
}

impl Snapshot {
    /// Creates the snapshot of these documents at `head`.
    pub const fn new(head: Head, documents: Vec<Stored>) -> Self {
        Self { head, documents }
    }

    /// Returns a document that was asked for.
    pub fn of(&self, name: &DocName) -> Option<&Stored> {
        // Most are asked for in the order of their names.
        let at = self.documents.binary_search_by(|stored| stored.name.cmp(name)).ok();
        let found = at.and_then(|at| self.documents.get(at));
        found.or_else(|| self.documents.iter().find(|stored| stored.name == *name))
    }
}

impl Snapshot {
    /// Returns what a document is at that was asked for.
    pub(crate) fn version(&self, name: &DocName) -> Version {
        self.of(name).map(|stored| stored.version).unwrap_or_default()
    }
}

/// A document as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stored {
    /// Its name.
    pub name: DocName,
    /// Its text; `None` if it does not exist.
    pub text: Option<SharedText>,
    /// What it is at.
    pub version: Version,
    /// Whether it is being changed from outside: the text is the last one that was committed.
    pub is_unsettled: bool,
    /// Whether it was changed from outside, and the journal does not say so, as the store cannot be written to.
    pub is_unrecorded: bool,
}

impl Stored {
    /// Creates a document of this text, `None` if it does not exist, at `version`.
    pub const fn new(name: DocName, text: Option<SharedText>, version: Version) -> Self {
        Self { name, text, version, is_unsettled: false, is_unrecorded: false }
    }
}

/// What a document is at: what a commit expects of it. A text that was changed and changed back is at another version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Version {
    /// The revision of its text; `None` if it does not exist.
    pub revision: Option<Revision>,
    /// The last entry that changed it; `None` if none ever did.
    pub tip: Option<Seq>,
}

impl Version {
    /// Creates a version.
    pub const fn new(revision: Option<Revision>, tip: Option<Seq>) -> Self {
        Self { revision, tip }
    }
}
