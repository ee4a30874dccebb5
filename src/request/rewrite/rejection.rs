//! Why the gate does not accept a text: what it lacks, by name, so that whoever wrote it can put it back.

use thiserror::Error;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::EditError;
use crate::text::{Size, Span, excerpt, visible};

/// How many lost lines a message names.
const NAMED: usize = 5;
/// How much of each, in characters.
const EXCERPT: usize = 120;

/// A line of the old text that the new one lacks, or one of the new text that it may not have.
#[derive(Clone, PartialEq, Eq)]
pub struct Lost {
    /// The line's number, from 1.
    pub line: usize,
    /// What stands there, without marker and indentation, whole.
    pub text: String,
}

impl std::fmt::Debug for Lost {
    /// Shows places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {:?}", self.line, Size(&self.text))
    }
}

impl Lost {
    pub(super) fn bullet(bullet: BulletRef<'_>) -> Self {
        Self { line: bullet.line_number(), text: bullet.wording() }
    }

    pub(super) fn line(doc: &MemoryDoc, line: Span) -> Self {
        Self { line: doc.line_number(line.start()), text: line.of(doc.text()).trim().to_owned() }
    }
}

/// Why a text is not accepted in the place of another. Nothing has been changed.
#[derive(Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The guard refuses it: reserved sections, IDs, required sections, characters, fences.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Pinned or otherwise protected bullets are not there, verbatim.
    #[error("the new text lacks {}: {}", counted(lost.len(), "pinned bullet"), named(lost))]
    PinnedLost {
        /// What is not there.
        lost: Vec<Lost>,
    },
    /// Blocks or lines of the front matter are not there.
    #[error("the new text lacks {}", ids(blocks, slots))]
    LostIds {
        /// The IDs of the blocks.
        blocks: Vec<String>,
        /// The lines of the front matter, slots as `name: value`.
        slots: Vec<String>,
    },
    /// A slot would be there twice, so that its value is a matter of chance.
    #[error("slot `{}` would stand on line {first} and on line {second}", visible(&excerpt(name, EXCERPT)))]
    DuplicateSlot {
        /// Its name.
        name: String,
        /// The line of the result, from 1, on which it stands first.
        first: usize,
        /// The line of the result, from 1, on which it stands again.
        second: usize,
    },
    /// It holds a placeholder for text that was left out.
    #[error("line {line} of the new text is a placeholder for text that is left out: `{}`", visible(&excerpt(text, EXCERPT)))]
    Omission {
        /// The line of the result, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// It pins a bullet that was not pinned, or not as often.
    #[error("line {line} of the new text pins what was not pinned: `{}`", visible(&excerpt(text, EXCERPT)))]
    PinAdded {
        /// The line of the result, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// Too much is gone: bullets that no other holds or cites, or bytes of text.
    #[error("{gone} of {} would be gone, {allowed} at most may go: {}", measured(*of, unit), named(lost))]
    LossTooHigh {
        /// What is counted: `unpinned bullets` or `bytes of unpinned text`.
        unit: &'static str,
        /// How many there are that are neither protected nor expired.
        of: usize,
        /// How many of them would be gone.
        gone: usize,
        /// How many of them may be gone.
        allowed: usize,
        /// What is gone.
        lost: Vec<Lost>,
    },
    /// It is larger than its budget.
    #[error("the new text has {used} {unit}, the budget is {budget}")]
    OverBudget {
        /// What is counted: `tokens` or `bytes`.
        unit: &'static str,
        /// How large it is.
        used: usize,
        /// The budget.
        budget: usize,
    },
}

impl std::fmt::Debug for Rejection {
    /// Shows kinds, places and sizes only: content never leaves by a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Rejection");
        shown.field("code", &self.code());
        match self {
            Self::Edit(error) => shown.field("error", error),
            Self::PinnedLost { lost } | Self::LossTooHigh { lost, .. } => shown.field("lost", lost),
            Self::LostIds { blocks, slots } => shown.field("blocks", &blocks.len()).field("slots", &slots.len()),
            Self::DuplicateSlot { first, second, .. } => shown.field("first", first).field("second", second),
            Self::Omission { line, .. } | Self::PinAdded { line, .. } => shown.field("line", line),
            Self::OverBudget { used, budget, .. } => shown.field("used", used).field("budget", budget),
        };
        shown.finish()
    }
}

impl Rejection {
    /// Returns the stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Edit(error) => error.code(),
            Self::PinnedLost { .. } | Self::PinAdded { .. } => "pinned_lost",
            Self::LostIds { .. } => "lost_ids",
            Self::DuplicateSlot { .. } => "duplicate_id",
            Self::Omission { .. } => "omission_placeholder",
            Self::LossTooHigh { .. } => "loss_too_high",
            Self::OverBudget { .. } => "over_budget",
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn measured(count: usize, unit: &str) -> String {
    match unit.strip_suffix('s').filter(|_| count == 1) {
        Some(one) => format!("1 {one}"),
        None => format!("{count} {unit}"),
    }
}

fn named(lost: &[Lost]) -> String {
    let mut named: Vec<_> = lost
        .iter()
        .take(NAMED)
        .map(|lost| format!("line {} `{}`", lost.line, visible(&excerpt(&lost.text, EXCERPT))))
        .collect();
    if lost.len() > NAMED {
        named.push(format!("and {} more", lost.len() - NAMED));
    }
    named.join(", ")
}

fn ids(blocks: &[String], slots: &[String]) -> String {
    let list = |names: &[String]| {
        let names = names.iter().take(NAMED).map(|name| format!("`{}`", visible(&excerpt(name, EXCERPT))));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut said = Vec::new();
    if !blocks.is_empty() {
        said.push(format!("{}: {}", counted(blocks.len(), "block ID"), list(blocks)));
    }
    if !slots.is_empty() {
        said.push(format!("{} of the front matter: {}", counted(slots.len(), "line"), list(slots)));
    }
    said.join(", and ")
}
