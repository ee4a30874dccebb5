//! [`DocumentLink`]: how an entry continues the history of a document.

use serde::{Deserialize, Serialize};

use super::super::DocName;
use super::Seq;

/// How an entry continues the history of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLink {
    /// The document.
    pub name: DocName,
    /// The entry before it that changed the document; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Seq>,
    /// What became of the document.
    #[serde(default, skip_serializing_if = "LinkKind::is_change")]
    pub kind: LinkKind,
}

/// What an entry did to a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkKind {
    /// It changed its text.
    #[default]
    Changed,
    /// It made the document.
    Created,
    /// It deleted the document.
    Deleted,
}

impl LinkKind {
    /// Tells what leads from a document that is or is not there to one that is or is not.
    pub const fn between(was_there: bool, is_there: bool) -> Self {
        match (was_there, is_there) {
            (_, false) => Self::Deleted,
            (false, true) => Self::Created,
            (true, true) => Self::Changed,
        }
    }

    const fn is_change(&self) -> bool {
        matches!(self, Self::Changed)
    }
}

impl DocumentLink {
    /// Reports whether the entry made the document.
    pub fn is_creation(&self) -> bool {
        self.kind == LinkKind::Created
    }

    /// Reports whether the entry deleted the document.
    pub fn is_deletion(&self) -> bool {
        self.kind == LinkKind::Deleted
    }
}
