//! Why a request could not be planned: every failing part, and what of it cannot be used, or is lacking, by meaning. Tools have
//! names for it.

mod refusal;

pub use refusal::Refusal;

use std::fmt;

use thiserror::Error;

use crate::edit::Overlap;
use crate::locate::Code;

/// A request that was refused. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    // Invariant: not empty.
    failures: Vec<Failure>,
    /// How many parts the request has, where each is to be accounted for.
    parts: Option<usize>,
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

impl From<Refusal> for RequestError {
    /// Takes a request of one part.
    fn from(refusal: Refusal) -> Self {
        Self::of(0, refusal)
    }
}

impl From<Overlap> for RequestError {
    fn from(overlap: Overlap) -> Self {
        Self::of(overlap.first, overlap)
    }
}

impl RequestError {
    /// Creates the error of one part.
    pub fn of(part: usize, refusal: impl Into<Refusal>) -> Self {
        Self { failures: vec![Failure { part, refusal: refusal.into() }], parts: None }
    }

    /// Creates the error of several parts; `None` if there are none.
    pub fn from_failures(failures: Vec<Failure>) -> Option<Self> {
        (!failures.is_empty()).then_some(Self { failures, parts: None })
    }

    /// Says how many parts the request has, for a reply that accounts for each.
    #[must_use]
    pub const fn among(mut self, parts: usize) -> Self {
        self.parts = Some(parts);
        self
    }

    /// Returns how many parts the request has, where each is to be accounted for.
    pub const fn parts(&self) -> Option<usize> {
        self.parts
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

/// Something that a request is told, by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Argument {
    /// The text to be replaced.
    OldText,
    /// The text to be added.
    NewText,
    /// How often it occurs.
    Count,
    /// The index of a bullet, or of a place for one.
    Index,
    /// A text that a bullet contains.
    Contains,
    /// A text that a bullet begins with.
    StartsWith,
    /// The edits of bullets.
    Edits,
    /// What names a bullet, or the list of a new one.
    Bullet,
    /// The list of a new bullet, whose place is said apart.
    List,
    /// The place of a bullet.
    Place,
    /// The tags of a bullet.
    Tags,
    /// The bullets that are marked.
    Bullets,
    /// How long they are kept.
    Lifetime,
    /// The operations on blocks.
    Operations,
    /// The block of one, by ID or title.
    Block,
    /// The text that is added to a block, or deleted.
    BlockText,
    /// The text in a block that is updated.
    OldBlockText,
    /// The place of a section.
    SectionPlace,
    /// The section that another moves into.
    Parent,
    /// The section that another is merged into.
    IntoSection,
    /// How large a rewritten text may be.
    Budget,
    /// The rewritten text.
    Candidate,
    /// The section or block whose bullets are sorted.
    SortedList,
    /// What bullets are sorted by.
    SortKey,
    /// What becomes of bullets that compare equal.
    Ties,
    /// The key of a note, or the label of a block.
    NoteKey,
}

/// What would be enough to be sure of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Enough {
    /// So many lines, a heading with two neighbors, or a whole line of a section that is named.
    #[error(
        "this memory asks for at least {0} lines, or a heading and two neighbors, or a whole line with its section named"
    )]
    Lines(usize),
    /// Beside an index, what its editor saw there; else another name of the bullet.
    #[error("an index needs what was seen there beside it, or a key or a text instead")]
    BesideIndex,
    /// Beside a text, what its editor saw there; else a key or a unique tag.
    #[error("this memory asks for what was seen there, a key or a unique tag")]
    BesideText,
    /// Beside an index, the text of the bullet, told as this.
    #[error("an index needs the text beside it")]
    TextBesideIndex(Argument),
}
