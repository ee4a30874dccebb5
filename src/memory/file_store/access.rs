//! [`Directory`]: one access to the directory, under its lock: what the journal has got since the last one, and what a crash has left.

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind;
use std::time::{Duration, SystemTime};

use super::disk::{Disk, age};
use super::index::{self, Index};
use super::journal::{self, Extent};
use super::layout::{self, JOURNAL, Mark};
use super::names;
use crate::memory::clock::HostClock;
use crate::memory::journal::{Attempt, Entry, Head, Sealer, Seq};
use crate::memory::{DocName, FileFlaw, StoreError};
use crate::text::Digest;

/// How long after a commit the next access syncs the directories of what it placed.
const SOON: Duration = Duration::from_secs(1);
/// How many entries there may be whose texts stand in their files without the directories being synced.
const UNSETTLED: u64 = 32;
/// How many bytes before the end tell whether the journal is the one that was indexed.
const COMPARED: u64 = 256;

/// What a handle remembers from one access to the next.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) index: Index,
    /// The journal's file, as it was when it was read last; `None` if it is to be read anew.
    pub(super) extent: Option<Extent>,
    /// How far the journal is known to be durable.
    pub(super) synced: u64,
    /// Since when files are missing whose documents exist.
    pub(super) missing: HashMap<DocName, SystemTime>,
    /// The entries of which no file is left beside the document.
    pub(super) clean: HashMap<DocName, Mark>,
    /// Attempts that have been asked about before they were made.
    pub(super) fenced: HashSet<Attempt>,
    /// Attempts that were written to the journal and could not be cut off.
    pub(super) doubtful: HashSet<Attempt>,
    /// What seals entries.
    pub(super) sealer: Sealer,
    /// What tells the time of the entries that the store makes itself.
    pub(super) clock: HostClock,
}

/// What an access is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// To read, and to write what is found on the way, if it can be written.
    Read,
    Write,
}

/// One access.
pub(super) struct Directory<'a, D> {
    pub(super) disk: &'a D,
    pub(super) state: &'a mut State,
    /// How many bytes a document may have.
    pub(super) largest: u64,
    pub(super) now: SystemTime,
    /// Why nothing can be written, as in a directory that is read-only or on a disk that is full.
    pub(super) refusal: Option<StoreError>,
    /// When the journal was modified last.
    pub(super) modified: SystemTime,
}

