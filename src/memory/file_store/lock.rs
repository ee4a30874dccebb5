//! The lock of a directory: held by one at a time, of all threads and processes.
//!
//! It is the system's lock on one file, which the system gives up when its holder dies. Who waits tries and sleeps, a little
//! longer each time and not as long as others, so that a time limit is kept and nobody who has stopped holds up others.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::store_error::failed;
use super::super::{IoAction, StoreError};

/// The shortest and the longest sleep.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    file: File,
}

/// Which file was locked: another one, if the directory was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LockFile {
    device: u64,
    inode: u64,
}

impl Held {
    /// Takes the lock of the file at `path`.
    ///
    /// # Errors
    ///
    /// `Busy`: others held it until the deadline. The system refuses.
    pub(super) fn take(path: &Path, deadline: Instant) -> Result<Self, StoreError> {
        let mut naps = Naps::default();
        loop {
            let held = Self { file: open(path)? };
            while !held.try_lock(path)? {
                if !naps.next(deadline) {
                    return Err(StoreError::Busy { path: path.to_owned() });
                }
            }
            // Its file may have been removed or replaced while it was waited for.
            if !naps.has_slept() || std::fs::metadata(path).is_ok_and(|metadata| file_of(&metadata) == held.file().ok())
            {
                return Ok(held);
            }
        }
    }

    fn try_lock(&self, path: &Path) -> Result<bool, StoreError> {
        match self.file.try_lock() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => Err(failed(IoAction::Lock, path)(source)),
        }
    }

    /// Returns which file is locked.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn file(&self) -> std::io::Result<LockFile> {
        let metadata = self.file.metadata()?;
        Ok(LockFile { device: metadata.dev(), inode: metadata.ino() })
    }
}

fn file_of(metadata: &std::fs::Metadata) -> Option<LockFile> {
    Some(LockFile { device: metadata.dev(), inode: metadata.ino() })
}

/// Opens the lock's file, which is created if it is missing. A link is not followed.
fn open(path: &Path) -> Result<File, StoreError> {
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let options = |is_new: bool| {
        let mut options = File::options();
        let flags = i32::try_from(flags).unwrap_or_default();
        options.read(true).write(is_new).create_new(is_new).custom_flags(flags);
        options.open(path)
    };
    match options(false) {
        Err(error) if error.kind() == ErrorKind::NotFound => match options(true) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => options(false),
            opened => opened,
        },
        opened => opened,
    }
    .map_err(failed(IoAction::Open, path))
}

/// The sleeps of who waits.
#[derive(Debug, Default)]
pub(super) struct Naps {
    count: u32,
}

impl Naps {
    const fn has_slept(&self) -> bool {
        self.count > 0
    }

    /// Sleeps; returns false if the deadline has passed.
    pub(super) fn next(&mut self, deadline: Instant) -> bool {
        let now = Instant::now();
        if now >= deadline {
            return false;
        }
        let (shortest, longest) = NAPS;
        let longest = longest.min(shortest.saturating_mul(1 << self.count.min(8)));
        // Between a half and the whole: the clock's last digits are as good as chance.
        let chance = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.subsec_nanos() / 16 % 512);
        let nap = longest.saturating_mul(512_u32.saturating_add(chance)) / 1024;
        self.count = self.count.saturating_add(1);
        std::thread::sleep(nap.min(deadline.saturating_duration_since(now)));
        true
    }
}

/// Returns the time that is `patience` from now.
pub(super) fn deadline(patience: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(patience).or_else(|| now.checked_add(Duration::from_secs(86_400))).unwrap_or(now)
}
