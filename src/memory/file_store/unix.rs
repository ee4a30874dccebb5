//! [`UnixDisk`]: the operations of [`Disk`], each at an open directory, so that no link that is swapped in leads elsewhere.
//!
//! A commit does not keep the owner, extended attributes and access lists of a file that it replaces. Where the file system
//! cannot exchange two files, or rename without replacing, what somebody writes between the last look and the renaming is
//! replaced unseen.

use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::disk::{Access, Disk, Identity, Kind, Listed, Moved, Rename, Stat};
use super::layout::{PRIVATE, parent};
use crate::memory::store_error::failed;
use crate::memory::{FileFlaw, IoAction, StoreError};

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// A FIFO or a device must not be waited for, before it has been looked at.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);

/// A directory of the operating system.
pub(super) struct UnixDisk {
    root: Arc<OwnedFd>,
    /// The store's own directory, once it has been opened.
    private: OnceLock<Arc<OwnedFd>>,
    /// What names this run of the system, once it has been read.
    boot: OnceLock<Option<Box<str>>>,
    path: PathBuf,
}

/// A file, the path that errors name, and what the file was like when it was opened.
pub(super) struct Opened {
    file: File,
    path: PathBuf,
    stat: Stat,
}

impl UnixDisk {
    /// Opens the directory at `path`, which is the host's and may be a link.
    ///
    /// # Errors
    ///
    /// It is not there, or no directory, or the system refuses.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        match rustix::fs::open(path, DIRECTORY, Mode::empty()) {
            Ok(root) => {
                let (root, path) = (Arc::new(root), path.to_path_buf());
                Ok(Self { root, private: OnceLock::new(), boot: OnceLock::new(), path })
            }
            Err(Errno::NOTDIR) => Err(unusable(path, FileFlaw::NotADirectory)),
            Err(error) => Err(failed(IoAction::Open, path)(error.into())),
        }
    }

    fn failed(&self, action: IoAction, path: &str) -> impl FnOnce(Errno) -> StoreError + use<> {
        let failed = failed(action, &self.full_path(path));
        move |error| failed(error.into())
    }

    /// Opens a directory inside, part by part; `None` if there is none.
    fn directory(&self, path: &str) -> Result<Option<Arc<OwnedFd>>, StoreError> {
        if let Some(private) = self.private.get().filter(|_| path == PRIVATE) {
            return Ok(Some(Arc::clone(private)));
        }
        let mut directory = Arc::clone(&self.root);
        for part in path.split('/').filter(|part| !part.is_empty()) {
            match openat(&directory, part, DIRECTORY | OFlags::NOFOLLOW, Mode::empty()) {
                Ok(next) => directory = Arc::new(next),
                Err(Errno::NOENT) => return Ok(None),
                Err(Errno::NOTDIR | Errno::LOOP) => {
                    return Err(unusable(&self.full_path(path), FileFlaw::NotADirectory));
                }
                Err(error) => return Err(self.failed(IoAction::Open, path)(error)),
            }
        }
        if path == PRIVATE {
            let _ = self.private.set(Arc::clone(&directory));
        }
        Ok(Some(directory))
    }

    /// Opens the directory that a path stands in, which must be there.
    fn parent_of(&self, path: &str) -> Result<Arc<OwnedFd>, StoreError> {
        self.directory(parent(path))?.ok_or_else(|| self.failed(IoAction::Open, parent(path))(Errno::NOENT))
    }

    /// Refuses what must not be read or written as a file of the store.
    fn regular(&self, path: &str, file: OwnedFd) -> Result<Opened, StoreError> {
        let (path, file) = (self.full_path(path), File::from(file));
        let metadata = file.metadata().map_err(failed(IoAction::Read, &path))?;
        if !metadata.is_file() {
            return Err(unusable(&path, FileFlaw::NotAFile));
        }
        let stat = Stat {
            length: metadata.len(),
            identity: Identity::of(&metadata),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            mode: metadata.mode() & 0o7777,
            links: metadata.nlink(),
        };
        Ok(Opened { file, path, stat })
    }
}

impl Identity {
    /// Returns which file this is.
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self { device: metadata.dev(), inode: metadata.ino() }
    }
}

