//! [`UnixDisk`]: the operations of [`Disk`]. Each is relative to an open directory and follows no links, so that nobody
//! can lead it out of the directory.
//!
//! [`FileStore`](super::FileStore) says what a commit does not keep, and what may be lost if the file system cannot
//! exchange two files.

use std::fs::{File, Permissions};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, fsync, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::disk::{Access, Disk, Listed, Moved, Rename, Stat};
use crate::memory::error::failed;
use crate::memory::{FileFlaw, StoreError};

const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
/// Opening must not wait for a FIFO or a device, before it is known what the file is.
const FILE: OFlags = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOCTTY);

/// A directory of the operating system.
pub(super) struct UnixDisk {
    root: Arc<OwnedFd>,
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
        let root = rustix::fs::open(path, DIRECTORY, Mode::empty()).map_err(|error| refused("open", path, error))?;
        Ok(Self { root: Arc::new(root), path: path.to_path_buf() })
    }

    /// Opens a directory inside, part by part.
    fn directory(&self, path: &str) -> Result<Arc<OwnedFd>, Errno> {
        let mut directory = Arc::clone(&self.root);
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let next = openat(&directory, part, DIRECTORY | OFlags::NOFOLLOW, Mode::empty());
            directory = Arc::new(next.map_err(|error| if error == Errno::LOOP { Errno::NOTDIR } else { error })?);
        }
        Ok(directory)
    }

    /// Calls `act` with the open directory of a path, and with the last part of the path.
    fn inside<T>(&self, path: &str, act: impl FnOnce(&OwnedFd, &str) -> Result<T, Errno>) -> Result<T, Errno> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        act(&*self.directory(folder)?, name)
    }

    /// Turns an error of the system into one of the store; `None` if the file does not exist.
    fn if_there<T>(&self, action: &'static str, path: &str, done: Result<T, Errno>) -> Result<Option<T>, StoreError> {
        match done {
            Ok(done) => Ok(Some(done)),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(refused(action, &self.full_path(path), error)),
        }
    }

    /// Returns an opened file with its metadata. Refuses it if it is not a regular file.
    fn regular(&self, path: &str, file: OwnedFd) -> Result<Opened, StoreError> {
        let (path, file) = (self.full_path(path), File::from(file));
        let metadata = file.metadata().map_err(failed("read", &path))?;
        if !metadata.is_file() {
            return Err(StoreError::Unusable { path, what: FileFlaw::NotAFile });
        }
        let stat = Stat {
            length: metadata.len(),
            modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
            mode: metadata.mode() & 0o7777,
            links: metadata.nlink(),
        };
        Ok(Opened { file, path, stat })
    }
}

/// Returns the system's boot ID, which changes when it is restarted; `None` if it has none.
pub(super) fn boot() -> Option<Box<str>> {
    Some(std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?.trim().into())
}

/// Returns what is wrong with the file at a path, if that is why the system refuses, else the system's error.
fn refused(action: &'static str, path: &Path, error: Errno) -> StoreError {
    let what = match error {
        Errno::NOTDIR => FileFlaw::NotADirectory,
        Errno::LOOP | Errno::MLINK | Errno::ISDIR | Errno::NXIO | Errno::NODEV => FileFlaw::NotAFile,
        error => return failed(action, path)(error.into()),
    };
    StoreError::Unusable { path: path.to_path_buf(), what }
}

fn renamed([old, new]: [&OwnedFd; 2], [from, to]: [&str; 2], how: Rename) -> Result<Moved, Errno> {
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    if how != Rename::Over {
        use rustix::fs::{RenameFlags, renameat_with};
        let flags = if how == Rename::Exchange { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        match renameat_with(old, from, new, to, flags) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            renamed => return renamed.map(|()| Moved::Done),
        }
    }
    match how {
        Rename::Exchange => Ok(Moved::Unsupported),
        Rename::New if statat(new, to, AtFlags::SYMLINK_NOFOLLOW).is_ok() => Ok(Moved::Refused),
        Rename::New | Rename::Over => renameat(old, from, new, to).map(|()| Moved::Done),
    }
}

impl Disk for UnixDisk {
    type File = Opened;

    fn open(&self, path: &str, access: Access) -> Result<Option<Opened>, StoreError> {
        let mode = if access == Access::Read { OFlags::RDONLY } else { OFlags::RDWR };
        let opened = self.inside(path, |directory, name| openat(directory, name, FILE | mode, Mode::empty()));
        self.if_there("open", path, opened)?.map(|file| self.regular(path, file)).transpose()
    }

