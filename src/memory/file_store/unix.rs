//! [`UnixDisk`]: the operations of [`Disk`], each at an open directory, so that no link that is swapped in leads elsewhere.
//!
//! A commit does not keep the owner, extended attributes and access lists of a file that it replaces. Where the file system
//! cannot exchange two files, or rename without replacing, the callers look once more and rename: what somebody writes
//! between the two is replaced unseen.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::super::{FileFlaw, IoAction, StoreError};
use super::disk::{Access, Disk, Identity, Kind, Listed, Moved, Stat};
use super::layout::{PRIVATE, parent};

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// A FIFO or a device must not be waited for, before it has been looked at.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);

/// A directory of the operating system.
pub(super) struct UnixDisk {
    root: OwnedFd,
    /// The store's own directory, once it has been opened.
    private: OnceLock<OwnedFd>,
    path: PathBuf,
}

/// An open directory: one that the disk keeps open, or one that was opened for this operation.
enum Folder<'a> {
    Kept(BorrowedFd<'a>),
    Opened(OwnedFd),
}

impl AsFd for Folder<'_> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Kept(folder) => *folder,
            Self::Opened(folder) => folder.as_fd(),
        }
    }
}

/// A file, and the path that errors name.
pub(super) struct Opened {
    file: File,
    path: PathBuf,
}

impl UnixDisk {
    /// Opens the directory at `path`, which is the host's and may be a link.
    ///
    /// # Errors
    ///
    /// It is not there, or no directory, or the system refuses.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let path = path.to_path_buf();
        match rustix::fs::open(&path, DIRECTORY, Mode::empty()) {
            Ok(root) => Ok(Self { root, private: OnceLock::new(), path }),
            Err(Errno::NOTDIR) => Err(StoreError::Unusable { path, what: FileFlaw::NotADirectory }),
            Err(error) => Err(StoreError::Io { action: IoAction::Open, path, source: error.into() }),
        }
    }

    fn failed(&self, action: IoAction, path: &str) -> impl FnOnce(Errno) -> StoreError + use<> {
        let path = self.full_path(path);
        move |error| StoreError::Io { action, path, source: error.into() }
    }

    /// Opens a directory inside; `None` if there is none.
    fn directory(&self, path: &str) -> Result<Option<Folder<'_>>, StoreError> {
        if path.is_empty() {
            return Ok(Some(Folder::Kept(self.root.as_fd())));
        }
        if path != PRIVATE {
            return Ok(self.opened(path)?.map(Folder::Opened));
        }
        if let Some(private) = self.private.get() {
            return Ok(Some(Folder::Kept(private.as_fd())));
        }
        let Some(opened) = self.opened(path)? else { return Ok(None) };
        Ok(Some(Folder::Kept(self.private.get_or_init(|| opened).as_fd())))
    }

    /// Opens a directory inside, part by part.
    fn opened(&self, path: &str) -> Result<Option<OwnedFd>, StoreError> {
        let mut directory: Option<OwnedFd> = None;
        for part in path.split('/') {
            let above = directory.as_ref().unwrap_or(&self.root);
            match openat(above, part, DIRECTORY | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(next) => directory = Some(next),
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    return Err(StoreError::Unusable { path: self.full_path(path), what: FileFlaw::NotADirectory });
                }
                Err(error) => return Err(self.failed(IoAction::Open, path)(error)),
            }
        }
        Ok(directory)
    }

    /// Opens the directory that a path stands in, which must be there.
    fn parent_of(&self, path: &str) -> Result<Folder<'_>, StoreError> {
        self.directory(parent(path))?.ok_or_else(|| self.failed(IoAction::Open, parent(path))(Errno::NOENT))
    }

    /// Refuses what must not be read or written as a file of the store.
    fn regular(&self, path: &str, file: OwnedFd) -> Result<Opened, StoreError> {
        let path = self.full_path(path);
        let file = File::from(file);
        let metadata = file.metadata().map_err(|source| io_failed(IoAction::Read, &path, source))?;
        if metadata.is_file() {
            Ok(Opened { file, path })
        } else {
            Err(StoreError::Unusable { path, what: FileFlaw::NotAFile })
        }
    }

    /// Renames by the system's own means for `flags`.
    fn rename_with(&self, from: &str, to: &str, means: Means) -> Result<Moved, StoreError> {
        let [old, new] = [self.parent_of(from)?, self.parent_of(to)?];
        match rename([&old, &new], [from, to], means) {
            Ok(()) => Ok(Moved::Done),
            Err(Errno::NOENT) => Ok(Moved::Missing),
            Err(Errno::EXIST) => Ok(Moved::Taken),
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) if means != Means::Replace => Ok(Moved::Unsupported),
            Err(error) => Err(self.failed(IoAction::Replace, to)(error)),
        }
    }
}

