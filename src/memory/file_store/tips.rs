//! What stood before a segment of the journal, in a file of its own: so that opening reads the last segment only.
//!
//! The file follows from the journal. It is written when a segment is begun, unsynced; it ends with a checksum, and names the
//! head behind which its segment begins: what does not fit the segment's first line is not used. Without it, the segments
//! before are read, back to one that has its own.
//!
//! ```text
//! memdoc tips 1
//! head SEQ HASH
//! SEQ SINCE REVISION NAME        one for each document; REVISION is `-` if it was deleted, `?` if it was erased
//! check DIGITS                   the first 16 hexadecimal digits of the SHA-256 of the lines before
//! ```

use super::super::journal::{Entry, Head, Seq};
use super::super::{StoreError, Tip};
use super::disk::{self, Disk};
use super::layout;
use super::note::{sealed, unsealed};
use super::segments::{self, Position};
use super::table::{Made, Row, Table};

/// More than half a million documents need.
const MOST_BYTES: u64 = 1 << 26;

/// What was read of a journal.
pub(super) struct Loaded {
    pub(super) table: Table,
    /// What should stand in the file of the last segment, where something else does.
    pub(super) missing: Option<Tips>,
}

/// The file of one segment.
#[derive(Clone, Debug)]
pub(super) struct Tips {
    segment: u32,
    text: String,
}

impl Tips {
    /// Makes the file of the segment that begins where `table` ends.
    pub(super) fn of(table: &Table, segment: u32) -> Self {
        let mut text = format!("memdoc tips 1\nhead {} {}\n", table.head.seq, table.head.hash);
        for (name, row) in &table.rows {
            let made = match row.made {
                Made::Nothing => "-".to_owned(),
                Made::Erased => "?".to_owned(),
                Made::Text(revision) => revision.digest().to_string(),
            };
            text.push_str(&format!("{} {} {made} {name}\n", row.tip.seq, row.tip.since_keyframe));
        }
        Self { segment, text: sealed(text) }
    }

    /// Writes the file, and syncs nothing. That it fails decides nothing: then there is more to read. Of those before, the last
    /// one is kept, lest this one is lost in a crash.
    pub(super) fn write<D: Disk>(&self, disk: &D) {
        let path = layout::tips(self.segment);
        let _ = disk.remove(&layout::tips(self.segment.saturating_sub(2)));
        let write = |file| disk.write_at(&file, 0, self.text.as_bytes());
        let _ = disk.remove(&path).and_then(|()| disk.create(&path, None)).and_then(write);
    }
}

/// Reads a journal that ends at `end`.
///
/// # Errors
///
/// The system refuses.
pub(super) fn load<D: Disk>(disk: &D, end: Position) -> Result<Loaded, StoreError> {
    let mut unread: Vec<Segment> = Vec::new();
    let mut table = Table::default();
    for number in segments::numbers(disk)?.into_iter().rev().skip_while(|number| *number > end.segment) {
        let mut bytes = segments::read(disk, Position { segment: number, offset: 0 })?;
        if number == end.segment {
            bytes.truncate(usize::try_from(end.offset).unwrap_or(usize::MAX));
        }
        let before = read(disk, number)?.filter(|before| is_followed_by(before, &bytes));
        unread.push(Segment { number, bytes });
        if let Some(before) = before {
            table = before;
            break;
        }
    }
    let mut missing = None;
    let is_long = unread.len() > 1;
    while let Some(Segment { number, bytes }) = unread.pop() {
        if unread.is_empty() && is_long {
            missing = Some(Tips::of(&table, number));
        }
        table.absorb(&bytes, Position { segment: number, offset: 0 });
    }
    Ok(Loaded { table, missing })
}

struct Segment {
    number: u32,
    bytes: Vec<u8>,
}

fn is_followed_by(before: &Table, bytes: &[u8]) -> bool {
    let first = bytes.split(|byte| *byte == b'\n').next().and_then(|line| Entry::parse(line).ok());
    first.is_some_and(|entry| entry.previous() == before.head.hash && entry.seq() == before.head.seq.plus(1))
}

fn read<D: Disk>(disk: &D, number: u32) -> Result<Option<Table>, StoreError> {
    match disk::read(disk, &layout::tips(number), MOST_BYTES) {
        Ok(reading) => Ok(reading.and_then(|reading| parse(std::str::from_utf8(&reading.bytes).ok()?))),
        Err(StoreError::Unusable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

fn parse(text: &str) -> Option<Table> {
    let mut lines = unsealed(text)?.strip_prefix("memdoc tips 1\n")?.split_terminator('\n');
    let (seq, hash) = lines.next()?.strip_prefix("head ")?.split_once(' ')?;
    let mut table = Table::behind(Head { seq: number(seq)?, hash: hash.parse().ok()? });
    for line in lines {
        let mut parts = line.splitn(4, ' ');
        let tip = Tip { seq: number(parts.next()?)?, since_keyframe: parts.next()?.parse().ok()? };
        let made = match parts.next()? {
            "-" => Made::Nothing,
            "?" => Made::Erased,
            revision => Made::Text(revision.parse().ok()?),
        };
        table.rows.insert(parts.next()?.parse().ok()?, Row { tip, made });
    }
    Some(table)
}

fn number(digits: &str) -> Option<Seq> {
    digits.parse().ok().map(Seq::new)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::*;
    use crate::text::Revision;

    #[test]
    fn what_stood_before_a_segment_is_read_back_or_not_at_all() {
        let mut table = Table::default();
        let tip = |seq| Tip { seq: Seq::new(seq), since_keyframe: 7 };
        let row = |seq, made| Row { tip: tip(seq), made };
        table.rows.insert("f/Über mich".parse().unwrap(), row(3, Made::Text(Revision::of("x"))));
        table.rows.insert("gone".parse().unwrap(), row(4, Made::Nothing));
        table.rows.insert("redacted".parse().unwrap(), row(5, Made::Erased));
        let text = Tips::of(&table, 2).text;
        let read = parse(&text).unwrap();
        assert_eq!((read.head, &read.rows), (table.head, &table.rows));
        for at in 0..text.len() {
            assert!(parse(text.get(..at).unwrap_or_default()).is_none());
            let other = text.get(..at).zip(text.get(at + 1..)).map(|(a, b)| format!("{a}#{b}"));
            assert!(other.is_none_or(|other| other == text || parse(&other).is_none()));
        }
    }
}