impl<D: Disk> Directory<'_, D> {
    /// Begins an access: reads on in the journal, and finishes what a crash has interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses. Once: the journal is shorter than it was known to be, or was set back.
    pub(super) fn begin(&mut self, want: Want) -> Result<(), StoreError> {
        self.read_journal()?;
        if self.can_write() {
            let finished = self.finish();
            self.give_up_writing(finished)?;
        }
        match self.refusal.take_if(|_| want == Want::Write) {
            Some(refusal) => Err(refusal),
            None => Ok(()),
        }
    }

    pub(super) const fn can_write(&self) -> bool {
        self.refusal.is_none()
    }

    /// Only reads from now on, if this is an error of a directory that cannot be written to.
    ///
    /// # Errors
    ///
    /// It is another error.
    pub(super) fn give_up_writing(&mut self, result: Result<(), StoreError>) -> Result<(), StoreError> {
        match result {
            Err(error) if cannot_write(&error) => self.refusal = Some(error),
            result => result?,
        }
        Ok(())
    }

    /// Finishes what a crash, or a process that was killed, has interrupted.
    fn finish(&mut self) -> Result<(), StoreError> {
        let Index { end, last, settled, .. } = self.state.index;
        if self.state.synced < end {
            journal::finish(self.disk, last, end)?;
            self.state.synced = end;
        }
        self.finish_erasing()?;
        let count = self.head().seq.get().saturating_sub(settled.get());
        if self.head() == Head::START {
            return Ok(());
        }
        if self.may_have_lost_power() {
            return self.settle_all().map(drop);
        }
        let is_due = count >= UNSETTLED || count > 0 && age(self.modified, self.now) >= SOON;
        match if is_due { self.settle_all().map(drop) } else { Ok(()) } {
            Err(error) if cannot_write(&error) => Ok(()),
            settled => settled,
        }
    }

    /// Brings all files together with the journal that are not known to be durable, and makes them so. Returns false if one of
    /// them is being saved, or cannot be used: then nothing is known to be durable.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn settle_all(&mut self) -> Result<bool, StoreError> {
        let mut is_clean = true;
        for name in self.state.index.unsettled() {
            // A file that cannot be used is the trouble of its document.
            is_clean &= self.is_reconciled(&name)?;
        }
        if is_clean {
            self.settle()?;
        }
        Ok(is_clean)
    }

    /// Reports whether the system may have been started again since something was placed that is not known to be durable:
    /// then a file may hold what it held before.
    pub(super) fn may_have_lost_power(&self) -> bool {
        let (boot, index) = (self.disk.boot(), &self.state.index);
        index.boot != boot || boot.is_none() && index.settled < index.head().seq
    }

    /// Makes it durable that the files hold what was committed, which they do, and writes the index down.
    ///
    /// # Errors
    ///
    /// The system refuses: nothing is known to be durable.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        let mut folders: Vec<_> = self.state.index.unsettled().iter().map(|name| name.folder().to_owned()).collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            match self.disk.sync_directory(&folder) {
                // It was removed with all that was in it.
                Err(StoreError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                synced => synced?,
            }
        }
        self.state.index.settled = self.head().seq;
        self.state.index.boot = self.disk.boot();
        self.write_index()
    }

    fn write_index(&mut self) -> Result<(), StoreError> {
        self.state.index.before = self.digest_before(self.state.index.end)?;
        index::write(self.disk, &self.state.index)
    }

    /// Returns where the journal ends.
    pub(super) fn head(&self) -> Head {
        self.state.index.head()
    }

    /// Reads what the journal has got.
    fn read_journal(&mut self) -> Result<(), StoreError> {
        let mut stat = journal::stat(self.disk)?;
        if stat.is_none()
            && let Some(journal) = layout::journal_of_format_1(self.disk)?
        {
            let converted = journal::replace(self.disk, &journal);
            self.give_up_writing(converted.and_then(|()| layout::remove_format_1(self.disk)))?;
            stat = journal::stat(self.disk)?;
        }
        self.modified = stat.map_or(self.now, |stat| stat.modified);
        let extent = stat.map(|stat| Extent { identity: stat.identity, length: stat.length });
        if extent.is_some() && self.state.extent == extent {
            return Ok(());
        }
        // What fails in between is read again as a whole.
        let known = self.state.extent.take();
        let index = std::mem::take(&mut self.state.index);
        if known.map(|known| known.identity) != extent.map(|extent| extent.identity) {
            self.state.synced = 0;
        }
        let length = extent.map_or(0, |extent| extent.length);
        if index.end > 0 && self.stands(&index, length)? {
            self.state.index = index;
            self.read_on(length)?;
        } else {
            self.load(&index, length)?;
        }
        self.state.extent = extent;
        Ok(())
    }

    /// Reports whether the journal is the one that was indexed, as far as it was.
    fn stands(&self, index: &Index, length: u64) -> Result<bool, StoreError> {
        if length < index.end {
            return Ok(false);
        }
        let line = journal::read(self.disk, index.last, index.end)?;
        let hash = index.head().hash.to_string();
        Ok(index.end == 0 || line.ends_with(b"\n") && memchr::memmem::find(&line, hash.as_bytes()).is_some())
    }

    /// Reads the index that was written down, else the whole journal. `known` is what this handle had read.
    fn load(&mut self, known: &Index, length: u64) -> Result<(), StoreError> {
        let written = index::load(self.disk)?;
        let is_shorter = written.as_ref().is_some_and(|written| written.end > length);
        let (mut last, mut lost) = (known.head(), None);
        match written {
            Some(index) if !is_shorter && self.digest_before(index.end)? == index.before => self.state.index = index,
            Some(index) => {
                last = if last == Head::START { index.head() } else { last };
                lost = index.lost;
            }
            None => {}
        }
        let is_anew = self.state.index.end == 0;
        self.read_on(length)?;
        if is_anew {
            self.state.index.settled = self.head().seq.minus(UNSETTLED);
            self.state.index.lost = lost;
        }
        if last == Head::START {
            return Ok(());
        }
        let is_there = self.entry(last.seq)?.is_some_and(|entry| entry.hash() == last.hash);
        // A line that cannot be read any more is damage, and still the one that the next entry goes on from.
        if is_there || self.entry(last.seq.plus(1))?.is_some_and(|entry| entry.previous() == last.hash) {
            return Ok(());
        }
        // It is an error of one call, and a finding of verifications from now on.
        self.state.index.lost = Some((last.seq, last.hash));
        if self.can_write() {
            self.write_index()?;
        }
        if is_shorter {
            let path = self.disk.full_path(JOURNAL);
            return Err(StoreError::Unusable { path, what: FileFlaw::Shortened });
        }
        Err(StoreError::SetBack { known: last.seq, found: self.head().seq })
    }

    fn read_on(&mut self, length: u64) -> Result<(), StoreError> {
        let bytes = journal::read(self.disk, self.state.index.end, length)?;
        self.state.index.absorb(&bytes);
        Ok(())
    }

    /// Returns a digest of the bytes that stand before an offset.
    fn digest_before(&self, end: u64) -> Result<String, StoreError> {
        Ok(Digest::of(&journal::read(self.disk, end.saturating_sub(COMPARED), end)?).to_string())
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
        Ok(lines.find_map(|line| Entry::parse(line).ok()))
    }

    /// Removes the files that commits have left beside documents when they were interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses: some of them may be left.
    pub(super) fn sweep(&mut self) -> Result<(), StoreError> {
        for Leftover { path, name, mark } in leftovers(self.disk)? {
            let name = name.parse::<DocName>().ok();
            let last = name.as_ref().and_then(|name| self.state.index.rows.get(name)).map(|row| row.mark.to_string());
            match name {
                Some(name) if last == Some(mark) => drop(self.is_reconciled(&name)?),
                _ => self.disk.remove(&path)?,
            }
        }
        self.disk.remove(layout::NEW_JOURNAL)
    }
}

/// A file beside a document.
pub(super) struct Leftover {
    path: String,
    name: String,
    mark: String,
}

/// Returns the files that commits have left beside documents.
///
/// # Errors
///
/// The system refuses.
pub(super) fn leftovers<D: Disk>(disk: &D) -> Result<Vec<Leftover>, StoreError> {
    let mut found = Vec::new();
    names::walk(disk, &mut |folder, listed| {
        for listed in listed {
            let owner = layout::owner_of_next(folder, &listed.name);
            found.extend(owner.map(|(name, mark)| Leftover { path: layout::join(folder, &listed.name), name, mark }));
        }
    })?;
    Ok(found)
}

/// Reports whether the directory cannot be written to, so that it can be read at most.
pub(super) fn cannot_write(error: &StoreError) -> bool {
    use ErrorKind::{NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let StoreError::Io { source, .. } = error else { return false };
    matches!(source.kind(), PermissionDenied | ReadOnlyFilesystem | StorageFull | QuotaExceeded | NotFound)
}
