//! [`Header`]: what stays of an entry, whatever is erased of it.

use serde::{Deserialize, Serialize};

use super::super::{Actor, DocName};
use super::{Attempt, BlockTable, Commitment, DocumentLink, EntryKind, MemoryId, Part, Runs, Seq};

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
    /// The versions that the core blocks are at, where it changed their document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<BlockTable>,
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

    pub(super) const fn of_mut(&mut self, part: Part) -> &mut Runs {
        match part {
            Part::Body => &mut self.bodies,
            Part::Lookup => &mut self.lookups,
        }
    }

    /// Returns the numbers of those that lost `part`.
    pub const fn of(&self, part: Part) -> &Runs {
        match part {
            Part::Body => &self.bodies,
            Part::Lookup => &self.lookups,
        }
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
