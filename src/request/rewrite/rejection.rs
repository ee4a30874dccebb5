//! Why the gate does not accept a text: what it lacks, by name, so that whoever wrote it can put it back.

use thiserror::Error;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::EditError;
use crate::locate::Code;
use crate::text::{Content, Span, excerpt, visible};

/// How many lost lines a message names.
pub(super) const NAMED: usize = 5;
/// How much of each, in characters.
const EXCERPT: usize = 120;

/// A line of the old text that the new one lacks, or one of the new text that it may not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostLine {
    /// The line's number, from 1.
    pub line: usize,
    /// What stands there, without marker and indentation, whole.
    pub text: Content,
    /// The bullet, label or block that it has to stand below, where that matters.
    pub under: Option<Content>,
}

impl LostLine {
    pub(super) fn bullet(bullet: BulletRef<'_>) -> Self {
        Self { line: bullet.line_number(), text: bullet.wording().into(), under: None }
    }

    /// Tells a protected bullet with all that it must keep: its number, if that says something, its block, and the bullet or
    /// label that it stands below.
    pub(super) fn pinned(bullet: BulletRef<'_>, number: Option<&str>) -> Self {
        let own = Self::bullet(bullet);
        let text = number.map_or(own.text.clone(), |number| format!("{number} {}", own.text).into());
        let parent = bullet.parent().map(|parent| parent.wording().into());
        let label = || bullet.label().map(|label| label.line_text().trim().into());
        let block = || bullet.block().map(|block| block.line_text().trim().into());
        Self { text, under: parent.or_else(label).or_else(block), ..own }
    }

    pub(super) fn line(doc: &MemoryDoc, line: Span) -> Self {
        Self { line: doc.line_number(line.start()), text: line.of(doc.text()).trim().into(), under: None }
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
    /// It lacks what must be there, holds what must not, or is too large.
    #[error("{message}{}", conflict(*smallest))]
    Unfit {
        /// The stable code.
        code: Code,
        /// What is wrong with it.
        message: Content,
        /// The smallest budget in tokens that can be met without losing too much, if the budget is smaller.
        smallest: Option<usize>,
    },
}

impl Rejection {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Edit(error) => error.code(),
            Self::PinnedLost { .. } => Code::PinnedLost,
            Self::Unfit { code, .. } => *code,
        }
    }

    pub(super) fn unfit(code: Code, message: impl Into<Content>) -> Self {
        Self::Unfit { code, message: message.into(), smallest: None }
    }

    /// Refuses a line of the new text.
    pub(super) fn of_line(code: Code, lost: &LostLine, what: &str) -> Self {
        Self::unfit(code, format!("line {} of the new text {what}: {}", lost.line, quoted(&lost.text)))
    }

    /// Tells the smallest budget in tokens that can be met, where budget and loss cannot both be.
    pub(super) fn with_smallest(mut self, size: impl FnOnce() -> Option<usize>) -> Self {
        if let Self::Unfit { code: Code::LossTooHigh | Code::OverBudget, smallest, .. } = &mut self {
            *smallest = size();
        }
        self
    }
}

pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn conflict(smallest: Option<usize>) -> String {
    let told =
        |tokens| format!("; the budget cannot be met without losing more, the smallest that can is {tokens} tokens");
    smallest.map(told).unwrap_or_default()
}

/// Names the first of the lines.
pub(super) fn named(lost: &[LostLine]) -> String {
    let line = |lost: &LostLine| {
        let under = lost.under.as_ref().map(|under| format!(" below {}", quoted(under)));
        format!("line {} {}{}", lost.line, quoted(&lost.text), under.unwrap_or_default())
    };
    let mut named: Vec<_> = lost.iter().take(NAMED).map(line).collect();
    if lost.len() > NAMED {
        named.push(format!("and {} more", lost.len() - NAMED));
    }
    named.join(", ")
}

pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", visible(&excerpt(text, EXCERPT)))
}
