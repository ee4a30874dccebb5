//! [`Work`]: one access to the directory, under its lock: what the journal has got since the last one, and what a crash has left.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, SystemTime};

use super::super::clock::HostClock;
use super::super::journal::{Attempt, Entry, Head, Sealer, Seq};
use super::super::{DocName, FileFlaw, StoreError};
use super::disk::{Disk, Found, Kind, age};
use super::index::{self, COMPARED, Index, Loaded, UNSETTLED};
use super::journal::{self, Extent};
use super::layout::{self, JOURNAL};
use crate::text::{Digest, Revision};

/// How long after a commit the next access syncs the directories of what it placed.
const SOON: Duration = Duration::from_secs(1);

/// What a handle remembers from one access to the next.
#[derive(Default)]
pub(super) struct State {
    pub(super) index: Option<Index>,
    /// The journal's file, as it was when it was read last.
    pub(super) extent: Option<Extent>,
    /// How far the journal is known to be durable.
    pub(super) synced: u64,
    /// Documents whose files are not what was committed.
    pub(super) watches: HashMap<DocName, Watch>,
    /// The entries of which no file is left beside the document.
    pub(super) clean: HashMap<DocName, layout::Mark>,
    /// Attempts that have been asked about before they were made.
    pub(super) fenced: HashSet<Attempt>,
    /// Attempts that were written to the journal and could not be cut off.
    pub(super) doubtful: HashSet<Attempt>,
    /// What seals entries.
    pub(super) sealer: Sealer,
    /// What tells the time of the entries that the store makes itself.
    pub(super) clock: HostClock,
}

/// What was seen in the place of what was committed, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    pub(super) revision: Option<Revision>,
    pub(super) since: SystemTime,
}

/// Whether the directory can be written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Writable,
    /// What a person wrote is read as it is, and not recorded.
    ReadOnly,
}

/// How large documents may be, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// A document that is larger is not read.
    pub(super) document: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { document: 16 << 20 }
    }
}

/// One access.
pub(super) struct Work<'a, D> {
    pub(super) disk: &'a D,
    pub(super) state: &'a mut State,
    pub(super) want: Want,
    pub(super) mode: Mode,
    pub(super) limits: Limits,
    pub(super) now: SystemTime,
    /// The journal of a directory of format 1 that cannot be written to.
    pub(super) old: Option<Vec<u8>>,
    /// When the journal was modified last.
    pub(super) modified: SystemTime,
}

impl<'a, D: Disk> Work<'a, D> {
    /// Begins an access: reads on in the journal, and finishes what a crash has interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses. Once: the journal is shorter than it was known to be, or was set back.
    pub(super) fn begin(access: Begin<'a, D>) -> Result<Self, StoreError> {
        let Begin { disk, state, want, mode, limits, now } = access;
        let mut work = Self { disk, state, want, mode, limits, now, old: None, modified: now };
        work.read_journal()?;
        if work.mode == Mode::Writable {
            match work.finish() {
                // What cannot be written now is written later: reading does not need it.
                Err(error) if want == Want::Read && cannot_write(&error) => work.mode = Mode::ReadOnly,
                finished => finished?,
            }
        }
        Ok(work)
    }

