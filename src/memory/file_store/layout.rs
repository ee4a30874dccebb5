//! The names of the store's files.
//!
//! | file | what |
//! |---|---|
//! | `NAME.md` | a document |
//! | `.NAME.md.MARK.next` | beside the document: first the staged text of the entry of this mark (empty, if the entry deletes the document); after the exchange, the text that it displaced |
//! | `.memdoc/journal.jsonl` | the journal; if its last line has no line feed, the last entry may not be durable |
//! | `.memdoc/journal.new` | the next journal, while the whole journal is replaced |
//! | `.memdoc/index`, `.memdoc/index.new` | a summary of the journal, so that the whole journal need not be read |
//! | `.memdoc/lock` | locked during each access |
//! | `.memdoc/.gitignore` | `*`: Git must not merge journals |
//!
//! A mark is the number of an entry and the beginning of its hash, so that no two attempts have the same mark.
//!
//! Format 1 had the journal in several files, `.memdoc/journal.000001.jsonl` and so on, and other files and folders
//! beside them.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::disk::{Access, Disk, write_new};
use crate::memory::journal::Entry;
use crate::memory::{DocName, StoreError};

/// The store's own directory.
pub(super) const PRIVATE: &str = ".memdoc";
/// The journal.
pub(super) const JOURNAL: &str = ".memdoc/journal.jsonl";
/// The next journal, while the whole journal is replaced.
pub(super) const NEW_JOURNAL: &str = ".memdoc/journal.new";
/// The index.
pub(super) const INDEX: &str = ".memdoc/index";
/// The index while it is written.
pub(super) const NEW_INDEX: &str = ".memdoc/index.new";
/// The file that is locked.
pub(super) const LOCK: &str = ".memdoc/lock";
const IGNORE: &str = ".memdoc/.gitignore";

/// Returns the path of a document's file. An existing file may differ from it in letter case.
pub(super) fn place(name: &DocName) -> String {
    format!("{name}.md")
}

/// Returns the path of the file in which an entry's text is staged beside a document.
pub(super) fn next(name: &DocName, mark: Mark) -> String {
    join(name.folder(), &format!(".{}.md.{mark}.next", name.file()))
}

/// Returns true if a file has the name of a staged text.
pub(super) fn is_next(file: &str) -> bool {
    let stem = file.strip_prefix('.').and_then(|file| file.strip_suffix(".next"));
    let is_mark = |mark: &str| mark.len() >= 12 && mark.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    stem.and_then(|stem| stem.rsplit_once(".md.")).is_some_and(|(name, mark)| !name.is_empty() && is_mark(mark))
}

/// An entry, as it is named in the names of files: `000000000007-0000001f` is entry 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    seq: u64,
    /// The beginning of its hash.
    hash: u32,
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:012}-{:08x}", self.seq, self.hash)
    }
}

impl Mark {
    /// Returns the mark of an entry.
    pub(super) fn of(entry: &Entry) -> Self {
        let [first, second, third, fourth, ..] = *entry.hash().as_bytes();
        Self { seq: entry.seq().get(), hash: u32::from_be_bytes([first, second, third, fourth]) }
    }
}

/// Returns the directory that a path stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Returns the path of a file in a folder, which may be that of the store.
pub(super) fn join(folder: &str, file: &str) -> String {
    if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
}

/// Creates the store's own directory, if it is missing, and makes its name durable.
///
/// # Errors
///
/// The system refuses: for example, because the directory is read-only.
pub(super) fn prepare<D: Disk>(disk: &D) -> Result<(), StoreError> {
    // The file `IGNORE` is created last: if it exists, the name of the directory was synced.
    if disk.open(IGNORE, Access::Read)?.is_none() {
        disk.create_directory(PRIVATE)?;
        disk.sync_directory("").inspect_err(|_| {
            // After a sync that failed, a second one proves nothing. So the directory is removed, if it is empty, and
            // the next access creates it again.
            let _ = disk.remove_directory(PRIVATE);
        })?;
        write_new(disk, IGNORE, None, b"*\n")?;
    }
    Ok(())
}

/// Creates a folder and those above it, as far as they are missing. `sync_placed` syncs their names with those of the
/// documents.
///
/// # Errors
///
/// The system refuses, or a part of the path is no directory.
pub(super) fn create_folder<D: Disk>(disk: &D, folder: &str) -> Result<(), StoreError> {
    if folder.is_empty() {
        return Ok(());
    }
    create_folder(disk, parent(folder))?;
    disk.create_directory(folder)
}

/// Returns the bytes of a journal of format 1, which has several files; `None` if there is none.
///
/// # Errors
///
/// The system refuses.
pub(super) fn journal_of_format_1<D: Disk>(disk: &D) -> Result<Option<Vec<u8>>, StoreError> {
    let mut files: Vec<_> = disk.list(PRIVATE)?.into_iter().map(|listed| listed.name).collect();
    files.retain(|file| file.starts_with("journal.0") && file.ends_with(".jsonl"));
    files.sort_unstable();
    let mut journal = Vec::new();
    for file in &files {
        let read = super::disk::read(disk, &join(PRIVATE, file), u64::MAX - 1)?;
        journal.extend(read.map(|(bytes, _)| bytes).unwrap_or_default());
    }
    Ok((!files.is_empty()).then_some(journal))
}

/// Removes the files that only a store of format 1 has.
///
/// # Errors
///
/// The system refuses: some of it may be left.
pub(super) fn remove_format_1<D: Disk>(disk: &D) -> Result<(), StoreError> {
    for listed in disk.list(PRIVATE)? {
        let path = join(PRIVATE, &listed.name);
        let is_old = ["journal.0", "tips.", "note", "torn", "displaced", "queue"];
        if !is_old.iter().any(|old| listed.name.starts_with(old)) {
            continue;
        }
        if listed.is_directory {
            disk.list(&path)?.iter().try_for_each(|inner| disk.remove(&join(&path, &inner.name)))?;
            disk.remove_directory(&path)?;
        } else {
            disk.remove(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_text_waits_beside_its_document() {
        let name = "people/Über mich".parse::<DocName>().unwrap();
        let path = next(&name, Mark { seq: 7, hash: 0x1f });
        assert_eq!(path, "people/.Über mich.md.000000000007-0000001f.next");
        assert!(is_next(".Über mich.md.000000000007-0000001f.next"));
        for other in [".next", "a.md.000000000007.next", ".a.md.next", ".md.000000000007.next", ".a.md.7.next"] {
            assert!(!is_next(other), "{other}");
        }
    }
}
