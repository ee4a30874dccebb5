//! [`RequestError`]: why a request could not be planned. It has every failing part with its [`Refusal`], such as an
//! [`Argument`] that is wrong or missing.

use std::fmt;

use thiserror::Error;

use super::patch::PatchError;
use super::rewrite::Rejection;
use crate::edit::{EditError, ItemFlaw, Overlap};
use crate::locate::{Code, Diagnostic, Fix, LocateError, Matches, Target};
use crate::text::{Content, names, visible};

/// A request that was refused. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    // Invariant: not empty.
    failures: Vec<Failure>,
}

impl fmt::Display for RequestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failures.first().map_or(Ok(()), |failure| failure.refusal.fmt(f))
    }
}

impl std::error::Error for RequestError {
    /// Returns the refusal of the first failing part.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.failures.first().map(|failure| &failure.refusal as _)
    }
}

impl<E> From<E> for RequestError
where
    Refusal: From<E>,
{
    /// Creates the error of a request with one part; of an overlap, that of its first part.
    fn from(error: E) -> Self {
        let refusal = Refusal::from(error);
        let part = if let Refusal::Overlap(overlap) = &refusal { overlap.first } else { 0 };
        Self::of(part, refusal)
    }
}

impl RequestError {
    /// Creates the error of one part.
    pub fn of(part: usize, refusal: impl Into<Refusal>) -> Self {
        Self { failures: vec![Failure { part, refusal: refusal.into() }] }
    }

    /// Creates the error of several parts; `None` if there are none.
    pub fn from_failures(mut failures: Vec<Failure>) -> Option<Self> {
        failures.sort_by_key(|failure| failure.part);
        failures.dedup();
        (!failures.is_empty()).then_some(Self { failures })
    }

    /// Returns the failing parts, in the request's order.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Returns the stable code of the first failing part.
    pub fn code(&self) -> Code {
        self.failures.first().map_or(Code::InvalidArguments, |failure| failure.refusal.code())
    }
}

/// One part of a request that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The index of the part, from 0.
    pub part: usize,
    /// Why it cannot be made.
    pub refusal: Refusal,
}

impl Failure {
    /// Creates the failure of a part.
    pub fn new(part: usize, refusal: impl Into<Refusal>) -> Self {
        Self { part, refusal: refusal.into() }
    }
}

names! {
    /// An argument of a request, by the name that the tools have for it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Argument {
        /// The text to be replaced.
        OldText = "`old_string`",
        /// The text to be added.
        NewText = "`text`",
        /// How often the text to be replaced must occur.
        Count = "`expected_replacements`",
        /// The index of a bullet, or of a place for one.
        Index = "`index`",
        /// A text that a bullet contains.
        Contains = "`contains`",
        /// A text that a bullet begins with.
        StartsWith = "`starts_with`",
        /// The edits of bullets.
        Edits = "`edits`",
        /// The selector of a bullet, or of the list of a new one.
        Bullet = "`target`",
        /// The selector of the list of a new bullet, if it wrongly names a place too.
        List = "`target` (a place in the list goes into `to`, as `index`, `after`, `before` or `under`)",
        /// The place of a bullet.
        Place = "`to`",
        /// The tags of a bullet.
        Tags = "`tags`",
        /// The bullets that are marked.
        Bullets = "`targets`",
        /// How long bullets are kept.
        Lifetime = "`ttl`",
        /// The operations on blocks.
        Operations = "`ops`",
        /// The block of an operation, by ID or title.
        Block = "`memory_id` or `category`",
        /// The text that is added to a block, or deleted.
        BlockText = "`sub_memory`",
        /// The text in a block that is updated.
        OldBlockText = "`old_sub_memory`",
        /// The place of a section.
        SectionPlace = "the place",
        /// The section that another moves into.
        Parent = "`under`",
        /// The section that another is merged into.
        IntoSection = "`target`",
        /// How large a rewritten text may be.
        Budget = "`budget_tokens`",
        /// The rewritten text.
        Candidate = "`candidate`",
        /// The section or block whose bullets are sorted.
        SortedList = "`section` or `block`",
        /// What bullets are sorted by.
        SortKey = "`by`",
        /// Whether bullets that compare equal keep their order.
        Ties = "`keep_ties`",
        /// The key of a note, or the label of a block.
        NoteKey = "`key`",
    }
}

/// The most labels or sections that a refusal offers as owners of a new line.
const MOST_OWNERS: usize = 8;

