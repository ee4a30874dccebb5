//! [`Refusal`]: why a part of a request cannot be made, with help as data.

use thiserror::Error;

use super::super::patch::PatchError;
use super::super::rewrite::Rejection;
use super::{Argument, Enough};
use crate::edit::{EditError, ItemFlaw, Overlap};
use crate::locate::{BulletTest, Code, Diagnostic, Fix, LocateError, Matches, SelectError, Target};
use crate::text::{Content, Span, visible};

/// How many owners are named of which one may be meant.
const KNOWN: usize = 8;

/// Why a part of a request cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Its place was not found exactly once.
    #[error("{0}")]
    Locate(#[from] LocateError),
    /// It was found another number of times than expected.
    #[error("{what} occurs {}{}, {expected} expected", times(matches.len()), inside(*inside_words))]
    CountMismatch {
        /// What was looked for.
        what: Target,
        /// How many were expected.
        expected: usize,
        /// How many of them lie inside of longer words or numbers.
        inside_words: usize,
        /// Where it was found.
        matches: Box<Matches>,
        /// The count that would be right.
        fix: Option<Box<Fix>>,
    },
    /// It names too little text to be sure of its place.
    #[error("what was sent is too little to be sure of the place: {enough}")]
    ContextTooThin {
        /// What would be enough.
        enough: Enough,
    },
    /// An argument has a value that no document could satisfy.
    #[error("{argument}: expected {expected}, found {found}")]
    InvalidArgument {
        /// The argument.
        argument: Argument,
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: Content,
    },
    /// A text is not the content of one bullet.
    #[error("{0}")]
    InvalidItem(#[from] ItemFlaw),
    /// Nothing that could be sent instead follows from it: what it asks for the document cannot become.
    #[error("{message}")]
    Impossible {
        /// The stable code.
        code: Code,
        /// Why, with the lines that are in the way.
        message: Content,
    },
    /// A text is no patch.
    #[error("{0}")]
    InvalidPatch(#[from] PatchError),
    /// Lines that are to be added have no place.
    #[error("nothing says where the new lines go")]
    NeedsAnchor {
        /// The sections that they could go to, and the line that they may be meant to follow.
        help: Box<Diagnostic>,
    },
    /// The text that a compaction would write does not pass the gate.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// Two parts change the same text.
    #[error("{0}")]
    Overlap(#[from] Overlap),
    /// Its place, or what surrounds it, is no longer what the editor saw.
    #[error("the text around this part has changed since it was seen{}", now_there(now))]
    Conflict {
        /// The bytes of the current document that are not what was seen.
        span: Option<Span>,
        /// The lines that now stand there, cut; empty if the place is gone.
        now: Content,
    },
    /// The guard refuses the result.
    #[error("{0}")]
    Edit(#[from] EditError),
}

impl From<SelectError> for Refusal {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::Locate(error) => error.into(),
            SelectError::BelowBase(index, base) => {
                let expected = if base == 0 { "an index of 0 or more" } else { "an index of 1 or more" };
                Self::invalid(Argument::Index, expected, index.to_string())
            }
            SelectError::NoList => {
                let expected = "a section or block beside the index, which counts its bullets";
                Self::invalid(Argument::Index, expected, "neither")
            }
            SelectError::EmptyText(BulletTest::StartsWith(_)) => {
                Self::invalid(Argument::StartsWith, "a text", "an empty text")
            }
            SelectError::EmptyText(_) => Self::invalid(Argument::Contains, "a text", "an empty text"),
        }
    }
}

fn now_there(now: &str) -> String {
    if now.is_empty() { String::new() } else { format!("; there is now `{}`", visible(now)) }
}

fn inside(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", {count} of them inside of a longer word or number") }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

impl Refusal {
    pub(crate) fn invalid(argument: Argument, expected: &'static str, found: impl Into<Content>) -> Self {
        Self::InvalidArgument { argument, expected, found: found.into() }
    }

    pub(crate) fn impossible(code: Code, message: impl Into<Content>) -> Self {
        Self::Impossible { code, message: message.into() }
    }

    /// Refuses a place of which nothing says which of these labels, or sections, owns what is written there.
    pub(crate) fn needs_anchor(mut known: Vec<Content>) -> Self {
        known.truncate(KNOWN);
        Self::NeedsAnchor { help: Box::new(Diagnostic { known, ..Diagnostic::default() }) }
    }

    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Locate(error) => error.code(),
            Self::CountMismatch { .. } => Code::CountMismatch,
            Self::ContextTooThin { .. } => Code::ContextTooThin,
            Self::InvalidArgument { .. } => Code::InvalidArguments,
            Self::InvalidPatch(_) => Code::InvalidPatch,
            Self::InvalidItem(flaw) => flaw.code,
            Self::Impossible { code, .. } => *code,
            Self::NeedsAnchor { .. } => Code::NeedsAnchor,
            Self::Rejected(rejection) => rejection.code(),
            Self::Overlap(_) => Code::OverlappingEdits,
            Self::Conflict { .. } => Code::Conflict,
            Self::Edit(error) => error.code(),
        }
    }

    /// Returns what helps, where nothing was found.
    pub const fn help(&self) -> Option<&Diagnostic> {
        match self {
            Self::Locate(error) => error.help(),
            Self::NeedsAnchor { help } => Some(help),
            _ => None,
        }
    }

    /// Returns the places that match, where there are several.
    pub const fn matches(&self) -> Option<&Matches> {
        match self {
            Self::Locate(error) => error.matches(),
            Self::CountMismatch { matches, .. } => Some(matches),
            _ => None,
        }
    }

    /// Returns the change of the request that makes it work.
    pub fn fix(&self) -> Option<&Fix> {
        match self {
            Self::CountMismatch { fix, .. } => fix.as_deref(),
            Self::InvalidArgument { argument: Argument::Ties, .. } => Some(&Fix::KeepTies),
            _ => self.help()?.fix.as_ref(),
        }
    }
}
