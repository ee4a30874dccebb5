//! The lock of a directory: held alone to write, shared to read, between processes and threads.
//!
//! It is the system's lock on one file, which the system gives up when its holder dies. The line before it (see `queue`)
//! makes it fair: first come, first served, where the threads of a process that arrive together count as one after the
//! other. A reader who comes after a waiting writer waits behind it, so readers starve no writer. Nobody who waits blocks
//! in the system, and no thread is started: waiting is trying and sleeping, so a time limit is kept to within one nap.
//!
//! A lock is worth nothing once its file is no longer the one on the path (somebody removed the directory, or put another
//! in its place): that is looked at when the lock has been taken, and again before a commit is appended. In a directory
//! that cannot be written to, readers use the lock's file if it is there, and go without a lock if it is not.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::super::{IoAction, StoreError};
use super::disk::{Access, Disk as _, Identity};
use super::layout::LOCK;
use super::placement::Custody;
use super::queue::{self, NAP, Ticket, Turnstile};
use super::unix::UnixDisk;

/// The lock of one directory: one for all handles of a process that shall be served in order.
#[derive(Debug, Default)]
pub(super) struct Lock {
    turnstile: Turnstile,
}

/// What the lock is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// To read, beside other readers.
    Shared,
    /// To write.
    Alone,
}

/// The lock, until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    /// `None` where a directory that cannot be written to has no lock.
    file: Option<File>,
    path: PathBuf,
}

impl Lock {
    /// Takes the lock, or gives up after `patience`.
    ///
    /// # Errors
    ///
    /// `Busy`: others held it, or stood before, all the time. Else the system refuses.
    pub(super) fn take(&self, disk: &UnixDisk, mode: Mode, patience: Duration) -> Result<Held, StoreError> {
        let deadline = Instant::now().checked_add(patience);
        let deadline = deadline.unwrap_or_else(|| Instant::now() + Duration::from_secs(86_400));
        let busy = || StoreError::Busy { path: disk.full_path(LOCK) };
        let _turn = self.turnstile.enter(deadline).ok_or_else(busy)?;
        loop {
            let Some(held) = Held::open(disk, mode)? else {
                return Ok(Held { file: None, path: disk.full_path(LOCK) });
            };
            let is_ours = queue::is_empty(disk)? && held.try_lock(mode)? || held.wait(disk, mode, deadline)?;
            if !is_ours {
                return Err(busy());
            }
            if held.is_current() {
                return Ok(held);
            }
        }
    }
}

impl Held {
    /// Opens the lock's file, which is created if it is missing; `None` if it is missing and cannot be.
    fn open(disk: &UnixDisk, mode: Mode) -> Result<Option<Self>, StoreError> {
        let file = loop {
            if let Some(file) = disk.open(LOCK, Access::Read)? {
                break file;
            }
            match disk.create(LOCK, None) {
                Ok(file) => break file,
                // Somebody else was faster.
                Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
                Err(error) if mode == Mode::Shared && is_denied(&error) => return Ok(None),
                Err(error) => return Err(error),
            }
        };
        Ok(Some(Self { file: Some(file.into_file()), path: disk.full_path(LOCK) }))
    }

    fn try_lock(&self, mode: Mode) -> Result<bool, StoreError> {
        let Some(file) = &self.file else { return Ok(true) };
        let tried = if mode == Mode::Shared { file.try_lock_shared() } else { file.try_lock() };
        match tried {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(source)) => {
                Err(StoreError::Io { action: IoAction::Lock, path: self.path.clone(), source })
            }
        }
    }

    /// Stands in line, and then tries until the lock is free.
    fn wait(&self, disk: &UnixDisk, mode: Mode, deadline: Instant) -> Result<bool, StoreError> {
        let _ticket = match Ticket::take(disk, deadline) {
            Ok(ticket) if ticket.wait(deadline)? => Some(ticket),
            Ok(_) => return Ok(false),
            // Who may not write into the directory cannot stand in line.
            Err(error) if mode == Mode::Shared && is_denied(&error) => None,
            Err(error) => return Err(error),
        };
        while !self.try_lock(mode)? {
            if Instant::now() >= deadline {
                return Ok(false);
            }
            std::thread::sleep(NAP);
        }
        Ok(true)
    }

    fn identity(&self) -> Option<Identity> {
        let metadata = self.file.as_ref()?.metadata().ok()?;
        Some(Identity { device: metadata.dev(), inode: metadata.ino() })
    }
}

impl Custody for Held {
    fn is_current(&self) -> bool {
        let on_path = std::fs::symlink_metadata(&self.path).ok();
        let on_path = on_path.map(|metadata| Identity { device: metadata.dev(), inode: metadata.ino() });
        on_path == self.identity()
    }
}

