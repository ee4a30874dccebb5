//! [`EditError`]: why an edit was refused.

use std::borrow::Cow;

use thiserror::Error;

use crate::document::Unit;
use crate::locate::Code;
use crate::text::{Content, Irregular, Revision, visible};

/// An edit that was refused. Nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// The edit was planned on another revision.
    #[error("the edit was planned on revision `{}`, the document is at `{}`", planned.short(), current.short())]
    StaleRevision {
        /// The revision that the edit was planned on.
        planned: Revision,
        /// The revision of the document.
        current: Revision,
    },
    /// A reserved section would change.
    #[error("{what} (`{section}`)")]
    ReservedSection {
        /// The reserved title.
        section: String,
        /// What would happen to it.
        what: Cow<'static, str>,
    },
    /// A pinned bullet would be changed, moved or removed, which only the host may do.
    #[error(
        "the bullet on line {line} is pinned, and only the host may change it, or what it stands below: `{}`",
        visible(text)
    )]
    Pinned {
        /// Its line, from 1.
        line: usize,
        /// Its content, cut to 80 characters.
        text: Content,
    },
    /// The text that would be written has a character that is not allowed, or would change the structure in a way that
    /// was not asked for.
    #[error("{0}")]
    InvalidText(Flaw),
    /// The document would grow over its hard limit.
    #[error("the document would have {would_be} {unit}, the limit is {limit}")]
    TooLarge {
        /// The unit of the sizes.
        unit: Unit,
        /// How large the document is.
        is: usize,
        /// How large it would be.
        would_be: usize,
        /// The hard limit.
        limit: usize,
    },
    /// A required section would be gone.
    #[error("section `{section}` is required and would be gone")]
    MissingSection {
        /// Its title.
        section: String,
    },
    /// Two blocks would have one ID.
    #[error("block ID `{id}` would stand on line {first} and on line {second}")]
    DuplicateId {
        /// The ID.
        id: Content,
        /// The line of the result, from 1, of the first block.
        first: usize,
        /// The line of the result, from 1, of the second block.
        second: usize,
    },
}

impl EditError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::StaleRevision { .. } => Code::StaleRevision,
            Self::ReservedSection { .. } => Code::ReservedSection,
            Self::Pinned { .. } => Code::Pinned,
            Self::InvalidText(_) => Code::InvalidText,
            Self::TooLarge { .. } => Code::TooLarge,
            Self::MissingSection { .. } => Code::MissingSection,
            Self::DuplicateId { .. } => Code::DuplicateId,
        }
    }
}

/// What is wrong with a text that would be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Flaw {
    /// It has a character that no edit may add, on this line of the result.
    #[error("the text would bring {0} into line {1}, a character that is invisible or ends lines")]
    Character(Irregular, usize),
    /// It would create a node of this kind, which was not asked for, on this line of the result.
    #[error("the text would make a {0} of line {1}, which was not asked for")]
    Gained(&'static str, usize),
    /// It would change the owner of this line of the document: the heading, block line, label, bullet or fence that the
    /// line belongs to. It does not write the line, or does not move it in the part that removes the owner.
    #[error("line {0} would belong to something else than now; to move it, write it in the same part as its owner")]
    ChangesHands(usize),
    /// It would join this line of the document, of which it replaces no character, to another line.
    #[error("line {0}, which the edit does not write, would be joined to another line")]
    Joined(usize),
    /// One part would write this line of the result into text that another part writes.
    #[error("line {0} of the result would belong to what another part of the request writes")]
    Between(usize),
    /// It would write prose on this line of the result, directly below a bullet.
    #[error(
        "line {0} of the result is prose directly below a bullet, which Markdown shows as a part of that bullet; begin it with `- ` to \
         make it a bullet, or put a blank line before it"
    )]
    BelowBullet(usize),
    /// It would open a fence on this line of the result and not close it, or HTML that hides lines below.
    #[error("the code fence, comment or HTML that begins on line {0} would not end before the lines below it")]
    OpenFence(usize),
    /// It would be part of an unclosed fence that starts on this line of the document.
    #[error("the text would be part of the code fence or comment opened on line {0}, which is not closed")]
    InOpenFence(usize),
    /// It would write this line of the result outside of the anchor of its hunk.
    #[error(
        "line {0} of the result would stand outside of its anchor; to write beside a bullet, name that by a context line, behind a \
         space, and not by `@@`"
    )]
    OutsideAnchor(usize),
    /// It would write prose on this line of the result, where only bullets were asked for.
    #[error("line {0} would be no part of a bullet")]
    Prose(usize),
    /// It would write another number of bullets than was asked for.
    #[error("the text would make {found} bullets, {promised} expected")]
    Bullets {
        /// How many were asked for.
        promised: usize,
        /// How many there would be.
        found: usize,
    },
}
