//! [`Disk`]: the file operations that the store is made of, so that a test can cut the power between any two of them.
//!
//! Paths are relative to the store's directory, with `/` between their parts. No operation follows a link or waits for
//! another process, and none is durable before the file, or the directory whose names it changed, has been synced.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::memory::{FileFlaw, StoreError};
use crate::text::{Content, Revision};

/// How many bytes a document may have.
pub(super) const LARGEST: u64 = 16 << 20;

/// A directory that the store has to itself.
pub(super) trait Disk {
    /// An open regular file.
    type File;

    /// Opens a file to read and write it, or only to read it; `None` if there is none.
    ///
    /// # Errors
    ///
    /// It is a link, a directory, a device; or the system refuses.
    fn open(&self, path: &str, access: Access) -> Result<Option<Self::File>, StoreError>;

    /// Creates an empty file with these permissions, else with those of new files. It replaces a file at that path.
    fn create(&self, path: &str, mode: Option<u32>) -> Result<Self::File, StoreError>;

    /// Returns the metadata that a file had when it was opened.
    fn stat(&self, file: &Self::File) -> Stat;

    /// Reads at most `length` bytes from `offset` on; fewer only at the end of the file.
    fn read_at(&self, file: &Self::File, offset: u64, length: usize) -> Result<Vec<u8>, StoreError>;

    /// Writes all of `bytes` at `offset`. After an error any part of them may be there.
    fn write_at(&self, file: &Self::File, offset: u64, bytes: &[u8]) -> Result<(), StoreError>;

    /// Cuts a file to `length` bytes.
    fn truncate(&self, file: &Self::File, length: u64) -> Result<(), StoreError>;

    /// Makes a file's bytes and length durable. After an error, a second call proves nothing: bytes count as durable only
    /// if they were written again before it.
    fn sync(&self, file: &Self::File) -> Result<(), StoreError>;

    /// Gives the file at `from` the name `to`.
    fn rename(&self, from: &str, to: &str, how: Rename) -> Result<Moved, StoreError>;

    /// Removes a name, if it is there.
    fn remove(&self, path: &str) -> Result<(), StoreError>;

    /// Lists a directory, in any order; returns nothing if there is no such directory.
    fn list(&self, directory: &str) -> Result<Vec<Listed>, StoreError>;

    /// Creates a directory, if it is not there; the name is durable once its parent is synced.
    ///
    /// # Errors
    ///
    /// Something else has the name, or the system refuses.
    fn create_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Removes a directory that is empty.
    fn remove_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Makes a directory's names durable, if it is there; `""` is the store's own. After an error see [`Disk::sync`].
    fn sync_directory(&self, directory: &str) -> Result<(), StoreError>;

    /// Returns when a name in a directory was last changed; `None` if there is no such directory.
    fn names_changed(&self, directory: &str) -> Result<Option<SystemTime>, StoreError>;

    /// Returns the path that an error names.
    fn full_path(&self, path: &str) -> PathBuf;
}

/// What a file, or the directory, is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) length: u64,
    pub(super) modified: SystemTime,
    /// The permission bits.
    pub(super) mode: u32,
    /// How many names it has.
    pub(super) links: u64,
}

/// What a renaming does with a file that has the new name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rename {
    /// It gets the old name.
    Exchange,
    /// There must be no such file.
    New,
    /// It is replaced.
    Over,
}

/// The outcome of a renaming. Unless it is `Done`, nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moved {
    Done,
    /// A name that should exist does not, or a name that should be free is taken.
    Refused,
    /// The system cannot do this.
    Unsupported,
}

/// A name in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listed {
    /// The name; bytes that are not UTF-8 are replaced.
    pub(super) name: String,
    pub(super) is_directory: bool,
}

/// Writes a new file. It replaces a file at that path.
///
/// # Errors
///
/// The system refuses: any part of the file may have been written.
pub(super) fn write_new<D: Disk>(disk: &D, path: &str, mode: Option<u32>, bytes: &[u8]) -> Result<D::File, StoreError> {
    let file = disk.create(path, mode)?;
    disk.write_at(&file, 0, bytes)?;
    Ok(file)
}

/// Reads a whole file of at most `limit` bytes; `None` if there is none.
///
/// # Errors
///
/// It cannot be opened, is longer, or the system refuses.
pub(super) fn read<D: Disk>(disk: &D, path: &str, limit: u64) -> Result<Option<(Vec<u8>, Stat)>, StoreError> {
    let Some(file) = disk.open(path, Access::Read)? else { return Ok(None) };
    let stat = disk.stat(&file);
    let too_large = || StoreError::Unusable { path: disk.full_path(path), what: FileFlaw::TooLarge };
    let length = usize::try_from(stat.length.min(limit).saturating_add(1)).map_err(|_| too_large())?;
    let bytes = disk.read_at(&file, 0, length)?;
    // The file may have grown since its length was read: so one byte more than that is read.
    if length_of(&bytes) > limit { Err(too_large()) } else { Ok(Some((bytes, stat))) }
}

/// A document's file, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileText {
    pub(super) text: Content,
    pub(super) revision: Revision,
    pub(super) stat: Stat,
}

/// Reads the file at a path as a document; `None` if there is none.
///
/// # Errors
///
/// `Unusable`: it cannot be a document. It is a directory or a link, is not UTF-8, or is too large. The system refuses.
pub(super) fn look<D: Disk>(disk: &D, path: &str) -> Result<Option<FileText>, StoreError> {
    let Some((bytes, stat)) = read(disk, path, LARGEST)? else { return Ok(None) };
    let not_utf8 = |_| StoreError::Unusable { path: disk.full_path(path), what: FileFlaw::NotUtf8 };
    let text = String::from_utf8(bytes).map_err(not_utf8)?;
    let revision = Revision::of(&text);
    Ok(Some(FileText { text: text.into(), revision, stat }))
}

/// Returns how long ago something was modified. A time more than two seconds in the future counts as long ago: the
/// clock was set back.
pub(super) fn age(modified: SystemTime, now: SystemTime) -> Duration {
    match now.duration_since(modified) {
        Ok(age) => age,
        Err(ahead) if ahead.duration() > Duration::from_secs(2) => Duration::MAX,
        Err(_) => Duration::ZERO,
    }
}

/// Returns a length as an offset.
pub(super) fn length_of(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}
