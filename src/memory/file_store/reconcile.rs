//! Reconciling a document's file with the journal: the one place that decides what a file is.
//!
//! | the file holds | then |
//! |---|---|
//! | the committed text | there is nothing to do |
//! | the text before the last commit, and that commit was not written out | the commit is written out |
//! | after a loss of power: the text before a commit whose directory was not synced | the committed text is written out |
//! | anything else | a person edited the file: the edit is recorded, merged with a commit that was not written out |
//!
//! A staged text beside the file shows that a commit was not written out (see `commit`). A loss of power may undo what
//! was written out. So the index keeps the boot ID of the system that placed the last commits. If the system was
//! restarted since, the file may have held one of several texts when a person edited it: the edit counts as one of the
//! text that it differs least from, and is merged accordingly.

use std::iter::once;
use std::time::Duration;

use super::access::{Directory, cannot_write};
use super::commit::Put;
use super::disk::{Access, Disk, FileText, age, look};
use super::layout;
use super::names::Namesakes;
use crate::edit::merged_texts;
use crate::memory::journal::{EntryKind, Header, Prepared, text_before};
use crate::memory::store::own_entry;
use crate::memory::{Actor, DocName, DocumentChange, Outcome, StoreError, Stored, Version};
use crate::text::{Content, Revision, diff_ranges};

/// A text counts as saved if its file has not been modified for this long.
const STILL: Duration = Duration::from_millis(200);
/// The same for an empty text, which most editors leave while they save, and for a file that is missing.
const STILL_EMPTY: Duration = Duration::from_secs(1);

/// A document's file after it was reconciled: it holds the committed text, unless nothing can be written.
pub(super) struct ReconciledFile {
    pub(super) file: WorkingFile,
    /// The committed version.
    pub(super) version: Version,
}

impl ReconciledFile {
    /// Returns true if the file holds what a person wrote, and the edit cannot be recorded because the directory cannot
    /// be written to.
    pub(super) fn is_unrecorded(&self) -> bool {
        self.file.revision() != self.version.revision
    }
}

/// The path of a document's file, and the file as it was read.
#[derive(Clone, Debug)]
pub(super) struct WorkingFile {
    pub(super) path: String,
    pub(super) found: Option<FileText>,
}

impl WorkingFile {
    /// Returns the text, if there is one.
    pub(super) fn text(&self) -> Option<&Content> {
        self.found.as_ref().map(|found| &found.text)
    }

    /// Returns the text's revision, if there is one.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.found.as_ref().map(|found| found.revision)
    }
}

/// What the last commit has left beside a document's file.
enum Leftover {
    /// The text of that commit, which was not written out. For a deletion it is empty.
    Staged,
    /// The text that the commit displaced.
    Displaced(Content),
}

