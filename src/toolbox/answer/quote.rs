//! [`Quote`]: a text of several lines in a reply, none of which passes for a line of the reply's own.

use std::fmt;

use serde::Serialize;

use crate::text::fenced;

/// A text that a reply shows. In JSON it is a string; among the reply's lines it begins on a line of its own.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(crate) enum Quote {
    /// Each line has a prefix, such as a number or the sign of a diff.
    Lines(String),
    /// It stands as it is, as the text that it is to be copied from, and is set in a fence.
    Verbatim(String),
}

impl fmt::Display for Quote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lines(text) => write!(f, "\n{}", text.trim_end_matches('\n')),
            Self::Verbatim(text) if text.is_empty() => Ok(()),
            Self::Verbatim(text) => write!(f, "\n{}", fenced("", text).trim_end_matches('\n')),
        }
    }
}
