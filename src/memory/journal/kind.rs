//! [`EntryKind`]: what an entry records.

use std::fmt;

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};

/// What an entry records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// Documents were edited.
    #[default]
    Edit,
    /// Something to remember.
    Memory,
    /// Who the agent is, by its host.
    Identity,
    /// A decision and why.
    Decision,
    /// A version of a core block.
    Block,
    /// A note was written.
    Note,
    /// A new understanding in the place of older entries.
    Consolidation,
    /// Texts were erased.
    Redaction,
    /// A document was changed by other means than this library.
    External,
    /// A write policy withheld what was to be done.
    Quarantine,
    /// The beginning of the journal.
    Genesis,
    /// A kind that another version of this library writes.
    #[serde(untagged)]
    Other(Box<str>),
}

impl EntryKind {
    /// Returns the name that stands in the journal.
    pub fn name(&self) -> &str {
        match self {
            Self::Other(name) => name,
            Self::Edit => "edit",
            Self::Memory => "memory",
            Self::Identity => "identity",
            Self::Decision => "decision",
            Self::Block => "block",
            Self::Note => "note",
            Self::Consolidation => "consolidation",
            Self::Redaction => "redaction",
            Self::External => "external",
            Self::Quarantine => "quarantine",
            Self::Genesis => "genesis",
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<&str> for EntryKind {
    fn from(name: &str) -> Self {
        Self::deserialize(name.into_deserializer()).unwrap_or_else(|_: value::Error| Self::Other(name.into()))
    }
}
