//! The journal's files: appended to at the end, cut where an incomplete group stands, of bounded size.

use super::super::{FileFlaw, StoreError};
use super::disk::{Access, Disk};
use super::layout::{NEW, PRIVATE, TORN, segment, segment_number};

/// A place in the journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    /// The number of the file, from 1 on; 0 where there is none yet.
    pub(super) segment: u32,
    /// Bytes from its beginning.
    pub(super) offset: u64,
}

impl Position {
    /// Returns the place `bytes` further on in the same file.
    pub(super) fn after(self, bytes: usize) -> Self {
        Self { offset: self.offset.saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX)), ..self }
    }
}

/// What became of an append that was not refused.
#[derive(Debug)]
pub(super) enum Appended {
    /// The bytes are durable, and the journal ends here.
    Durable(Position),
    /// They may be durable, now or later: they could not be cut off.
    Unknown(StoreError),
}

/// Finds the end of the journal: of the file at `hint`, where no later one is, else by listing.
///
/// # Errors
///
/// The system refuses.
pub(super) fn end<D: Disk>(disk: &D, hint: Option<Position>) -> Result<Position, StoreError> {
    let number = match hint {
        Some(hint) if exists(disk, hint.segment)? && !exists(disk, hint.segment.saturating_add(1))? => hint.segment,
        _ => numbers(disk)?.last().copied().unwrap_or_default(),
    };
    let Some(file) = open(disk, number, Access::Read)? else { return Ok(Position::default()) };
    Ok(Position { segment: number, offset: disk.stat(&file)?.length })
}

fn exists<D: Disk>(disk: &D, number: u32) -> Result<bool, StoreError> {
    Ok(open(disk, number, Access::Read)?.is_some())
}

fn open<D: Disk>(disk: &D, number: u32, access: Access) -> Result<Option<D::File>, StoreError> {
    if number == 0 { Ok(None) } else { disk.open(&segment(number), access) }
}

/// Returns the numbers of the segments, in order.
pub(super) fn numbers<D: Disk>(disk: &D) -> Result<Vec<u32>, StoreError> {
    let mut numbers: Vec<_> =
        disk.list(PRIVATE)?.iter().filter_map(|listed| segment_number(&listed.name)).filter(|n| *n > 0).collect();
    numbers.sort();
    Ok(numbers)
}

/// Reads the bytes from a position to the end of its file.
///
/// # Errors
///
/// The file is missing, larger than memory, or the system refuses.
pub(super) fn read<D: Disk>(disk: &D, from: Position) -> Result<Vec<u8>, StoreError> {
    let Some(file) = open(disk, from.segment, Access::Read)? else {
        return if from.segment == 0 { Ok(Vec::new()) } else { Err(missing(disk, from.segment)) };
    };
    let length = disk.stat(&file)?.length.saturating_sub(from.offset);
    let length = usize::try_from(length)
        .map_err(|_| StoreError::Unusable { path: disk.full_path(&segment(from.segment)), what: FileFlaw::TooLarge })?;
    disk.read_at(&file, from.offset, length)
}

fn missing<D: Disk>(disk: &D, number: u32) -> StoreError {
    StoreError::Unusable { path: disk.full_path(&segment(number)), what: FileFlaw::Missing }
}

/// Appends one group at the end of the journal, in a new file if the last one has `limit` bytes.
///
/// # Errors
///
/// The journal is as before: what may have been written is cut off, durably.
pub(super) fn append<D: Disk>(disk: &D, end: Position, bytes: &[u8], limit: u64) -> Result<Appended, StoreError> {
    if end.segment == 0 || end.offset >= limit {
        return append_new(disk, end.segment.saturating_add(1), bytes);
    }
    let file = open(disk, end.segment, Access::Write)?.ok_or_else(|| missing(disk, end.segment))?;
    if disk.stat(&file)?.length != end.offset {
        return Err(StoreError::Unusable { path: disk.full_path(&segment(end.segment)), what: FileFlaw::BeingWritten });
    }
    let Err(error) = disk.write_at(&file, end.offset, bytes).and_then(|()| disk.sync(&file)) else {
        return Ok(Appended::Durable(end.after(bytes.len())));
    };
    match disk.truncate(&file, end.offset).and_then(|()| disk.sync(&file)) {
        Ok(()) => Err(error),
        Err(_) => Ok(Appended::Unknown(error)),
    }
}

