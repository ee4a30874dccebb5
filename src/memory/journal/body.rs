//! [`Header`]: the part of an entry that is never erased; and [`Body`]: the part that a redaction erases, as a whole and
//! with its salt.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::memory::journal::{Attempt, Commitment, MemoryId, Runs, Salt, Seq, SeqRange, Splice};
use crate::memory::{Actor, DocName};
use crate::text::Content;

/// The part of an entry that holds no secrets. Its JSON text is hashed as it stands, with members that only later
/// versions know.
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
    /// The attempt at a commit that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Attempt>,
    /// The documents that it changed, each once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentLink>,
    /// The older entries that a consolidation supersedes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
    /// The entry that an undo took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
    /// For a version of a block, the entry with the version before it; for a released write, the entry that kept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaces: Option<Seq>,
    /// The label of the core block of which it makes a version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Box<str>>,
    /// What a redaction erased.
    #[serde(default, skip_serializing_if = "Erased::is_empty")]
    pub erased: Erased,
    /// What the journal is; in the first entry only.
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
    /// Reports whether nothing was erased.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty() && self.lookups.is_empty()
    }

    /// Iterates over the runs of entries that lost anything. An entry that lost both parts comes twice.
    pub fn runs(&self) -> impl Iterator<Item = SeqRange> + '_ {
        self.bodies.iter().chain(self.lookups.iter())
    }
}

/// What a journal is. Its first entry records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Genesis {
    /// The version of the format.
    pub format: u32,
    /// The memory that it belongs to.
    pub memory: MemoryId,
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
    /// Who the agent is, according to its host.
    Identity,
    /// A decision and why.
    Decision,
    /// A version of a core block.
    Block,
    /// A note was written.
    Note,
    /// A new understanding that supersedes older entries.
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

impl fmt::Display for EntryKind {
    /// Writes the name that stands in the journal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
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
    /// What the entry did to the document.
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
    /// Returns the kind of a change, from whether the document existed before and exists after it.
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

/// The part of an entry that can be erased.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Random bytes: without them nobody can test a guess of the body against the commitment to it.
    pub salt: Salt,
    /// Why it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Content>,
    /// The arguments that say what was asked for, if the tool's name alone does not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<Box<str>, Content>,
    /// The paths of the sections that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Content>,
    /// How many of what were changed, such as `bullets_added`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<Box<str>, u64>,
    /// The splices of each document, in the order of the header; `None` if the text before is not known or, as in a
    /// redaction, must not be recorded. The whole text after the entry, if there is one, is then in `texts`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splices: Vec<Option<Vec<Splice>>>,
    /// The whole texts after the entry, for documents whose splices are not enough to compute them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<DocName, Content>,
    /// What the entry records beside changes of documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

impl Body {
    /// Creates a body with nothing but a salt.
    pub const fn new(salt: Salt) -> Self {
        Self {
            salt,
            reason: None,
            arguments: BTreeMap::new(),
            sections: Vec::new(),
            counts: BTreeMap::new(),
            splices: Vec::new(),
            texts: BTreeMap::new(),
            record: None,
        }
    }
}

/// What an entry records beside changes of documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A memory, a decision or an identity.
    Memory(Remembered),
    /// A version of a core block.
    Block(BlockVersion),
    /// A new understanding. It supersedes the entries that the header names.
    Consolidation(Content),
    /// A withheld write.
    Withheld(Withheld),
    /// A record that another version of this library writes. It is kept as it stands.
    #[serde(untagged)]
    Other(Json),
}

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// The text.
    pub text: Content,
    /// For how long it is remembered.
    #[serde(default)]
    pub tier: Tier,
    /// How important it is, from 1 to 10.
    pub importance: u8,
}

/// For how long something is remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// For good.
    #[default]
    Committed,
    /// As long as the relationship.
    Relationship,
    /// For the moment.
    Ephemeral,
    /// A tier that another version of this library writes.
    #[serde(other)]
    Unknown,
}

/// A version of a core block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockVersion {
    /// The block.
    pub label: Content,
    /// Its version, from 1.
    pub version: u64,
    /// Its text.
    pub text: Content,
    /// Whether it stands in every prompt.
    pub is_core: bool,
}

/// A write that a write policy has withheld. Nothing of it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    /// Why, in the words of the policy.
    pub why: Content,
    /// The arguments of the call that asked for it; the entry's header names the tool. `None` if the host's own code has
    /// asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<Json>,
    /// The edits of documents that were to be made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<WithheldEdit>,
    /// The kind of the entry that was to record it.
    #[serde(rename = "type", default)]
    pub kind: EntryKind,
    /// What the entry was to record beside changes of documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<Record>>,
    /// The entries that it was to supersede.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
    /// The entry that it was to undo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
}

/// A JSON value. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Json(pub serde_json::Value);

not_shown!(Json);

/// An edit of a document that was to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldEdit {
    /// The document.
    pub name: DocName,
    /// The last entry that had changed the document when it was planned; `None` if none had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Seq>,
    /// The edit; `None` if the document was to be deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splices: Option<Vec<Splice>>,
}
