//! Why a session does not do what was asked.

use thiserror::Error;

use super::Letter;
use crate::locate::Code;
use crate::memory::{DocName, MemoryError};

/// A change that was not staged, or not taken out again. The session is as before.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// The edit is refused on the document with the pending changes made.
    #[error(transparent)]
    Refused(#[from] MemoryError),
    /// The document is not open in the session.
    #[error("`{document}` is not open in the session")]
    NotOpen {
        /// The document.
        document: DocName,
    },
    /// There are as many changes as there may be, or the letters are used up.
    #[error("{} pending, or {} been, and there can be no more in one session",
        if *limit == 1 { "1 change is".to_owned() } else { format!("{limit} changes are") },
        if *limit == 1 { "has" } else { "have" })]
    TooMany {
        /// How many there may be.
        limit: usize,
    },
    /// No pending change has this letter.
    #[error("there is no pending change {letter}")]
    UnknownChange {
        /// The letter.
        letter: Letter,
    },
    /// A later change builds on the one that is to go: it changes the same lines, or is refused without it.
    #[error("change {by} builds on change {letter}")]
    BuiltOn {
        /// The change that is to go.
        letter: Letter,
        /// The change that builds on it.
        by: Letter,
    },
    /// An edit that is made beside the session changes lines that a pending change changes, or what they stand below.
    #[error("change {letter} of the open session changes the same text")]
    Overlaps {
        /// The change.
        letter: Letter,
    },
}

impl SessionError {
    /// Returns the change that must go before the one that is to go.
    pub(crate) const fn later(&self) -> Option<Letter> {
        match self {
            Self::BuiltOn { by, .. } => Some(*by),
            _ => None,
        }
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(error) => error.code(),
            Self::NotOpen { .. } => Code::UnknownDocument,
            Self::TooMany { .. } => Code::TooManyChanges,
            Self::UnknownChange { .. } => Code::UnknownChange,
            Self::BuiltOn { .. } | Self::Overlaps { .. } => Code::Conflict,
        }
    }
}
