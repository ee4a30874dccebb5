//! Standing in line: who comes first is served first, in the process and between processes.
//!
//! The system wakes those who wait for a file's lock in no promised order, and gives no time limit. So the lock itself is
//! only ever tried, by whoever is first in line, and the line is kept apart: in the process by a queue of numbers, between
//! processes by files in a directory, each locked by the one who waits with it. A waiter tries the lock of the file just
//! before its own, and sleeps between tries, the shorter the nearer it is to the front: a try is one system call, and the
//! order does not depend on who tries most. The system gives up a dead waiter's lock; its file is then removed by the next.
//!
//! The line gives the order only. Two processes that look at it in the same moment may both believe to be first; the lock
//! itself decides between them.

use std::collections::VecDeque;
use std::fs::{File, TryLockError};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use super::super::{FileFlaw, IoAction, StoreError};
use super::disk::{Access, Disk as _, Kind, Listed, Moved, age};
use super::layout::QUEUE;
use super::unix::UnixDisk;

/// How long whoever is first in line sleeps between two tries.
pub(super) const NAP: Duration = Duration::from_micros(500);
/// How long anybody sleeps at most.
const LONGEST_NAP: Duration = Duration::from_millis(8);
/// What the name of a ticket begins with that has no number yet.
const UNLISTED: &str = "new-";
/// The last number that a ticket has: far behind all that are ever taken, and before those behind which there is none.
const LAST: u64 = u64::MAX / 2;
/// How long taking a ticket cannot last.
const LEFT_OVER: Duration = Duration::from_secs(60);

/// The line within a process: one thread at a time stands in the line between processes.
#[derive(Debug, Default)]
pub(super) struct Turnstile {
    waiting: Mutex<Line>,
    moved: Condvar,
}

#[derive(Debug, Default)]
struct Line {
    numbers: VecDeque<u64>,
    last: u64,
}

/// The first place in the line; given up when dropped.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    turnstile: &'a Turnstile,
    number: u64,
}

impl Turnstile {
    /// Waits for the first place until `deadline`; `None` if it is not reached by then.
    pub(super) fn enter(&self, deadline: Instant) -> Option<Turn<'_>> {
        let mut line = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        line.last = line.last.wrapping_add(1);
        let number = line.last;
        line.numbers.push_back(number);
        // Whatever happens from here on, the number leaves the line.
        let turn = Turn { turnstile: self, number };
        while line.numbers.front() != Some(&number) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                drop(line);
                return None;
            }
            line = self.moved.wait_timeout(line, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(line);
        Some(turn)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let mut line = self.turnstile.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        line.numbers.retain(|number| *number != self.number);
        drop(line);
        self.turnstile.moved.notify_all();
    }
}

/// A place in the line between processes; given up when dropped.
pub(super) struct Ticket<'a> {
    disk: &'a UnixDisk,
    number: u64,
    path: String,
    /// Locked as long as the ticket counts.
    _file: File,
}

/// Reports whether nobody stands in the line between processes.
///
/// # Errors
///
/// The system refuses.
pub(super) fn is_empty(disk: &UnixDisk) -> Result<bool, StoreError> {
    Ok(numbers(disk)?.is_empty())
}

impl<'a> Ticket<'a> {
    /// Takes the last place.
    ///
    /// # Errors
    ///
    /// `Busy`: there was none until `deadline`. Else the system refuses.
    pub(super) fn take(disk: &'a UnixDisk, deadline: Instant) -> Result<Self, StoreError> {
        let unlisted = format!("{QUEUE}/{UNLISTED}{}-{:x}", std::process::id(), unique());
        let file = disk.create(&unlisted, None)?.into_file();
        // Nobody else knows this name, so the lock is free.
        file.try_lock().map_err(|_| StoreError::Busy { path: disk.full_path(&unlisted) })?;
        let mut least = 1;
        loop {
            let number = numbers(disk)?.last().map_or(1, |last| last.saturating_add(1)).max(least);
            let path = path(number);
            match disk.rename_new(&unlisted, &path)? {
                // By somebody who was faster, or by what is no ticket.
                Moved::Taken => least = number.saturating_add(1),
                Moved::Done => return Ok(Self { disk, number, path, _file: file }),
                _ => return Err(StoreError::Unusable { path: disk.full_path(&unlisted), what: FileFlaw::Missing }),
            }
            if Instant::now() >= deadline {
                disk.remove(&unlisted)?;
                return Err(StoreError::Busy { path: disk.full_path(&unlisted) });
            }
        }
    }