/// Reports whether the directory cannot be written to.
pub(super) fn is_denied(error: &StoreError) -> bool {
    let StoreError::Io { source, .. } = error else { return false };
    matches!(source.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::NotFound)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::super::layout::{self, QUEUE};
    use super::super::sim::directory::Directory;
    use super::*;

    fn opened(directory: &Directory) -> UnixDisk {
        let disk = UnixDisk::open(directory.path()).unwrap();
        layout::prepare(&disk).unwrap();
        disk
    }

    fn wait_until(is_so: impl Fn() -> bool) {
        while !is_so() {
            std::thread::yield_now();
        }
    }

    fn waiting(disk: &UnixDisk) -> usize {
        disk.list(QUEUE).unwrap().iter().filter(|listed| !listed.name.starts_with("new-")).count()
    }

    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_no_ticket_keeps_nobody_waiting() {
        use std::fs;
        let directory = Directory::new();
        let disk = opened(&directory);
        let queue = directory.path().join(QUEUE);
        for name in ["1", "0000000000000001", "18446744073709551615", "99999999999999999999", "00000000000000000007"] {
            fs::write(queue.join(name), "").unwrap();
        }
        fs::write(queue.join(format!("{:020}", u64::MAX / 2)), "").unwrap();
        fs::create_dir(queue.join(format!("{:020}", 1))).unwrap();
        std::os::unix::fs::symlink("/dev/null", queue.join(format!("{:020}", 2))).unwrap();
        fs::write(queue.join(format!("{:020}", 3)), "").unwrap();
        fs::hard_link(queue.join(format!("{:020}", 3)), queue.join("other")).unwrap();
        fs::create_dir(queue.join("new-1-1")).unwrap();
        queue::sweep(&disk, std::time::SystemTime::now()).unwrap();
        for _ in 0..3 {
            let held = Lock::default().take(&disk, Mode::Alone, PATIENCE).unwrap();
            let refused = Lock::default().take(&disk, Mode::Shared, Duration::ZERO);
            assert!(matches!(refused, Err(StoreError::Busy { .. })));
            drop(held);
        }
        // Nothing was left behind.
        assert_eq!(fs::read_dir(&queue).unwrap().count(), 9);
    }

    #[test]
    fn who_comes_first_is_served_first() {
        let directory = Directory::new();
        let disk = opened(&directory);
        // A lock of its own stands for a process: nothing but files tells it who stands in line.
        let locks: Vec<Lock> = (0..6).map(|_| Lock::default()).collect();
        let order = Mutex::new(Vec::new());
        let held = Lock::default().take(&disk, Mode::Alone, Duration::ZERO).unwrap();
        std::thread::scope(|scope| {
            for (index, lock) in locks.iter().enumerate() {
                let (disk, order) = (&disk, &order);
                scope.spawn(move || {
                    let _held = lock.take(disk, Mode::Alone, PATIENCE).unwrap();
                    order.lock().unwrap().push(index);
                });
                wait_until(|| waiting(disk) == index + 1);
            }
            drop(held);
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(waiting(&disk), 0);
    }

    #[test]
    fn a_reader_behind_a_waiting_writer_waits() {
        let directory = Directory::new();
        let disk = opened(&directory);
        let reader = Lock::default().take(&disk, Mode::Shared, Duration::ZERO).unwrap();
        let other = Lock::default().take(&disk, Mode::Shared, Duration::ZERO).unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| drop(Lock::default().take(&disk, Mode::Alone, PATIENCE).unwrap()));
            wait_until(|| waiting(&disk) == 1);
            let late = Lock::default().take(&disk, Mode::Shared, Duration::from_millis(20));
            assert!(matches!(late, Err(StoreError::Busy { .. })));
            drop([reader, other]);
            writer.join().unwrap();
        });
        Lock::default().take(&disk, Mode::Shared, Duration::ZERO).unwrap();
    }

    #[test]
    fn a_lock_is_held_by_one() {
        let directory = Directory::new();
        let disk = opened(&directory);
        let shared = Lock::default();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for index in 0..6 {
                let (disk, shared, inside) = (&disk, &shared, &inside);
                scope.spawn(move || {
                    let own = Lock::default();
                    for _ in 0..30 {
                        let lock = if index % 2 == 0 { shared } else { &own };
                        let _held = lock.take(disk, Mode::Alone, PATIENCE).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
    }

    #[test]
    fn the_dead_are_not_waited_for() {
        let directory = Directory::new();
        let disk = opened(&directory);
        disk.create(&format!("{QUEUE}/{:020}", 3), None).unwrap();
        let held = Lock::default().take(&disk, Mode::Shared, Duration::ZERO).unwrap();
        assert_eq!(waiting(&disk), 0);
        assert!(held.is_current());
    }

    #[test]
    fn a_lock_whose_file_is_gone_is_not_current() {
        let directory = Directory::new();
        let disk = opened(&directory);
        let held = Lock::default().take(&disk, Mode::Alone, Duration::ZERO).unwrap();
        disk.remove(LOCK).unwrap();
        assert!(!held.is_current());
        let again = Lock::default().take(&disk, Mode::Alone, Duration::ZERO).unwrap();
        assert!(again.is_current() && !held.is_current());
    }
}
