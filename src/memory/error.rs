//! Why a memory did not change.

use thiserror::Error;

use super::compaction::CompactorError;
use super::name::DocName;
use super::store_error::StoreError;
use crate::document::MemoryDoc;
use crate::edit::{Comparison, EditError};
use crate::locate::Code;
use crate::request::RequestError;
use crate::text::Revision;

/// A request that was refused, or a store that failed. Nothing has been changed, but for `Indeterminate`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The document is no longer at the revision that the editor saw.
    #[error("the edit is based on revision `{seen}` of `{document}`, which is now at `{}`", current.short())]
    StaleRevision {
        /// The document.
        document: DocName,
        /// The digits of the revision that the editor saw or named.
        seen: String,
        /// The current revision.
        current: Revision,
        /// Both texts, where the one that the editor saw is known.
        drift: Option<Drift>,
    },
    /// There is no such document, and it may not be created.
    #[error("there is no document `{document}`")]
    UnknownDocument {
        /// The document.
        document: DocName,
        /// The documents that there are.
        known: Vec<DocName>,
    },
    /// The request cannot be planned.
    #[error("{error}")]
    Request {
        /// The document.
        document: DocName,
        /// Every failing part.
        #[source]
        error: RequestError,
        /// For a request that could not be rebased, both texts.
        drift: Option<Drift>,
    },
    /// The host's compactor has no text for a compaction.
    #[error("the compactor failed: {error}")]
    HookFailed {
        /// The document.
        document: DocName,
        /// What it said.
        #[source]
        error: CompactorError,
    },
    /// The guard refuses the result.
    #[error("{error}")]
    Edit {
        /// The document.
        document: DocName,
        /// What is forbidden.
        #[source]
        error: EditError,
    },
    /// The result is too large, and no compaction that would make room for it was accepted.
    #[error("{error}; a compaction was tried to make room, and refused ({compaction})")]
    NoRoom {
        /// The document.
        document: DocName,
        /// How large it would be.
        #[source]
        error: EditError,
        /// The code of what was wrong with the compaction.
        compaction: Code,
    },
    /// Several documents' requests are refused; the first, and the others.
    #[error("{first}")]
    Several {
        /// The first refusal.
        #[source]
        first: Box<Self>,
        /// The refusals behind it.
        others: Vec<Self>,
    },
    /// One document is named twice in one commit.
    #[error("document `{document}` is named twice")]
    NamedTwice {
        /// The document.
        document: DocName,
    },
    /// Other writers were faster, again and again.
    #[error("`{document}` is being changed by others all the time")]
    Contended {
        /// The document.
        document: DocName,
    },
    /// The store failed; its state is as before.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// The store's answer was lost, or that of an earlier try of the same call may have been, and it could not be asked
    /// either: the commit may have been made or not.
    #[error("it is not known whether the change was made: {0}")]
    Indeterminate(#[source] StoreError),
}

/// What an editor believed a document to say, and what it says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Drift {
    /// The text that the editor saw, with its own edits made.
    pub believed: MemoryDoc,
    /// The text that stands there.
    pub current: MemoryDoc,
}

impl Drift {
    /// Returns what has changed.
    pub fn comparison(&self) -> Comparison<'_> {
        Comparison::between(&self.believed, &self.current)
    }
}

impl MemoryError {
    /// Joins the refusals of one commit; `None` if there are none.
    pub(super) fn joined(refusals: Vec<Self>) -> Option<Self> {
        let mut refusals = refusals.into_iter();
        let first = refusals.next()?;
        let others: Vec<_> = refusals.collect();
        Some(if others.is_empty() { first } else { Self::Several { first: Box::new(first), others } })
    }

    /// Returns the document whose request is refused, where one is.
    pub fn document(&self) -> Option<&DocName> {
        match self {
            Self::StaleRevision { document, .. }
            | Self::UnknownDocument { document, .. }
            | Self::Request { document, .. }
            | Self::Edit { document, .. }
            | Self::NoRoom { document, .. }
            | Self::HookFailed { document, .. }
            | Self::NamedTwice { document }
            | Self::Contended { document } => Some(document),
            Self::Several { first, .. } => first.document(),
            Self::Store(_) | Self::Indeterminate(_) => None,
        }
    }

    /// Returns what the editor has not seen, where a request is refused for it; of several documents, of the first.
    pub fn drift(&self) -> Option<&Drift> {
        match self {
            Self::StaleRevision { drift, .. } | Self::Request { drift, .. } => drift.as_ref(),
            Self::Several { first, .. } => first.drift(),
            _ => None,
        }
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::StaleRevision { .. } => Code::StaleRevision,
            Self::UnknownDocument { .. } => Code::UnknownDocument,
            Self::Request { error, .. } => error.code(),
            Self::HookFailed { .. } => Code::HookFailed,
            Self::Edit { error, .. } | Self::NoRoom { error, .. } => error.code(),
            Self::Several { first, .. } => first.code(),
            Self::NamedTwice { .. } => Code::InvalidArguments,
            Self::Contended { .. } => Code::Busy,
            Self::Store(error) => error.code(),
            Self::Indeterminate(_) => Code::Store,
        }
    }
}
