//! [`MemoryError`]: why a memory did not change; [`StoreError`]: why a store cannot be read or written; [`Unusable`]:
//! a file among the documents that cannot be read as a document.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::document::MemoryDoc;
use crate::edit::EditError;
use crate::locate::Code;
use crate::memory::DocName;
use crate::memory::journal::Seq;
use crate::request::{Refusal, RequestError};
use crate::text::Content;

/// A request that was refused, or a store that failed. Nothing has been changed, but for `Indeterminate`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The document is no longer at the revision that the editor saw.
    #[error("the edit is based on revision `{seen}` of `{document}`, which is now at `{}`", current.revision().short())]
    StaleRevision {
        /// The document.
        document: DocName,
        /// The digits of the revision that the editor saw or named.
        seen: String,
        /// The document as it stands.
        current: MemoryDoc,
    },
    /// Others have changed the document since the editor saw it, and the edit cannot be carried over to the current
    /// text.
    #[error("{error}")]
    NotRebased {
        /// The document.
        document: DocName,
        /// Every part that is in conflict.
        #[source]
        error: RequestError,
        /// The document as it stands.
        current: MemoryDoc,
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
    /// Several documents' requests are refused; the first, and the others.
    #[error("{first}")]
    Several {
        /// The first refusal.
        #[source]
        first: Box<Self>,
        /// The refusals after it.
        others: Vec<Self>,
    },
    /// There is a document of this name already.
    #[error("there is a document `{0}` already")]
    DocumentExists(DocName),
    /// Other writers were faster, again and again.
    #[error("`{0}` is being changed by others all the time")]
    Contended(DocName),
    /// Refused for another reason, which `code` and `message` give: for example, there is no such entry, or the host's
    /// compactor failed.
    #[error("{message}")]
    Refused {
        /// The document, where the reason is one of a document.
        document: Option<DocName>,
        /// The stable code.
        code: Code,
        /// What is in the way.
        message: Content,
    },
    /// The host's policy refuses what was to be written. Nothing has been changed.
    #[error("the host's policy refuses this: {reason}{}", if quarantined.is_some() { "; it is kept for the host to look at" } else { "" })]
    RefusedByPolicy {
        /// The document; `None` for an entry beside the documents.
        document: Option<DocName>,
        /// Why, in the words of the policy.
        reason: Content,
        /// The entry that keeps it, if it is kept.
        quarantined: Option<Seq>,
    },
    /// The store failed; its state is as before.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// It is not known whether the commit was made. The store's answer was lost, or that to an earlier attempt of the
    /// same request, and the store could not tell when it was asked afterwards.
    #[error("it is not known whether the change was made: {0}")]
    Indeterminate(#[source] StoreError),
}

impl MemoryError {
    pub(crate) fn refused(code: Code, message: impl Into<Content>) -> Self {
        Self::Refused { document: None, code, message: message.into() }
    }

    /// Returns the refusal of a change that cannot be carried over to what others have made of the document.
    pub(crate) fn overtaken(document: &DocName, current: MemoryDoc) -> Self {
        Self::NotRebased { document: document.clone(), error: RequestError::of(0, Refusal::conflict("")), current }
    }

    /// Returns a refusal that concerns a document.
    pub(super) fn refused_in(document: &DocName, code: Code, message: impl Into<Content>) -> Self {
        Self::Refused { document: Some(document.clone()), code, message: message.into() }
    }

    /// Returns the error for an entry that is not in the journal.
    pub(super) fn unknown_entry(entry: Seq) -> Self {
        Self::refused(Code::UnknownEntry, format!("entry {entry} does not exist, or this call cannot use it"))
    }

    /// Returns the error for an entry that is needed and was erased.
    pub(super) fn erased(entry: Seq) -> Self {
        Self::refused(Code::Redacted, format!("what entry {entry} said was erased"))
    }

    /// Returns the error for an entry that does not fit those before it: the journal was tampered with, or damaged.
    pub(super) fn broken_chain(entry: Seq) -> Self {
        Self::refused(Code::ChainBroken, format!("entry {entry} does not fit the entries before it"))
    }

    /// Returns the refusal of a request about a document, as its only failing part.
    pub(crate) fn of(document: DocName, refusal: impl Into<Refusal>) -> Self {
        Self::Request { document, error: RequestError::of(0, refusal.into()) }
    }

    /// Returns the document whose request is refused, if there is one.
    pub fn document(&self) -> Option<&DocName> {
        match self {
            Self::StaleRevision { document, .. }
            | Self::NotRebased { document, .. }
            | Self::DocumentExists(document)
            | Self::UnknownDocument { document, .. }
            | Self::Request { document, .. }
            | Self::Edit { document, .. }
            | Self::Contended(document) => Some(document),
            Self::Refused { document, .. } | Self::RefusedByPolicy { document, .. } => document.as_ref(),
            Self::Several { first, .. } => first.document(),
            _ => None,
        }
    }

    /// Returns the refusal of each document that is refused.
    pub fn of_each_document(&self) -> Vec<&Self> {
        match self {
            Self::Several { first, others } => [&**first].into_iter().chain(others).collect(),
            only => vec![only],
        }
    }

    /// Returns the current document, if the request is refused because the document has changed since the editor saw
    /// it (`StaleRevision`, `NotRebased`). If several documents are refused, only the first counts.
    pub fn unseen(&self) -> Option<&MemoryDoc> {
        match self {
            Self::StaleRevision { current, .. } | Self::NotRebased { current, .. } => Some(current),
            Self::Several { first, .. } => first.unseen(),
            _ => None,
        }
    }

    /// Returns the stable code.
    pub fn code(&self) -> Code {
        match self {
            Self::StaleRevision { .. } => Code::StaleRevision,
            Self::UnknownDocument { .. } => Code::UnknownDocument,
            Self::Request { error, .. } | Self::NotRebased { error, .. } => error.code(),
            Self::Edit { error, .. } => error.code(),
            Self::Several { first, .. } => first.code(),
            Self::DocumentExists { .. } => Code::InvalidArguments,
            Self::RefusedByPolicy { .. } => Code::RefusedByPolicy,
            Self::Refused { code, .. } => *code,
            Self::Contended { .. } => Code::Busy,
            Self::Store(error) => error.code(),
            Self::Indeterminate(_) => Code::Indeterminate,
        }
    }
}

/// A store that cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("could not {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried, as a verb: `read`.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Another process holds the lock.
    #[error("`{}` is locked by another process", path.display())]
    Busy {
        /// The lock's file.
        path: PathBuf,
    },
    /// Others keep changing a document, or its file has not been missing for long enough to count as deleted.
    #[error("`{}` is being changed, or was removed just now", .0.display())]
    Unsettled(PathBuf),
    /// A file is not what the store writes.
    #[error("`{}` is {what}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: FileFlaw,
    },
    /// Some systems ignore letter case in the names of files: this document and another one would be one file there.
    #[error("`{name}` differs from the document `{other}` in letter case only")]
    NameTaken {
        /// The name.
        name: DocName,
        /// The document that there is.
        other: DocName,
    },
    /// The text of a document after this entry cannot be computed: this entry, or one before it, was redacted or
    /// damaged.
    #[error("the text that entry {0} made cannot be told: the journal was redacted or damaged")]
    NotReplayable(Seq),
    /// The attempt comes too late: the store was asked about it before, and answered that it was not made. That
    /// answer is final.
    #[error("the commit was given up before it was made")]
    Fenced,
    /// A relation of a database cannot be used. Nothing has been changed.
    #[error("could not {action} `{relation}`: {source}")]
    Relation {
        /// What was tried, as a verb: `read`.
        action: &'static str,
        /// On which relation.
        relation: Box<str>,
        /// What the server said, or why it said nothing.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Others hold a relation of a database, or its server is too slow. Nothing has been changed.
    #[error("`{relation}` is not to be had now: {source}")]
    Held {
        /// The relation.
        relation: Box<str>,
        /// What the server said, or what it did not say in time.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer to a commit was lost, or says that the commit may not be durable.
    #[error("the answer to a commit to `{relation}` was lost: {source}")]
    Lost {
        /// The relation.
        relation: Box<str>,
        /// What was said last.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A store of the host's own failed.
    #[error("{0}")]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
}

/// Returns a function that makes a [`StoreError`] of an error of the system. `action` and `path` say what failed.
pub(super) fn failed(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io { action, path, source }
}

impl StoreError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Busy { .. } | Self::Unsettled { .. } | Self::Held { .. } => Code::Busy,
            Self::NameTaken { .. } => Code::InvalidArguments,
            _ => Code::Store,
        }
    }

    /// Returns the message without paths, servers and users, for a model: it may repeat the message to anybody.
    pub fn without_paths(&self) -> String {
        let message = self.to_string();
        match self {
            Self::Io { path, .. } | Self::Busy { path } | Self::Unsettled(path) | Self::Unusable { path, .. } => {
                message.replacen(&format!("`{}`", path.display()), &file_name(path), 1)
            }
            Self::Relation { source, .. } | Self::Held { source, .. } | Self::Lost { source, .. } => {
                message.strip_suffix(&format!(": {source}")).unwrap_or_default().to_owned()
            }
            _ => message,
        }
    }
}

/// Returns the name of a document's file. All other files are the store's own; their names mean nothing to a model.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().display().to_string();
    match name.ends_with(".md") && !name.starts_with('.') {
        true => format!("`{name}`"),
        false => "a file of the memory".to_owned(),
    }
}

/// Why a file is not what the store expects, or cannot be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FileFlaw {
    /// It is a directory, a device, or a symbolic link, which may lead out of the directory.
    #[error("not a file")]
    NotAFile,
    /// It should be a directory.
    #[error("not a directory")]
    NotADirectory,
    /// Its bytes are no text.
    #[error("not UTF-8")]
    NotUtf8,
    /// It is larger than a document may be.
    #[error("too large")]
    TooLarge,
    /// No document can have its name, or another one has that name but for letter case.
    #[error("of a name that no document can have, or that another has but for letter case")]
    Name,
}

/// A file `….md` among the documents that cannot be read as a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// Its path in the directory of the documents.
    pub file: String,
    /// What is wrong with it.
    pub why: FileFlaw,
}
