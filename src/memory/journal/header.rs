//! [`Header`]: what stays of an entry, whatever is erased of it.

use std::fmt;

use serde::de::{IntoDeserializer, value};
use serde::{Deserialize, Serialize};

use super::{Attempt, Commitment, MemoryId, Runs, Seq, SeqRange};
use crate::memory::{Actor, DocName};

/// What an entry says of itself that is no secret. Its text is hashed as it stands, members of later versions included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Header {
    /// What the entry records.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// Who made it.
    pub actor: Actor,
    /// By which tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<Box<str>>,
    /// From where, as the host says: a conversation, a file, a machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<str>>,
    /// In which attempt at a commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Attempt>,
    /// The documents that it changed, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentLink>,
    /// The entries that a consolidation stands in the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
    /// The entry that an undo took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
    /// The entry with the version of the same block before this one; of what was withheld and is released, the one that kept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Seq>,
    /// The core block of which it makes a version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Box<str>>,
    /// What a redaction erased.
    #[serde(default, skip_serializing_if = "Erased::is_empty")]
    pub erased: Erased,
    /// What the first entry says of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genesis: Option<Genesis>,
    /// The commitment to the body. Set when an entry is prepared; an entry of format 1 has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Commitment>,
}

impl Header {
    /// Creates the header of an entry by `actor` that changes no document.
    pub fn new(kind: EntryKind, actor: Actor) -> Self {
        Self { kind, actor, ..Self::default() }
    }

    /// Returns the index of `document` among those that the entry changed.
    pub fn index_of(&self, document: &DocName) -> Option<usize> {
        self.documents.iter().position(|link| link.name == *document)
    }
}

/// The numbers of entries of which a redaction erased a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erased {
    /// Those that lost their body.
    #[serde(default, skip_serializing_if = "Runs::is_empty", alias = "contents")]
    pub bodies: Runs,
    /// Those that lost what they are looked up by.
    #[serde(default, skip_serializing_if = "Runs::is_empty", alias = "states")]
    pub lookups: Runs,
}

impl Erased {
    /// Nothing.
    pub const NOTHING: Self = Self { bodies: Runs::EMPTY, lookups: Runs::EMPTY };

    /// Reports whether nothing was erased.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.lookups.is_empty()
    }

    /// Iterates over the runs of those that lost anything; some of them twice.
    pub fn runs(&self) -> impl Iterator<Item = SeqRange> + '_ {
        self.bodies.iter().chain(self.lookups.iter())
    }
}

/// What a journal is: said once, in its first entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Genesis {
    /// The version of the format.
    pub format: u32,
    /// The memory that it belongs to.
    pub memory: MemoryId,
    /// A digest of the policy that the memory was made with, in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Box<str>>,
}

impl Genesis {
    /// The version of the format that this library writes.
    pub const FORMAT: u32 = 2;
}

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
