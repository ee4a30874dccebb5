//! Why the gate does not accept a text: what it lacks, by name, so that whoever wrote it can put it back.

use thiserror::Error;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::EditError;
use crate::locate::Code;
use crate::text::{Content, Excess, Span, excerpt, visible};

/// How many lost lines a message names.
const NAMED: usize = 5;
/// How much of each, in characters.
const EXCERPT: usize = 120;

/// A line of the old text that the new one lacks, or one of the new text that it may not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostLine {
    /// The line's number, from 1.
    pub line: usize,
    /// What stands there, without marker and indentation, whole.
    pub text: Content,
    /// What the bullet has to be nested in, where that matters.
    pub under: Option<Content>,
    /// The ID of the block that the bullet has to stay in, where that is there.
    pub block: Option<Content>,
}

impl LostLine {
    pub(super) fn bullet(bullet: BulletRef<'_>) -> Self {
        Self { line: bullet.line_number(), text: bullet.wording().into(), under: None, block: None }
    }

    /// Tells a protected bullet with all that it must keep: its number, if that says something, its block, and the bullet or
    /// label that it stands below.
    pub(super) fn pinned(bullet: BulletRef<'_>, number: Option<&str>) -> Self {
        let own = Self::bullet(bullet);
        let label = || bullet.label().map(|label| label.line_text().trim().into());
        Self {
            text: number.map_or(own.text.clone(), |number| format!("{number} {}", own.text).into()),
            under: bullet.parent().map(|parent| parent.wording().into()).or_else(label),
            block: bullet.block().map(|block| block.id().into()),
            ..own
        }
    }

    pub(super) fn line(doc: &MemoryDoc, line: Span) -> Self {
        Self { line: doc.line_number(line.start()), text: line.of(doc.text()).trim().into(), under: None, block: None }
    }
}

/// Why a text is not accepted in the place of another. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The guard refuses it: reserved sections, IDs, required sections, characters, fences.
    #[error("{0}")]
    Edit(#[from] EditError),
    /// Pinned or otherwise protected bullets are not there, verbatim.
    #[error("the new text lacks {}: {}", counted(lost.len(), "pinned bullet"), named(lost))]
    PinnedLost {
        /// What is not there.
        lost: Vec<LostLine>,
    },
    /// Blocks or lines of the front matter are not there.
    #[error("the new text lacks {}", ids(blocks, slots))]
    LostIds {
        /// The lines that name the blocks.
        blocks: Vec<Content>,
        /// The lines of the front matter, slots as `name: value`.
        slots: Vec<Content>,
    },
    /// A slot would be there twice, so that its value is a matter of chance.
    #[error("slot `{}` would stand on line {first} and on line {second}", visible(&excerpt(name, EXCERPT)))]
    DuplicateSlot {
        /// Its name.
        name: Content,
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
        text: Content,
    },
    /// It pins a bullet that was not pinned, or not as often.
    #[error("line {line} of the new text pins what was not pinned: `{}`", visible(&excerpt(text, EXCERPT)))]
    PinAdded {
        /// The line of the result, from 1.
        line: usize,
        /// What it says.
        text: Content,
    },
    /// New prose stands above the first heading.
    #[error("line {line} of the new text is new and stands above the first heading: `{}`", visible(&excerpt(text, EXCERPT)))]
    Preface {
        /// The line of the result, from 1.
        line: usize,
        /// What it says.
        text: Content,
    },
    /// Too much is gone: bullets that no other stands for, or bytes of text.
    #[error("{gone} of {}{} would be gone, {allowed} at most may go: {}{}", unit.measured(*of),
        if *is_since_earlier { " of the text before the first rewrite of the last 24 hours" } else { "" },
        named(lost), conflict(*smallest))]
    LossTooHigh {
        /// What is counted.
        unit: LossUnit,
        /// How many there are that are neither protected nor expired.
        of: usize,
        /// How many of them would be gone.
        gone: usize,
        /// How many of them may be gone.
        allowed: usize,
        /// What is gone.
        lost: Vec<LostLine>,
        /// Whether it is measured against the text before the first rewrite of the last 24 hours.
        is_since_earlier: bool,
        /// The smallest budget in tokens that can be met without losing too much, if the budget is smaller.
        smallest: Option<usize>,
    },
    /// It is larger than its budget.
    #[error("the new text has {} {}, the budget is {}{}", excess.used, excess.unit, excess.limit, conflict(*smallest))]
    OverBudget {
        /// By what it is too large.
        excess: Excess,
        /// The smallest budget in tokens that can be met without losing too much, if the budget is smaller.
        smallest: Option<usize>,
    },
}