/// How a name is given to a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    Exchange,
    New,
    Replace,
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn rename([old, new]: [&Folder<'_>; 2], paths: [&str; 2], means: Means) -> Result<(), Errno> {
    let [from, to] = paths.map(base);
    if means == Means::Replace {
        return renameat(old, from, new, to);
    }
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        let flags = if means == Means::Exchange { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        renameat_with(old, from, new, to, flags)
    }
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    Err(Errno::NOSYS)
}

fn io_failed(action: IoAction, path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action, path: path.to_path_buf(), source }
}

fn identity(metadata: &Metadata) -> Identity {
    Identity { device: metadata.dev(), inode: metadata.ino() }
}

impl Disk for UnixDisk {
    type File = Opened;

    fn open(&self, path: &str, access: Access) -> Result<Option<Opened>, StoreError> {
        let Some(directory) = self.directory(parent(path))? else { return Ok(None) };
        let mode = if access == Access::Read { OFlags::RDONLY } else { OFlags::RDWR };
        let unusable = |what| Err(StoreError::Unusable { path: self.full_path(path), what });
        match openat(&directory, base(path), FILE | mode, Mode::empty()) {
            Ok(file) => self.regular(path, file).map(Some),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::MLINK) => unusable(FileFlaw::SymbolicLink),
            Err(Errno::ISDIR | Errno::NXIO | Errno::NODEV) => unusable(FileFlaw::NotAFile),
            Err(error) => Err(self.failed(IoAction::Open, path)(error)),
        }
    }

    fn create(&self, path: &str, mode: Option<u32>) -> Result<Opened, StoreError> {
        let flags = FILE | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
        let file = openat(self.parent_of(path)?, base(path), flags, Mode::from_raw_mode(0o666))
            .map_err(self.failed(IoAction::Create, path))?;
        let opened = self.regular(path, file)?;
        if let Some(mode) = mode {
            let permissions = std::fs::Permissions::from_mode(mode & 0o7777);
            let failed = |source| io_failed(IoAction::SetPermissions, &opened.path, source);
            opened.file.set_permissions(permissions).map_err(failed)?;
        }
        Ok(opened)
    }

    fn stat(&self, file: &Opened) -> Result<Stat, StoreError> {
        let failed = |source| io_failed(IoAction::Read, &file.path, source);
        let metadata = file.file.metadata().map_err(failed)?;
        Ok(Stat {
            length: metadata.len(),
            identity: identity(&metadata),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            mode: metadata.mode() & 0o7777,
            links: metadata.nlink(),
        })
    }

    fn read_at(&self, file: &Opened, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; length];
        let (mut read, mut at) = (0, offset);
        while let Some(rest) = bytes.get_mut(read..).filter(|rest| !rest.is_empty()) {
            match file.file.read_at(rest, at) {
                Ok(0) => break,
                Ok(count) => {
                    read += count;
                    at = at.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(io_failed(IoAction::Read, &file.path, error)),
            }
        }
        bytes.truncate(read);
        Ok(bytes)
    }

    fn write_at(&self, file: &Opened, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        file.file.write_all_at(bytes, offset).map_err(|source| io_failed(IoAction::Write, &file.path, source))
    }

    fn truncate(&self, file: &Opened, length: u64) -> Result<(), StoreError> {
        file.file.set_len(length).map_err(|source| io_failed(IoAction::Write, &file.path, source))
    }

    fn sync(&self, file: &Opened) -> Result<(), StoreError> {
        file.file.sync_all().map_err(|source| io_failed(IoAction::Sync, &file.path, source))
    }

    fn exchange(&self, one: &str, other: &str) -> Result<Moved, StoreError> {
        self.rename_with(one, other, Means::Exchange)
    }

    fn rename_new(&self, from: &str, to: &str) -> Result<Moved, StoreError> {
        match self.rename_with(from, to, Means::New)? {
            Moved::Unsupported => {}
            moved => return Ok(moved),
        }
        match statat(self.parent_of(to)?, base(to), AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => self.rename_with(from, to, Means::Replace),
            Ok(_) => Ok(Moved::Taken),
            Err(error) => Err(self.failed(IoAction::Read, to)(error)),
        }
    }

    fn replace(&self, from: &str, to: &str) -> Result<Moved, StoreError> {
        self.rename_with(from, to, Means::Replace)
    }

    fn remove(&self, path: &str) -> Result<(), StoreError> {
        let Some(directory) = self.directory(parent(path))? else { return Ok(()) };
        match unlinkat(directory, base(path), AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(self.failed(IoAction::Remove, path)(error)),
        }
    }

    fn list(&self, path: &str) -> Result<Vec<Listed>, StoreError> {
        let Some(directory) = self.directory(path)? else { return Ok(Vec::new()) };
        let mut listed = Vec::new();
        for entry in Dir::read_from(&directory).map_err(self.failed(IoAction::Read, path))? {
            let entry = entry.map_err(self.failed(IoAction::Read, path))?;
            let name = entry.file_name();
            if !matches!(name.to_bytes(), b"." | b"..") {
                let kind = kind(&directory, &entry);
                listed.push(Listed { name: name.to_string_lossy().into_owned(), kind });
            }
        }
        Ok(listed)
    }

    fn create_directory(&self, path: &str) -> Result<(), StoreError> {
        match mkdirat(self.parent_of(path)?, base(path), Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(()),
            // It may be a file or a link, which this tells.
            Err(Errno::EXIST) => self.directory(path).map(drop),
            Err(error) => Err(self.failed(IoAction::Create, path)(error)),
        }
    }

    fn remove_directory(&self, path: &str) -> Result<(), StoreError> {
        unlinkat(self.parent_of(path)?, base(path), AtFlags::REMOVEDIR).map_err(self.failed(IoAction::Remove, path))
    }

    fn sync_directory(&self, path: &str) -> Result<(), StoreError> {
        let Some(directory) = self.directory(path)? else {
            return Err(self.failed(IoAction::Sync, path)(Errno::NOENT));
        };
        rustix::fs::fsync(directory).map_err(self.failed(IoAction::Sync, path))
    }

    fn names_changed(&self, path: &str) -> Result<Option<SystemTime>, StoreError> {
        let failed = |source| io_failed(IoAction::Read, &self.full_path(path), source);
        let Some(directory) = self.directory(path)? else { return Ok(None) };
        let directory = directory.as_fd().try_clone_to_owned().map_err(failed)?;
        let metadata = File::from(directory).metadata().map_err(failed)?;
        Ok(metadata.modified().ok())
    }

    fn boot(&self) -> Option<Box<str>> {
        let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        Some(boot.trim().into())
    }

    fn full_path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.path.clone() } else { self.path.join(path) }
    }
}

fn kind(directory: &Folder<'_>, entry: &rustix::fs::DirEntry) -> Kind {
    let mut kind = entry.file_type();
    if kind == FileType::Unknown
        && let Ok(stat) = statat(directory, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
    {
        kind = FileType::from_raw_mode(stat.st_mode);
    }
    match kind {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Directory,
        _ => Kind::Other,
    }
}
