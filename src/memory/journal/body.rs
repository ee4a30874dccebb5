//! [`Body`]: what an entry says of the memory. A redaction erases it as a whole, with its salt.

use std::collections::BTreeMap;

use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

use super::super::DocName;
use super::ids::Hex;
use super::{EntryKind, Salt, Seq, Splice};
use crate::text::{Content, Revision};

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// What makes the commitment to it useless without it.
    pub salt: Salt,
    /// Why it was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Content>,
    /// The arguments of the call that tell what was asked for, where the tool alone does not.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub arguments: BTreeMap<Box<str>, Content>,
    /// The paths of the sections that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Content>,
    /// How many of what were changed, such as `bullets_added`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counts: BTreeMap<Box<str>, u64>,
    /// What was changed, of each document in the order of the header; `None` where that must not be told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splices: Vec<Option<Vec<Splice>>>,
    /// The whole texts after the entry, where the splices alone do not tell them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub texts: BTreeMap<DocName, Content>,
    /// What the entry records beside changes of documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

impl Record {
    /// Returns the label of the core block that it is a version of.
    pub(crate) fn block_label(&self) -> Option<Box<str>> {
        match self {
            Self::Block(version) => Some(version.label.as_str().into()),
            _ => None,
        }
    }
}

impl Body {
    /// Creates a body that says nothing yet.
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
    /// A note.
    Note(Noted),
    /// A new understanding, in the place of what the header names.
    Consolidation(Content),
    /// What was to be done, and was withheld.
    Withheld(Withheld),
    /// One that another version of this library writes. It is kept as it stands.
    #[serde(untagged)]
    Other(Unknown),
}

/// Something to remember.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// What.
    pub text: Content,
    /// For how long.
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

/// The writing of a note. Its text is in the splices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noted {
    /// The note.
    pub key: Content,
    /// Whether the text was put behind the one that stood there.
    pub appended: bool,
}

/// What a write policy has withheld. Nothing of it is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Withheld {
    /// Why, in the words of the policy.
    pub why: Content,
    /// What was to be done to documents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<WithheldEdit>,
    /// What kind of entry was to tell it.
    #[serde(rename = "type", default)]
    pub kind: EntryKind,
    /// What the entry was to record beside changes of documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<Record>>,
    /// The entries that it was to stand in the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
    /// The entry that it was to take back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
}

/// What was to be done to a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldEdit {
    /// The document.
    pub name: DocName,
    /// The last entry that had changed the document when it was planned; `None` if none had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Seq>,
    /// The edit; `None` if the document was to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splices: Option<Vec<Splice>>,
}

/// What is said by another version of this library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "IgnoredAny")]
pub struct Unknown;

impl From<IgnoredAny> for Unknown {
    fn from(_: IgnoredAny) -> Self {
        Self
    }
}

/// Reads a revision as it stands in a journal: all digits.
pub(super) fn revision<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Revision>, D::Error> {
    let digits = Option::<Hex<32>>::deserialize(deserializer)?;
    digits.map(|digits| digits.to_string().parse().map_err(|_| D::Error::custom("no revision"))).transpose()
}
