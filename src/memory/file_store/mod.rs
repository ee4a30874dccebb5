//! A directory of `NAME.md` files that people read, diff and edit.
//!
//! A commit of several documents is one: their next texts are written and synced beside the old ones, a small file names
//! them, and only then they take their places. What a crash leaves half done is finished, under the lock, before the next
//! access. Beside the documents, in `.memdoc/`:
//!
//! | file | what |
//! |---|---|
//! | `lock` | locked by who reads or writes |
//! | `next-NAME.md` | a text that is about to take its place |
//! | `pending.json` | the commit that is being made: from its appearance on, the commit is made |
//! | `landed` | the IDs of the latest commits, one a line |
//! | `kept-NAME-REVISION.md` | a committed text that a file written from outside, in the middle of a crash, has replaced |

mod files;
mod pending;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::commit_id::CommitId;
use super::name::DocName;
use super::store::{Change, Outcome, State, Store, StoreError};
use crate::text::Revision;
use files::{action, read_text, sync_directory, write_synced};
use pending::Pending;

/// How long the lock is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many bytes of IDs are kept: about eight thousand commits.
const LANDED_BYTES: u64 = 512 * 1024;

/// Keeps documents as files in a directory. Several processes may share one.
#[derive(Clone, Debug)]
pub struct FileStore {
    directory: PathBuf,
    private: PathBuf,
}

impl FileStore {
    /// Opens the store in `directory`, which is created if it is missing.
    ///
    /// # Errors
    ///
    /// The directory cannot be created.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, StoreError> {
        let directory = directory.as_ref().to_path_buf();
        let private = directory.join(".memdoc");
        fs::create_dir_all(&private).map_err(action("create", &private))?;
        Ok(Self { directory, private })
    }

    /// Returns the file of a document.
    pub fn path(&self, name: &DocName) -> PathBuf {
        self.directory.join(format!("{name}.md"))
    }

    fn next(&self, name: &DocName) -> PathBuf {
        self.private.join(format!("next-{name}.md"))
    }

    fn pending(&self) -> PathBuf {
        self.private.join("pending.json")
    }

    /// Takes the lock, and finishes what a crash has left half done.
    fn enter(&self) -> Result<File, StoreError> {
        let path = self.private.join("lock");
        let lock =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(action("open", &path))?;
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(fs::TryLockError::WouldBlock) => return Err(StoreError::Busy { path }),
                Err(fs::TryLockError::Error(source)) => return Err(action("lock", &path)(source)),
            }
        }
        if let Some(pending) = Pending::read(&self.pending())? {
            self.complete(&pending)?;
        }
        Ok(lock)
    }

    /// Moves the next texts of a commit into their places. May be done again after any interruption.
    fn complete(&self, pending: &Pending) -> Result<(), StoreError> {
        for document in pending.documents() {
            let (next, place) = (self.next(&document.name), self.path(&document.name));
            let Some(text) = read_text(&next)? else { continue };
            let current = read_text(&place)?.map(|text| Revision::of(&text));
            if current == document.expected {
                fs::rename(&next, &place).map_err(action("replace", &place))?;
            } else {
                // Somebody wrote the file after the commit was decided: theirs is the later text, ours is kept beside it.
                let kept = self.private.join(format!("kept-{}-{}.md", document.name, Revision::of(&text).short()));
                fs::rename(&next, &kept).map_err(action("replace", &kept))?;
            }
        }
        sync_directory(&self.directory)?;
        self.record(pending.id())?;
        fs::remove_file(self.pending()).map_err(action("remove", &self.pending()))?;
        sync_directory(&self.private)
    }

    fn record(&self, id: CommitId) -> Result<(), StoreError> {
        let path = self.private.join("landed");
        let known = read_text(&path)?.unwrap_or_default();
        if has_line(&known, id) {
            return Ok(());
        }
        let keeps_all = u64::try_from(known.len()).is_ok_and(|bytes| bytes < LANDED_BYTES);
        let kept = if keeps_all { known.as_str() } else { latest_half(&known) };
        write_synced(&self.private.join("landed.next"), &path, &format!("{kept}{id}\n"))
    }

    fn conflict(&self, change: &Change) -> Result<Option<Outcome>, StoreError> {
        for document in &change.documents {
            let current = read_text(&self.path(&document.name))?.map(|text| Revision::of(&text));
            if current != document.expected {
                return Ok(Some(Outcome::Conflict { document: document.name.clone(), current }));
            }
        }
        Ok(None)
    }
}

fn has_line(lines: &str, id: CommitId) -> bool {
    let id = id.to_string();
    lines.split('\n').any(|line| line == id)
}

/// Returns the second half of the lines.
fn latest_half(lines: &str) -> &str {
    let middle = lines.len() / 2;
    let start =
        lines.as_bytes().iter().skip(middle).position(|byte| *byte == b'\n').map_or(lines.len(), |at| middle + at + 1);
    lines.get(start..).unwrap_or_default()
}

impl Store for FileStore {
    fn load(&self) -> Result<State, StoreError> {
        let _lock = self.enter()?;
        let mut documents = BTreeMap::new();
        for entry in fs::read_dir(&self.directory).map_err(action("read", &self.directory))? {
            let path = entry.map_err(action("read", &self.directory))?.path();
            let is_document = path.extension().is_some_and(|extension| extension == "md");
            let name = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.parse::<DocName>().ok());
            if let (true, Some(name)) = (is_document, name)
                && let Some(text) = read_text(&path)?
            {
                documents.insert(name, Arc::from(text));
            }
        }
        Ok(State::new(documents))
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        let _lock = self.enter()?;
        if let Some(conflict) = self.conflict(change)? {
            return Ok(conflict);
        }
        for document in &change.documents {
            files::write_next(&self.next(&document.name), &self.path(&document.name), &document.text)?;
        }
        let pending = Pending::new(change);
        let made =
            pending.write(&self.private.join("pending.next"), &self.pending()).and_then(|()| self.complete(&pending));
        match made {
            Ok(()) => Ok(Outcome::Committed),
            // Once the file is in its place, the commit is made, and whoever enters next completes it.
            Err(error) if self.pending().exists() => Ok(Outcome::Indeterminate(error)),
            Err(error) => Err(error),
        }
    }

    fn landed(&self, id: CommitId) -> Result<bool, StoreError> {
        let _lock = self.enter()?;
        let known = read_text(&self.private.join("landed"))?.unwrap_or_default();
        Ok(has_line(&known, id))
    }
}
