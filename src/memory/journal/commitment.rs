//! [`Commitment`]: what a header says of a body, of no use to who has not the salt.
//!
//! A digest alone would tell a short text to whoever tries all of them: of a reason that is a PIN, for example. A commitment is
//! a digest over 16 random bytes and the text, and the bytes lie with the text: erasing both leaves a number that nothing can be
//! compared with.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ids::Hex;
use crate::text::{Hasher, displayed_as_held, names};

/// 16 random bytes from the operating system, drawn anew for each entry.
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
    /// A part of an entry that can be erased.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Part {
        /// What the entry says.
        Body = "body",
        /// What it is looked up by: the request and the revisions.
        Lookup = "lookup",
    }
}

/// A digest over a text that holds a salt.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct Commitment(Hex<32>);

displayed_as_held!(Commitment);

impl Commitment {
    /// Commits to a body by its text.
    pub(super) fn to_body(text: &str) -> Self {
        Self::to("memdoc journal body 2", text)
    }

    /// Commits to a text under a label.
    pub(super) fn to(label: &str, text: &str) -> Self {
        let mut hasher = Hasher::default();
        hasher.field(label.as_bytes());
        hasher.field(text.as_bytes());
        Self(Hex(*hasher.finish().as_bytes()))
    }
}
