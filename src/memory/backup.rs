//! Backup: a memory, copied as of one moment into a directory that a file store can open.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::failed;
use super::handle::existing;
use super::journal::{Entry, EntryKind, Seq};
use super::{DocName, EntryQuery, FileFlaw, Memory, MemoryError, Snapshot, Store, StoreError};

impl Memory {
    /// Copies all documents and the journal, as of one moment, into a directory that is not there yet or is empty. It is a memory
    /// in itself, which a `FileStore` opens, whatever store this one is in. Others may write while it is made.
    ///
    /// # Errors
    ///
    /// The directory is not empty, or cannot be written; the store cannot be read, or has a file that should be a
    /// document and cannot be read as one; a text was redacted meanwhile. What stands in the directory then is no
    /// backup.
    ///
    /// # Examples
    ///
    /// ```
    /// use memdoc::{DocName, FileStore, InMemoryStore, Memory, Policy};
    ///
    /// # let directory = std::env::temp_dir().join(format!("memdoc-backup-{}", std::process::id()));
    /// let memory = Memory::new(InMemoryStore::new(), Policy::default())?;
    /// memory.write(&DocName::memory(), "- Lives in Denver\n")?;
    /// memory.backup(&directory)?;
    ///
    /// let copy = Memory::new(FileStore::open(&directory)?, Policy::default())?;
    /// assert_eq!(copy.read(&DocName::memory())?.text(), "- Lives in Denver\n");
    /// assert_eq!(copy.head()?, memory.head()?);
    /// # std::fs::remove_dir_all(&directory)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn backup(&self, directory: impl AsRef<Path>) -> Result<(), MemoryError> {
        Ok(copy(self.begin()?, directory.as_ref())?)
    }
}

fn copy(store: &dyn Store, directory: &Path) -> Result<(), StoreError> {
    let private = directory.join(".memdoc");
    fs::create_dir_all(directory).map_err(failed("create", directory))?;
    if fs::read_dir(directory).map_err(failed("read", directory))?.next().is_some() {
        let full = io::Error::from(io::ErrorKind::DirectoryNotEmpty);
        return Err(failed("create", directory)(full));
    }
    check_usable(store)?;
    fs::create_dir(&private).map_err(failed("create", &private))?;
    let mut written = vec![private.clone(), directory.to_owned()];
    let snapshot = all(store)?;
    for stored in &snapshot.documents {
        let Some(text) = stored.text.as_deref() else { continue };
        let path = directory.join(format!("{}.md", stored.name));
        let folders = path.ancestors().skip(1).take_while(|folder| *folder != directory).map(Path::to_owned);
        let folders: Vec<PathBuf> = folders.collect();
        if let Some(parent) = folders.first() {
            fs::create_dir_all(parent).map_err(failed("create", parent))?;
        }
        written.extend(folders);
        let mut file = File::create_new(&path).map_err(failed("create", &path))?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed("write", &path))?;
    }
    journal(store, &private.join("journal.jsonl"), snapshot.head.seq)?;
    // Writes the index of the copy. Without it, a file that a person edits there could not be told from one that is
    // not written out.
    #[cfg(unix)]
    super::FileStore::open(directory)?.head()?;
    // The name of the directory itself is durable once the folder above is synced.
    written.extend(fs::canonicalize(directory).ok().and_then(|directory| Some(directory.parent()?.to_owned())));
    written.sort();
    written.dedup();
    written.iter().rev().try_for_each(|directory| {
        let synced = File::open(directory).and_then(|opened| opened.sync_all());
        synced.map_err(failed("sync", directory))
    })
}

/// Reads all documents, as of one moment.
fn all(store: &dyn Store) -> Result<Snapshot, StoreError> {
    let (mut seen, mut names) = (store.head()?.seq, existing(store)?);
    loop {
        let snapshot = store.read(&names)?;
        // A document that was created meanwhile is not among `names`.
        let since = store.entries(&EntryQuery::From { seq: seen.plus(1), limit: usize::MAX })?;
        let linked = since.iter().flat_map(|entry| &entry.header().documents).map(|link| &link.name);
        let missing: BTreeSet<DocName> = linked.filter(|name| !names.contains(name)).cloned().collect();
        if missing.is_empty() {
            return Ok(snapshot);
        }
        names.extend(missing);
        seen = snapshot.head.seq;
    }
}

/// Refuses if a file cannot be read as its document: the copy would lack it, as if it had been deleted.
fn check_usable(store: &dyn Store) -> Result<(), StoreError> {
    for unusable in store.unusable()? {
        // A file whose name no document can have is not a document.
        if !matches!(unusable.why, FileFlaw::Name(_)) {
            return Err(StoreError::Unusable { path: unusable.file.into(), what: unusable.why });
        }
    }
    Ok(())
}

/// Copies the journal up to its entry `last`.
fn journal(store: &dyn Store, path: &Path, last: Seq) -> Result<(), StoreError> {
    let file = File::create_new(path).map_err(failed("create", path))?;
    let mut journal = io::BufWriter::new(file);
    let (mut written, mut is_over, mut is_redacted) = (Ok(()), false, false);
    store.scan(&mut |line| {
        let entry = Entry::parse(line).ok();
        is_over |= entry.as_ref().is_some_and(|entry| entry.seq() > last);
        is_redacted |= is_over && entry.is_some_and(|entry| entry.header().kind == EntryKind::Redaction);
        if written.is_ok() && !is_over {
            written = journal.write_all(line).and_then(|()| journal.write_all(b"\n"));
        }
    })?;
    if is_redacted {
        return Err(StoreError::Other("a text was redacted while the backup was made".into()));
    }
    let synced = written.and_then(|()| journal.flush()).and_then(|()| journal.get_ref().sync_all());
    synced.map_err(failed("write", path))
}
