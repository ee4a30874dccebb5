//! [`Directory`]: one access to the directory, under its lock. An access first reads what others have appended to the
//! journal, and finishes what a crash has interrupted.

use std::collections::{BTreeSet, HashMap};
use std::io::ErrorKind;
use std::time::{Duration, SystemTime};

use super::disk::{Access, Disk, Moved, Rename, age, length_of, look, write_new};
use super::index::{self, Index};
use super::journal;
use super::layout::{self, JOURNAL, NEW_JOURNAL};
use super::names;
use crate::memory::error::failed;
use crate::memory::hooks::HostClock;
use crate::memory::journal::{Entry, Head, Sealer, Seq};
use crate::memory::store::AbandonedAttempts;
use crate::memory::{DocName, StoreError, Stored};
use crate::text::Content;

/// An access syncs the directories of placed files if the last commit is at least this long ago.
const SOON: Duration = Duration::from_secs(1);
/// An access syncs the directories of placed files if this many entries were committed since the last sync.
const UNSYNCED: u64 = 32;

/// What a handle remembers from one access to the next.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) index: Index,
    /// Whether the end of the journal may not be durable.
    pub(super) is_end_uncertain: bool,
    /// The system's boot ID, which changes when it is restarted; `None` if it has none.
    pub(super) boot: Option<Box<str>>,
    /// The documents that exist and whose files are missing, each with the time since when.
    pub(super) missing: HashMap<DocName, SystemTime>,
    /// The last committed text of documents, and its entry, so that the text need not be replayed.
    pub(super) texts: HashMap<DocName, (Seq, Content)>,
    pub(super) abandoned: AbandonedAttempts,
    /// What seals entries.
    pub(super) sealer: Sealer,
    /// What tells the time of the entries that the store makes itself.
    pub(super) clock: HostClock,
}

/// One access.
pub(super) struct Directory<'a, D> {
    pub(super) disk: &'a D,
    pub(super) state: &'a mut State,
    pub(super) now: SystemTime,
    /// Why nothing can be written: for example, the directory is read-only, or the disk is full.
    pub(super) refusal: Option<StoreError>,
    /// When the journal was modified last.
    pub(super) modified: SystemTime,
}

