//! [`Unusable`]: what stands among the documents and cannot be one.

use std::fmt;

use super::name::NameRule;
use super::store_error::FileFlaw;

/// A file `….md` among the documents that cannot be one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// Its path in the directory of the documents.
    pub file: String,
    /// What is wrong with it.
    pub why: WhyUnusable,
}

/// Why a file cannot be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyUnusable {
    /// Its name is not one of a document, which must be this.
    Name(NameRule),
    /// It is this.
    File(FileFlaw),
}

impl fmt::Display for WhyUnusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(rule) => write!(f, "expected a document name {rule}"),
            Self::File(what) => fmt::Display::fmt(what, f),
        }
    }
}
