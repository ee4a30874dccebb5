//! The lock of a directory: held by one at a time, of all threads and processes.
//!
//! It is the system's lock on one file, which the system gives up when its holder dies. Who waits tries and sleeps, a little
//! longer each time and not as long as others, so that a time limit is kept and nobody who has stopped holds up others.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::memory::store_error::failed;
use crate::memory::tries::nap;
use crate::memory::{IoAction, StoreError};

/// The shortest and the longest sleep.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(2));

/// Takes the lock of the file at `path`. It is given up when the file is dropped.
///
/// # Errors
///
/// `Busy`: others held it for longer than `patience`. The system refuses.
pub(super) fn lock(path: &Path, patience: Duration) -> Result<File, StoreError> {
    let started = Instant::now();
    for round in 0.. {
        // Opened each time: it may have been removed or replaced while it was waited for.
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < patience => nap(NAPS, round)?,
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(source)) => return Err(failed(IoAction::Lock, path)(source)),
        }
    }
    Err(StoreError::Busy { path: path.to_owned() })
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
