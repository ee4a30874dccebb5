//! [`Rejection`]: why a new text may not replace the old one, with the lines that it lacks.

use thiserror::Error;

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::EditError;
use crate::locate::Code;
use crate::text::{Content, Span, excerpt, visible};

/// The most lost lines that a message names.
pub(super) const NAMED: usize = 5;
/// The most characters that are shown of each.
const EXCERPT: usize = 120;

/// A line of the old text that the new text lacks, or a line of the new text that it must not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostLine {
    /// The line's number, from 1.
    pub line: usize,
    /// The whole text of the line, without marker and indentation.
    pub text: Content,
    /// The bullet, label or block below which the line must be, if that matters.
    pub under: Option<Content>,
}

impl LostLine {
    pub(super) fn bullet(bullet: BulletRef<'_>) -> Self {
        Self { line: bullet.line_number(), text: bullet.wording().into(), under: None }
    }

    /// Creates the line of a protected bullet, with what it must keep: its number, if that is part of the text, and its
    /// parent, label or block.
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

/// Why a new text may not replace the old one. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Rejection {
    /// The guard refuses it: reserved sections, IDs, required sections, characters, fences.
    #[error("{0}")]
    Edit(#[from] EditError),
    /// The new text lacks protected bullets or lines, or has changed them.
    #[error("the new text lacks {}: {}", plural(lost.len(), "pinned bullet"), named(lost))]
    PinnedLost {
        /// The bullets and lines that it lacks.
        lost: Vec<LostLine>,
    },
    /// The new text lacks something else that must stay, has something that it must not have, or is too large.
    #[error("{message}{}", conflict(*smallest))]
    Unfit {
        /// The stable code.
        code: Code,
        /// What is wrong with the text.
        message: Content,
        /// The smallest budget in tokens that can be met without losing too much, if the given budget is smaller.
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

    /// Creates the rejection of one line of the new text.
    pub(super) fn of_line(code: Code, lost: &LostLine, what: &str) -> Self {
        Self::unfit(code, format!("line {} of the new text {what}: {}", lost.line, quoted(&lost.text)))
    }

    /// Adds the smallest budget in tokens that can be met, if the text is rejected for loss or budget.
    pub(super) fn with_smallest(mut self, size: impl FnOnce() -> Option<usize>) -> Self {
        if let Self::Unfit { code: Code::LossTooHigh | Code::OverBudget, smallest, .. } = &mut self {
            *smallest = size();
        }
        self
    }
}

/// Returns a count with its noun.
pub(crate) fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn conflict(smallest: Option<usize>) -> String {
    let message =
        |tokens| format!("; the budget cannot be met without losing more, the smallest that can is {tokens} tokens");
    smallest.map(message).unwrap_or_default()
}

/// Lists the first of these lines for a message.
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
