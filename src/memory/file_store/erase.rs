//! Erasing parts of entries for good, in the segments that they stand in and in all copies that are kept.
//!
//! It is a step of the commit whose group says what is erased, and of the recovery of that group, and comes before the note: a
//! crash in it leaves a note that does not reach behind the group, or none, so that the next access does it again. A segment
//! is replaced as a whole: before a crash it is the old one, or the new one.

use super::super::StoreError;
use super::super::journal::{Erased, Part};
use super::disk::{Disk, look};
use super::displaced;
use super::entries::holding;
use super::layout::{DISPLACED, PRIVATE, TIPS, TORN};
use super::note::Note;
use super::placement::{Placement, Site};
use super::segments::{self, Position};

/// Erases what is named, of a journal that ends at `end`. Returns where it ends then.
///
/// # Errors
///
/// The system refuses: some of it may be erased.
pub(super) fn erase<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    end: Position,
    erased: &Erased,
) -> Result<Position, StoreError> {
    if erased.is_empty() {
        return Ok(end);
    }
    let mut end = end;
    let mut is_noted = true;
    for number in touched(site, erased)? {
        let bytes = segments::read(site.disk, Position { segment: number, offset: 0 })?;
        let Some(left) = without(site, &bytes, erased) else { continue };
        // The note may say more of the last segment than will be there.
        if std::mem::take(&mut is_noted) {
            Note::forget(site.disk)?;
        }
        segments::replace(site.disk, number, &left)?;
        if number == end.segment {
            end = Position { segment: number, offset: 0 }.after(left.len());
        }
    }
    drop_copies(site)?;
    Ok(end)
}

/// Returns the numbers of the segments that hold entries of which something is erased.
fn touched<D: Disk, P: Placement>(site: &Site<'_, D, P>, erased: &Erased) -> Result<Vec<u32>, StoreError> {
    let numbers = segments::numbers(site.disk)?;
    let mut touched = Vec::new();
    for run in [Part::Content, Part::States].into_iter().flat_map(|part| erased.of(part).iter()) {
        let first = holding(site, &numbers, run.first().get())?;
        let last = holding(site, &numbers, run.last().get())?;
        touched.extend(numbers.get(first..=last).unwrap_or_default());
    }
    touched.sort();
    touched.dedup();
    Ok(touched)
}

/// Returns the lines of a segment without what is erased; `None` if nothing is.
fn without<D: Disk, P: Placement>(site: &Site<'_, D, P>, bytes: &[u8], erased: &Erased) -> Option<Vec<u8>> {
    let mut left = Vec::with_capacity(bytes.len());
    let mut is_other = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let entry = line.strip_suffix(b"\n").and_then(|entry| site.placement.without(entry, erased));
        is_other |= entry.is_some();
        match entry {
            Some(entry) => {
                left.extend(entry);
                left.push(b'\n');
            }
            None => left.extend_from_slice(line),
        }
    }
    is_other.then_some(left)
}

/// Removes what is kept beside the journal and may hold what is erased. What somebody has written into a displaced file is no
/// copy, and stays until it is recorded.
fn drop_copies<D: Disk, P: Placement>(site: &Site<'_, D, P>) -> Result<(), StoreError> {
    for listed in site.disk.list(PRIVATE)?.iter().filter(|listed| listed.name.starts_with(TIPS)) {
        site.disk.remove(&format!("{PRIVATE}/{}", listed.name))?;
    }
    site.disk.remove(TORN)?;
    for listed in site.disk.list(DISPLACED)? {
        let path = format!("{DISPLACED}/{}", listed.name);
        let found = look(site.disk, &path, site.limits.document)?;
        if found.revision().is_some_and(|revision| displaced::is_unchanged(&listed.name, &revision)) {
            site.disk.remove(&path)?;
        }
    }
    site.disk.sync_directory(DISPLACED)?;
    site.disk.sync_directory(PRIVATE)
}
