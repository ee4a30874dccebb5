//! A document's revision: the SHA-256 of its whole text.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use super::{Unreadable, as_text, displayed_as_held};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Returns the digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the 32 bytes.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Hashes a sequence of fields, each with its length before it, so that no two sequences share a
/// preimage.
#[derive(Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn field(&mut self, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.0.update(length.to_be_bytes());
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// How many bytes lie between two states of a hash that are kept.
const STRIDE: usize = 4096;

/// The revision of a text, with states of the hash on the way to it: of a text that begins alike
/// only the rest is hashed.
#[derive(Clone)]
pub(crate) struct Hashed {
    pub(crate) revision: Revision,
    // Invariant: the states behind the first 4 KiB, behind the next, and so on.
    states: Vec<Sha256>,
}

impl Hashed {
    /// Hashes `text`.
    pub(crate) fn of(text: &str) -> Self {
        Self::behind(Vec::with_capacity(text.len() / STRIDE), text)
    }

    /// Hashes `text`, whose first `same` bytes are those of the text that was hashed here.
    pub(crate) fn of_next(&self, text: &str, same: usize) -> Self {
        let mut states = Vec::with_capacity(text.len() / STRIDE);
        states.extend(self.states.iter().take(same / STRIDE).cloned());
        Self::behind(states, text)
    }

    /// Goes on behind the states of the beginning of `text`.
    fn behind(mut states: Vec<Sha256>, text: &str) -> Self {
        let mut hash = states.last().cloned().unwrap_or_default();
        let rest = text.as_bytes().get(states.len() * STRIDE..).unwrap_or_default();
        let mut strides = rest.chunks_exact(STRIDE);
        for stride in &mut strides {
            hash.update(stride);
            states.push(hash.clone());
        }
        hash.update(strides.remainder());
        Self { revision: Revision(Digest(hash.finalize().into())), states }
    }
}

/// The revision of a document: `sha256sum FILE` prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(Digest);

impl Revision {
    /// How many hexadecimal digits are shown to a model.
    pub const SHOWN_DIGITS: usize = 12;

    /// Returns the revision of `text`.
    pub fn of(text: &str) -> Self {
        Self(Digest::of(text.as_bytes()))
    }

    /// Returns the digest.
    pub const fn digest(&self) -> &Digest {
        &self.0
    }

    /// Returns the first 12 hexadecimal digits, the form shown to a model.
    pub fn short(&self) -> String {
        let mut digits = self.to_string();
        digits.truncate(Self::SHOWN_DIGITS);
        digits
    }
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.short())
    }
}

/// The beginning of a revision, 8 hexadecimal digits or more, as people and models write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionPrefix(String);

impl RevisionPrefix {
    /// Reports whether `revision` begins with these digits.
    pub fn matches(&self, revision: &Revision) -> bool {
        revision.to_string().starts_with(&self.0)
    }

    /// Returns the digits, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Revision> for RevisionPrefix {
    /// Takes the digits that are shown to a model.
    fn from(revision: Revision) -> Self {
        Self(revision.short())
    }
}

impl FromStr for RevisionPrefix {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let digits = text.trim();
        if (8..=64).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            Ok(Self(digits.to_ascii_lowercase()))
        } else {
            Err(Unreadable::new("8 to 64 hexadecimal digits of a revision", text))
        }
    }
}

as_text!(json: Revision, RevisionPrefix);
displayed_as_held!(Revision, RevisionPrefix);

impl FromStr for Revision {
    type Err = Unreadable;

    /// Reads all 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let invalid = || Unreadable::new("8 to 64 hexadecimal digits of a revision", text);
        let mut bytes = [0; 32];
        if text.len() != 64 {
            return Err(invalid());
        }
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| invalid())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| invalid())?;
        }
        Ok(Self(Digest(bytes)))
    }
}

/// Writes the two digits of each byte. They are written at once: to ask a formatter for each byte
/// takes many times as long.
pub(crate) fn write_hex<const N: usize>(bytes: &[u8; N], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(str::from_utf8(hex_digits(bytes).as_flattened()).unwrap_or_default())
}

/// Returns the two digits of each byte, in ASCII.
pub(crate) fn hex_digits<const N: usize>(bytes: &[u8; N]) -> [[u8; 2]; N] {
    bytes.map(|byte| [digit(byte >> 4), digit(byte & 0xF)])
}

const fn digit(half: u8) -> u8 {
    if half < 10 { b'0' + half } else { b'a' + half - 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hashed_from_a_state_on_has_the_revision_of_the_whole() {
        let lengths = [0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 20_000];
        for (before, after) in lengths.iter().flat_map(|before| lengths.map(|after| (*before, after))) {
            for same in lengths.into_iter().filter(|same| *same <= before.min(after)) {
                let hashed = Hashed::of(&"a".repeat(before));
                let next = "a".repeat(same) + &"b".repeat(after - same);
                let hashed = hashed.of_next(&next, same);
                assert_eq!(hashed.revision, Revision::of(&next), "{before} {after} {same}");
                assert_eq!(hashed.of_next(&next, after).revision, Revision::of(&next), "{before} {after} {same}");
            }
        }
    }
}