    /// Finishes what a crash, or a process that was killed, has interrupted.
    fn finish(&mut self) -> Result<(), StoreError> {
        if self.state.synced < self.index().end {
            journal::finish(self.disk, self.index().last, self.index().end)?;
            self.state.synced = self.index().end;
        }
        self.finish_erasing()?;
        let count = self.head().seq.get().saturating_sub(self.index().settled.get());
        if self.head().seq == Seq::default() {
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
        for name in self.index().unsettled() {
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
        let boot = self.disk.boot();
        let index = self.index();
        index.boot != boot || boot.is_none() && index.settled < index.head.seq
    }

    /// Makes it durable that the files hold what was committed, which they do, and writes the index down.
    ///
    /// # Errors
    ///
    /// The system refuses: nothing is known to be durable.
    pub(super) fn settle(&mut self) -> Result<(), StoreError> {
        let mut folders: Vec<_> = self.index().unsettled().iter().map(|name| name.folder().to_owned()).collect();
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            match self.disk.sync_directory(&folder) {
                // It was removed with all that was in it.
                Err(StoreError::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {}
                synced => synced?,
            }
        }
        let (head, boot) = (self.head().seq, self.disk.boot());
        let before = self.digest_before(self.index().end)?;
        let index = self.index_mut();
        index.settled = head;
        index.boot = boot;
        index::write(self.disk, self.index(), before)
    }

    /// Returns what follows from the journal.
    pub(super) fn index(&self) -> &Index {
        static EMPTY: std::sync::LazyLock<Index> = std::sync::LazyLock::new(Index::default);
        self.state.index.as_ref().unwrap_or(&EMPTY)
    }

    /// Returns what follows from the journal, to be changed.
    pub(super) fn index_mut(&mut self) -> &mut Index {
        self.state.index.get_or_insert_default()
    }

    /// Returns where the journal ends.
    pub(super) fn head(&self) -> Head {
        self.index().head
    }

    /// Reads bytes of the journal.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn journal(&self, from: u64, to: u64) -> Result<Vec<u8>, StoreError> {
        let Some(old) = &self.old else { return journal::read(self.disk, from, to.saturating_sub(from)) };
        let at = |offset| usize::try_from(offset).unwrap_or(usize::MAX).min(old.len());
        Ok(old.get(at(from)..at(to)).unwrap_or_default().to_vec())
    }

    /// Reads what the journal has got.
    fn read_journal(&mut self) -> Result<(), StoreError> {
        let mut stat = journal::stat(self.disk)?;
        if stat.is_none()
            && let Some(old) = journal::of_format_1(self.disk)?
        {
            if self.mode == Mode::Writable && journal::replace(self.disk, &old).is_ok() {
                journal::remove_format_1(self.disk)?;
                stat = journal::stat(self.disk)?;
            } else {
                self.old = Some(old);
            }
        }
        if let Some(stat) = &stat {
            self.modified = stat.modified;
        }
        let extent = stat.as_ref().map(Extent::of);
        let length = self.old.as_ref().map_or(extent.map_or(0, |extent| extent.length), |old| index::length(old));
        let is_read = self.state.extent.is_some() && self.state.extent == extent;
        if self.state.index.is_some() && is_read && self.old.is_none() {
            return Ok(());
        }
        let known = self.state.index.take();
        let is_same_file = known.is_some() && extent.map(|e| e.identity) == self.state.extent.map(|e| e.identity);
        // What fails in between is read again as a whole.
        self.state.extent = None;
        self.state.synced = if is_same_file { self.state.synced } else { 0 };
        match known {
            Some(known) if self.stands(&known, length)? => {
                self.state.index = Some(known);
                self.read_on(length)?;
            }
            known => self.load(known.as_ref().map(|known| known.head), length)?,
        }
        self.state.extent = extent;
        Ok(())
    }

    /// Reports whether the journal is the one that was indexed, as far as it was.
    fn stands(&self, known: &Index, length: u64) -> Result<bool, StoreError> {
        if length < known.end {
            return Ok(false);
        }
        let line = self.journal(known.last, known.end)?;
        let hash = known.head.hash.to_string();
        Ok(known.end == 0 || line.ends_with(b"\n") && memchr::memmem::find(&line, hash.as_bytes()).is_some())
    }

    /// Reads the index that was written down, else the whole journal.
    fn load(&mut self, known: Option<Head>, length: u64) -> Result<(), StoreError> {
        let loaded = if self.old.is_none() { index::load(self.disk)? } else { None };
        let mut lost = None;
        if let Some(Loaded { index, before }) = loaded {
            if index.end <= length && self.digest_before(index.end)? == before {
                self.state.index = Some(index);
            } else {
                lost = Some(index);
            }
        }
        if self.state.index.is_none() {
            let settled = |head: Seq| head.minus(UNSETTLED);
            self.state.index = Some(lost.as_ref().map(Index::unacknowledged).unwrap_or_default());
            self.read_on(length)?;
            let head = self.head().seq;
            self.index_mut().settled = settled(head);
        } else {
            self.read_on(length)?;
        }
        let known = known.or(lost.as_ref().map(|lost| lost.head)).filter(|known| *known != Head::START);
        let Some(known) = known else { return Ok(()) };
        let is_there = self.entry(known.seq)?.is_some_and(|entry| entry.hash() == known.hash);
        // A line that cannot be read any more is damage, and still the one that the next entry goes on from.
        if is_there || self.entry(known.seq.plus(1))?.is_some_and(|entry| entry.previous() == known.hash) {
            return Ok(());
        }
        // It is an error of one call, and a finding of verifications from now on.
        self.index_mut().lost = Some(known);
        if self.mode == Mode::Writable {
            let before = self.digest_before(self.index().end)?;
            index::write(self.disk, self.index(), before)?;
        }
        if lost.is_some_and(|lost| lost.end > length) {
            let path = self.disk.full_path(JOURNAL);
            return Err(StoreError::Unusable { path, what: FileFlaw::Shortened });
        }
        Err(StoreError::SetBack { known: known.seq, found: self.head().seq })
    }

    fn read_on(&mut self, length: u64) -> Result<(), StoreError> {
        let from = self.index().end;
        if length > from {
            let bytes = self.journal(from, length)?;
            self.index_mut().absorb(&bytes);
        }
        Ok(())
    }

    /// Returns a digest of the bytes that stand before an offset.
    fn digest_before(&self, end: u64) -> Result<String, StoreError> {
        Ok(Digest::of(&self.journal(end.saturating_sub(COMPARED), end)?).to_string())
    }

    /// Returns the entry with a number.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entry(&self, seq: Seq) -> Result<Option<Entry>, StoreError> {
        let (from, to) = self.index().range_of(seq);
        let bytes = self.journal(from, to)?;
        let prefix = format!("{{\"seq\":{seq},");
        let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| line.starts_with(prefix.as_bytes()));
        Ok(lines.find_map(|line| Entry::parse(line).ok()))
    }

    /// Looks at what stands in a document's file.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn look(&self, name: &DocName) -> Result<Looked, StoreError> {
        let path = layout::place(name);
        let found = super::disk::look(self.disk, &path, self.limits.document)?;
        if found == Found::Missing
            && let Some(path) = super::names::other_case(self.disk, name, &|name| self.index().exists(name))?
        {
            let found = super::disk::look(self.disk, &path, self.limits.document)?;
            return Ok(Looked { path, found });
        }
        Ok(Looked { path, found })
    }

    /// Removes the files that commits have left beside documents when they were interrupted.
    ///
    /// # Errors
    ///
    /// The system refuses: some of them may be left.
    pub(super) fn sweep(&mut self) -> Result<(), StoreError> {
        for Leftover { path, name, mark } in leftovers(self.disk)? {
            let name = name.parse::<DocName>().ok();
            let tip = name.as_ref().and_then(|name| self.index().rows.get(name)).map(|row| row.mark.to_string());
            // A text that is written again is of no use any more.
            match name.filter(|_| tip.as_ref() == Some(&mark) && !path.ends_with(".redo")) {
                Some(name) => drop(self.is_reconciled(&name)?),
                None => self.disk.remove(&path)?,
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
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for listed in disk.list(&folder)? {
            let path = if folder.is_empty() { listed.name.clone() } else { format!("{folder}/{}", listed.name) };
            match listed.kind {
                Kind::Directory if !listed.name.starts_with('.') => folders.push(path),
                Kind::File => {
                    let owner = layout::owner_of_beside(&folder, &listed.name);
                    found.extend(owner.map(|(name, mark)| Leftover { path, name, mark }));
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

/// What an access begins with.
pub(super) struct Begin<'a, D> {
    pub(super) disk: &'a D,
    pub(super) state: &'a mut State,
    pub(super) want: Want,
    pub(super) mode: Mode,
    pub(super) limits: Limits,
    pub(super) now: SystemTime,
}

/// What an access is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// To read, and to write what is found on the way, if it can be written.
    Read,
    Write,
}

/// What stands in a document's file, and the path of that file.
#[derive(Clone)]
pub(super) struct Looked {
    pub(super) path: String,
    pub(super) found: Found,
}

/// Reports whether the directory cannot be written to, so that it can be read at most.
pub(super) fn cannot_write(error: &StoreError) -> bool {
    use std::io::ErrorKind;
    let StoreError::Io { source, .. } = error else { return false };
    matches!(
        source.kind(),
        ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::NotFound
    )
}
