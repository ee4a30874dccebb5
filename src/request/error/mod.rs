//! Why a request could not be planned: every failing part.

mod argument;
mod refusal;

pub use argument::{Argument, Enough};
pub use refusal::Refusal;

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

impl std::fmt::Display for RequestError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
