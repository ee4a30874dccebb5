//! [`Disk`]: the file operations that the store is made of, so that a test can cut the power between any two of them.
//!
//! Paths are relative to the store's directory, with `/` between their parts. No operation follows a link or waits for
//! another process, and none is durable before the file, or the directory whose names it changed, has been synced.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use super::super::{FileFlaw, StoreError};
use crate::text::{Revision, SharedText};

/// A directory that the store has to itself.
pub(super) trait Disk {
    /// An open regular file.
    type File;

    /// Opens a file that is there; `None` if there is none.
    ///
    /// # Errors
    ///
    /// It is a link, a directory, a device; or the system refuses.
    fn open(&self, path: &str, access: Access) -> Result<Option<Self::File>, StoreError>;

    /// Creates a file that must not be there, with these permissions, else with those of new files.
    fn create(&self, path: &str, mode: Option<u32>) -> Result<Self::File, StoreError>;

    /// Tells what a file is like.
    fn stat(&self, file: &Self::File) -> Result<Stat, StoreError>;

    /// Reads at most `length` bytes from `offset` on; fewer only at the end of the file.
    fn read_at(&self, file: &Self::File, offset: u64, length: usize) -> Result<Vec<u8>, StoreError>;

    /// Writes all of `bytes` at `offset`. After an error any part of them may be there.
    fn write_at(&self, file: &Self::File, offset: u64, bytes: &[u8]) -> Result<(), StoreError>;

    /// Cuts a file to `length` bytes.
    fn truncate(&self, file: &Self::File, length: u64) -> Result<(), StoreError>;

    /// Makes a file's bytes and length durable. After an error they may never be, whatever a second call says: what has
    /// not been written anew since is not to be relied on.
    fn sync(&self, file: &Self::File) -> Result<(), StoreError>;

    /// Lets two names of one directory change places.
    fn exchange(&self, one: &str, other: &str) -> Result<Moved, StoreError>;

    /// Gives a file another name, which must be free.
    fn rename_new(&self, from: &str, to: &str) -> Result<Moved, StoreError>;

    /// Gives a file another name; what stood there is gone.
    fn replace(&self, from: &str, to: &str) -> Result<Moved, StoreError>;

    /// Removes a name, if it is there.
    fn remove(&self, path: &str) -> Result<(), StoreError>;

    /// Lists a directory, in any order; nothing if it is not there.
    fn list(&self, directory: &str) -> Result<Vec<Listed>, StoreError>;

    /// Creates a directory, if it is not there; the name is durable once its parent is synced.
    ///
    /// # Errors
    ///
    /// Something else has the name, or the system refuses.
    fn create_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Removes a directory that is empty.
    fn remove_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Makes a directory's names durable; `""` is the store's own. After an error see [`Disk::sync`].
    fn sync_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Tells when a name in a directory was last changed; `None` if there is no such directory.
    fn names_changed(&self, directory: &str) -> Result<Option<SystemTime>, StoreError>;

    /// Returns what names this run of the system, until it is started again; `None` if the system does not tell.
    fn boot(&self) -> Option<Box<str>>;

    /// Returns the path that an error names.
    fn full_path(&self, path: &str) -> PathBuf;
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// What a file is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) length: u64,
    pub(super) identity: Identity,
    pub(super) modified: SystemTime,
    /// The permission bits.
    pub(super) mode: u32,
    /// How many names it has.
    pub(super) links: u64,
}

/// Which file or directory something is, by device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) device: u64,
    pub(super) inode: u64,
}

/// What became of a change of names. But for `Done`, nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Done,
    /// A name that should be there is not.
    Missing,
    /// The name that should be free is not.
    Taken,
    /// The system cannot do this.
    Unsupported,
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// The name; what is not UTF-8 is replaced.
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Other,
}

/// A file's bytes.
pub(super) struct Reading {
    pub(super) bytes: Vec<u8>,
    pub(super) stat: Stat,
}

/// Reads a whole file of at most `limit` bytes; `None` if there is none.
///
/// # Errors
///
/// It cannot be opened, is longer, or the system refuses.
pub(super) fn read<D: Disk>(disk: &D, path: &str, limit: u64) -> Result<Option<Reading>, StoreError> {
    let Some(file) = disk.open(path, Access::Read)? else { return Ok(None) };
    let stat = disk.stat(&file)?;
    let too_large = || StoreError::Unusable { path: disk.full_path(path), what: FileFlaw::TooLarge };
    let length = usize::try_from(stat.length.min(limit).saturating_add(1)).map_err(|_| too_large())?;
    let bytes = disk.read_at(&file, 0, length)?;
    // It may have grown since it was looked at.
    if u64::try_from(bytes.len()).map_or(true, |length| length > limit) {
        return Err(too_large());
    }
    Ok(Some(Reading { bytes, stat }))
}

/// What stands at a document's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Text {
        text: SharedText,
        revision: Revision,
        stat: Stat,
    },
    Missing,
    /// Something that cannot be a document: a directory, a link, not UTF-8, too large.
    Unusable(FileFlaw),
}

impl Found {
    /// Returns the text's revision, if there is one.
    pub(super) const fn revision(&self) -> Option<Revision> {
        match self {
            Self::Text { revision, .. } => Some(*revision),
            _ => None,
        }
    }

    /// Reports whether this is the text of `expected`, or nothing where nothing is expected.
    pub(super) fn is(&self, expected: Option<Revision>) -> bool {
        match self {
            Self::Text { revision, .. } => Some(*revision) == expected,
            Self::Missing => expected.is_none(),
            Self::Unusable(_) => false,
        }
    }

    /// Returns the permission bits of the file, if there is one.
    pub(super) const fn mode(&self) -> Option<u32> {
        match self {
            Self::Text { stat, .. } => Some(stat.mode),
            _ => None,
        }
    }
}

/// Looks at what stands at a path. That it cannot be a document is an answer, not an error.
///
/// # Errors
///
/// The system refuses.
pub(super) fn look<D: Disk>(disk: &D, path: &str, limit: u64) -> Result<Found, StoreError> {
    let reading = match read(disk, path, limit) {
        Ok(Some(reading)) => reading,
        Ok(None) => return Ok(Found::Missing),
        Err(StoreError::Unusable { what, .. }) => return Ok(Found::Unusable(what)),
        Err(error) => return Err(error),
    };
    Ok(String::from_utf8(reading.bytes).map_or(Found::Unusable(FileFlaw::NotUtf8), |text| {
        let revision = Revision::of(&text);
        Found::Text { text: text.into(), revision, stat: reading.stat }
    }))
}

/// Returns how long ago something was modified; nothing if the clock says that it has not been yet.
pub(super) fn age(modified: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(modified).unwrap_or_default()
}
