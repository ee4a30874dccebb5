//! [`Header`]: what stays of an entry, whatever is erased of it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::name::DocName;
use super::actor::Actor;
use super::commitment::{Commitment, Part};
use super::ids::{Attempt, Hex, MemoryId};
use super::runs::Runs;
use super::seq::Seq;

/// What an entry records.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// Documents were edited.
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
    /// The beginning of the journal.
    Genesis,
    /// A kind that another version of this library writes.
    Other(Box<str>),
}

impl EntryKind {
    const NAMED: [(Self, &'static str); 10] = [
        (Self::Edit, "edit"),
        (Self::Memory, "memory"),
        (Self::Identity, "identity"),
        (Self::Decision, "decision"),
        (Self::Block, "block"),
        (Self::Note, "note"),
        (Self::Consolidation, "consolidation"),
        (Self::Redaction, "redaction"),
        (Self::External, "external"),
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

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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

/// What an entry says of itself that is no secret. Its text is hashed as it stands, members of later versions included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Its place in a group; `None` if it stands alone. Set when a group is prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<Member>,
    /// The documents that it changed, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentLink>,
    /// The entries that a consolidation stands in the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
    /// The first entry of the group that an undo took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
    /// The entry with the version of the same block before this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Seq>,
    /// What a redaction erased.
    #[serde(default, skip_serializing_if = "Erased::is_empty")]
    pub erased: Erased,
    /// What the first entry says of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub genesis: Option<Genesis>,
    /// The commitment to the content; `None` if the entry never had one. Set when a group is prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Commitment>,
    /// The commitment to the states; `None` if the entry never had any. Set when a group is prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<Commitment>,
}

impl Header {
    /// Creates the header of an entry by `actor` that changes no document.
    pub const fn new(kind: EntryKind, actor: Actor) -> Self {
        Self {
            kind,
            actor,
            tool: None,
            source: None,
            attempt: None,
            group: None,
            documents: Vec::new(),
            supersedes: Vec::new(),
            undoes: None,
            replaces: None,
            erased: Erased { contents: Runs::EMPTY, states: Runs::EMPTY },
            genesis: None,
            content: None,
            states: None,
        }
    }

    /// Returns the commitment to `part`.
    pub const fn commitment(&self, part: Part) -> Option<Commitment> {
        match part {
            Part::Content => self.content,
            Part::States => self.states,
        }
    }

    /// Returns the index of `document` among those that the entry changed.
    pub fn index_of(&self, document: &DocName) -> Option<usize> {
        self.documents.iter().position(|link| link.name == *document)
    }
}

/// The place of an entry in a group, which is made as one commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// How many entries of the group stand before it.
    pub index: u32,
    /// How many entries the group has.
    pub count: u32,
}

/// How an entry continues the history of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLink {
    /// The document.
    #[serde(with = "doc_name")]
    pub name: DocName,
    /// The revision that the entry changed. Set when a group is prepared, but for a withheld one.
    #[serde(default, skip_serializing_if = "Side::is_absent")]
    pub base: Side,
    /// The revision that it made; absent if it deleted the document. Set when a group is prepared.
    #[serde(default, skip_serializing_if = "Side::is_absent")]
    pub new: Side,
    /// The entry before it that changed the document; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Previous>,
    /// How much has been recorded of changes since the text was last recorded whole: the measure of keyframes.
    #[serde(default)]
    pub since_keyframe: u64,
}

impl DocumentLink {
    /// Creates the link behind `previous`.
    pub const fn new(name: DocName, previous: Option<Previous>) -> Self {
        Self { name, base: Side::Absent, new: Side::Absent, previous, since_keyframe: 0 }
    }
}

/// What a link says of a revision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The document did not exist.
    #[default]
    Absent,
    /// It had a revision that is not told: that of a text which held what was erased.
    Withheld,
    /// It had the revision that this commits to.
    To(Commitment),
}

impl Side {
    /// Reports whether the document did not exist.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Withheld => serializer.serialize_str("withheld"),
            Self::To(commitment) => commitment.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Option::<String>::deserialize(deserializer)?.as_deref() {
            None => Ok(Self::Absent),
            Some("withheld") => Ok(Self::Withheld),
            Some(digits) => match digits.parse::<Hex<32>>() {
                Ok(digits) => Ok(Self::To(Commitment::from(digits))),
                Err(error) => Err(serde::de::Error::custom(error)),
            },
        }
    }
}

/// Which entry changed a document before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Previous {
    /// The entry with this number.
    Entry(Seq),
    /// The entry of the same group with this index: its number is not known before the group is sealed.
    Member(u32),
}

/// The numbers of entries of which a redaction erased a part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erased {
    /// Those that lost their content.
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub contents: Runs,
    /// Those that lost their states.
    #[serde(default, skip_serializing_if = "Runs::is_empty")]
    pub states: Runs,
}

impl Erased {
    /// Reports whether nothing was erased.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty() && self.states.is_empty()
    }

    pub(super) const fn of_mut(&mut self, part: Part) -> &mut Runs {
        match part {
            Part::Content => &mut self.contents,
            Part::States => &mut self.states,
        }
    }

    /// Returns the numbers of those that lost `part`.
    pub const fn of(&self, part: Part) -> &Runs {
        match part {
            Part::Content => &self.contents,
            Part::States => &self.states,
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
    pub const FORMAT: u32 = 1;
}

/// Names of documents as they stand in a journal.
mod doc_name {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    use super::DocName;

    pub(super) fn serialize<S: Serializer>(name: &DocName, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(name.as_str())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DocName, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(|_| D::Error::custom("no name of a document"))
    }
}
