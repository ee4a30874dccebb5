//! [`EntryKind`]: what an entry records.

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// What an entry records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, derive_more::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[display("{}", self.name())]
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
            known => known.into(),
        }
    }
}

impl From<&str> for EntryKind {
    fn from(name: &str) -> Self {
        Self::deserialize(name.into_deserializer()).unwrap_or_else(|_: value::Error| Self::Other(name.into()))
    }
}
