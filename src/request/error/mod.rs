//! Why a request could not be planned: every failing part, and what of it cannot be used, or is lacking, by meaning. Tools have
//! names for it.

mod refusal;

pub use refusal::Refusal;

use std::fmt;

use thiserror::Error;

use crate::edit::Overlap;
use crate::locate::Code;
use crate::text::names;

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

names! {
    /// Something that a request is told, by the name that the tools have for it.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Argument {
        /// The text to be replaced.
        OldText = "`old_string`",
        /// The text to be added.
        NewText = "`text`",
        /// How often it occurs.
        Count = "`expected_replacements`",
        /// The index of a bullet, or of a place for one.
        Index = "`index`",
        /// A text that a bullet contains.
        Contains = "`contains`",
        /// A text that a bullet begins with.
        StartsWith = "`starts_with`",
        /// The edits of bullets.
        Edits = "`edits`",
        /// What names a bullet, or the list of a new one.
        Bullet = "`target`",
        /// The list of a new bullet, whose place is said apart.
        List = "`target` (the place goes into `to`)",
        /// The place of a bullet.
        Place = "`to`",
        /// The tags of a bullet.
        Tags = "`tags`",
        /// The bullets that are marked.
        Bullets = "`targets`",
        /// How long they are kept.
        Lifetime = "`ttl`",
        /// The operations on blocks.
        Operations = "`ops`",
        /// The block of one, by ID or title.
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
        /// What becomes of bullets that compare equal.
        Ties = "`keep_ties`",
        /// The key of a note, or the label of a block.
        NoteKey = "`key`",
    }
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
    #[error("an index needs the text beside it, as {0}")]
    TextBesideIndex(Argument),
}
