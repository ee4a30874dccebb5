//! [`FileStore`]: the directory as a store.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use super::super::store_error::failed;
use super::super::{DocName, IoAction, StoreError};
use super::layout;
use super::lock::{Held, Lock, is_denied};
use super::placement::Limits;
use super::queue;
use super::unix::UnixDisk;
use super::work::State;

/// How long the lock is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Keeps a memory in a directory of `NAME.md` files that people read, diff and edit, and the journal beside them in `.memdoc/`.
///
/// Handles, threads and processes may share a directory; a handle that is shared by threads serves them in order.
///
/// # A commit
///
/// Under the directory's lock, held alone:
///
/// 1. The files of the documents are read and hashed. One that is not what the commit expects is a conflict.
/// 2. The next texts are written beside their places and synced. A disk that is full is full here, and nothing has been done.
/// 3. The entries are appended to the journal in one write, and synced. From here on the commit is made. An append that fails is
///    cut off and the cut synced; if that fails too, the answer is [`Outcome::Indeterminate`](super::super::Outcome::Indeterminate).
/// 4. Each file and its next text change places, and what was displaced is looked at: what is not the expected text came from
///    outside, and goes back.
/// 5. The directories are synced, and a note is written of how far the journal is placed.
///
/// One document costs three syncs. A failed sync is never followed by [`Outcome::Committed`](super::super::Outcome::Committed).
///
/// # After a crash
///
/// The next access finds that the journal does not end where the note says. An incomplete group was never committed: it is kept
/// in `.memdoc/torn` and cut off. The last complete group is written anew and synced, its texts are placed, and what it erases
/// is erased. Entries that were known to be durable are never cut; that they are gone is an error of the first access that
/// notices, and the next one goes on with what there is. So is [`StoreError::SetBack`]: a handle does not find its last entry.
///
/// # What comes from outside
///
/// A file that somebody else has changed is read again until it has been still for a moment, at most three seconds long; then the
/// journal gets an entry of kind `external`, with what was committed and what came. Until then the committed text is read
/// ([`Stored::is_unsettled`](super::super::Stored::is_unsettled)), and a commit on it is [`StoreError::Unsettled`]. A file that is
/// missing is a deleted document once it has been missing for two seconds.
///
/// What a commit displaces is kept for ten seconds. An editor that had the file open and writes to it after all loses nothing: its
/// text is merged where it does not touch what came since; else the journal gets it by one `external` entry that makes it and
/// one that takes it back, with the reason, and the document stays as it is. A text that comes between the check and the exchange
/// of a commit is merged with it in the same way; where the two touch, the one from outside stands, and the journal has both.
///
/// A file that cannot be a document (a link, a directory, a device, a second name of another file, not UTF-8, too large) is an
/// error of calls that name that document, and of no others. [`unusable`](super::super::Store::unusable) lists them.
///
/// A directory that cannot be written to can be read: what came from outside is then read as it is, and not recorded.
///
/// # What is not kept, and what is not promised
///
/// A commit keeps a file's permissions, but neither its owner nor extended attributes, access lists or hard links. Where the system
/// cannot exchange two files, what somebody writes between the last look and the renaming is replaced unseen. Of what is erased,
/// blocks of the disk, backups and copies keep what they have. The lock is one of the system, on `.memdoc/lock`: it holds between
/// processes of one machine, and not on every network file system. If `.memdoc` is removed, so is the journal: the documents
/// stay, and another journal begins.
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
#[derive(derive_more::Debug)]
#[debug("FileStore {{ directory: {:?}, .. }}", handle.directory)]
pub struct FileStore {
    pub(super) handle: Arc<Handle>,
    /// How long the lock is waited for.
    pub(super) patience: Duration,
    pub(super) limits: Limits,
    /// The lock, where it is held for several calls.
    pub(super) held: Option<Held>,
}

/// A directory, and what is known of it.
pub(super) struct Handle {
    pub(super) directory: PathBuf,
    pub(super) lock: Lock,
    pub(super) state: Mutex<State>,
}

impl FileStore {
    /// Opens a directory, which is created if it is not there. A directory that cannot be written to can be read.
    ///
    /// # Errors
    ///
    /// It is not a directory, or cannot be created or opened.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, StoreError> {
        let directory = directory.as_ref().to_path_buf();
        create(&directory)?;
        let disk = UnixDisk::open(&directory)?;
        match layout::prepare(&disk).and_then(|()| queue::sweep(&disk, SystemTime::now())) {
            Err(error) if !is_denied(&error) => return Err(error),
            _ => {}
        }
        let handle = Handle { directory, lock: Lock::default(), state: Mutex::default() };
        Ok(Self { handle: Arc::new(handle), patience: PATIENCE, limits: Limits::default(), held: None })
    }

    /// Signs the entries that are made from now on.
    #[cfg(feature = "signing")]
    pub fn signed_by(self, key: super::super::journal::SigningKey) -> Self {
        let sealer = super::super::journal::Sealer::signing(key);
        self.handle.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner).sealer = sealer;
        self
    }

    /// Waits for the lock so long, before a call is `busy`. Default: 10 seconds.
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Refuses documents of more bytes. Default: 16 MiB.
    pub fn with_largest_document(mut self, bytes: u64) -> Self {
        self.limits.document = bytes;
        self
    }

    /// Begins a new file of the journal when the last one has so many bytes. Default: 1 MiB.
    pub fn with_segment_size(mut self, bytes: u64) -> Self {
        self.limits.segment = bytes.max(1);
        self
    }

    /// Returns the path of a document's file.
    pub fn path(&self, document: &DocName) -> PathBuf {
        self.handle.directory.join(layout::place(document))
    }
}

/// Creates a directory with those above it, as far as they are missing, and makes their names durable.
fn create(directory: &Path) -> Result<(), StoreError> {
    if directory.exists() {
        return Ok(());
    }
    let above = match directory.parent() {
        Some(above) if !above.as_os_str().is_empty() => above,
        _ => Path::new("."),
    };
    create(above)?;
    match std::fs::create_dir(directory) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(failed(IoAction::Create, directory)(error)),
        _ => File::open(above).and_then(|above| above.sync_all()).map_err(failed(IoAction::Sync, above)),
    }
}
