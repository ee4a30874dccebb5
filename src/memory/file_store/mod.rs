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
// The parts of the store that keeps a journal.
#[allow(dead_code)]
mod commit;
#[allow(dead_code)]
mod disk;
#[allow(dead_code)]
mod displaced;
#[allow(dead_code)]
mod entries;
#[allow(dead_code)]
mod layout;
#[allow(dead_code)]
#[cfg(unix)]
mod lock;
#[allow(dead_code)]
mod names;
#[allow(dead_code)]
mod note;
#[allow(dead_code)]
mod place;
#[allow(dead_code)]
mod placement;
#[allow(dead_code)]
#[cfg(unix)]
mod queue;
#[allow(dead_code)]
mod recover;
#[allow(dead_code)]
mod segments;
#[cfg(test)]
mod sim;
#[allow(dead_code)]
mod still;
#[allow(dead_code)]
mod survey;
#[allow(dead_code)]
mod tail;
#[allow(dead_code)]
#[cfg(unix)]
mod unix;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::name::DocName;
use super::request_id::RequestId;
use super::store::{Change, Outcome, State, Store};
use super::store_error::{FileFlaw, IoAction, StoreError};
use crate::text::{Revision, RevisionPrefix};
use files::{action, read_text, sync_directory, write_synced};
use pending::{Pending, PendingDocument};

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
        fs::create_dir_all(&private).map_err(action(IoAction::Create, &private))?;
        // A link would take our files out of the directory.
        if fs::symlink_metadata(&private).map_err(action(IoAction::Read, &private))?.is_symlink() {
            return Err(StoreError::Unusable { path: private, what: FileFlaw::SymbolicLink });
        }
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
        read_text(&path)?;
        let lock = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(action(IoAction::Open, &path))?;
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => break,
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(fs::TryLockError::WouldBlock) => return Err(StoreError::Busy { path }),
                Err(fs::TryLockError::Error(source)) => return Err(action(IoAction::Lock, &path)(source)),
            }
        }
        if let Some(pending) = Pending::read(&self.pending())? {
            self.complete(&pending)?;
        }
        Ok(lock)
    }

    /// Moves the next texts of a commit into their places. May be done again after any interruption.
    fn complete(&self, pending: &Pending) -> Result<Completed, StoreError> {
        let mut waiting = Vec::new();
        let mut overtaken = Vec::new();
        for document in pending.documents() {
            let current = self.revision(&self.path(&document.name))?;
            // A text that has taken its place is not beside it any more; for one that goes, nothing is.
            let is_due = match document.next {
                Some(next) => self.revision(&self.next(&document.name))? == Some(next),
                None => current.is_some(),
            };
            if is_due && current == document.expected {
                waiting.push(document);
            } else if is_due || current != document.next {
                overtaken.push(document);
            }
        }
        // Before the first text has taken its place, a commit that others have overtaken is not made at all.
        let is_begun = waiting.len() + overtaken.len() < pending.documents().len();
        let is_made = overtaken.is_empty() || is_begun;
        for document in overtaken.iter().chain(waiting.iter().filter(|_| !is_made)) {
            self.keep(document)?;
        }
        for document in waiting.iter().filter(|_| is_made) {
            let place = self.path(&document.name);
            match document.next {
                Some(_) => fs::rename(self.next(&document.name), &place).map_err(action(IoAction::Replace, &place))?,
                None => fs::remove_file(&place).map_err(action(IoAction::Remove, &place))?,
            }
        }
        if is_made {
            sync_directory(&self.directory)?;
            self.record(pending)?;
        }
        // From here on the outcome is settled: a file that is left over is looked at again, and changes nothing.
        let _ = fs::remove_file(self.pending());
        Ok(if is_made { Completed::Made } else { Completed::Overtaken })
    }

    /// Keeps a text aside whose place somebody has written from outside: theirs is the later one.
    fn keep(&self, document: &PendingDocument) -> Result<(), StoreError> {
        let Some(next) = document.next else { return Ok(()) };
        let kept = self.private.join(format!("kept-{}-{}.md", document.name, next.short()));
        match fs::rename(self.next(&document.name), &kept) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(action(IoAction::Keep, &kept)(error)),
            _ => Ok(()),
        }
    }

    fn revision(&self, path: &Path) -> Result<Option<Revision>, StoreError> {
        Ok(read_text(path)?.map(|text| Revision::of(&text)))
    }

    /// Notes the commit's ID, and forgets those whose bases it brings back.
    fn record(&self, pending: &Pending) -> Result<(), StoreError> {
        let path = self.private.join("landed");
        let known = read_text(&path)?.unwrap_or_default();
        let keeps_all = u64::try_from(known.len()).is_ok_and(|bytes| bytes < LANDED_BYTES);
        let kept = if keeps_all { known.as_str() } else { latest_half(&known) };
        let is_current = |line: &&str| !line.is_empty() && !line.starts_with(&pending.id().to_string());
        let is_kept = |line: &&str| is_current(line) && !bases_of(line).any(|(name, base)| pending.makes(&name, &base));
        let mut lines: Vec<String> = kept.split('\n').filter(is_kept).map(str::to_owned).collect();
        let bases = pending.bases().iter().map(|(name, base)| format!(" {name}={base}")).collect::<String>();
        lines.push(format!("{}{bases}", pending.id()));
        write_synced(&self.private.join("landed.next"), &path, &format!("{}\n", lines.join("\n")))
    }

    /// The error for files that somebody writes without taking the lock, all the time.
    fn changing(&self) -> StoreError {
        StoreError::Busy { path: self.directory.clone() }
    }

    fn conflict(&self, change: &Change) -> Result<Option<Outcome>, StoreError> {
        for document in &change.documents {
            let current = self.revision(&self.path(&document.name))?;
            if current != document.expected {
                return Ok(Some(Outcome::Conflict { document: document.name.clone(), current }));
            }
        }
        Ok(None)
    }
}

