//! [`FileStore`]: a directory as a store.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::memory::error::failed;
use crate::memory::file_store::access::{Directory, State, cannot_write, leftovers};
use crate::memory::file_store::disk::Access;
use crate::memory::file_store::journal;
use crate::memory::file_store::layout::{self, LOCK};
use crate::memory::file_store::unix::{UnixDisk, boot};
use crate::memory::hooks::{Clock, HostClock};
use crate::memory::journal::{Attempt, Entry, Head, Seq};
use crate::memory::tries::nap;
use crate::memory::{Change, DocName, Landed, Outcome, Snapshot, Store, StoreError, Stored, Unusable};
use crate::text::Revision;

/// How long the lock is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a commit waits for a person who is saving a document, and how long between two looks.
const SAVING: (Duration, Duration) = (Duration::from_secs(3), Duration::from_millis(20));

/// Keeps a memory in a directory of `NAME.md` files that people read, diff and edit, and the journal beside them in
/// `.memdoc/`.
///
/// Handles, threads and processes may share a directory. The journal is primary, and the files are a working copy.
///
/// # A commit
///
/// Under the directory's lock:
///
/// 1. The files of the documents are reconciled with the journal (see below).
/// 2. The next texts are written beside the files and synced. If the disk is full, it fails here, and nothing has changed.
/// 3. The entry is appended to the journal in one write, and synced. Now the commit is made, and the line gets its line
///    feed. An append that fails is cut off and the cut synced; if that fails too, the answer is
///    [`Outcome::Indeterminate`].
/// 4. Each file and its next text are exchanged, and the displaced text is checked. If it is not the expected one, a
///    person has just saved it, and the two are exchanged back: the next access reconciles.
///
/// A commit of one document costs two syncs. A failed sync is never followed by [`Outcome::Committed`].
///
/// # What a file is
///
/// At each access the files of the named documents are compared with the journal:
///
/// - A file that holds the committed text is in order.
/// - A file may still hold the text before a commit, because a process was killed or the power was lost. It gets the
///   committed text.
/// - Anything else was written by a person. The journal gets an entry of kind `external`. Commits that were not
///   written out are merged with it; if both change the same lines, the person's text stands, and the journal has
///   both.
///
/// A file that was modified less than 200 milliseconds ago (one second, if it is empty or missing) may be in the middle
/// of a save. Until then, reading returns the committed text ([`Stored::is_unsettled`](super::super::Stored::is_unsettled)),
/// and a commit waits for up to three seconds before it is [`StoreError::Unsettled`].
///
/// After a restart, the store assumes that power was lost. A file that holds an older text and is not newer than the
/// journal gets the committed text. A text that a person wrote before the next access counts as an edit of the text that
/// it differs least from, and is merged accordingly.
///
/// A file that cannot be a document (a link, a directory, a device, not UTF-8, larger than 16 MiB) is an error only for
/// calls that name that document. [`unusable`](Store::unusable) lists such files. `MEMORY.md` is the document `memory`.
///
/// If the directory cannot be written to, or the disk is full, it can still be read: what a person wrote is then read
/// as it is.
///
/// # What is not kept, and what is not promised
///
/// A commit keeps a file's permissions, but neither its owner nor extended attributes, access lists or hard links. If the
/// system cannot exchange two files, a text that somebody writes between the last look and the renaming is lost. So is
/// what a program writes, after a commit, into a file that it had opened before. What is erased may remain in blocks of
/// the disk, backups and copies. The lock is one of the system, on `.memdoc/lock`: it holds between processes of one
/// machine, and not on every network file system. If `.memdoc` is removed, so is the journal: the documents stay, and
/// another journal begins.
///
/// # Examples
///
/// ```
/// use memdoc::{DocName, FileStore, Memory, Policy};
///
/// # let directory = std::env::temp_dir().join(format!("memdoc-doc-{}", std::process::id()));
/// let store = FileStore::open(&directory)?;
/// let file = store.path(&DocName::memory());
/// let memory = Memory::new(store, Policy::default())?;
/// memory.seed(&DocName::memory(), "- Lives in Denver\n")?;
/// assert_eq!(std::fs::read_to_string(file)?, "- Lives in Denver\n");
/// # std::fs::remove_dir_all(directory)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct FileStore {
    directory: PathBuf,
    state: Mutex<State>,
    /// How long the lock is waited for.
    patience: Duration,
}

