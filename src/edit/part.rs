//! What became of one part of a request: a hunk, an operation, a row.

use serde::Serialize;

use crate::locate::Leniency;
use crate::text::{Content, names};

/// One part of a request, as planned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[must_use]
pub struct Part {
    /// Whether it changes anything.
    pub status: PartStatus,
    /// The leniencies that it took to find its place.
    pub healed: Vec<Leniency>,
    /// What the editor should know.
    pub warnings: Vec<Warning>,
    /// The ID of the block that it made, if the request left that open.
    pub made_block: Option<Content>,
}

impl Part {
    /// Creates a part without healing and warnings.
    pub const fn new(status: PartStatus) -> Self {
        Self { status, healed: Vec::new(), warnings: Vec::new(), made_block: None }
    }

    /// Adds the leniencies that were needed.
    pub fn with_healed(mut self, healed: Vec<Leniency>) -> Self {
        self.healed.extend(healed);
        self
    }

    /// Adds what the editor should know.
    pub fn with_warnings(mut self, warnings: impl IntoIterator<Item = Warning>) -> Self {
        self.warnings.extend(warnings);
        self
    }
}

names! {
    /// Whether a part changes anything.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PartStatus {
        /// It changes the text.
        Applied = "applied",
        /// The wanted state is already there.
        AlreadyApplied = "already_applied",
        /// It asks for no change.
        NoChange = "no_change",
    }
}

/// Something that the editor should know, though nothing is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Warning {
    /// The stable code.
    pub code: &'static str,
    /// What the editor should know.
    pub message: Content,
    /// The lines, from 1, that it is about, if it is about some.
    pub lines: Vec<usize>,
}

impl Warning {
    pub(crate) fn new(code: &'static str, message: impl Into<Content>) -> Self {
        Self { code, message: message.into(), lines: Vec::new() }
    }

    /// Says which lines it is about.
    pub(crate) fn about(self, lines: Vec<usize>) -> Self {
        Self { lines, ..self }
    }

    /// The document had changed, and the edit was merged with that.
    pub(crate) fn rebased() -> Self {
        Self::new("rebased", "the document had changed since you saw it; the edit was made where you meant it")
    }
}

/// Names lines by their numbers, ten at most.
pub(crate) fn named_lines(lines: &[usize]) -> String {
    let numbers = lines.iter().take(10).map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let more = if lines.len() > 10 { ", …" } else { "" };
    format!("{} {numbers}{more}", if lines.len() == 1 { "line" } else { "lines" })
}
