//! Names of documents, which become names of files.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::text::{Content, excerpt};
use serde::{Deserialize, Serialize};

/// The name of a document: 1 to 64 ASCII letters, digits, `-` and `_`, beginning with a letter or digit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocName(String);

impl DocName {
    /// The default document.
    pub fn memory() -> Self {
        Self("memory".to_owned())
    }

    /// The document of the core blocks, a section each.
    pub fn core() -> Self {
        Self("core".to_owned())
    }

    /// The document of the notes, a section each.
    pub fn notes() -> Self {
        Self("notes".to_owned())
    }

    /// The document that logs what was written to the notes.
    pub fn activity() -> Self {
        Self("activity".to_owned())
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reports whether tools may create this document without being allowed to create others.
    pub fn is_built_in(&self) -> bool {
        matches!(self.as_str(), "memory" | "core" | "notes" | "activity")
    }
}

impl fmt::Display for DocName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that cannot name a document.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a document name of 1 to 64 ASCII letters, digits, `-` and `_`, found `{found}`")]
pub struct InvalidDocName {
    /// What was given, cut to 80 characters.
    pub found: Content,
}

impl TryFrom<&str> for DocName {
    type Error = InvalidDocName;

    fn try_from(name: &str) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl AsRef<str> for DocName {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl TryFrom<String> for DocName {
    type Error = InvalidDocName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<DocName> for String {
    fn from(name: DocName) -> Self {
        name.to_string()
    }
}

impl FromStr for DocName {
    type Err = InvalidDocName;

    fn from_str(name: &str) -> Result<Self, InvalidDocName> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let begins_well = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if begins_well && name.len() <= 64 && name.bytes().all(is_plain) && !is_device(name) {
            Ok(Self(name.to_owned()))
        } else {
            Err(InvalidDocName { found: excerpt(name, 80).into() })
        }
    }
}

/// Reports whether Windows takes a file of this name, with any extension, for a device.
fn is_device(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let numbered =
        |prefix: &str| name.strip_prefix(prefix).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']));
    matches!(name.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}