    /// Waits until nobody who is alive stands before this ticket; `false` if it is not so by `deadline`.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn wait(&self, deadline: Instant) -> Result<bool, StoreError> {
        loop {
            let Some(Nearest { path, file, before }) = self.nearest()? else { return Ok(true) };
            let nap = nap(before);
            loop {
                match file.try_lock_shared() {
                    // Its owner is gone or dead.
                    Ok(()) => {
                        self.disk.remove(&path)?;
                        break;
                    }
                    Err(TryLockError::WouldBlock) if Instant::now() >= deadline => return Ok(false),
                    Err(TryLockError::WouldBlock) => std::thread::sleep(nap),
                    Err(TryLockError::Error(source)) => {
                        return Err(StoreError::Io {
                            action: IoAction::Lock,
                            path: self.disk.full_path(&path),
                            source,
                        });
                    }
                }
                // Those before may have moved on faster than this nap supposes.
                if nap > NAP && self.before()?.len() < before {
                    break;
                }
            }
        }
    }

    /// Opens the nearest ticket before this one, past those that are gone meanwhile, and past what is no ticket.
    fn nearest(&self) -> Result<Option<Nearest>, StoreError> {
        let before = self.before()?;
        for (ahead, number) in before.iter().enumerate().rev() {
            let path = path(*number);
            match self.disk.open(&path, Access::Read) {
                Ok(Some(file)) => {
                    return Ok(Some(Nearest { path, file: file.into_file(), before: ahead.saturating_add(1) }));
                }
                Ok(None) | Err(StoreError::Unusable { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Returns the numbers before this one, in order.
    fn before(&self) -> Result<Vec<u64>, StoreError> {
        Ok(numbers(self.disk)?.into_iter().filter(|number| *number < self.number).collect())
    }
}

/// The ticket just before another.
struct Nearest {
    path: String,
    file: File,
    /// How many stand before, this one included.
    before: usize,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        // A ticket that cannot be removed is one whose lock is free: the next in line removes it.
        let _ = self.disk.remove(&self.path);
    }
}

/// Removes what processes have left that died while they were taking a ticket.
///
/// # Errors
///
/// The system refuses.
pub(super) fn sweep(disk: &UnixDisk, now: SystemTime) -> Result<(), StoreError> {
    let is_unlisted = |listed: &&Listed| listed.kind == Kind::File && listed.name.starts_with(UNLISTED);
    for listed in disk.list(QUEUE)?.iter().filter(is_unlisted) {
        let path = format!("{QUEUE}/{}", listed.name);
        if let Some(file) = disk.open(&path, Access::Read)?
            && age(disk.stat(&file)?.modified, now) > LEFT_OVER
            && file.into_file().try_lock_shared().is_ok()
        {
            disk.remove(&path)?;
        }
    }
    Ok(())
}

fn nap(before: usize) -> Duration {
    NAP.saturating_mul(u32::try_from(before).unwrap_or(u32::MAX)).min(LONGEST_NAP)
}

fn path(number: u64) -> String {
    format!("{QUEUE}/{number:020}")
}

/// Returns the numbers of the tickets, in order. What has another name, or is no file, is none.
fn numbers(disk: &UnixDisk) -> Result<Vec<u64>, StoreError> {
    let number = |listed: &Listed| {
        let number = listed.name.parse::<u64>().ok().filter(|number| (1..=LAST).contains(number))?;
        (listed.kind == Kind::File && listed.name == format!("{number:020}")).then_some(number)
    };
    let mut numbers: Vec<u64> = disk.list(QUEUE)?.iter().filter_map(number).collect();
    numbers.sort();
    Ok(numbers)
}

/// Returns a number that no other thread of this process gets.
fn unique() -> u64 {
    static LAST: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    LAST.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}