fn unusable(path: &Path, what: FileFlaw) -> StoreError {
    StoreError::Unusable { path: path.to_path_buf(), what }
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn renamed([old, new]: [&OwnedFd; 2], [from, to]: [&str; 2], how: Rename) -> Result<(), Errno> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    if how != Rename::Over {
        use rustix::fs::{RenameFlags, renameat_with};
        let flags = if how == Rename::Exchange { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        match renameat_with(old, from, new, to, flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            renamed => return renamed,
        }
    }
    match how {
        Rename::Exchange => Err(Errno::NOSYS),
        Rename::New if statat(new, to, AtFlags::SYMLINK_NOFOLLOW).is_ok() => Err(Errno::EXIST),
        Rename::New | Rename::Over => renameat(old, from, new, to),
    }
}

impl Disk for UnixDisk {
    type File = Opened;

    fn open(&self, path: &str, access: Access) -> Result<Option<Opened>, StoreError> {
        let Some(directory) = self.directory(parent(path))? else { return Ok(None) };
        let mode = if access == Access::Read { OFlags::RDONLY } else { OFlags::RDWR };
        match openat(&directory, base(path), FILE | mode, Mode::empty()) {
            Ok(file) => self.regular(path, file).map(Some),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::LOOP | Errno::MLINK) => Err(unusable(&self.full_path(path), FileFlaw::SymbolicLink)),
            Err(Errno::ISDIR | Errno::NXIO | Errno::NODEV) => Err(unusable(&self.full_path(path), FileFlaw::NotAFile)),
            Err(error) => Err(self.failed(IoAction::Open, path)(error)),
        }
    }

    fn create(&self, path: &str, mode: Option<u32>) -> Result<Opened, StoreError> {
        let parent = self.parent_of(path)?;
        let flags = FILE | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL;
        let create = || openat(&parent, base(path), flags, Mode::from_raw_mode(0o666));
        let file = loop {
            match create() {
                Err(Errno::EXIST) => self.remove(path)?,
                created => break created,
            }
        };
        let opened = self.regular(path, file.map_err(self.failed(IoAction::Create, path))?)?;
        if let Some(mode) = mode {
            let permissions = std::fs::Permissions::from_mode(mode & 0o7777);
            opened.file.set_permissions(permissions).map_err(failed(IoAction::SetPermissions, &opened.path))?;
        }
        Ok(opened)
    }

    fn stat(&self, file: &Opened) -> Stat {
        file.stat
    }

    fn read_at(&self, file: &Opened, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let mut bytes = vec![0; length];
        let mut read = 0;
        while let Some(rest) = bytes.get_mut(read..).filter(|rest| !rest.is_empty()) {
            let at = offset.saturating_add(u64::try_from(read).unwrap_or(u64::MAX));
            match file.file.read_at(rest, at) {
                Ok(0) => break,
                Ok(count) => read += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(IoAction::Read, &file.path)(error)),
            }
        }
        bytes.truncate(read);
        Ok(bytes)
    }

    fn write_at(&self, file: &Opened, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        file.file.write_all_at(bytes, offset).map_err(failed(IoAction::Write, &file.path))
    }

    fn truncate(&self, file: &Opened, length: u64) -> Result<(), StoreError> {
        file.file.set_len(length).map_err(failed(IoAction::Write, &file.path))
    }

    fn sync(&self, file: &Opened) -> Result<(), StoreError> {
        file.file.sync_all().map_err(failed(IoAction::Sync, &file.path))
    }

    fn rename(&self, from: &str, to: &str, how: Rename) -> Result<Moved, StoreError> {
        let [old, new] = [self.parent_of(from)?, self.parent_of(to)?];
        match renamed([&old, &new], [from, to].map(base), how) {
            Ok(()) => Ok(Moved::Done),
            Err(Errno::NOENT | Errno::EXIST) => Ok(Moved::Refused),
            Err(Errno::NOSYS) => Ok(Moved::Unsupported),
            Err(error) => Err(self.failed(IoAction::Replace, to)(error)),
        }
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
        let directory = self.directory(path)?.ok_or_else(|| self.failed(IoAction::Sync, path)(Errno::NOENT))?;
        rustix::fs::fsync(directory).map_err(self.failed(IoAction::Sync, path))
    }

    fn names_changed(&self, path: &str) -> Result<Option<SystemTime>, StoreError> {
        let Some(directory) = self.directory(path)? else { return Ok(None) };
        let opened = directory.try_clone().and_then(|directory| File::from(directory).metadata());
        let metadata = opened.map_err(failed(IoAction::Read, &self.full_path(path)))?;
        Ok(metadata.modified().ok())
    }

    fn boot(&self) -> Option<Box<str>> {
        let read = || Some(std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().into());
        self.boot.get_or_init(read).clone()
    }

    fn full_path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.path.clone() } else { self.path.join(path) }
    }
}

fn kind(directory: &OwnedFd, entry: &rustix::fs::DirEntry) -> Kind {
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