/// Appends the first group of a file.
fn append_new<D: Disk>(disk: &D, number: u32, bytes: &[u8]) -> Result<Appended, StoreError> {
    let path = segment(number);
    let written = disk.create(&path, None).and_then(|file| {
        disk.write_at(&file, 0, bytes)?;
        disk.sync(&file)?;
        disk.sync_directory(PRIVATE)
    });
    let Err(error) = written else {
        return Ok(Appended::Durable(Position { segment: number, offset: 0 }.after(bytes.len())));
    };
    // A file that is emptied holds no group, should its name come back.
    let emptied = match disk.open(&path, Access::Write) {
        Ok(Some(file)) => disk.truncate(&file, 0).and_then(|()| disk.sync(&file)),
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    match emptied.and_then(|()| disk.remove(&path)) {
        Ok(()) => Err(error),
        Err(_) => Ok(Appended::Unknown(error)),
    }
}

/// Cuts the journal at `at`, durably, and sets aside what stood behind, as far as the disk allows.
///
/// # Errors
///
/// The system refuses: the tail may still be there.
pub(super) fn cut<D: Disk>(disk: &D, at: Position, torn: &[u8]) -> Result<(), StoreError> {
    // It was never committed: that it is kept is a courtesy to who looks into it.
    let _ = set_aside(disk, torn);
    let Some(file) = open(disk, at.segment, Access::Write)? else { return Ok(()) };
    disk.truncate(&file, at.offset)?;
    disk.sync(&file)?;
    if at.offset == 0 {
        // The next append begins this file.
        disk.remove(&segment(at.segment))?;
        disk.sync_directory(PRIVATE)?;
    }
    Ok(())
}

/// Ends a line that was known to be durable and has lost its end, so that the next group does not continue it.
///
/// # Errors
///
/// The system refuses: the line has no end still.
pub(super) fn end_line<D: Disk>(disk: &D, end: Position) -> Result<Position, StoreError> {
    let file = open(disk, end.segment, Access::Write)?.ok_or_else(|| missing(disk, end.segment))?;
    disk.write_at(&file, end.offset, b"\n")?;
    disk.sync(&file)?;
    Ok(end.after(1))
}

fn set_aside<D: Disk>(disk: &D, torn: &[u8]) -> Result<(), StoreError> {
    if torn.is_empty() {
        return Ok(());
    }
    disk.remove(TORN)?;
    let file = disk.create(TORN, None)?;
    disk.write_at(&file, 0, torn)
}

/// Writes anew, and syncs, the last group, which stands at `at` already, but which nobody knows to be durable: after a
/// failed sync it may be in memory only, and a sync alone would not write it. The same is true of a file's name.
///
/// # Errors
///
/// The system refuses: the group is no more durable than before.
pub(super) fn write_anew<D: Disk>(disk: &D, at: Position, bytes: &[u8]) -> Result<(), StoreError> {
    if at.offset > 0 {
        let file = open(disk, at.segment, Access::Write)?.ok_or_else(|| missing(disk, at.segment))?;
        disk.write_at(&file, at.offset, bytes)?;
        return disk.sync(&file);
    }
    replace(disk, at.segment, bytes)
}

/// Replaces a whole file of the journal, durably: before a crash it is the old one, or the new one. A note that says more
/// of the last file than the new one holds must be forgotten first.
///
/// # Errors
///
/// The system refuses: either file stands there.
pub(super) fn replace<D: Disk>(disk: &D, number: u32, bytes: &[u8]) -> Result<(), StoreError> {
    disk.remove(NEW)?;
    let file = disk.create(NEW, None)?;
    disk.write_at(&file, 0, bytes)?;
    disk.sync(&file)?;
    disk.replace(NEW, &segment(number))?;
    disk.sync_directory(PRIVATE)
}
