//! Backup: a memory, copied as of one moment into a directory that a file store can open.

use std::path::Path;
use std::{fs, io};

use super::error::failed;
use super::file_store::create;
use super::journal::{Entry, EntryKind, Seq};
use super::tries::until_free;
use super::{DocName, FileFlaw, FileStore, Memory, MemoryError, Snapshot, Store, StoreError};

impl Memory {
    /// Copies all documents and the journal, as of one moment, into a directory that does not exist yet or is empty.
    /// The copy is a memory of its own. A `FileStore` opens it, whatever store this memory is in. Others may write
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// The directory is not empty, or cannot be written; the store cannot be read, or has a file that should be a
    /// document and cannot be read as one; a text was redacted meanwhile. After an error, the directory holds no
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
        let (store, directory) = (self.begin()?, directory.as_ref());
        create(directory)?;
        if fs::read_dir(directory).map_err(failed("read", directory))?.next().is_some() {
            let full = io::Error::from(io::ErrorKind::DirectoryNotEmpty);
            return Err(failed("create", directory)(full).into());
        }
        // The copy would lack such a document, as if it had been deleted. A file whose name no document can have is none.
        if let Some(unusable) = store.unusable()?.into_iter().find(|unusable| unusable.why != FileFlaw::Name) {
            return Err(StoreError::Unusable { path: unusable.file.into(), what: unusable.why }.into());
        }
        let snapshot = until_free(|| self.snapshot(store))?;
        let journal = journal(store, snapshot.head.seq)?;
        Ok(FileStore::open(directory)?.fill(&snapshot.documents, &journal)?)
    }

    /// Reads all documents, as of one moment.
    ///
    /// # Errors
    ///
    /// `Contended`: others wrote meanwhile, so that a new document may be missing. The store cannot be read.
    fn snapshot(&self, store: &dyn Store) -> Result<Snapshot, MemoryError> {
        let head = store.head()?;
        let snapshot = store.read(&self.documents()?)?;
        if snapshot.head == head { Ok(snapshot) } else { Err(MemoryError::Contended(DocName::memory())) }
    }
}

/// Returns the lines of the journal up to its entry `last`.
fn journal(store: &dyn Store, last: Seq) -> Result<Vec<u8>, StoreError> {
    let (mut journal, mut is_later, mut is_redacted) = (Vec::new(), false, false);
    store.scan(&mut |line| {
        let entry = Entry::parse(line).ok();
        is_later |= entry.as_ref().is_some_and(|entry| entry.seq() > last);
        is_redacted |= is_later && entry.is_some_and(|entry| entry.header().kind == EntryKind::Redaction);
        if !is_later {
            journal.extend_from_slice(line);
            journal.push(b'\n');
        }
    })?;
    match is_redacted {
        true => Err(StoreError::Other("a text was redacted while the backup was made".into())),
        false => Ok(journal),
    }
}
