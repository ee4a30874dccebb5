//! Reading the journal: an entry by its number, and entries from a number on.
//!
//! The file that holds a number is found by halving, by the first line of each; so is the place in it. Neither depends on
//! how long the journal is but by a logarithm, and no index is kept.

use super::super::StoreError;
use super::disk::{Access, Disk};
use super::layout::segment;
use super::placement::{Line, Placement, Site};
use super::segments::{self, Position};

/// How much is read at once.
const BLOCK: usize = 4 * 1024;

/// An entry, as it stands in the journal.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) line: Line,
    /// Without the line's end.
    pub(super) bytes: Vec<u8>,
}

/// Returns the entry with a number; `None` if there is none, or it cannot be read.
///
/// # Errors
///
/// The system refuses.
pub(super) fn at<D: Disk, P: Placement>(site: &Site<'_, D, P>, seq: u64) -> Result<Option<Entry>, StoreError> {
    Ok(from(site, seq, 1)?.into_iter().next().filter(|entry| entry.line.seq == seq))
}

/// Returns at most `limit` entries in order, from number `seq` on. Lines that cannot be read are passed over, and so are those that
/// stand behind their place: moved, or repeated.
///
/// # Errors
///
/// The system refuses.
pub(super) fn from<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    seq: u64,
    limit: usize,
) -> Result<Vec<Entry>, StoreError> {
    let numbers = segments::numbers(site.disk)?;
    let (mut found, mut least) = (Vec::new(), seq);
    let first = holding(site, &numbers, seq)?;
    for number in numbers.get(first..).unwrap_or_default() {
        let Some(reader) = Reader::open(site, *number)? else { continue };
        let mut offset = reader.before(seq)?;
        while found.len() < limit
            && let Some(next) = reader.next(offset)?
        {
            offset = next.end;
            if site.placement.seq(&next.bytes).is_some_and(|number| number >= least)
                && let Some(line) = site.placement.read(&next.bytes)
            {
                least = line.seq.saturating_add(1);
                found.push(Entry { line, bytes: next.bytes });
            }
        }
        if found.len() >= limit {
            break;
        }
    }
    Ok(found)
}

/// Returns the index of the last file that begins with this number or an earlier one.
pub(super) fn holding<D: Disk, P: Placement>(
    site: &Site<'_, D, P>,
    numbers: &[u32],
    seq: u64,
) -> Result<usize, StoreError> {
    let [mut low, mut high] = [0, numbers.len()];
    while high.saturating_sub(low) > 1 {
        let middle = low.midpoint(high);
        let number = numbers.get(middle).copied().unwrap_or_default();
        let first = Reader::open(site, number)?.map(|reader| reader.first(0)).transpose()?.flatten();
        if first.is_some_and(|first| first > seq) { high = middle } else { low = middle }
    }
    Ok(low)
}

/// One file of the journal.
struct Reader<'a, D: Disk, P> {
    site: &'a Site<'a, D, P>,
    file: D::File,
    length: u64,
}

/// A line, whether it can be read or not.
struct NextLine {
    /// Without its end.
    bytes: Vec<u8>,
    /// Where the next line begins.
    end: u64,
}

impl<'a, D: Disk, P: Placement> Reader<'a, D, P> {
    fn open(site: &'a Site<'a, D, P>, number: u32) -> Result<Option<Self>, StoreError> {
        let Some(file) = site.disk.open(&segment(number), Access::Read)? else { return Ok(None) };
        let length = site.disk.stat(&file)?.length;
        Ok(Some(Self { site, file, length }))
    }

    /// Reads the line that begins at `offset`; `None` at the end, and where a line has no end.
    fn next(&self, offset: u64) -> Result<Option<NextLine>, StoreError> {
        let Some(bytes) = self.line(offset)? else { return Ok(None) };
        let end = Position { segment: 0, offset }.after(bytes.len().saturating_add(1)).offset;
        Ok(Some(NextLine { bytes, end }))
    }

    fn line(&self, offset: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut length = BLOCK;
        loop {
            let mut bytes = self.site.disk.read_at(&self.file, offset, length)?;
            if let Some(end) = memchr::memchr(b'\n', &bytes) {
                bytes.truncate(end);
                return Ok(Some(bytes));
            }
            if bytes.len() < length {
                return Ok(None);
            }
            length = length.saturating_mul(2);
        }
    }

    /// Returns the number of the first readable line that begins at `offset` or behind.
    fn first(&self, mut offset: u64) -> Result<Option<u64>, StoreError> {
        while let Some(next) = self.next(offset)? {
            offset = next.end;
            if let Some(seq) = self.site.placement.seq(&next.bytes) {
                return Ok(Some(seq));
            }
        }
        Ok(None)
    }

    /// Returns the beginning of a line that is not behind the line of `seq`, and less than a block before it.
    fn before(&self, seq: u64) -> Result<u64, StoreError> {
        let block = u64::try_from(BLOCK).unwrap_or(u64::MAX);
        let [mut low, mut high] = [0, self.length];
        while high.saturating_sub(low) > block {
            let middle = low.midpoint(high);
            let begin = self
                .line(middle)?
                .map(|rest| Position { segment: 0, offset: middle }.after(rest.len()).offset.saturating_add(1));
            let Some(begin) = begin.filter(|begin| *begin < high) else {
                high = middle;
                continue;
            };
            if self.first(begin)?.is_some_and(|first| first <= seq) { low = begin } else { high = middle }
        }
        Ok(low)
    }
}
