//! The journal's file: read from an offset on, appended to in one write, written anew.

use super::disk::{Access, Disk, Identity, Rename, Stat, length_of, write_new};
use super::layout::{JOURNAL, NEW_JOURNAL, PENDING, PRIVATE};
use crate::memory::{FileFlaw, StoreError};

/// How much of the journal is read at once.
const BLOCK: u64 = 1 << 20;

/// What became of an append that was not refused.
#[derive(Debug)]
pub(super) enum Appended {
    /// The bytes are durable, in this file, where that is known.
    Durable(Option<Extent>),
    /// They may be durable, now or later: they could not be cut off.
    Unknown(StoreError),
}

/// Which file the journal is, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) identity: Identity,
    pub(super) length: u64,
}

/// Returns what the journal's file is like; `None` if there is none.
///
/// # Errors
///
/// The system refuses.
pub(super) fn stat<D: Disk>(disk: &D) -> Result<Option<Stat>, StoreError> {
    Ok(disk.open(JOURNAL, Access::Read)?.map(|file| disk.stat(&file)))
}

/// Reads what stands between two offsets.
///
/// # Errors
///
/// The system refuses.
pub(super) fn read<D: Disk>(disk: &D, from: u64, to: u64) -> Result<Vec<u8>, StoreError> {
    let length = usize::try_from(to.saturating_sub(from));
    let length =
        length.map_err(|_| StoreError::Unusable { path: disk.full_path(JOURNAL), what: FileFlaw::TooLarge })?;
    let file = if length > 0 { disk.open(JOURNAL, Access::Read)? } else { None };
    file.map_or(Ok(Vec::new()), |file| disk.read_at(&file, from, length))
}

/// Visits the lines between two offsets, without their ends, until `visit` returns false.
///
/// # Errors
///
/// The system refuses.
pub(super) fn visit_lines<D: Disk>(
    disk: &D,
    file: &D::File,
    (from, to): (u64, u64),
    visit: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<(), StoreError> {
    let mut at = from;
    let mut rest = Vec::new();
    loop {
        let wanted = usize::try_from(to.saturating_sub(at).min(BLOCK)).unwrap_or_default();
        let read = if wanted > 0 { disk.read_at(file, at, wanted)? } else { Vec::new() };
        at = at.saturating_add(length_of(&read));
        let is_last = read.is_empty();
        rest.extend(read);
        let complete = memchr::memrchr(b'\n', &rest).map_or(0, |newline| newline.saturating_add(1));
        let behind = rest.split_off(if is_last { rest.len() } else { complete });
        for line in rest.split_inclusive(|byte| *byte == b'\n') {
            if !visit(line.strip_suffix(b"\n").unwrap_or(line)) {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
        rest = behind;
    }
}

/// Appends bytes behind the entries, which end at `end`, in one write, and syncs them. What stands behind was never committed,
/// and is cut off. Until the bytes are durable, a file says that they may not be.
///
/// # Errors
///
/// The journal is as before: what may have been written is cut off, durably.
pub(super) fn append<D: Disk>(disk: &D, end: u64, bytes: &[u8]) -> Result<Appended, StoreError> {
    if disk.open(PENDING, Access::Read)?.is_none() {
        disk.create(PENDING, None)?;
    }
    let appended = append_pending(disk, end, bytes);
    if !matches!(appended, Ok(Appended::Unknown(_))) {
        // Where it stays, the last entry is written once more.
        let _ = disk.remove(PENDING);
    }
    appended
}

/// Makes it durable what stands between two offsets, the last of which is the end, if it may not be. It is written again: after
/// a sync that failed it may be in memory only, and another sync would not write it.
///
/// # Errors
///
/// The system refuses: it is no more durable than before.
pub(super) fn finish<D: Disk>(disk: &D, from: u64, end: u64) -> Result<(), StoreError> {
    if disk.open(PENDING, Access::Read)?.is_none() {
        return Ok(());
    }
    let bytes = read(disk, from, end)?;
    if from == 0 {
        // Its name may not be durable either.
        replace(disk, &bytes)?;
    } else if let Some(file) = disk.open(JOURNAL, Access::Write)? {
        disk.write_at(&file, from, &bytes)?;
        disk.sync(&file)?;
    }
    disk.remove(PENDING)
}

fn append_pending<D: Disk>(disk: &D, end: u64, bytes: &[u8]) -> Result<Appended, StoreError> {
    let file = disk.open(JOURNAL, Access::Write)?;
    let Some(file) = file.filter(|file| disk.stat(file).links == 1) else {
        // It is new; or it has another name, which is that of a copy and is not to change.
        return append_anew(disk, end, &[&read(disk, 0, end)?, bytes].concat());
    };
    let Stat { length, identity, .. } = disk.stat(&file);
    if length > end {
        disk.truncate(&file, end)?;
    }
    let Err(error) = disk.write_at(&file, end, bytes).and_then(|()| disk.sync(&file)) else {
        let length = end.saturating_add(length_of(bytes));
        return Ok(Appended::Durable(Some(Extent { identity, length })));
    };
    match disk.truncate(&file, end).and_then(|()| disk.sync(&file)) {
        Ok(()) => Err(error),
        Err(_) => Ok(Appended::Unknown(error)),
    }
}

/// Replaces the journal by a longer one, of which `end` bytes are committed already.
fn append_anew<D: Disk>(disk: &D, end: u64, bytes: &[u8]) -> Result<Appended, StoreError> {
    stage(disk, bytes).inspect_err(|_| {
        let _ = disk.remove(NEW_JOURNAL);
    })?;
    let Err(error) = place(disk) else { return Ok(Appended::Durable(None)) };
    let cut = match disk.open(JOURNAL, Access::Write) {
        Ok(Some(file)) => disk.truncate(&file, end).and_then(|()| disk.sync(&file)),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    if cut.is_ok() { Err(error) } else { Ok(Appended::Unknown(error)) }
}

fn stage<D: Disk>(disk: &D, bytes: &[u8]) -> Result<(), StoreError> {
    let file = write_new(disk, NEW_JOURNAL, None, bytes)?;
    disk.sync(&file)
}

fn place<D: Disk>(disk: &D) -> Result<(), StoreError> {
    disk.rename(NEW_JOURNAL, JOURNAL, Rename::Over)?;
    disk.sync_directory(PRIVATE)
}

/// Replaces the whole journal, durably: before a crash it is the old one, or the new one.
///
/// # Errors
///
/// The system refuses: either one stands there.
pub(super) fn replace<D: Disk>(disk: &D, bytes: &[u8]) -> Result<(), StoreError> {
    stage(disk, bytes)?;
    place(disk)
}
