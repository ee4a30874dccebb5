//! The journal's file: read from an offset on, appended to in one write, written anew.

use super::super::{FileFlaw, StoreError};
use super::disk::{Access, Disk, Identity, Stat};
use super::layout::{JOURNAL, NEW_JOURNAL, PENDING, PRIVATE, files_of_format_1};

/// How much of the journal is read at once.
pub(super) const BLOCK: usize = 1 << 20;

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

impl Extent {
    pub(super) const fn of(stat: &Stat) -> Self {
        Self { identity: stat.identity, length: stat.length }
    }
}

/// Returns what the journal's file is like; `None` if there is none.
///
/// # Errors
///
/// The system refuses.
pub(super) fn stat<D: Disk>(disk: &D) -> Result<Option<Stat>, StoreError> {
    let Some(file) = disk.open(JOURNAL, Access::Read)? else { return Ok(None) };
    disk.stat(&file).map(Some)
}

/// Reads at most `length` bytes from an offset on.
///
/// # Errors
///
/// The system refuses.
pub(super) fn read<D: Disk>(disk: &D, from: u64, length: u64) -> Result<Vec<u8>, StoreError> {
    let too_large = || StoreError::Unusable { path: disk.full_path(JOURNAL), what: FileFlaw::TooLarge };
    let length = usize::try_from(length).map_err(|_| too_large())?;
    match disk.open(JOURNAL, Access::Read)? {
        Some(file) => disk.read_at(&file, from, length),
        None => Ok(Vec::new()),
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
    let bytes = read(disk, from, end.saturating_sub(from))?;
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
    let Some(file) = disk.open(JOURNAL, Access::Write)? else { return written_anew(disk, bytes, 0) };
    let stat = disk.stat(&file)?;
    if stat.links > 1 {
        // The other name is that of a copy, which is not to change.
        let before = disk.read_at(&file, 0, usize::try_from(end).unwrap_or(usize::MAX))?;
        return written_anew(disk, &[&before, bytes].concat(), end);
    }
    if stat.length > end {
        disk.truncate(&file, end)?;
    }
    let Err(error) = disk.write_at(&file, end, bytes).and_then(|()| disk.sync(&file)) else {
        let length = end.saturating_add(super::index::length(bytes));
        return Ok(Appended::Durable(Some(Extent { identity: stat.identity, length })));
    };
    Ok(match disk.truncate(&file, end).and_then(|()| disk.sync(&file)) {
        Ok(()) => return Err(error),
        Err(_) => Appended::Unknown(error),
    })
}

/// Replaces the journal by a longer one, of which `end` bytes are committed already.
fn written_anew<D: Disk>(disk: &D, bytes: &[u8], end: u64) -> Result<Appended, StoreError> {
    let staged = stage(disk, bytes);
    if let Err(error) = staged {
        let _ = disk.remove(NEW_JOURNAL);
        return Err(error);
    }
    let placed = disk.replace(NEW_JOURNAL, JOURNAL).and_then(|_| disk.sync_directory(PRIVATE));
    let Err(error) = placed else { return Ok(Appended::Durable(None)) };
    let cut = match disk.open(JOURNAL, Access::Write) {
        Ok(Some(file)) => disk.truncate(&file, end).and_then(|()| disk.sync(&file)),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    Ok(match cut {
        Ok(()) => return Err(error),
        Err(_) => Appended::Unknown(error),
    })
}

fn stage<D: Disk>(disk: &D, bytes: &[u8]) -> Result<(), StoreError> {
    disk.remove(NEW_JOURNAL)?;
    let file = disk.create(NEW_JOURNAL, None)?;
    disk.write_at(&file, 0, bytes)?;
    disk.sync(&file)
}

/// Replaces the whole journal, durably: before a crash it is the old one, or the new one.
///
/// # Errors
///
/// The system refuses: either one stands there.
pub(super) fn replace<D: Disk>(disk: &D, bytes: &[u8]) -> Result<(), StoreError> {
    stage(disk, bytes)?;
    disk.replace(NEW_JOURNAL, JOURNAL)?;
    disk.sync_directory(PRIVATE)
}

/// Reads the journal of a directory of format 1, which stands in several files; `None` if there is none.
///
/// # Errors
///
/// The system refuses.
pub(super) fn of_format_1<D: Disk>(disk: &D) -> Result<Option<Vec<u8>>, StoreError> {
    let files = files_of_format_1(disk)?.journal;
    let mut whole = Vec::new();
    for path in &files {
        if let Some(file) = disk.open(path, Access::Read)? {
            let length = usize::try_from(disk.stat(&file)?.length).unwrap_or(usize::MAX);
            whole.extend(disk.read_at(&file, 0, length)?);
        }
    }
    Ok((!files.is_empty()).then_some(whole))
}

/// Removes the files of format 1, once what they say stands in the journal.
///
/// # Errors
///
/// The system refuses: some of them may be left.
pub(super) fn remove_format_1<D: Disk>(disk: &D) -> Result<(), StoreError> {
    let files = files_of_format_1(disk)?;
    for path in files.journal.iter().chain(&files.others) {
        disk.remove(path)?;
    }
    files.folders.iter().try_for_each(|folder| disk.remove_directory(folder))
}
