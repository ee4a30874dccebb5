//! [`StoreError`]: why a store cannot be read or written; [`Unusable`]: what stands among the documents and cannot be one.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::journal::Seq;
use super::{DocName, NameRule};
use crate::locate::Code;
use crate::text::names;

/// A store that cannot be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("could not {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried.
        action: IoAction,
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
    /// A document goes on being changed by others, or has been missing for too short a time to count as deleted.
    #[error("`{}` is being changed, or was removed just now", path.display())]
    Unsettled {
        /// The document's file.
        path: PathBuf,
    },
    /// A file is not what the store writes.
    #[error("`{}` is {what}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: FileFlaw,
    },
    /// A document of this name would be one file with another on some systems.
    #[error("`{name}` differs from the document `{other}` in letter case only")]
    NameTaken {
        /// The name.
        name: DocName,
        /// The document that there is.
        other: DocName,
    },
    /// The journal does not have the entry that was its last one: it was set back, or replaced by another.
    #[error("the journal was set back: entry {known} is not in it, it ends with entry {found} now")]
    SetBack {
        /// The entry that was there before.
        known: Seq,
        /// The last entry that is there now.
        found: Seq,
    },
    /// The ID of this entry's request was erased, which would tell whether a request has landed.
    #[error("the request of entry {0} was erased, so that it is not known whether this one has landed")]
    RequestErased(Seq),
    /// A document cannot be read from the journal: something that this entry and those before it said was erased, or
    /// changed by others.
    #[error("the text that entry {0} made cannot be told: the journal was redacted or damaged")]
    NotReplayable(Seq),
    /// The attempt was asked about before it was made, and was told to be none: now it must not be made.
    #[error("the commit was given up before it was made")]
    Fenced,
    /// A relation of a database cannot be used. Nothing has been changed.
    #[error("could not {action} `{relation}`: {source}")]
    Relation {
        /// What was tried.
        action: IoAction,
        /// On which relation.
        relation: Box<str>,
        /// What the server said, or why there is none.
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

/// Makes the system's errors those of a store.
pub(super) fn failed(action: IoAction, path: &Path) -> impl FnOnce(io::Error) -> StoreError + use<> {
    let path = path.to_path_buf();
    move |source| StoreError::Io { action, path, source }
}

impl StoreError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Busy { .. } | Self::Unsettled { .. } | Self::Held { .. } => Code::Busy,
            Self::NameTaken { .. } => Code::InvalidArguments,
            Self::SetBack { .. } => Code::ChainBroken,
            _ => Code::Store,
        }
    }
}

impl StoreError {
    /// Says it without telling where files and servers are, and as whom they are used: for a model, whose words may go anywhere.
    pub fn without_paths(&self) -> String {
        match self {
            Self::Io { action, path, source } => format!("could not {action} {}: {source}", shown(path)),
            Self::Busy { path } => format!("{} is locked by another process", shown(path)),
            Self::Unsettled { path } => format!("{} is being changed, or was removed just now", shown(path)),
            Self::Unusable { path, what } => format!("{} is {what}", shown(path)),
            Self::Relation { action, relation, .. } => format!("could not {action} `{relation}`"),
            Self::Held { relation, .. } => format!("`{relation}` is not to be had now"),
            Self::Lost { relation, .. } => format!("the answer to a commit to `{relation}` was lost"),
            other => other.to_string(),
        }
    }
}

/// Names the file of a document. All others are the store's own, whose names say nothing to a model.
fn shown(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().display().to_string();
    match name.ends_with(".md") && !name.starts_with('.') {
        true => format!("`{name}`"),
        false => "a file of the memory".to_owned(),
    }
}

names! {
    /// What a store tried to do with a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum IoAction {
        /// Make it.
        Create = "create",
        /// Take its lock.
        Lock = "lock",
        /// Open it.
        Open = "open",
        /// Read it, or what a directory holds.
        Read = "read",
        /// Remove it.
        Remove = "remove",
        /// Put another in its place.
        Replace = "replace",
        /// Set its permissions.
        SetPermissions = "set the permissions of",
        /// Wait until it is on the disk.
        Sync = "sync",
        /// Write it.
        Write = "write",
    }
}

names! {
    /// Why a file is not what the store writes.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum FileFlaw {
        /// It is a symbolic link, which may lead out of the directory.
        SymbolicLink = "a symbolic link, which is not followed",
        /// It is a directory, or a device.
        NotAFile = "not a file",
        /// Its bytes are no text.
        NotUtf8 = "not UTF-8",
        /// It is larger than a document may be.
        TooLarge = "too large",
        /// It should be a directory.
        NotADirectory = "not a directory",
    }
}

/// A file `….md` among the documents that cannot be one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unusable {
    /// Its path in the directory of the documents.
    pub file: String,
    /// What is wrong with it.
    pub why: WhyUnusable,
}

/// Why a file cannot be a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WhyUnusable {
    /// Its name is not one of a document, which must be this.
    #[error("expected a document name {0}")]
    Name(NameRule),
    /// It is this.
    #[error("{0}")]
    File(FileFlaw),
}