/// What became of a commit that was being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Completed {
    /// It is made.
    Made,
    /// A document had been written from outside before any text took its place: it is not made.
    Overtaken,
}

/// Reads the bases behind an ID: ` NAME=DIGITS` each.
fn bases_of(line: &str) -> impl Iterator<Item = (DocName, RevisionPrefix)> + '_ {
    line.split(' ').skip(1).filter_map(|base| {
        let (name, digits) = base.split_once('=')?;
        Some((name.parse().ok()?, digits.parse().ok()?))
    })
}

fn has_line(lines: &str, id: RequestId) -> bool {
    let id = id.to_string();
    lines.split('\n').any(|line| line.split(' ').next() == Some(&id))
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
        for entry in fs::read_dir(&self.directory).map_err(action(IoAction::Read, &self.directory))? {
            let path = entry.map_err(action(IoAction::Read, &self.directory))?.path();
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
            if let Some(text) = &document.text {
                files::write_next(&self.next(&document.name), &self.path(&document.name), text)?;
            }
        }
        sync_directory(&self.private)?;
        let pending = Pending::new(change);
        if let Err(error) = pending.write(&self.private.join("pending.next"), &self.pending()) {
            // Once the file is in its place, the commit is made, and whoever enters next completes it.
            return match self.pending().try_exists() {
                Ok(false) => Err(error),
                _ => Ok(Outcome::Indeterminate(error)),
            };
        }
        match self.complete(&pending) {
            Ok(Completed::Made) => Ok(Outcome::Committed),
            Ok(Completed::Overtaken) => self.conflict(change)?.map_or_else(|| Err(self.changing()), Ok),
            Err(error) => Ok(Outcome::Indeterminate(error)),
        }
    }

    fn landed(&self, id: RequestId) -> Result<bool, StoreError> {
        let _lock = self.enter()?;
        let known = read_text(&self.private.join("landed"))?.unwrap_or_default();
        Ok(has_line(&known, id))
    }
}
