//! The note of how far the journal is known to be durable and placed.
//!
//! The note is overwritten in place and not synced: after a power cut it may be an older one, or none that can be read
//! (its last line is a checksum), and then there is more to look at. It is never ahead, since it is written when everything
//! that it says is durable. It names its directory by device and inode: in a copy of the directory it counts for nothing.
//!
//! ```text
//! memdoc note 1
//! directory DEVICE INODE
//! end SEGMENT OFFSET
//! stuck SEQ NAME                 one for each document that could not be placed, because its file is unusable or was changed meanwhile
//! check DIGITS                   the first 16 hexadecimal digits of the SHA-256 of the lines before
//! ```

use super::super::{DocName, StoreError};
use super::disk::{self, Access, Disk, Identity};
use super::layout::{NOTE, PRIVATE};
use super::segments::Position;
use crate::text::Digest;

/// More would be more stuck documents than anybody has.
const MOST_BYTES: u64 = 1 << 20;

/// How far the journal is known to be durable and placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) directory: Identity,
    /// Where the journal ended.
    pub(super) end: Position,
    /// What could not be placed.
    pub(super) stuck: Vec<Stuck>,
}

/// A document whose committed text could not be put into its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stuck {
    /// The entry that says what should stand there.
    pub(super) seq: u64,
    pub(super) name: DocName,
}

impl Note {
    /// Reads the note of this directory; `None` if there is none that can be relied on.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn read<D: Disk>(disk: &D) -> Result<Option<Self>, StoreError> {
        let text = match disk::read(disk, NOTE, MOST_BYTES) {
            Ok(reading) => reading.and_then(|reading| String::from_utf8(reading.bytes).ok()),
            Err(StoreError::Unusable { .. }) => None,
            Err(error) => return Err(error),
        };
        let directory = disk.identity()?;
        Ok(text.and_then(|text| Self::parse(&text)).filter(|note| note.directory == directory))
    }

    /// Writes the note, and syncs nothing.
    ///
    /// # Errors
    ///
    /// The system refuses: the note may then be unreadable.
    pub(super) fn write<D: Disk>(&self, disk: &D) -> Result<(), StoreError> {
        let text = self.text();
        let file = match disk.open(NOTE, Access::Write)? {
            Some(file) => file,
            None => disk.create(NOTE, None)?,
        };
        disk.write_at(&file, 0, text.as_bytes())?;
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        if disk.stat(&file)?.length > length { disk.truncate(&file, length) } else { Ok(()) }
    }

    /// Removes the note, durably, before the journal is made shorter on purpose.
    ///
    /// # Errors
    ///
    /// The system refuses: the note may come back.
    pub(super) fn forget<D: Disk>(disk: &D) -> Result<(), StoreError> {
        disk.remove(NOTE)?;
        disk.sync_directory(PRIVATE)
    }

    fn text(&self) -> String {
        let Identity { device, inode } = self.directory;
        let Position { segment, offset } = self.end;
        // Numbers have one width, so that the length seldom changes.
        let mut text = format!("memdoc note 1\ndirectory {device:020} {inode:020}\nend {segment:010} {offset:020}\n");
        for stuck in &self.stuck {
            text.push_str(&format!("stuck {:020} {}\n", stuck.seq, stuck.name));
        }
        sealed(text)
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut lines = unsealed(text)?.strip_prefix("memdoc note 1\n")?.split_terminator('\n');
        let (device, inode) = lines.next()?.strip_prefix("directory ")?.split_once(' ')?;
        let (segment, offset) = lines.next()?.strip_prefix("end ")?.split_once(' ')?;
        let stuck = |line: &str| {
            let (seq, name) = line.strip_prefix("stuck ")?.split_once(' ')?;
            Some(Stuck { seq: seq.parse().ok()?, name: name.parse::<DocName>().ok()? })
        };
        Some(Self {
            directory: Identity { device: device.parse().ok()?, inode: inode.parse().ok()? },
            end: Position { segment: segment.parse().ok()?, offset: offset.parse().ok()? },
            stuck: lines.map(stuck).collect::<Option<_>>()?,
        })
    }
}

/// Adds a last line by which a text is known to be whole.
pub(super) fn sealed(text: String) -> String {
    let check = format!("check {}\n", check(&text));
    text + &check
}

/// Returns a text without the line by which it is known to be whole; `None` if it is not.
pub(super) fn unsealed(text: &str) -> Option<&str> {
    let (_, last) = text.strip_suffix('\n')?.rsplit_once('\n')?;
    let body = text.get(..text.len().checked_sub(last.len() + 1)?)?;
    (last.strip_prefix("check ")? == check(body)).then_some(body)
}

fn check(text: &str) -> String {
    let mut digits = Digest::of(text.as_bytes()).to_string();
    digits.truncate(16);
    digits
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::*;

    #[test]
    fn a_note_torn_at_any_byte_is_none() {
        let name = "Über mich".parse::<DocName>().unwrap();
        let mut note = Note {
            directory: Identity { device: 3, inode: u64::MAX },
            end: Position { segment: 7, offset: 4096 },
            stuck: vec![Stuck { seq: 12, name }],
        };
        let old = note.text();
        assert_eq!(Note::parse(&old).as_ref(), Some(&note));
        note.end.offset = 5000;
        let new = note.text();
        assert_eq!(old.len(), new.len());
        for at in 0..new.len() {
            let mixed = [&new.as_bytes()[..at], &old.as_bytes()[at..]].concat();
            let parsed = String::from_utf8(mixed).ok().and_then(|text| Note::parse(&text));
            assert!(parsed.is_none_or(|parsed| [old.clone(), new.clone()].contains(&parsed.text())));
            assert!(Note::parse(std::str::from_utf8(&new.as_bytes()[..at]).unwrap_or_default()).is_none());
        }
    }
}
