//! [`Commitment`]s: what a header says of a content or a revision, of no use to who has not the salt.
//!
//! A digest alone would tell a short text to whoever tries all of them: of a document with one unknown PIN, or of that PIN
//! as a reason. A commitment is a digest over 16 random bytes and the text, and the bytes lie with the text: erasing both
//! leaves a number that nothing can be compared with.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::DocName;
use super::ids::Hex;
use crate::text::{Digest, Hasher, Revision, displayed_as_held, names};

/// 16 random bytes from the operating system, drawn anew for each part of each entry.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Salt(Hex<16>);

impl Salt {
    /// Creates the salt of 16 random bytes. They must be random: a salt that can be guessed hides nothing.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

impl fmt::Debug for Salt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Salt(..)")
    }
}

names! {
    /// The part of an entry that can be erased by itself.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Part {
        /// What the entry says.
        Content = "content",
        /// What follows from whole documents.
        States = "states",
    }
}

/// Which of the two revisions of a document an entry commits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The one that it changed.
    Base,
    /// The one that it made.
    New,
}

/// A digest over a text or a revision and a salt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct Commitment(pub(super) Hex<32>);

displayed_as_held!(Commitment);

impl Commitment {
    /// Commits to a part of an entry by its text, which holds its salt.
    pub(super) fn to_part(part: Part, text: &str) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(match part {
            Part::Content => "memdoc journal content 1".as_bytes(),
            Part::States => "memdoc journal states 1".as_bytes(),
        });
        hasher.field(text.as_bytes());
        Self::of(&hasher.finish())
    }

    /// Commits to the revision that a document had before or after an entry.
    pub(super) fn to_revision(salt: Salt, name: &DocName, role: Role, revision: &Revision) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(match role {
            Role::Base => "memdoc journal base 1".as_bytes(),
            Role::New => "memdoc journal new 1".as_bytes(),
        });
        hasher.field(&salt.0.0);
        hasher.field(name.as_str().as_bytes());
        hasher.field(revision.digest().as_bytes());
        Self::of(&hasher.finish())
    }

    const fn of(digest: &Digest) -> Self {
        Self(Hex(*digest.as_bytes()))
    }
}
