//! Which file has which name.
//!
//! | file | what |
//! |---|---|
//! | `NAME.md` | a document |
//! | `.NAME.md.SEQ.next` | beside it, a text of the group that begins with entry SEQ that is about to change places with it, and then what it displaced |
//! | `.NAME.md.SEQ.redo` | the same text while recovery writes it again |
//! | `.memdoc/journal.000001.jsonl`, … | the segments of the journal |
//! | `.memdoc/tips.000002`, … | the last entry of each document before that segment: made of the journal, and made again if it is missing |
//! | `.memdoc/journal.new` | a segment while recovery writes it again |
//! | `.memdoc/note` | how far the journal is known to be durable and placed |
//! | `.memdoc/torn` | the latest incomplete group that was cut off the journal |
//! | `.memdoc/displaced/` | what the latest commits have displaced |
//! | `.memdoc/lock`, `.memdoc/queue/` | who works here, and who waits |
//! | `.memdoc/.gitignore` | `*`: journals are not merged |

use std::io::ErrorKind;

use super::super::{DocName, StoreError};
use super::disk::{Access, Created, Disk};

/// The store's own directory.
pub(super) const PRIVATE: &str = ".memdoc";
/// Where displaced files are kept for a while.
pub(super) const DISPLACED: &str = ".memdoc/displaced";
/// Where waiting processes stand in line.
pub(super) const QUEUE: &str = ".memdoc/queue";
/// The file that is locked.
pub(super) const LOCK: &str = ".memdoc/lock";
/// How far the journal is known to be durable and placed.
pub(super) const NOTE: &str = ".memdoc/note";
/// Where recovery writes a segment again that has one group only.
pub(super) const NEW: &str = ".memdoc/journal.new";
/// What was cut off the journal last.
pub(super) const TORN: &str = ".memdoc/torn";
/// What the names of files begin with that tell what stood before a segment.
pub(super) const TIPS: &str = "tips.";
const NEXT: &str = ".next";
const REDO: &str = ".redo";
const IGNORE: &str = ".memdoc/.gitignore";

/// Returns the file of a document.
pub(super) fn place(name: &DocName) -> String {
    format!("{name}.md")
}

/// Returns the file beside it that holds its next text, in the group that begins with entry `seq`.
pub(super) fn next(name: &DocName, seq: u64) -> String {
    beside(name, seq) + NEXT
}

/// Returns the file in which recovery writes that text again, so that the other never holds a part of it.
pub(super) fn redo(name: &DocName, seq: u64) -> String {
    beside(name, seq) + REDO
}

fn beside(name: &DocName, seq: u64) -> String {
    let file = name.file();
    let separator = if name.folder().is_empty() { "" } else { "/" };
    format!("{}{separator}.{file}.md.{seq:012}", name.folder())
}

/// Reports whether a file of this name is one that a crash has left over, beside documents.
pub(super) fn is_next(file: &str) -> bool {
    let seq = file.strip_suffix(NEXT).or_else(|| file.strip_suffix(REDO)).and_then(|rest| rest.rsplit_once('.'));
    seq.is_some_and(|(rest, seq)| {
        rest.starts_with('.') && rest.ends_with(".md") && seq.len() >= 12 && seq.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Returns the file of a segment of the journal.
pub(super) fn segment(number: u32) -> String {
    format!("{PRIVATE}/journal.{number:06}.jsonl")
}

/// Returns the file of what stood before a segment.
pub(super) fn tips(segment: u32) -> String {
    format!("{PRIVATE}/{TIPS}{segment:06}")
}

/// Returns the number of the segment in a file of this name.
pub(super) fn segment_number(file: &str) -> Option<u32> {
    let digits = file.strip_prefix("journal.")?.strip_suffix(".jsonl")?;
    let number = digits.parse().ok()?;
    (segment(number).rsplit('/').next() == Some(file)).then_some(number)
}

/// Returns the directory that a path stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Creates the store's own directories, as far as they are missing, and makes their names durable.
///
/// # Errors
///
/// The system refuses, as it does in a directory that is read-only.
pub(super) fn prepare<D: Disk>(disk: &D) -> Result<(), StoreError> {
    // The last file to be created: where it is, a predecessor has synced what it had created.
    let is_prepared = disk.open(IGNORE, Access::Read)?.is_some();
    for directory in [PRIVATE, DISPLACED, QUEUE] {
        if disk.create_directory(directory)? == Created::New || !is_prepared {
            sync_parent(disk, directory)?;
        }
    }
    if !is_prepared {
        match disk.create(IGNORE, None) {
            Ok(file) => disk.write_at(&file, 0, b"*\n")?,
            // Somebody else has opened the directory at the same time.
            Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Creates a folder with those above it, as far as they are missing, and syncs what they stand in: whoever created them
/// may not have come so far.
///
/// # Errors
///
/// The system refuses, or a part of the path is no directory.
pub(super) fn create_folder<D: Disk>(disk: &D, folder: &str) -> Result<(), StoreError> {
    if folder.is_empty() {
        return Ok(());
    }
    create_folder(disk, parent(folder))?;
    disk.create_directory(folder)?;
    sync_parent(disk, folder)
}

fn sync_parent<D: Disk>(disk: &D, directory: &str) -> Result<(), StoreError> {
    disk.sync_directory(parent(directory)).inspect_err(|_| {
        // Another sync would not make the name durable: it must be given anew, which is so if nothing stands there yet.
        let _ = disk.remove_directory(directory);
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::string_slice)]

    use super::*;

    #[test]
    fn a_text_waits_beside_its_document() {
        let name = "people/Über mich".parse::<DocName>().unwrap();
        assert_eq!(place(&name), "people/Über mich.md");
        assert_eq!(next(&name, 7), "people/.Über mich.md.000000000007.next");
        assert!(is_next(".Über mich.md.000000000007.next"));
        assert!(!is_next(".next") && !is_next("a.md.000000000007.next") && !is_next(".a.md.next"));
    }

    #[test]
    fn a_segment_has_one_name() {
        assert_eq!(segment_number("journal.000012.jsonl"), Some(12));
        assert_eq!(segment_number("journal.12.jsonl"), None);
        assert_eq!(segment_number("journal.1000000.jsonl"), Some(1_000_000));
    }
}
