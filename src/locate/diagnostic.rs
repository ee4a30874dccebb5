//! A place that was not found exactly once: the matches if there are several, else what helps.

use thiserror::Error;

use super::closest::Closest;
use super::code::Code;
use super::fix::Fix;
use super::matches::{COUNTED, Matches};
use super::reason::Reason;
use super::target::Target;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::Content;

/// What helps where nothing was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The lines most like the one sought, best first.
    pub closest: Vec<Closest>,
    /// Why the text was not found, where that can be told from more than the closest lines.
    pub reasons: Vec<Reason>,
    /// The names that there are, the first few, where a name was not found.
    pub known: Vec<Content>,
    /// The change that makes the request work.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// Says that what was sought stands at `offset` only, and how to name that place. None in a
    /// reserved section is named.
    pub(crate) fn elsewhere(
        doc: &MemoryDoc,
        offset: usize,
        fix: impl FnOnce(Option<SectionRef<'_>>) -> Option<Fix>,
    ) -> Self {
        let section = doc.section_at(offset);
        let (reason, fix) = match doc.reserved_section_at(offset) {
            Some(reserved) => (Reason::Reserved(reserved.name().into()), None),
            None => (Reason::elsewhere(doc.line_number(offset), section), fix(section)),
        };
        Self { reasons: vec![reason], fix, ..Self::default() }
    }
}

/// A place that was not found exactly once. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LocateError {
    /// No place matches.
    #[error("{what} was not found")]
    NotFound {
        /// What was sought.
        what: Target,
        /// What helps.
        help: Box<Diagnostic>,
    },
    /// Several places match, or places that share bytes.
    #[error("{what} matches {}{}", counted(what, matches), if matches.is_overlapping() { " that overlap one another" } else { "" })]
    Ambiguous {
        /// What was sought.
        what: Target,
        /// The places.
        matches: Box<Matches>,
    },
}

/// Words how many places match: lines are not looked for in more than so many where that takes too
/// long.
fn counted(what: &Target, matches: &Matches) -> String {
    let or_more = if matches!(what, Target::Lines(_)) && matches.len() == COUNTED { " or more" } else { "" };
    let places = if matches.len() == 1 { "place" } else { "places" };
    format!("{}{or_more} {places}", matches.len())
}

impl LocateError {
    /// Creates the error for something that is nowhere.
    pub(crate) fn not_found(what: Target, help: Diagnostic) -> Self {
        Self::NotFound { what, help: Box::new(help) }
    }

    /// Adds what helps to the error for something that is nowhere.
    pub(super) fn with_help(mut self, find: impl FnOnce() -> Diagnostic) -> Self {
        if let Self::NotFound { help, .. } = &mut self {
            **help = find();
        }
        self
    }

    /// Reports whether there is none, where there may be one.
    pub(crate) const fn is_absence(&self) -> bool {
        matches!(self, Self::NotFound { .. })
    }

    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::NotFound { .. } => Code::NotFound,
            Self::Ambiguous { .. } => Code::Ambiguous,
        }
    }

    /// Returns what helps where nothing was found.
    pub const fn help(&self) -> Option<&Diagnostic> {
        match self {
            Self::NotFound { help, .. } => Some(help),
            Self::Ambiguous { .. } => None,
        }
    }

    /// Returns the places where several match.
    pub const fn matches(&self) -> Option<&Matches> {
        match self {
            Self::Ambiguous { matches, .. } => Some(matches),
            Self::NotFound { .. } => None,
        }
    }
}
