//! The lock of a directory: held by one at a time, of all threads and processes.
//!
//! It is the system's lock on one file, which the system gives up when its holder dies. Who waits tries and sleeps, a little
//! longer each time and not as long as others, so that a time limit is kept and nobody who has stopped holds up others.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use super::disk::Identity;
use crate::memory::store_error::failed;
use crate::memory::{IoAction, StoreError};

/// The shortest and the longest sleep.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    _file: File,
    /// Which file is locked: another one, if the directory was replaced.
    pub(super) identity: Identity,
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
            let file = open(path)?;
            loop {
                match file.try_lock() {
                    Ok(()) => break,
                    Err(TryLockError::WouldBlock) if naps.next(deadline) => {}
                    Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path: path.to_owned() }),
                    Err(TryLockError::Error(source)) => return Err(failed(IoAction::Lock, path)(source)),
                }
            }
            let identity = Identity::of(&file.metadata().map_err(failed(IoAction::Lock, path))?);
            // The file may have been removed or replaced while it was waited for.
            let is_there = || std::fs::metadata(path).is_ok_and(|metadata| Identity::of(&metadata) == identity);
            if naps.count == 0 || is_there() {
                return Ok(Self { _file: file, identity });
            }
        }
    }

    /// Keeps the file that is locked at `path` from being taken for another; `None` if another stands there now.
    pub(super) fn pin(&self, path: &Path) -> Option<Pin> {
        // Opened anew: a second handle of the same opening would hold the lock.
        let file = open(path).ok()?;
        let identity = Identity::of(&file.metadata().ok()?);
        (identity == self.identity).then_some(Pin { _file: file, identity })
    }
}

/// The lock's file, kept open and not locked: no other file can get its identity.
#[derive(Debug)]
pub(super) struct Pin {
    _file: File,
    pub(super) identity: Identity,
}

/// Opens the lock's file, which is created if it is missing. A link is not followed.
fn open(path: &Path) -> Result<File, StoreError> {
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    let mut options = File::options();
    options.read(true).custom_flags(i32::try_from(flags).unwrap_or_default());
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            options.write(true).create(true).truncate(false).open(path)
        }
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
    /// Sleeps; returns false if the deadline has passed.
    pub(super) fn next(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let (shortest, longest) = NAPS;
        let longest = longest.min(shortest.saturating_mul(1 << self.count.min(8)));
        // Between a half and the whole: the clock's last digits are as good as chance.
        let chance = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |elapsed| elapsed.subsec_nanos() / 16 % 512);
        self.count = self.count.saturating_add(1);
        std::thread::sleep((longest.saturating_mul(512_u32.saturating_add(chance)) / 1024).min(left));
        true
    }
}

/// Returns the time that is `patience` from now.
pub(super) fn deadline(patience: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(patience).or_else(|| now.checked_add(Duration::from_secs(86_400))).unwrap_or(now)
}
