//! The journal's file: how it is read from an offset on, appended to in one write, and replaced as a whole.

use super::disk::{Access, Disk, Rename, length_of, write_new};
use super::layout::{JOURNAL, NEW_JOURNAL, PRIVATE};
use crate::memory::{FileFlaw, StoreError};

/// The outcome of an append, unless the journal is as before.
pub(super) enum Appended {
    Durable,
    /// The append failed, and could not be cut off: the line may be durable, now or later.
    Unknown(StoreError),
}

/// Reads what stands between two offsets.
///
/// # Errors
///
/// The system refuses.
pub(super) fn read<D: Disk>(disk: &D, from: u64, to: u64) -> Result<Vec<u8>, StoreError> {
    let file = if to > from { disk.open(JOURNAL, Access::Read)? } else { None };
    file.map_or(Ok(Vec::new()), |file| read_in(disk, &file, from, to))
}

/// Reads what stands between two offsets of the journal's file.
///
/// # Errors
///
/// The system refuses.
pub(super) fn read_in<D: Disk>(disk: &D, file: &D::File, from: u64, to: u64) -> Result<Vec<u8>, StoreError> {
    let length = usize::try_from(to.saturating_sub(from));
    let too_large = |_| StoreError::Unusable { path: disk.full_path(JOURNAL), what: FileFlaw::TooLarge };
    disk.read_at(file, from, length.map_err(too_large)?)
}

/// Returns the entry of a line, without its line feed. A loss of power may have left zeros in the place of the line
/// feed, and after them the rest of an interrupted append.
pub(super) fn entry_of(line: &[u8]) -> &[u8] {
    line.split(|byte| matches!(byte, b'\n' | 0)).next().unwrap_or_default()
}

/// Appends a line after the entries, which end at `end`, and syncs it. Bytes after `end` were never committed, and are
/// cut off first. The line feed is written after the sync: a line without one may not be durable.
///
/// # Errors
///
/// The journal is as before: what may have been written is cut off, durably.
pub(super) fn append<D: Disk>(disk: &D, end: u64, line: &[u8]) -> Result<Appended, StoreError> {
    let file = disk.open(JOURNAL, Access::Write)?;
    let file = match file.filter(|file| disk.stat(file).links == 1) {
        Some(file) => {
            if disk.stat(&file).length > end {
                disk.truncate(&file, end)?;
            }
            if let Some(before) = end.checked_sub(1) {
                // Writes the line feed of the line before: a sync that failed may have lost it.
                disk.write_at(&file, before, b"\n")?;
            }
            if let Err(error) = disk.write_at(&file, end, line).and_then(|()| disk.sync(&file)) {
                let cut = disk.truncate(&file, end).and_then(|()| disk.sync(&file));
                return if cut.is_ok() { Err(error) } else { Ok(Appended::Unknown(error)) };
            }
            file
        }
        // There is no journal yet; or its file has a second name, such as a copy by hard links, which must not change.
        // Then a new file takes the journal's name.
        None => {
            let file = stage(disk, &[&read(disk, 0, end)?, line].concat())?;
            if let Err(error) = place(disk) {
                return Ok(Appended::Unknown(error));
            }
            file
        }
    };
    // If that fails, the next access writes the line feed.
    let _ = disk.write_at(&file, end.saturating_add(length_of(line)), b"\n");
    Ok(Appended::Durable)
}

fn stage<D: Disk>(disk: &D, bytes: &[u8]) -> Result<D::File, StoreError> {
    let staged = write_new(disk, NEW_JOURNAL, None, bytes).and_then(|file| disk.sync(&file).map(|()| file));
    staged.inspect_err(|_| {
        let _ = disk.remove(NEW_JOURNAL);
    })
}

fn place<D: Disk>(disk: &D) -> Result<(), StoreError> {
    disk.rename(NEW_JOURNAL, JOURNAL, Rename::Over)?;
    disk.sync_directory(PRIVATE)
}

/// Replaces the whole journal, durably: after a crash it is the old one or the new one. The last line gets its line
/// feed.
///
/// # Errors
///
/// The system refuses: the journal is the old one or the new one.
pub(super) fn replace<D: Disk>(disk: &D, mut lines: &[u8]) -> Result<(), StoreError> {
    while let [rest @ .., b'\n' | 0] = lines {
        lines = rest;
    }
    let file = stage(disk, lines)?;
    place(disk)?;
    disk.write_at(&file, length_of(lines), b"\n")
}
