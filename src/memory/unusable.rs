//! [`Unusable`]: what stands among the documents and cannot be one.

use thiserror::Error;

use super::{FileFlaw, NameRule};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyUnusable {
    /// Its name is not one of a document, which must be this.
    #[error("expected a document name {0}")]
    Name(NameRule),
    /// It is this.
    #[error("{0}")]
    File(FileFlaw),
}
