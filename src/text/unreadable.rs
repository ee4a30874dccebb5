//! [`Unreadable`]: a text that is not what it is read as.

use thiserror::Error;

use super::{Content, excerpt};

/// A text that is not what it is read as: a revision, a time, a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected {expected}, found `{found}`")]
#[non_exhaustive]
pub struct Unreadable {
    /// What could be read.
    pub expected: &'static str,
    /// What was given, cut to 80 characters.
    pub found: Content,
}

impl Unreadable {
    pub(crate) fn new(expected: &'static str, found: &str) -> Self {
        Self { expected, found: excerpt(found, 80).into() }
    }
}