impl fmt::Debug for FileStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStore").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl FileStore {
    /// Opens a directory, which is created if it is not there. A directory that cannot be written to can be read.
    ///
    /// # Errors
    ///
    /// It is not a directory, or cannot be created or opened; the lock is held by others for too long.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, StoreError> {
        let directory = directory.as_ref().to_path_buf();
        create(&directory)?;
        let disk = UnixDisk::open(&directory)?;
        let state = Mutex::new(State { boot: boot(), ..State::default() });
        let store = Self { directory, state, patience: PATIENCE };
        let swept = layout::prepare(&disk).and_then(|()| match leftovers(&disk)?.is_empty() {
            true => Ok(()),
            false => store.access(Access::Write, |directory| directory.sweep()),
        });
        match swept {
            Err(error) if !cannot_write(&error) => Err(error),
            _ => Ok(store),
        }
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(self, key: super::super::journal::SigningKey) -> Self {
        self.state().sealer = super::super::journal::Sealer::signing(key);
        self
    }

    /// Sets how long a call waits for the lock before it fails as `busy`. Default: 10 seconds.
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Returns the path of a document's file.
    pub fn path(&self, document: &DocName) -> PathBuf {
        self.directory.join(layout::place(document))
    }

    /// Writes a memory into a directory that holds none.
    pub(crate) fn fill(&self, documents: &[Stored], journal: &[u8]) -> Result<(), StoreError> {
        self.access(Access::Write, |directory| directory.fill(documents, journal))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // After a panic, at worst the state is behind the journal: the next access reads on.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` under the lock.
    ///
    /// # Errors
    ///
    /// The system refuses; the lock is held by others for too long.
    fn access<T>(
        &self,
        want: Access,
        act: impl FnOnce(&mut Directory<'_, UnixDisk>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // The lock is held until the end of this function.
        let (_lock, refusal) = match self.lock() {
            Ok(lock) => (Some(lock), None),
            Err(error) if want == Access::Read && cannot_write(&error) => (None, Some(error)),
            Err(error) => return Err(error),
        };
        let (mut state, disk, now) = (self.state(), UnixDisk::open(&self.directory)?, SystemTime::now());
        let mut directory = Directory { disk: &disk, state: &mut state, now, refusal, modified: now };
        directory.begin(want)?;
        act(&mut directory)
    }

    fn lock(&self) -> Result<File, StoreError> {
        let (path, mut opening) = (self.directory.join(LOCK), File::options());
        match lock(&path, opening.read(true), self.patience) {
            // Perhaps somebody has removed the directory of the journal since it was opened, or put a link in its place.
            Err(StoreError::Io { .. }) => {
                layout::prepare(&UnixDisk::open(&self.directory)?)?;
                lock(&path, opening.write(true).create(true).truncate(false), self.patience)
            }
            locked => locked,
        }
    }

    /// Calls `act` under the lock; again, as long as a person is saving a document that it needs.
    fn access_when_still<T>(
        &self,
        want: Access,
        mut act: impl FnMut(&mut Directory<'_, UnixDisk>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (started, (longest, between)) = (Instant::now(), SAVING);
        loop {
            match self.access(want, &mut act) {
                Err(StoreError::Unsettled { .. }) if started.elapsed() < longest.min(self.patience) => {
                    std::thread::sleep(between);
                }
                done => return done,
            }
        }
    }
}

/// Syncs what was written out, and writes the index, so that a journal that is cut afterwards is noticed. If the lock
/// is not free at once, neither is done: the next handle does not need them.
impl Drop for FileStore {
    fn drop(&mut self) {
        let is_due = self.state().index.unsynced_entries() > 0;
        if is_due && self.directory.join(LOCK).exists() {
            self.patience = Duration::ZERO;
            let _ = self.access(Access::Write, |directory| directory.reconcile_and_sync());
        }
    }
}

/// Creates a directory and those above it, as far as they are missing, and makes their names durable.
pub(crate) fn create(directory: &Path) -> Result<(), StoreError> {
    if directory.exists() {
        return Ok(());
    }
    let above = match directory.parent() {
        Some(above) if !above.as_os_str().is_empty() => above,
        _ => Path::new("."),
    };
    create(above)?;
    match std::fs::create_dir(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(failed("create", directory)(error)),
        _ => File::open(above).and_then(|above| above.sync_all()).map_err(failed("sync", above)),
    }
}

impl Store for FileStore {
    fn begin(&self) -> Result<(), StoreError> {
        if self.head()? != Head::START {
            return Ok(());
        }
        self.access(Access::Write, |directory| directory.begin_journal())
    }

    fn use_clock(&self, clock: Arc<dyn Clock>) {
        self.state().clock = HostClock(clock);
    }

    fn revisions(&self, after: Option<&DocName>, limit: usize) -> Result<Vec<(DocName, Revision)>, StoreError> {
        self.access(Access::Read, |directory| directory.revisions(after, limit))
    }

    fn read(&self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        self.access_when_still(Access::Read, |directory| directory.read(names))
    }

    fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.access(Access::Read, |directory| directory.entries_from(from, limit))
    }

    fn entries_of(&self, document: &DocName, last: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.access(Access::Read, |directory| directory.entries_of(document, last, limit))
    }

    /// Holds the lock while it reads the journal, and not while it calls `visit`.
    fn scan(&self, visit: &mut dyn FnMut(&[u8])) -> Result<(), StoreError> {
        let read =
            |directory: &mut Directory<'_, UnixDisk>| journal::read(directory.disk, 0, directory.state.index.end);
        let bytes = self.access(Access::Read, read)?;
        bytes.split_inclusive(|byte| *byte == b'\n').for_each(|line| {
            visit(line.strip_suffix(b"\n").unwrap_or_else(|| journal::entry_of(line)));
        });
        Ok(())
    }

    fn commit(&self, change: &Change) -> Result<Outcome, StoreError> {
        self.access_when_still(Access::Write, |directory| directory.commit(change))
    }

    fn landed(&self, attempt: Attempt, after: Seq) -> Result<Landed, StoreError> {
        self.access(Access::Write, |directory| directory.landed(attempt, after))
    }

    fn lost_head(&self) -> Result<Option<Head>, StoreError> {
        self.access(Access::Read, |directory| Ok(directory.state.index.lost))
    }

    fn acknowledge_loss(&self) -> Result<(), StoreError> {
        self.access(Access::Write, |directory| {
            directory.state.index.lost = None;
            directory.reconcile_and_sync().map(drop)
        })
    }

    fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        self.access(Access::Read, |directory| directory.unusable())
    }
}

/// The shortest and the longest sleep. With a shorter longest one, many waiting processes take the processor from the
/// one that works; with a longer one, some of them wait long.
const NAPS: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(8));

/// Takes the lock of the file at `path`, which is opened as `opening` says; a link is not followed. Of all threads and
/// processes, one holds the lock at a time. It is released when the file is dropped, or its process ends. A waiting
/// process tries again after a random time, a little longer each time. There is no queue: so a process that was stopped
/// while it waits holds up nobody.
///
/// # Errors
///
/// `Busy`: others held it for longer than `patience`. The system refuses.
fn lock(path: &Path, opening: &mut OpenOptions, patience: Duration) -> Result<File, StoreError> {
    let flags = (rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK).bits();
    opening.custom_flags(i32::try_from(flags).unwrap_or_default());
    let started = Instant::now();
    for round in 0.. {
        // The file is opened each time: it may have been removed or replaced meanwhile.
        let file = opening.open(path).map_err(failed("open", path))?;
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if started.elapsed() < patience => nap(NAPS, round)?,
            Err(TryLockError::WouldBlock) => break,
            Err(TryLockError::Error(source)) => return Err(failed("lock", path)(source)),
        }
    }
    Err(StoreError::Busy { path: path.to_owned() })
}
