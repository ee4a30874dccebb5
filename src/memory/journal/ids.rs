//! Fixed numbers of bytes, written as lower-case hexadecimal digits: hashes, salts, IDs, and commitments.
//!
//! A commitment is what a header says of a body, of no use to who has not the salt. A digest alone would tell a short text to
//! whoever tries all of them: of a reason that is a PIN, for example. So it is a digest over 16 random bytes and the text, and the
//! bytes lie with the text: erasing both leaves a number that nothing can be compared with.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::text::{Hasher, displayed_as_held, write_hex};

/// `N` bytes. Their one written form is `2 * N` lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Hex<const N: usize>(pub(super) [u8; N]);

/// A text that is not the hexadecimal form of so many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected {digits} lower-case hexadecimal digits")]
pub struct InvalidHex {
    /// How many digits it takes.
    pub digits: usize,
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.12}", self.to_string())
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        let invalid = InvalidHex { digits: 2 * N };
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Ok(byte - b'0'),
            b'a'..=b'f' => Ok(byte - b'a' + 10),
            _ => Err(invalid),
        };
        if text.len() != invalid.digits {
            return Err(invalid);
        }
        let mut bytes = [0; N];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let [high, low] = pair else { return Err(invalid) };
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Ok(Self(bytes))
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::invalid_value(Unexpected::Other("text"), &"hexadecimal digits"))
    }
}

displayed_as_held!(EntryHash, MemoryId, Attempt);

/// The hash of an entry, which the next entry repeats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct EntryHash(pub(super) Hex<32>);

impl Default for EntryHash {
    fn default() -> Self {
        Self::NONE
    }
}

impl EntryHash {
    /// What the first entry has in the place of the hash of the one before it: 32 bytes of zero.
    pub const NONE: Self = Self(Hex([0; 32]));

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0.0
    }
}

impl FromStr for EntryHash {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        text.parse().map(Self)
    }
}

/// The name of a memory, drawn at random when it is made: no two journals share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct MemoryId(pub(super) Hex<16>);

impl MemoryId {
    /// Creates the ID of 16 random bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

impl FromStr for MemoryId {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        text.parse().map(Self)
    }
}

/// Names one attempt at a commit, drawn at random: what a store is asked about after an answer was lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(transparent)]
pub struct Attempt(Hex<16>);

impl Attempt {
    /// Creates the attempt of 16 random bytes.
    pub const fn new(bytes: [u8; 16]) -> Self {
        Self(Hex(bytes))
    }
}

impl FromStr for Attempt {
    type Err = InvalidHex;

    fn from_str(text: &str) -> Result<Self, InvalidHex> {
        text.parse().map(Self)
    }
}

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