/// What of a text is counted that a compaction drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, derive_more::Display)]
#[non_exhaustive]
pub enum LossUnit {
    /// Bullets that are not pinned.
    #[display("unpinned bullets")]
    Bullets,
    /// Bytes of text that is not pinned, bullets and all else.
    #[display("bytes of unpinned text")]
    Bytes,
}

impl LossUnit {
    fn measured(self, count: usize) -> String {
        match self {
            Self::Bullets => counted(count, "unpinned bullet"),
            Self::Bytes => format!("{} of unpinned text", counted(count, "byte")),
        }
    }
}

impl Rejection {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Edit(error) => error.code(),
            Self::PinnedLost { .. } | Self::PinAdded { .. } => Code::PinnedLost,
            Self::LostIds { .. } => Code::LostIds,
            Self::DuplicateSlot { .. } => Code::DuplicateId,
            Self::Omission { .. } => Code::OmissionPlaceholder,
            Self::LossTooHigh { .. } => Code::LossTooHigh,
            Self::OverBudget { .. } => Code::OverBudget,
            Self::Preface { .. } => Code::InvalidText,
        }
    }

    /// Tells that the loss is measured against the text before the first rewrite of the last 24 hours.
    pub(super) fn since_earlier(mut self) -> Self {
        if let Self::LossTooHigh { is_since_earlier, .. } = &mut self {
            *is_since_earlier = true;
        }
        self
    }

    /// Tells the smallest budget in tokens that can be met, where budget and loss cannot both be.
    pub(super) fn with_smallest(mut self, size: impl FnOnce() -> Option<usize>) -> Self {
        if let Self::LossTooHigh { smallest, .. } | Self::OverBudget { smallest, .. } = &mut self {
            *smallest = size();
        }
        self
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn conflict(smallest: Option<usize>) -> String {
    let told =
        |tokens| format!("; the budget cannot be met without losing more, the smallest that can is {tokens} tokens");
    smallest.map(told).unwrap_or_default()
}

fn named(lost: &[LostLine]) -> String {
    let mut named: Vec<_> = lost
        .iter()
        .take(NAMED)
        .map(|lost| {
            let shown = |text: &Content| format!("`{}`", visible(&excerpt(text, EXCERPT)));
            let under = lost.under.as_ref().map(|under| format!(" below {}", shown(under)));
            format!("line {} {}{}", lost.line, shown(&lost.text), under.unwrap_or_default())
        })
        .collect();
    if lost.len() > NAMED {
        named.push(format!("and {} more", lost.len() - NAMED));
    }
    named.join(", ")
}

fn ids(blocks: &[Content], slots: &[Content]) -> String {
    let list = |names: &[Content]| {
        let names = names.iter().take(NAMED).map(|name| format!("`{}`", visible(&excerpt(name, EXCERPT))));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut said = Vec::new();
    if !blocks.is_empty() {
        let which = if blocks.len() == 1 { "names a block" } else { "name blocks" };
        said.push(format!("{} that {which}: {}", counted(blocks.len(), "line"), list(blocks)));
    }
    if !slots.is_empty() {
        said.push(format!("{} of the front matter: {}", counted(slots.len(), "line"), list(slots)));
    }
    said.join(", and ")
}
