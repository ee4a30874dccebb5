//! [`Hex`], a fixed number of bytes written as hexadecimal digits; [`Digest`], an SHA-256; and [`Revision`], the digest
//! of a document's whole text.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use super::{Unreadable, as_text, display_inner, parse_inner};

/// `N` bytes. Their one written form is `2 * N` lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hex<const N: usize>(pub(crate) [u8; N]);

/// A SHA-256 digest.
pub type Digest = Hex<32>;

impl Digest {
    /// Returns the digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl<const N: usize> Hex<N> {
    /// Returns the bytes.
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    /// Writes all digits at once: one call of the formatter for each byte takes many times as long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
        let digits = self.0.map(|byte| [digit(byte >> 4), digit(byte & 0xF)]);
        f.write_str(str::from_utf8(digits.as_flattened()).unwrap_or_default())
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.12}", self.to_string())
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        // Checked first, because `from_str_radix` also accepts capitals and signs.
        let is_lower_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        let pairs = text.as_bytes().chunks_exact(2).filter(|_| is_lower_hex && text.len() == 2 * N);
        let bytes: Vec<u8> = pairs.filter_map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()).collect();
        let bytes = bytes.try_into().ok();
        bytes.map(Self).ok_or_else(|| Unreadable::new("lower-case hexadecimal digits", text))
    }
}

/// The revision of a document: `sha256sum FILE` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Revision(pub(crate) Digest);

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

as_text!(Hex<16>, Hex<32>, Hex<64>, Revision, RevisionPrefix);
display_inner!(Revision, RevisionPrefix);
parse_inner!(Revision);