    fn create(&self, path: &str, mode: Option<u32>) -> Result<Opened, StoreError> {
        let (flags, mode_of_new) = (FILE | OFlags::RDWR | OFlags::CREATE | OFlags::EXCL, Mode::from_raw_mode(0o666));
        let created = loop {
            match self.inside(path, |directory, name| openat(directory, name, flags, mode_of_new)) {
                Err(Errno::EXIST) => self.remove(path)?,
                created => break created,
            }
        };
        let created = created.map_err(|error| refused("create", &self.full_path(path), error))?;
        let opened = self.regular(path, created)?;
        if let Some(mode) = mode {
            let set = opened.file.set_permissions(Permissions::from_mode(mode & 0o7777));
            set.map_err(failed("set the permissions of", &opened.path))?;
        }
        Ok(opened)
    }

    fn stat(&self, file: &Opened) -> Stat {
        file.stat
    }

    fn read_at(&self, file: &Opened, offset: u64, length: usize) -> Result<Vec<u8>, StoreError> {
        let (mut bytes, mut reader) = (Vec::with_capacity(length), &file.file);
        let most = u64::try_from(length).unwrap_or(u64::MAX);
        let read = reader.seek(SeekFrom::Start(offset)).and_then(|_| reader.take(most).read_to_end(&mut bytes));
        read.map_err(failed("read", &file.path))?;
        Ok(bytes)
    }

    fn write_at(&self, file: &Opened, offset: u64, bytes: &[u8]) -> Result<(), StoreError> {
        file.file.write_all_at(bytes, offset).map_err(failed("write", &file.path))
    }

    fn truncate(&self, file: &Opened, length: u64) -> Result<(), StoreError> {
        file.file.set_len(length).map_err(failed("write", &file.path))
    }

    fn sync(&self, file: &Opened) -> Result<(), StoreError> {
        file.file.sync_all().map_err(failed("sync", &file.path))
    }

    fn rename(&self, from: &str, to: &str, how: Rename) -> Result<Moved, StoreError> {
        let renamed = self.inside(from, |old, from| self.inside(to, |new, to| renamed([old, new], [from, to], how)));
        let renamed = if renamed == Err(Errno::EXIST) { Ok(Moved::Refused) } else { renamed };
        Ok(self.if_there("replace", to, renamed)?.unwrap_or(Moved::Refused))
    }

    fn remove(&self, path: &str) -> Result<(), StoreError> {
        let removed = self.inside(path, |directory, name| unlinkat(directory, name, AtFlags::empty()));
        self.if_there("remove", path, removed).map(drop)
    }

    fn list(&self, path: &str) -> Result<Vec<Listed>, StoreError> {
        let listed = self.directory(path).and_then(|directory| {
            let mut listed = Vec::new();
            for entry in Dir::read_from(&directory)? {
                let entry = entry?;
                if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    listed.push(Listed { name, is_directory: is_directory(&directory, &entry) });
                }
            }
            Ok(listed)
        });
        Ok(self.if_there("read", path, listed)?.unwrap_or_default())
    }

    fn create_directory(&self, path: &str) -> Result<(), StoreError> {
        let created = self.inside(path, |directory, name| mkdirat(directory, name, Mode::from_raw_mode(0o777)));
        // The name is taken, perhaps by a file or a link: opening it as a directory fails then.
        let created = if created == Err(Errno::EXIST) { self.directory(path).map(drop) } else { created };
        created.map_err(|error| refused("create", &self.full_path(path), error))
    }

    fn remove_directory(&self, path: &str) -> Result<(), StoreError> {
        let removed = self.inside(path, |directory, name| unlinkat(directory, name, AtFlags::REMOVEDIR));
        self.if_there("remove", path, removed).map(drop)
    }

    fn sync_directory(&self, path: &str) -> Result<(), StoreError> {
        self.if_there("sync", path, self.directory(path).and_then(fsync)).map(drop)
    }

    fn names_changed(&self, path: &str) -> Result<Option<SystemTime>, StoreError> {
        let Some(directory) = self.if_there("open", path, self.directory(path))? else { return Ok(None) };
        let metadata = directory.try_clone().and_then(|directory| File::from(directory).metadata());
        Ok(metadata.map_err(failed("read", &self.full_path(path)))?.modified().ok())
    }

    fn full_path(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.path.clone() } else { self.path.join(path) }
    }
}

fn is_directory(directory: &OwnedFd, entry: &rustix::fs::DirEntry) -> bool {
    match entry.file_type() {
        FileType::Unknown => statat(directory, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory),
        known => known == FileType::Directory,
    }
}