/// Why a part of a request cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Its place was not found exactly once.
    #[error("{0}")]
    Locate(#[from] LocateError),
    /// It was not found as often as expected.
    #[error("{what} occurs {}{}", times(matches.len()), wanted(*expected, *inside_words))]
    CountMismatch {
        /// What was looked for.
        what: Target,
        /// How many were expected; `None` if any number of whole words.
        expected: Option<usize>,
        /// How many of the matches are inside of longer words or numbers.
        inside_words: usize,
        /// Where it was found.
        matches: Box<Matches>,
        /// The count that would be right.
        fix: Option<Box<Fix>>,
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
    /// The document cannot be changed as requested.
    #[error("{message}")]
    Impossible {
        /// The stable code.
        code: Code,
        /// Why, with the lines that are in the way.
        message: Content,
        /// The change that makes the request work.
        fix: Option<Box<Fix>>,
    },
    /// A text is no patch.
    #[error("{0}")]
    InvalidPatch(#[from] PatchError),
    /// Lines that are to be added have no place.
    #[error("nothing says where the new lines go")]
    NeedsAnchor {
        /// The names of sections and labels that the lines could go to.
        help: Box<Diagnostic>,
        /// The labels below which they could go.
        labels: Option<Box<Matches>>,
    },
    /// The text that a compaction would write does not pass the gate.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// Two parts change the same text.
    #[error("{0}")]
    Overlap(#[from] Overlap),
    /// The guard refuses the result.
    #[error("{0}")]
    Edit(#[from] EditError),
}

/// Returns the end of the message: how many matches are inside of words, and how many were expected. `None` expects any
/// number of whole words.
fn wanted(expected: Option<usize>, inside: usize) -> String {
    let expected = expected.map_or_else(String::new, |expected| format!(", {expected} expected"));
    match inside {
        0 => expected,
        _ => format!("{expected}, {inside} of them inside of a longer word or number"),
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

impl Refusal {
    pub(crate) fn invalid(argument: Argument, expected: &'static str, found: impl Into<Content>) -> Self {
        Self::InvalidArgument { argument, expected, found: found.into() }
    }

    pub(crate) fn impossible(code: Code, message: impl Into<Content>) -> Self {
        Self::Impossible { code, message: message.into(), fix: None }
    }

    /// Refuses a request with too little text to be sure of its place. `enough` tells what it needs.
    pub(crate) fn too_thin(enough: &str) -> Self {
        let why = format!("what was sent is too little to be sure of the place: {enough}");
        Self::impossible(Code::ContextTooThin, why)
    }

    /// Refuses a part whose place, or the text around it, has changed since the editor saw it. `now` are the lines that are
    /// there now, if any.
    pub(crate) fn conflict(now: &str) -> Self {
        let there = if now.is_empty() { String::new() } else { format!("; there is now `{}`", visible(now)) };
        Self::impossible(Code::Conflict, format!("the text around this part has changed since it was seen{there}"))
    }

    /// Refuses new lines that several labels or sections could own. `known` are their names, and `labels` the places of
    /// labels.
    pub(crate) fn needs_anchor(mut known: Vec<Content>, labels: Option<Matches>) -> Self {
        known.truncate(MOST_OWNERS);
        Self::NeedsAnchor {
            help: Box::new(Diagnostic { known, ..Diagnostic::default() }),
            labels: labels.map(Box::new),
        }
    }

    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Locate(error) => error.code(),
            Self::CountMismatch { .. } => Code::CountMismatch,
            Self::InvalidArgument { .. } => Code::InvalidArguments,
            Self::InvalidPatch(_) => Code::InvalidPatch,
            Self::InvalidItem(flaw) => flaw.code,
            Self::Impossible { code, .. } => *code,
            Self::NeedsAnchor { .. } => Code::NeedsAnchor,
            Self::Rejected(rejection) => rejection.code(),
            Self::Overlap(_) => Code::OverlappingEdits,
            Self::Edit(error) => error.code(),
        }
    }

    /// Returns the help for a place that was not found.
    pub const fn help(&self) -> Option<&Diagnostic> {
        match self {
            Self::Locate(error) => error.help(),
            Self::NeedsAnchor { help, .. } => Some(help),
            _ => None,
        }
    }

    /// Returns the places that match, if there are several.
    pub const fn matches(&self) -> Option<&Matches> {
        match self {
            Self::Locate(error) => error.matches(),
            Self::CountMismatch { matches, .. } => Some(matches),
            Self::NeedsAnchor { labels: Some(labels), .. } => Some(labels),
            _ => None,
        }
    }

    /// Returns the change that makes the request work.
    pub fn fix(&self) -> Option<&Fix> {
        match self {
            Self::CountMismatch { fix, .. } | Self::Impossible { fix, .. } => fix.as_deref(),
            Self::InvalidArgument { argument: Argument::Ties, .. } => Some(&Fix::KeepTies),
            _ => self.help()?.fix.as_ref(),
        }
    }
}
