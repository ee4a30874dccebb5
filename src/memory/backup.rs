//! Backup: a memory, copied as of one moment into a directory that a file store can open.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::handle::existing;
use super::store_error::failed;
use super::{IoAction, Memory, MemoryError, Store, StoreError};

impl Memory {
    /// Copies all documents and the journal, as of one moment, into a directory that is not there yet or is empty. It is a memory
    /// in itself, which a `FileStore` opens, whatever store this one is in; nobody else writes while it is made.
    ///
    /// # Errors
    ///
    /// The directory holds something, or cannot be written: what is in it then is no backup. The store cannot be read.
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
        let mut copied = Ok(());
        self.begin()?.alone(&mut |store| copied = copy(store, directory.as_ref()))?;
        Ok(copied?)
    }
}

fn copy(store: &dyn Store, directory: &Path) -> Result<(), StoreError> {
    let private = directory.join(".memdoc");
    fs::create_dir_all(directory).map_err(failed(IoAction::Create, directory))?;
    if fs::read_dir(directory).map_err(failed(IoAction::Read, directory))?.next().is_some() {
        let full = io::Error::from(io::ErrorKind::DirectoryNotEmpty);
        return Err(failed(IoAction::Create, directory)(full));
    }
    fs::create_dir(&private).map_err(failed(IoAction::Create, &private))?;
    for name in existing(store)? {
        let stored = store.read(std::slice::from_ref(&name))?;
        let Some(text) = stored.of(&name).and_then(|stored| stored.text.as_deref()) else { continue };
        let path = directory.join(format!("{name}.md"));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed(IoAction::Create, parent))?;
        }
        let mut file = File::create_new(&path).map_err(failed(IoAction::Create, &path))?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed(IoAction::Write, &path))?;
    }
    journal(store, &private.join("journal.000001.jsonl"))?;
    [directory, &private].into_iter().try_for_each(|directory| {
        let synced = File::open(directory).and_then(|opened| opened.sync_all());
        synced.map_err(failed(IoAction::Sync, directory))
    })
}

fn journal(store: &dyn Store, path: &Path) -> Result<(), StoreError> {
    let file = File::create_new(path).map_err(failed(IoAction::Create, path))?;
    let mut journal = io::BufWriter::new(file);
    let mut written = Ok(());
    store.scan(&mut |line| {
        if written.is_ok() {
            written = journal.write_all(line).and_then(|()| journal.write_all(b"\n"));
        }
    })?;
    let synced = written.and_then(|()| journal.flush()).and_then(|()| journal.get_ref().sync_all());
    synced.map_err(failed(IoAction::Write, path))
}
