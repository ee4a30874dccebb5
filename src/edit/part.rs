//! What became of one part of a request: a hunk, an operation, a row.

use serde::Serialize;

use crate::locate::Rung;

/// One part of a request, as planned.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Part {
    /// Whether it changes anything.
    pub status: PartStatus,
    /// The rungs that it took to find its place.
    pub healed: Vec<Rung>,
    /// What the editor should know.
    pub warnings: Vec<Warning>,
}

impl Part {
    /// Creates a part without healing and warnings.
    pub const fn new(status: PartStatus) -> Self {
        Self { status, healed: Vec::new(), warnings: Vec::new() }
    }

    /// Adds the rungs that were needed.
    #[must_use]
    pub fn with_healed(mut self, healed: Vec<Rung>) -> Self {
        self.healed.extend(healed);
        self
    }
}

/// Whether a part changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartStatus {
    /// It changes the text.
    Applied,
    /// The wanted state is already there.
    AlreadyApplied,
    /// It asks for no change.
    NoChange,
}

/// Something that the editor should know, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The document had changed; the edit was planned anew and every part stands where it was meant.
    Rebased,
    /// The line numbers of a unified diff were ignored: places are found by their text.
    LineNumbersIgnored,
    /// The document has crossed its soft limit.
    NearLimit {
        /// What is counted: bytes or tokens.
        unit: &'static str,
        /// How much is used.
        used: usize,
        /// The hard limit.
        limit: usize,
        /// The lines of the largest bullets that are not pinned, from 1.
        largest: Vec<usize>,
    },
}

impl Warning {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Rebased => "rebased",
            Self::LineNumbersIgnored => "line_numbers_ignored",
            Self::NearLimit { .. } => "near_limit",
        }
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rebased => {
                f.write_str("the document had changed since you saw it; the edit was made where you meant it")
            }
            Self::LineNumbersIgnored => f.write_str("line numbers were ignored; places are found by their text"),
            Self::NearLimit { unit, used, limit, largest } => {
                write!(f, "the document uses {used} of {limit} {unit}")?;
                if !largest.is_empty() {
                    let lines: Vec<_> = largest.iter().map(ToString::to_string).collect();
                    let line = if lines.len() == 1 { "bullet is on line" } else { "bullets are on lines" };
                    write!(f, "; the largest unpinned {line} {}", lines.join(", "))?;
                }
                Ok(())
            }
        }
    }
}