impl<D: Disk> Directory<'_, D> {
    /// Reconciles the file of a document with the journal.
    ///
    /// # Errors
    ///
    /// The system refuses; the document's name is taken by another; its file cannot be used. `Unsettled`: a person may
    /// be writing it, or it cannot be written out now.
    pub(super) fn reconcile(&mut self, name: &DocName) -> Result<ReconciledFile, StoreError> {
        let file = self.look(name)?;
        self.check_name(name, &file)?;
        let version = match self.committed(name) {
            // The committed text cannot be computed: the file is taken as it is.
            Err(StoreError::NotReplayable(tip)) => {
                let version = Version::new(file.revision(), Some(tip));
                return Ok(ReconciledFile { file, version });
            }
            version => version?,
        };
        let is_committed = file.revision() == version.revision;
        if let (true, Some(tip), Some(text)) = (is_committed, version.tip, file.text()) {
            self.state.texts.insert(name.clone(), (tip, text.clone()));
        }
        let leftover = self.leftover(name, version)?;
        let older = self.older_texts(name, leftover.as_ref())?;
        if let Some(Leftover::Displaced(text)) = leftover {
            let file = is_committed.then_some(file);
            match older.iter().flatten().any(|older| *older == text) {
                true => self.remove(self.leftover_path(name))?,
                // The commit did not expect it: a person had just written it.
                false => self.record(name, Some(&text), older.first().cloned().flatten(), file)?,
            }
            return self.reconcile(name);
        }
        if is_committed {
            self.state.missing.remove(name);
            if leftover.is_some() && self.can_write() {
                self.remove(self.leftover_path(name))?;
            }
            return Ok(ReconciledFile { file, version });
        }
        if self.lacks_a_commit(name, &file, &older) {
            return self.write_out(name, file);
        }
        if !self.is_still(name, file.found.as_ref()) {
            return Err(self.unsettled(name));
        }
        if !self.can_write() {
            return Ok(ReconciledFile { file, version });
        }
        let text = file.text().cloned();
        let base = self.edited_text(name, &older, text.as_ref());
        self.record(name, text.as_ref(), base, Some(file))?;
        self.check_written_out(name)
    }

    /// Reconciles a document, and reports whether its file holds what was committed.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn is_reconciled(&mut self, name: &DocName) -> Result<bool, StoreError> {
        match self.reconcile(name) {
            Ok(seen) => Ok(!seen.is_unrecorded()),
            Err(StoreError::Unsettled { .. } | StoreError::NameTaken { .. } | StoreError::Unusable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Reads a document's file.
    pub(super) fn look(&self, name: &DocName) -> Result<WorkingFile, StoreError> {
        let mut path = layout::place(name);
        let mut found = look(self.disk, &path)?;
        if found.is_none()
            && (name.is_built_in() || self.state.index.exists(name))
            && let Some(file) = Namesakes::of(self.disk, name, &self.state.index)?.documents().get(name)
        {
            path = layout::place(file);
            found = look(self.disk, &path)?;
        }
        Ok(WorkingFile { path, found })
    }

    /// Refuses a new file whose name differs only in letter case from that of another document.
    fn check_name(&self, name: &DocName, file: &WorkingFile) -> Result<(), StoreError> {
        if file.found.is_none() || self.state.index.exists(name) {
            return Ok(());
        }
        let documents = Namesakes::of(self.disk, name, &self.state.index)?.documents();
        match documents.keys().next().filter(|_| !documents.contains_key(name)) {
            Some(other) => Err(StoreError::NameTaken { name: name.clone(), other: other.clone() }),
            None => Ok(()),
        }
    }

    /// Returns the path of the file that the last commit may have left beside a document's file.
    fn leftover_path(&self, name: &DocName) -> Option<String> {
        self.state.index.rows.get(name).map(|row| layout::next(name, row.mark))
    }

    fn remove(&self, path: Option<String>) -> Result<(), StoreError> {
        path.map_or(Ok(()), |path| self.disk.remove(&path))
    }

    /// Reads what the last commit, which made `version`, has left beside a document's file. A displaced text is returned
    /// only if it can be recorded.
    fn leftover(&self, name: &DocName, version: Version) -> Result<Option<Leftover>, StoreError> {
        let path = self.leftover_path(name).filter(|_| version.tip > Some(self.state.index.synced));
        let found = match path.map_or(Ok(None), |path| look(self.disk, &path)) {
            Err(StoreError::Unusable { .. }) => None,
            found => found?,
        };
        let staged = version.revision.unwrap_or_else(|| Revision::of(""));
        Ok(match found {
            Some(found) if found.revision == staged => Some(Leftover::Staged),
            found => found.filter(|_| self.can_write()).map(|found| Leftover::Displaced(found.text)),
        })
    }

    /// Returns true if a document's file still holds an older text, because a commit was not written out. After a loss of
    /// power, it does not if it is newer than the journal: then a person has written it.
    fn lacks_a_commit(&self, name: &DocName, file: &WorkingFile, older: &[Option<Content>]) -> bool {
        let is_newer = file.found.as_ref().is_some_and(|found| found.stat.modified > self.modified);
        let is_by_hand = is_newer && self.may_have_lost_power();
        older.contains(&file.text().cloned()) && !is_by_hand && self.committed_text(name).is_ok()
    }

    /// Returns the older texts that a document's file may still hold because a commit was not written out, latest
    /// first: the text before the last entry; after a loss of power, the text before each entry that is not synced.
    fn older_texts(&self, name: &DocName, leftover: Option<&Leftover>) -> Result<Vec<Option<Content>>, StoreError> {
        let (index, synced) = (&self.state.index, self.state.index.synced);
        let unsynced = usize::try_from(index.unsynced_entries()).unwrap_or(usize::MAX);
        let most = if self.may_have_lost_power() { unsynced } else { usize::from(leftover.is_some()) };
        let mut texts = Vec::new();
        let Some(row) = index.rows.get(name).filter(|row| most > 0 && row.seq > synced) else {
            return Ok(texts);
        };
        let mut text = self.committed_text(name).ok().flatten();
        for entry in self.entries_of(name, row.seq, most)?.iter().take_while(|entry| entry.seq() > synced) {
            // A redaction does not record the text before it. The entry before it does, until that entry is erased.
            let by_previous = || entry.previous_of(name).and_then(|seq| self.text_at(name, seq).ok());
            let before = text_before(entry, name, text.as_deref()).ok().map(|before| before.map(Content::from));
            let Some(before) = before.or_else(by_previous) else { break };
            texts.push(before.clone());
            text = before;
        }
        Ok(texts)
    }

    /// Writes the committed text into a document's file.
    fn write_out(&mut self, name: &DocName, file: WorkingFile) -> Result<ReconciledFile, StoreError> {
        let mark = self.state.index.rows.get(name).map(|row| row.mark);
        let Some(mark) = mark.filter(|_| self.can_write()) else { return Err(self.unsettled(name)) };
        let next = self.committed_text(name)?;
        let put = Put { name: name.clone(), file, next };
        match self.stage(&put, mark).and_then(|()| self.place(&put, mark)) {
            Ok(()) => self.check_written_out(name),
            Err(error) if cannot_write(&error) => Err(self.unsettled(name)),
            Err(error) => Err(error),
        }
    }

    /// Reads a document's file again, and checks that it holds the committed text.
    fn check_written_out(&mut self, name: &DocName) -> Result<ReconciledFile, StoreError> {
        let reconciled = ReconciledFile { file: self.look(name)?, version: self.committed(name)? };
        if reconciled.is_unrecorded() { Err(self.unsettled(name)) } else { Ok(reconciled) }
    }

    /// Returns true if a person's edit has been still for long enough to count as saved.
    fn is_still(&mut self, name: &DocName, found: Option<&FileText>) -> bool {
        let Some(FileText { stat, .. }) = found else {
            let changed_in = |folder: &str| self.disk.names_changed(folder).ok().flatten();
            let changed = changed_in(name.folder()).or_else(|| changed_in("")).unwrap_or(self.now);
            let since = *self.state.missing.entry(name.clone()).or_insert(self.now);
            return age(changed, self.now).max(age(since, self.now)) >= STILL_EMPTY;
        };
        self.state.missing.remove(name);
        age(stat.modified, self.now) >= if stat.length == 0 { STILL_EMPTY } else { STILL }
    }

    /// Records what a person wrote, as an entry. If it is an edit of `base`, an older text, it is merged with what
    /// was committed since; if the two are in conflict, the person's text is recorded. The result is put into `file`,
    /// unless that file has changed again.
    fn record(
        &mut self,
        name: &DocName,
        text: Option<&Content>,
        base: Option<Content>,
        file: Option<WorkingFile>,
    ) -> Result<(), StoreError> {
        self.begin_journal()?;
        let version = self.committed(name)?;
        let committed = match self.committed_text(name) {
            // The committed text cannot be computed any more.
            Err(StoreError::NotReplayable(_)) => None,
            committed => Some(committed?),
        };
        let merged = match (&base, committed.as_ref().and_then(Option::as_deref), text) {
            (Some(base), Some(committed), Some(text)) => merged_texts(base, committed, text).map(Content::from),
            _ => None,
        };
        let result = merged.or_else(|| text.cloned());
        let is_recorded = result.is_some() && committed.as_ref() == Some(&result);
        let puts = match file {
            Some(file) if is_recorded => return self.write_out(name, file).map(drop),
            Some(file) if result.as_ref() != file.text() => {
                vec![Put { name: name.clone(), file, next: result.clone() }]
            }
            Some(WorkingFile { path, .. }) => {
                self.disk.open(&path, Access::Read)?.map_or(Ok(()), |file| self.disk.sync(&file))?;
                Vec::new()
            }
            None => Vec::new(),
        };
        // It belongs to the entry that was the last one until now.
        let leftover = self.leftover_path(name);
        if !is_recorded {
            let is_known = committed.is_some();
            let before = Stored::new(name.clone(), committed.flatten(), version);
            let mut change = DocumentChange::between(&before, result);
            if !is_known {
                // Only the new text is known.
                (change.splices, change.is_whole) = (None, true);
            }
            let header = Header::new(EntryKind::External, Actor::outside());
            self.append_own(own_entry(header, &[change])?, puts)?;
        }
        self.state.missing.remove(name);
        self.remove(leftover)
    }

    /// Returns the older text that a person has edited; `None` if the person has edited the committed text. After a
    /// loss of power, it is the one that `text` differs least from, of those that the file may have held. If `text` is
    /// equal to an older text, the person has put that text back: this is an edit of the committed text.
    fn edited_text(&self, name: &DocName, older: &[Option<Content>], text: Option<&Content>) -> Option<Content> {
        let committed = self.committed_text(name).ok()?;
        let edited = if self.may_have_lost_power() {
            once(&committed).chain(older).min_by_key(|one| distance(one.as_deref(), text.map(|text| &**text)))?
        } else {
            older.first()?
        };
        edited.clone().filter(|_| *edited != committed && edited.as_ref() != text)
    }

    /// Returns the version of a document after its last entry.
    ///
    /// # Errors
    ///
    /// The system refuses; or the revision was erased, and the text cannot be replayed either.
    pub(super) fn committed(&self, name: &DocName) -> Result<Version, StoreError> {
        let Some(row) = self.state.index.rows.get(name) else { return Ok(Version::default()) };
        let revision = match row.revision {
            None if !row.is_deleted => self.text_at(name, row.seq)?.map(|text| Revision::of(&text)),
            revision => revision,
        };
        Ok(Version::new(revision, Some(row.seq)))
    }

    /// Appends an entry that the store makes by itself.
    ///
    /// # Errors
    ///
    /// The system refuses, or it is not known whether the entry was appended.
    pub(super) fn append_own(&mut self, entry: Prepared, puts: Vec<Put>) -> Result<(), StoreError> {
        match self.append(entry, puts, self.state.clock.0.now())? {
            Outcome::Indeterminate(error) => Err(error),
            _ => Ok(()),
        }
    }
}

/// Returns in how many lines two texts differ.
fn distance(one: Option<&str>, other: Option<&str>) -> usize {
    let [one, other] = [one, other].map(|text| text.unwrap_or_default().split_inclusive('\n').collect::<Vec<_>>());
    diff_ranges(&one, &other).into_iter().map(|change| change.old.len().saturating_add(change.new.len())).sum()
}
