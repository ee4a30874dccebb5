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
    pub(super) looked: WorkingFile,
    /// The committed version.
    pub(super) version: Version,
}

impl ReconciledFile {
    /// Returns true if the file holds what a person wrote, and the edit cannot be recorded because the directory cannot
    /// be written to.
    pub(super) fn is_unrecorded(&self) -> bool {
        self.looked.revision() != self.version.revision
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

impl<D: Disk> Directory<'_, D> {
    /// Reconciles the file of a document with the journal.
    ///
    /// # Errors
    ///
    /// The system refuses; the document's name is taken by another; its file cannot be used. `Unsettled`: a person may
    /// be writing it, or it cannot be written out now.
    pub(super) fn reconcile(&mut self, name: &DocName) -> Result<ReconciledFile, StoreError> {
        let looked = self.look(name)?;
        let row = self.state.index.rows.get(name).copied();
        if looked.found.is_some() && !self.state.index.exists(name) {
            let documents = Namesakes::of(self.disk, name, &self.state.index)?.documents();
            if let Some(other) = documents.keys().next().filter(|_| !documents.contains_key(name)) {
                return Err(StoreError::NameTaken { name: name.clone(), other: other.clone() });
            }
        }
        let version = match (self.committed(name), row) {
            // The committed text cannot be computed: the file is taken as it is.
            (Err(StoreError::NotReplayable(_)), Some(row)) => {
                let version = Version::new(looked.revision(), Some(row.seq));
                return Ok(ReconciledFile { looked, version });
            }
            (version, _) => version?,
        };
        let is_committed = looked.revision() == version.revision;
        if let (true, Some(seq), Some(text)) = (is_committed, version.tip, looked.text()) {
            self.state.texts.insert(name.clone(), (seq, text.clone()));
        }
        // For a deletion, an empty text is staged.
        let staged = version.revision.unwrap_or_else(|| Revision::of(""));
        let is_staged = |left: &FileText| left.revision == staged;
        let leftover = self.leftover(name)?.filter(|left| is_staged(left) || self.can_write());
        let older = self.older_texts(name, leftover.is_some())?;
        if let Some(FileText { text, .. }) = leftover.as_ref().filter(|left| !is_staged(left)) {
            let base = older.first().cloned().flatten();
            match older.iter().any(|older| older.as_ref() == Some(text)) {
                true => self.remove_leftover(name)?,
                // The commit displaced a text that it did not expect: a person had just written it.
                false => self.record(name, is_committed.then_some(looked), Some(text), base)?,
            }
            return self.reconcile(name);
        }
        if is_committed {
            self.state.missing.remove(name);
            if leftover.is_some() && self.can_write() {
                self.remove_leftover(name)?;
            }
            return Ok(ReconciledFile { looked, version });
        }
        let text = looked.text().cloned();
        let is_newer = looked.found.as_ref().is_some_and(|found| found.stat.modified > self.modified);
        let is_by_hand = is_newer && self.may_have_lost_power();
        if older.contains(&text) && !is_by_hand && self.committed_text(name).is_ok() {
            return self.write_out(name, looked);
        }
        if !self.is_still(name, looked.found.as_ref()) {
            return Err(self.unsettled(name));
        }
        if !self.can_write() {
            return Ok(ReconciledFile { looked, version });
        }
        let base = self.edited_text(name, &older, text.as_ref());
        self.record(name, Some(looked), text.as_ref(), base)?;
        self.seen_after_placing(name)
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

    /// Reads the file that the last commit has left beside a document's file: the text of that commit, which was not
    /// written out, or the text that it has displaced.
    fn leftover(&self, name: &DocName) -> Result<Option<FileText>, StoreError> {
        let row = self.state.index.rows.get(name).filter(|row| row.seq > self.state.index.settled);
        match row.map_or(Ok(None), |row| look(self.disk, &layout::next(name, row.mark))) {
            Err(StoreError::Unusable { .. }) => Ok(None),
            found => found,
        }
    }

    /// Removes the file that the last commit has left beside a document's file.
    fn remove_leftover(&self, name: &DocName) -> Result<(), StoreError> {
        let mark = self.state.index.rows.get(name).map(|row| row.mark);
        mark.map_or(Ok(()), |mark| self.disk.remove(&layout::next(name, mark)))
    }

    /// Returns the older texts that a document's file may still hold because a commit was not written out, latest
    /// first: the text before the last entry; after a loss of power, the text before each entry that is not settled.
    fn older_texts(&self, name: &DocName, has_leftover: bool) -> Result<Vec<Option<Content>>, StoreError> {
        let settled = self.state.index.settled;
        let unsettled = usize::try_from(self.head().seq.get().saturating_sub(settled.get())).unwrap_or(usize::MAX);
        let most = if self.may_have_lost_power() { unsettled } else { usize::from(has_leftover) };
        let mut texts = Vec::new();
        let Some(row) = self.state.index.rows.get(name).filter(|row| most > 0 && row.seq > settled) else {
            return Ok(texts);
        };
        let mut text = self.committed_text(name).ok().flatten();
        for entry in self.entries_of(name, row.seq, most)?.iter().take_while(|entry| entry.seq() > settled) {
            // A redaction does not record the text before it. The entry before it does, until that entry is erased.
            let before = text_before(entry, name, text.as_deref()).map(|before| before.map(Content::from));
            let before = before
                .or_else(|error| entry.previous_of(name).and_then(|seq| self.text_at(name, seq).ok()).ok_or(error));
            let Ok(before) = before else { break };
            texts.push(before.clone());
            text = before;
        }
        Ok(texts)
    }

    /// Writes the committed text into a document's file.
    fn write_out(&mut self, name: &DocName, looked: WorkingFile) -> Result<ReconciledFile, StoreError> {
        let mark = self.state.index.rows.get(name).map(|row| row.mark);
        let Some(mark) = mark.filter(|_| self.can_write()) else { return Err(self.unsettled(name)) };
        let next = self.committed_text(name)?;
        let put = Put { name: name.clone(), file: looked, next };
        match self.stage(&put, mark).and_then(|()| self.place(&put, mark)) {
            Ok(()) => self.seen_after_placing(name),
            Err(error) if cannot_write(&error) => Err(self.unsettled(name)),
            Err(error) => Err(error),
        }
    }

    fn seen_after_placing(&mut self, name: &DocName) -> Result<ReconciledFile, StoreError> {
        let seen = ReconciledFile { looked: self.look(name)?, version: self.committed(name)? };
        if seen.is_unrecorded() { Err(self.unsettled(name)) } else { Ok(seen) }
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
        file: Option<WorkingFile>,
        text: Option<&Content>,
        base: Option<Content>,
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
        let result = merged.as_ref().or(text);
        let is_committed = result.is_some() && committed.as_ref().is_some_and(|committed| committed.as_ref() == result);
        let mut puts = Vec::new();
        match file {
            Some(file) if is_committed => return self.write_out(name, file).map(drop),
            Some(file) if result != file.text() => puts.push(Put { name: name.clone(), file, next: result.cloned() }),
            Some(WorkingFile { path, .. }) => {
                self.disk.open(&path, Access::Read)?.map_or(Ok(()), |file| self.disk.sync(&file))?;
            }
            None => {}
        }
        // The file beside the document's file belongs to the entry that was the last one until now.
        let replaced = self.state.index.rows.get(name).map(|row| layout::next(name, row.mark));
        if !is_committed {
            let is_known = committed.is_some();
            let before = Stored::new(name.clone(), committed.flatten(), version);
            let mut change = DocumentChange::between(&before, result.cloned());
            if !is_known {
                // Only the new text is known.
                (change.splices, change.is_whole) = (None, true);
            }
            let header = Header::new(EntryKind::External, Actor::outside());
            self.append_own(own_entry(header, &[change])?, puts)?;
        }
        self.state.missing.remove(name);
        replaced.map_or(Ok(()), |replaced| self.disk.remove(&replaced))
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
