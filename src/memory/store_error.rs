//! [`StoreError`]: why a store cannot be read or written.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::locate::Code;

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
    /// A file is not what the store writes.
    #[error("`{}` is {what}", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What it is.
        what: FileFlaw,
    },
    /// A store of the host's own failed.
    #[error("{0}")]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
}

impl StoreError {
    /// Returns the stable code.
    pub const fn code(&self) -> Code {
        match self {
            Self::Busy { .. } => Code::Busy,
            _ => Code::Store,
        }
    }
}

/// What a store tried to do with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IoAction {
    /// Make it.
    Create,
    /// Keep a copy of it.
    Keep,
    /// Take its lock.
    Lock,
    /// Open it.
    Open,
    /// Read it, or what a directory holds.
    Read,
    /// Remove it.
    Remove,
    /// Put another in its place.
    Replace,
    /// Set its permissions.
    SetPermissions,
    /// Wait until it is on the disk.
    Sync,
    /// Write it.
    Write,
}

impl fmt::Display for IoAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "create",
            Self::Keep => "keep",
            Self::Lock => "lock",
            Self::Open => "open",
            Self::Read => "read",
            Self::Remove => "remove",
            Self::Replace => "replace",
            Self::SetPermissions => "set the permissions of",
            Self::Sync => "sync",
            Self::Write => "write",
        })
    }
}

/// Why a file is not what the store writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileFlaw {
    /// It is a symbolic link, which may lead out of the directory.
    SymbolicLink,
    /// It is a directory, or a device.
    NotAFile,
    /// Its bytes are no text.
    NotUtf8,
    /// It is no commit of this version.
    NotACommit,
}

impl fmt::Display for FileFlaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SymbolicLink => "a symbolic link, which is not followed",
            Self::NotAFile => "not a file",
            Self::NotUtf8 => "not UTF-8",
            Self::NotACommit => "not a commit of this version",
        })
    }
}
