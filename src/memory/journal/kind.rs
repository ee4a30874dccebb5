//! [`EntryKind`]: what an entry records.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What an entry records.
#[derive(Clone, Debug, PartialEq, Eq, Hash, derive_more::Display, Default)]
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
    Other(Box<str>),
}

impl EntryKind {
    const NAMED: [(Self, &'static str); 11] = [
        (Self::Edit, "edit"),
        (Self::Memory, "memory"),
        (Self::Identity, "identity"),
        (Self::Decision, "decision"),
        (Self::Block, "block"),
        (Self::Note, "note"),
        (Self::Consolidation, "consolidation"),
        (Self::Redaction, "redaction"),
        (Self::External, "external"),
        (Self::Quarantine, "quarantine"),
        (Self::Genesis, "genesis"),
    ];

    /// Returns the name that stands in the journal.
    pub fn name(&self) -> &str {
        match self {
            Self::Other(name) => name,
            known => Self::NAMED.iter().find(|(kind, _)| kind == known).map_or("", |(_, name)| name),
        }
    }
}

impl From<&str> for EntryKind {
    fn from(name: &str) -> Self {
        let known = Self::NAMED.into_iter().find(|(_, known)| *known == name);
        known.map_or_else(|| Self::Other(name.into()), |(kind, _)| kind)
    }
}

impl Serialize for EntryKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for EntryKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|name| Self::from(name.as_str()))
    }
}
