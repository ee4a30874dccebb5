//! [`DocumentLink`]s: how an entry stands to those before it, in its group and in the histories of documents.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::super::DocName;
use super::ids::Hex;
use super::{Commitment, Seq};

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
                Ok(digits) => Ok(Self::To(Commitment(digits))),
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
