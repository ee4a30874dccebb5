//! [`Body`]: what an entry says of the memory. A redaction erases it as a whole, with its salt.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

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
    /// The entry that was to stand beside the documents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Box<WithheldEntry>>,
}

/// What was to be done to a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldEdit {
    /// The document.
    pub name: DocName,
    /// The revision that it was planned on; `None` if the document did not exist.
    #[serde(default, with = "revision", skip_serializing_if = "Option::is_none")]
    pub base: Option<Revision>,
    /// The edit; `None` if the document was to go.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub splices: Option<Vec<Splice>>,
    /// What kind of entry was to tell it.
    #[serde(rename = "type", default)]
    pub kind: EntryKind,
    /// What that was to record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Box<Record>>,
    /// The first entry of the group that it was to take back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<Seq>,
    /// Of a core block, whether it was to stand in every prompt, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_core: Option<bool>,
}

/// An entry that was to be recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WithheldEntry {
    /// What it was to record.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// That.
    pub record: Record,
    /// The entries that it was to stand in the place of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supersedes: Vec<Seq>,
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

/// Revisions as they stand in a journal: all digits.
pub(super) mod revision {
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de::Error as _};

    use super::{Hex, Revision};

    #[expect(clippy::ref_option, reason = "the signature that serde calls")]
    pub(crate) fn serialize<S: Serializer>(revision: &Option<Revision>, serializer: S) -> Result<S::Ok, S::Error> {
        revision.map(|revision| Hex(*revision.digest().as_bytes())).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Revision>, D::Error> {
        let digits = Option::<Hex<32>>::deserialize(deserializer)?;
        digits.map(|digits| digits.to_string().parse().map_err(|_| D::Error::custom("no revision"))).transpose()
    }
}