impl<D: Disk> Directory<'_, D> {
    /// Begins an access: reads what was appended to the journal, and finishes what a crash has interrupted. An access
    /// that only reads does so too, if the directory can be written to.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn begin(&mut self, want: Access) -> Result<(), StoreError> {
        self.read_journal()?;
        if self.can_write() {
            let finished = self.finish();
            self.accept_read_only(finished)?;
        }
        match self.refusal.take_if(|_| want == Access::Write) {
            Some(refusal) => Err(refusal),
            None => Ok(()),
        }
    }

    pub(super) const fn can_write(&self) -> bool {
        self.refusal.is_none()
    }

    /// Looks at the result of a write. If it failed because the directory cannot be written to, this access only
    /// reads from now on.
    ///
    /// # Errors
    ///
    /// The write failed for another reason.
    pub(super) fn accept_read_only(&mut self, result: Result<(), StoreError>) -> Result<(), StoreError> {
        match result {
            Err(error) if cannot_write(&error) => self.refusal = Some(error),
            result => result?,
        }
        Ok(())
    }

    /// Finishes what a crash, or a process that was killed, has interrupted.
    fn finish(&mut self) -> Result<(), StoreError> {
        if self.state.is_end_uncertain {
            // The whole journal is written again: after a sync that failed, another sync may not make it durable.
            journal::replace(self.disk, &journal::read(self.disk, 0, self.state.index.end)?)?;
            self.state.is_end_uncertain = false;
        }
        self.finish_erasing()?;
        let count = self.state.index.unsynced_entries();
        let is_due = count >= UNSYNCED || count > 0 && age(self.modified, self.now) >= SOON;
        if is_due || self.head() != Head::START && self.may_have_lost_power() {
            self.reconcile_and_sync()?;
        }
        Ok(())
    }

    /// Reconciles and syncs all files that are not known to be durable. Returns false if one of them is being saved,
    /// or cannot be used: then the directories are not synced.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn reconcile_and_sync(&mut self) -> Result<bool, StoreError> {
        let mut is_clean = true;
        for name in self.state.index.unsynced() {
            // A file that cannot be used is an error of calls that name its document, and not of this one.
            is_clean &= self.is_reconciled(&name)?;
        }
        if is_clean {
            self.sync_placed()?;
        }
        Ok(is_clean)
    }

    /// Returns true if the system may have been restarted since files were placed without a sync. After a loss of
    /// power, such a file may hold its older text again.
    pub(super) fn may_have_lost_power(&self) -> bool {
        let (boot, index) = (&self.state.boot, &self.state.index);
        index.boot != *boot || boot.is_none() && index.unsynced_entries() > 0
    }

    /// Syncs the directories of the files that were placed, and writes the index. The files must hold what was
    /// committed.
    ///
    /// # Errors
    ///
    /// The system refuses: nothing is known to be durable.
    pub(super) fn sync_placed(&mut self) -> Result<(), StoreError> {
        let names = self.state.index.unsynced();
        // The folders above may be new, too: the directories that hold their names are synced as well.
        let above = |name| {
            std::iter::successors(Some(layout::parent(name)), |folder| {
                (!folder.is_empty()).then(|| layout::parent(folder))
            })
        };
        let folders: BTreeSet<_> = names.iter().flat_map(|name| above(name.as_str())).collect();
        for folder in folders {
            self.disk.sync_directory(folder)?;
        }
        self.state.index.synced = self.head().seq;
        self.state.index.boot.clone_from(&self.state.boot);
        index::write(self.disk, &self.state.index)
    }

    /// Writes documents and their journal into a directory that has none. The index records that all files are written
    /// out, so that a later edit by a person is recognized as one.
    ///
    /// # Errors
    ///
    /// Somebody has begun a memory here, or a file of that name exists; the system refuses. A part may have been
    /// written.
    pub(super) fn fill(&mut self, documents: &[Stored], journal: &[u8]) -> Result<(), StoreError> {
        let is_there = |path| failed("create", &self.disk.full_path(path))(ErrorKind::AlreadyExists.into());
        if self.head() != Head::START {
            return Err(is_there(JOURNAL));
        }
        for Stored { name, text, .. } in documents {
            let Some(text) = text else { continue };
            layout::create_folder(self.disk, name.folder())?;
            let place = layout::place(name);
            // It is first written under a name of the store's own, and then renamed: a file that somebody has put here
            // is not replaced.
            self.disk.sync(&write_new(self.disk, NEW_JOURNAL, None, text.as_bytes())?)?;
            if self.disk.rename(NEW_JOURNAL, &place, Rename::New)? == Moved::Refused {
                return Err(is_there(&place));
            }
        }
        journal::replace(self.disk, journal)?;
        self.state.index.absorb(journal);
        self.sync_placed()
    }

    /// Returns where the journal ends.
    pub(super) fn head(&self) -> Head {
        self.state.index.head
    }

    /// Reads what was appended to the journal. If it is not the journal that was read before, reads all of it.
    fn read_journal(&mut self) -> Result<(), StoreError> {
        let mut file = self.disk.open(JOURNAL, Access::Read)?;
        if file.is_none()
            && let Some(journal) = layout::journal_of_format_1(self.disk)?
        {
            let converted = journal::replace(self.disk, &journal);
            self.accept_read_only(converted.and_then(|()| layout::remove_format_1(self.disk)))?;
            file = self.disk.open(JOURNAL, Access::Read)?;
        }
        let file = file.as_ref();
        let stat = file.map(|file| self.disk.stat(file));
        self.modified = stat.map_or(self.now, |stat| stat.modified);
        let length = stat.map_or(0, |stat| stat.length);
        // If something fails below, the index stays empty, and the next access reads the whole journal.
        let known = std::mem::take(&mut self.state.index);
        match known.end > 0 && self.fits(&known, file)? {
            true => {
                self.state.index = known;
                self.read_new(length)
            }
            false => self.load(&known, file, length),
        }
    }

    /// Returns true if `file` is the journal that was indexed: it has the last entry of the index at the same offset.
    fn fits(&mut self, index: &Index, file: Option<&D::File>) -> Result<bool, StoreError> {
        let Some(file) = file else { return Ok(false) };
        let mut line = journal::read_in(self.disk, file, index.last, index.end)?;
        // A loss of power may have taken the end of the line, and nothing else.
        let is_ended = line.pop_if(|last| matches!(last, b'\n' | 0)) == Some(b'\n');
        let hash = index.head.hash.to_string();
        let fits = index.last.saturating_add(length_of(&line)).saturating_add(1) == index.end
            && line.starts_with(b"{\"seq\":")
            && memchr::memmem::find(&line, hash.as_bytes()).is_some();
        self.state.is_end_uncertain |= fits && !is_ended;
        Ok(fits)
    }

    /// Reads the index file and what the journal has after it; without a fitting index file, the whole journal.
    /// `known` is the index that this handle had: if its last entry is no longer in the journal, that is noted as a
    /// loss.
    fn load(&mut self, known: &Index, file: Option<&D::File>, length: u64) -> Result<(), StoreError> {
        let written = index::load(self.disk)?.unwrap_or_default();
        let last = if known.head == Head::START { written.head } else { known.head };
        let lost = written.lost;
        let is_unusable = written.end == 0 || !self.fits(&written, file)?;
        if !is_unusable {
            self.state.index = written;
        }
        self.read_new(length)?;
        if is_unusable {
            self.state.index.synced = self.head().seq.minus(UNSYNCED);
            self.state.index.lost = lost;
        }
        if last != Head::START && !self.has(last)? {
            // Verifications report it until the host acknowledges the loss.
            self.state.index.lost = Some(last);
            if self.can_write() {
                let written = index::write(self.disk, &self.state.index);
                self.accept_read_only(written)?;
            }
        }
        Ok(())
    }

    /// Returns true if the journal has an entry. A damaged line counts, too, if the next entry names its hash.
    fn has(&self, head: Head) -> Result<bool, StoreError> {
        let is_there = self.entry(head.seq)?.is_some_and(|entry| entry.hash() == head.hash);
        Ok(is_there || self.entry(head.seq.plus(1))?.is_some_and(|entry| entry.previous() == head.hash))
    }

    /// Reads what the journal has after the end of the index.
    fn read_new(&mut self, length: u64) -> Result<(), StoreError> {
        let bytes = journal::read(self.disk, self.state.index.end, length)?;
        self.state.is_end_uncertain |= self.state.index.absorb(&bytes);
        Ok(())
    }

    /// Returns the entry with a number.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entry(&self, seq: Seq) -> Result<Option<Entry>, StoreError> {
        let (from, to) = self.state.index.range_of(seq);
        let bytes = journal::read(self.disk, from, to)?;
        let prefix = format!("{{\"seq\":{seq},");
        let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(prefix.as_bytes()));
        Ok(lines.find_map(|line| Entry::parse(journal::entry_of(line)).ok()))
    }

    /// Removes the files that interrupted commits have left beside documents.
    ///
    /// # Errors
    ///
    /// The system refuses: some of them may be left.
    pub(super) fn sweep(&mut self) -> Result<(), StoreError> {
        let rows = self.state.index.rows.iter();
        let last: HashMap<_, _> = rows.map(|(name, row)| (layout::next(name, row.mark), name.clone())).collect();
        for path in leftovers(self.disk)? {
            match last.get(&path) {
                Some(name) => drop(self.is_reconciled(name)?),
                None => match look(self.disk, &path) {
                    // It is not what a commit has staged.
                    Err(StoreError::Unusable { .. }) => {}
                    looked => looked.and_then(|_| self.disk.remove(&path))?,
                },
            }
        }
        self.disk.remove(NEW_JOURNAL)
    }
}

/// Returns the paths of the files that commits have left beside documents.
///
/// # Errors
///
/// The system refuses.
pub(super) fn leftovers<D: Disk>(disk: &D) -> Result<Vec<String>, StoreError> {
    let mut found = Vec::new();
    names::walk(disk, &mut |folder, listed| {
        let left = listed.iter().filter(|listed| layout::is_next(&listed.name));
        found.extend(left.map(|listed| layout::join(folder, &listed.name)));
    })?;
    Ok(found)
}

/// Returns true if `error` says that the directory cannot be written to. It may still be read.
pub(super) fn cannot_write(error: &StoreError) -> bool {
    use ErrorKind::{NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let StoreError::Io { source, .. } = error else { return false };
    matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem | StorageFull | QuotaExceeded | NotFound)
}
