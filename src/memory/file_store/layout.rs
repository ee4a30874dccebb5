//! Which file has which name.
//!
//! | file | what |
//! |---|---|
//! | `NAME.md` | a document |
//! | `.NAME.md.MARK.next` | beside it, the text of the entry of this mark until it stands in the document's file, then what it displaced |
//! | `.NAME.md.MARK.redo` | the same text while it is written again |
//! | `.NAME.md.MARK.gone` | says that the entry deletes the document, until the file is removed |
//! | `.memdoc/journal.jsonl` | the journal |
//! | `.memdoc/journal.new` | the journal while it is written anew |
//! | `.memdoc/pending` | says that the last entry may not be durable |
//! | `.memdoc/index`, `.memdoc/index.new` | what follows from the journal, so that it need not be read whole |
//! | `.memdoc/lock` | locked by who works here |
//! | `.memdoc/.gitignore` | `*`: journals are not merged |
//!
//! A mark is the number of an entry and the beginning of its hash, so that no other attempt has the same.
//!
//! Format 1 had the journal in several files, `.memdoc/journal.000001.jsonl` and so on, and other files and folders beside them.

use std::fmt;
use std::io::ErrorKind;

use serde::{Deserialize, Serialize};

use super::super::journal::Entry;
use super::super::{DocName, StoreError};
use super::disk::{Access, Disk, Kind};

/// The store's own directory.
pub(super) const PRIVATE: &str = ".memdoc";
/// The journal.
pub(super) const JOURNAL: &str = ".memdoc/journal.jsonl";
/// The journal while it is written anew.
pub(super) const NEW_JOURNAL: &str = ".memdoc/journal.new";
/// Says that the last entry may not be durable.
pub(super) const PENDING: &str = ".memdoc/pending";
/// The index.
pub(super) const INDEX: &str = ".memdoc/index";
/// The index while it is written.
pub(super) const NEW_INDEX: &str = ".memdoc/index.new";
/// The file that is locked.
pub(super) const LOCK: &str = ".memdoc/lock";
const IGNORE: &str = ".memdoc/.gitignore";

/// Returns the file of a document, unless it differs in letter case.
pub(super) fn place(name: &DocName) -> String {
    format!("{name}.md")
}

/// What a file beside a document is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// It holds the text of an entry, or what that text displaced.
    Next,
    /// It holds the same text while it is written again.
    Redo,
    /// It says that an entry deletes the document.
    Gone,
}

impl Beside {
    const ALL: [Self; 3] = [Self::Next, Self::Redo, Self::Gone];

    const fn ending(self) -> &'static str {
        match self {
            Self::Next => ".next",
            Self::Redo => ".redo",
            Self::Gone => ".gone",
        }
    }

    /// Returns the path of the file beside `name` that belongs to an entry.
    pub(super) fn path(self, name: &DocName, mark: Mark) -> String {
        let separator = if name.folder().is_empty() { "" } else { "/" };
        format!("{}{separator}.{}.md.{mark}{}", name.folder(), name.file(), self.ending())
    }
}

/// An entry, in the names of files.
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

/// Returns the document and the mark of the entry that a file beside documents belongs to; `None` if it is not such a file. In
/// format 1 the mark was the number.
pub(super) fn owner_of_beside(folder: &str, file: &str) -> Option<(String, String)> {
    let rest = Beside::ALL.iter().find_map(|beside| file.strip_suffix(beside.ending()))?;
    let (stem, mark) = rest.strip_prefix('.')?.rsplit_once('.')?;
    let stem = stem.strip_suffix(".md").filter(|stem| !stem.is_empty())?;
    let (seq, hash) = mark.split_once('-').unwrap_or((mark, ""));
    let is_seq = seq.len() >= 12 && seq.bytes().all(|byte| byte.is_ascii_digit());
    let is_hash = hash.is_empty() || hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") };
    (is_seq && is_hash).then(|| (name, mark.to_owned()))
}

/// Returns the directory that a path stands in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Creates the store's own directory, if it is missing, and makes its name durable.
///
/// # Errors
///
/// The system refuses, as it does in a directory that is read-only.
pub(super) fn prepare<D: Disk>(disk: &D) -> Result<(), StoreError> {
    // The last file to be created: where it is, whoever created the directory has synced its name.
    if disk.open(IGNORE, Access::Read)?.is_some() {
        return Ok(());
    }
    disk.create_directory(PRIVATE)?;
    sync_parent(disk, PRIVATE)?;
    match disk.create(IGNORE, None) {
        Ok(file) => disk.write_at(&file, 0, b"*\n"),
        // Somebody else has opened the directory at the same time.
        Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
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

/// Returns the paths of the journal's files in format 1, in order, and those of its other files; nothing in a newer one.
///
/// # Errors
///
/// The system refuses.
pub(super) fn files_of_format_1<D: Disk>(disk: &D) -> Result<OldFiles, StoreError> {
    let mut files = OldFiles::default();
    for listed in disk.list(PRIVATE)? {
        let path = format!("{PRIVATE}/{}", listed.name);
        let digits = listed.name.strip_prefix("journal.").and_then(|rest| rest.strip_suffix(".jsonl"));
        match listed.kind {
            Kind::File if digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) => {
                files.journal.push(path);
            }
            Kind::File if listed.name == "note" || listed.name == "torn" || listed.name.starts_with("tips.") => {
                files.others.push(path);
            }
            Kind::Directory if listed.name == "displaced" || listed.name == "queue" => {
                files.others.extend(disk.list(&path)?.into_iter().map(|inner| format!("{path}/{}", inner.name)));
                files.folders.push(path);
            }
            _ => {}
        }
    }
    files.journal.sort_unstable();
    Ok(files)
}

/// The files of a store of format 1.
#[derive(Debug, Default)]
pub(super) struct OldFiles {
    pub(super) journal: Vec<String>,
    pub(super) others: Vec<String>,
    pub(super) folders: Vec<String>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_text_waits_beside_its_document() {
        let name = "people/Über mich".parse::<DocName>().unwrap();
        let path = Beside::Next.path(&name, Mark { seq: 7, hash: 0x1f });
        assert_eq!(path, "people/.Über mich.md.000000000007-0000001f.next");
        let owner = owner_of_beside("people", ".Über mich.md.000000000007-0000001f.next");
        assert_eq!(owner, Some((name.to_string(), "000000000007-0000001f".to_owned())));
        assert!(owner_of_beside("", ".a.md.000000000007.redo").is_some());
        for other in [".next", "a.md.000000000007.next", ".a.md.next", ".md.000000000007.next", ".a.md.7.next"] {
            assert_eq!(owner_of_beside("", other), None, "{other}");
        }
    }
}
