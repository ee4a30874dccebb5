//! Bringing a document's file and the journal together: the one place that decides what a file is.
//!
//! | the file holds | then |
//! |---|---|
//! | what was committed | there is nothing to do |
//! | what the last commit replaced, and that commit was not written out | it is written out |
//! | after a loss of power: what a commit since the directory was synced replaced | what was committed is written out |
//! | anything else | a person edited it: it is recorded, merged with a commit that was not written out |
//!
//! Whether a commit was written out is told by what stands beside the file (see `place`). A loss of power may take that back,
//! so the index keeps the run of the system in which the last commits were made. In another one, a person's text is merged
//! with the text that it is nearest to, of those that the file may have held.

use std::iter::once;
use std::time::Duration;

use super::access::{Directory, cannot_write};
use super::commit::Committed;
use super::disk::{Access, Disk, Found, Moved, Rename, age, look};
use super::layout::{self, Mark};
use super::names;
use super::place::Put;
use crate::edit::merged_texts;
use crate::memory::clock::Clock as _;
use crate::memory::journal::{Erased, Prepared, text_before};
use crate::memory::recording::{NewText, TextChange, external};
use crate::memory::{DocName, FileFlaw, StoreError, Version};
use crate::text::{Revision, differing};

/// How long a text has not been modified that is taken for finished.
const STILL: Duration = Duration::from_millis(200);
/// The same for an empty one, which is what most editors leave while they save, and for a file that is missing.
const STILL_EMPTY: Duration = Duration::from_secs(1);

/// What a document's file is.
#[derive(Debug)]
pub(super) enum Seen {
    /// It holds what was committed, at this version.
    Clean(Looked, Version),
    /// It holds what a person wrote, which cannot be recorded.
    Foreign(Looked),
    /// It cannot be written out now: what was committed counts.
    NotWrittenOut,
    /// A person may be writing it: look again after this time.
    Unsettled(Duration),
    /// It cannot be a document.
    Unusable(FileFlaw),
}

/// What stands in a document's file, and the path of that file.
#[derive(Clone, Debug)]
pub(super) struct Looked {
    pub(super) path: String,
    pub(super) found: Found,
}

impl<D: Disk> Directory<'_, D> {
    /// Brings the file of a document and the journal together.
    ///
    /// # Errors
    ///
    /// The system refuses; or the document's name is taken by another.
    pub(super) fn reconcile(&mut self, name: &DocName) -> Result<Seen, StoreError> {
        let is_staged = self.is_staged(name)?;
        let looked = self.look(name)?;
        if looked.found != Found::Missing
            && !self.state.index.rows.contains_key(name)
            && let Some(other) = names::preferred(self.disk, name, &|name| self.state.index.exists(name))?
        {
            return Err(StoreError::NameTaken { name: name.clone(), other });
        }
        let version = match (self.committed(name), self.state.index.rows.get(name)) {
            // Nothing tells what was committed: what stands there is what there is.
            (Err(StoreError::NotReplayable(_)), Some(row)) => row.version(looked.found.revision()),
            (version, _) => version?,
        };
        if looked.found.is(version.revision) {
            self.state.missing.remove(name);
            if is_staged && self.can_write() {
                self.clear_beside(name)?;
            }
            return Ok(Seen::Clean(looked, version));
        }
        if let Found::Unusable(what) = looked.found {
            return Ok(Seen::Unusable(what));
        }
        let earlier = self.earlier(name, is_staged)?;
        let is_newer = looked.found.stat().is_some_and(|stat| stat.modified > self.modified);
        let is_by_hand = is_newer && self.may_have_lost_power();
        if !is_by_hand && contains(&earlier, looked.found.text()) && self.committed_text(name).is_ok() {
            return self.write_out(name, looked);
        }
        let wait = self.wait_for(name, &looked.found);
        if !wait.is_zero() {
            return Ok(Seen::Unsettled(wait));
        }
        if !self.can_write() {
            return Ok(Seen::Foreign(looked));
        }
        self.record(name, looked, &earlier)
    }

    /// Reconciles a document, and reports whether its file holds what was committed.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn is_reconciled(&mut self, name: &DocName) -> Result<bool, StoreError> {
        match self.reconcile(name) {
            Ok(seen) => Ok(matches!(seen, Seen::Clean(..))),
            Err(StoreError::NameTaken { .. } | StoreError::Unusable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Looks at what stands in a document's file.
    pub(super) fn look(&self, name: &DocName) -> Result<Looked, StoreError> {
        let mut path = layout::place(name);
        let mut found = look(self.disk, &path, self.largest)?;
        if found == Found::Missing
            && let Some(other) = names::other_case(self.disk, name, &|name| self.state.index.exists(name))?
        {
            found = look(self.disk, &other, self.largest)?;
            path = other;
        }
        Ok(Looked { path, found })
    }

    /// Reports whether the text of the last entry still stands beside a document's file. What that text displaced and
    /// should not have goes back.
    fn is_staged(&mut self, name: &DocName) -> Result<bool, StoreError> {
        let Some(row) = self.state.index.rows.get(name).copied() else { return Ok(false) };
        if row.seq <= self.state.index.settled || self.state.clean.get(name) == Some(&row.mark) {
            return Ok(false);
        }
        let next = layout::next(name, row.mark);
        let beside = look(self.disk, &next, self.largest)?;
        if beside == Found::Missing {
            self.state.clean.insert(name.clone(), row.mark);
            return Ok(false);
        }
        let committed = self.committed(name).ok().and_then(|version| version.revision);
        let staged = if row.is_deleted { Some(Revision::of("")) } else { committed };
        if staged.is_some() && beside.is(staged) {
            return Ok(true);
        }
        if !self.can_write() {
            return Ok(false);
        }
        let is_known = beside.text().is_some() && contains(&self.earlier(name, true)?, beside.text());
        if !is_known && self.put_back(name, &next, &beside)? {
            return Ok(true);
        }
        self.clear_beside(name)?;
        Ok(false)
    }

    /// Puts back what a commit has displaced and a person had written. If something else stands there by now, it is recorded,
    /// and false is returned.
    fn put_back(&mut self, name: &DocName, next: &str, displaced: &Found) -> Result<bool, StoreError> {
        let (looked, version) = (self.look(name)?, self.committed(name)?);
        if looked.found.is(version.revision) {
            let how = if looked.found == Found::Missing { Rename::New } else { Rename::Exchange };
            if self.disk.rename(next, &looked.path, how)? == Moved::Done {
                return Ok(how == Rename::Exchange);
            }
        }
        if let Found::Text { text, revision, .. } = displaced {
            let base = self.committed_text(name)?;
            let new = Some(NewText { text, revision: *revision });
            let change = TextChange { name, version: &version, base: base.as_deref(), new };
            self.append_own(external(change.by_difference())?, Vec::new())?;
            // It belongs to an entry that is not the last one any more.
            self.disk.remove(next)?;
        }
        Ok(false)
    }

    /// Removes what the last commit has left beside a document's file.
    fn clear_beside(&mut self, name: &DocName) -> Result<(), StoreError> {
        let Some(mark) = self.state.index.rows.get(name).map(|row| row.mark) else { return Ok(()) };
        self.disk.remove(&layout::next(name, mark))?;
        self.state.clean.insert(name.clone(), mark);
        Ok(())
    }

    /// Returns the texts that a document's file may hold because a commit was not written out, latest first: what the last
    /// entry replaced; after a loss of power, what each entry behind the settled ones did.
    fn earlier(&self, name: &DocName, is_staged: bool) -> Result<Vec<Option<String>>, StoreError> {
        let settled = self.state.index.settled;
        let has_lost_power = self.may_have_lost_power();
        let Some(row) = self.state.index.rows.get(name).filter(|_| is_staged || has_lost_power) else {
            return Ok(Vec::new());
        };
        let most = if has_lost_power { self.head().seq.get().saturating_sub(settled.get()) } else { 1 };
        let entries = self.entries_of(name, row.seq, usize::try_from(most).unwrap_or(usize::MAX))?;
        let mut texts = Vec::new();
        let mut current = self.committed_text(name).ok().flatten();
        for entry in &entries {
            if entry.seq() <= settled && !(is_staged && texts.is_empty()) {
                break;
            }
            let previous = entry.previous_of(name);
            // A redaction does not say what it replaced: the entry before does, until it is erased.
            let before = text_before(entry, name, current.as_deref())
                .or_else(|error| previous.and_then(|seq| self.text_at(name, seq).ok()).ok_or(error));
            let Ok(before) = before else { break };
            current.clone_from(&before);
            texts.push(before);
        }
        Ok(texts)
    }

    /// Puts what was committed into a document's file.
    fn write_out(&mut self, name: &DocName, looked: Looked) -> Result<Seen, StoreError> {
        let mark = self.state.index.rows.get(name).map(|row| row.mark);
        let Some(mark) = mark.filter(|_| self.can_write()) else { return Ok(Seen::NotWrittenOut) };
        let next = self.committed_text(name)?.map(Into::into);
        let put = Put { name: name.clone(), mark, path: looked.path, expected: looked.found, next };
        match self.stage_again(&put).and_then(|()| self.place(&put)) {
            Ok(()) => self.seen_after_placing(name),
            Err(error) if cannot_write(&error) => Ok(Seen::NotWrittenOut),
            Err(error) => Err(error),
        }
    }

    fn seen_after_placing(&mut self, name: &DocName) -> Result<Seen, StoreError> {
        let (looked, version) = (self.look(name)?, self.committed(name)?);
        let is_clean = looked.found.is(version.revision);
        Ok(if is_clean { Seen::Clean(looked, version) } else { Seen::Unsettled(Duration::ZERO) })
    }

    /// Returns how long to wait before what a person wrote is taken: nothing if it has been still for long enough.
    fn wait_for(&mut self, name: &DocName, found: &Found) -> Duration {
        let Some(stat) = found.stat() else {
            let changed = |folder: &str| self.disk.names_changed(folder).ok().flatten();
            let changed = changed(name.folder()).or_else(|| changed("")).unwrap_or(self.now);
            let since = *self.state.missing.entry(name.clone()).or_insert(self.now);
            return STILL_EMPTY.saturating_sub(age(changed, self.now).max(age(since, self.now)));
        };
        self.state.missing.remove(name);
        let needed = if stat.length == 0 { STILL_EMPTY } else { STILL };
        needed.saturating_sub(age(stat.modified, self.now))
    }

    /// Records what a person wrote, merged with what was committed and not written out. At a conflict the file stands.
    fn record(&mut self, name: &DocName, looked: Looked, earlier: &[Option<String>]) -> Result<Seen, StoreError> {
        self.begin_journal(None)?;
        let (version, text) = (self.committed(name)?, looked.found.text());
        let committed = match self.committed_text(name) {
            Err(StoreError::NotReplayable(_)) => {
                // What stood there cannot be told any more.
                let new = text.map(|text| NewText { text, revision: Revision::of(text) });
                let change = TextChange { name, version: &version, base: None, new };
                self.append_own(external(change.by_text())?, Vec::new())?;
                return self.seen_after_placing(name);
            }
            committed => committed?,
        };
        let merged = match (self.edited(&committed, earlier, text), &committed, text) {
            (Some(base), Some(committed), Some(text)) => merged_texts(base, committed, text),
            _ => None,
        };
        let result = text.map(|text| merged.as_deref().unwrap_or(text));
        if result.is_some() && result == committed.as_deref() {
            return self.write_out(name, looked);
        }
        let mut puts = Vec::new();
        if result != text {
            let Looked { path, found } = looked.clone();
            puts.push(Put {
                name: name.clone(),
                mark: Mark::default(),
                path,
                expected: found,
                next: result.map(Into::into),
            });
        } else if let Some(file) = self.disk.open(&looked.path, Access::Read)? {
            self.disk.sync(&file)?;
        }
        let replaced = self.state.index.rows.get(name).map(|row| row.mark);
        let new = result.map(|text| NewText { text, revision: Revision::of(text) });
        let change = TextChange { name, version: &version, base: committed.as_deref(), new };
        self.append_own(external(change.by_difference())?, puts)?;
        self.state.missing.remove(name);
        if let Some(mark) = replaced {
            self.disk.remove(&layout::next(name, mark))?;
        }
        self.seen_after_placing(name)
    }

    /// Returns the text that a person has edited, if it is not what was committed: of those that the file may have held, the
    /// one that is nearest.
    fn edited<'a>(
        &self,
        committed: &'a Option<String>,
        earlier: &'a [Option<String>],
        text: Option<&str>,
    ) -> Option<&'a str> {
        let edited = if contains(earlier, text) {
            // The person has put it back: that is an edit of what was committed.
            committed
        } else if self.may_have_lost_power() {
            once(committed).chain(earlier).min_by_key(|one| distance(one.as_deref(), text))?
        } else {
            earlier.first()?
        };
        edited.as_deref().filter(|_| edited != committed)
    }

    /// Returns what a document is committed at.
    ///
    /// # Errors
    ///
    /// The system refuses; or the revision was erased, and the text cannot be replayed either.
    pub(super) fn committed(&mut self, name: &DocName) -> Result<Version, StoreError> {
        let Some(row) = self.state.index.rows.get(name).copied() else { return Ok(Version::default()) };
        let revision = match row.revision {
            None if !row.is_deleted => self.text_at(name, row.seq)?.map(|text| Revision::of(&text)),
            revision => revision,
        };
        Ok(row.version(revision))
    }

    /// Appends entries of the store's own.
    ///
    /// # Errors
    ///
    /// The system refuses, or it is not known whether they were made.
    pub(super) fn append_own(&mut self, entry: Prepared, puts: Vec<Put>) -> Result<(), StoreError> {
        match self.append(entry, puts, self.state.clock.now(), &Erased::default())? {
            Committed::Durable => Ok(()),
            Committed::Unknown(error) => Err(error),
        }
    }
}

fn contains(texts: &[Option<String>], text: Option<&str>) -> bool {
    texts.iter().any(|one| one.as_deref() == text)
}

/// Returns in how many lines two texts differ.
fn distance(one: Option<&str>, other: Option<&str>) -> usize {
    let [one, other] = [one, other].map(|text| text.unwrap_or_default().split_inclusive('\n').collect::<Vec<_>>());
    differing(&one, &other).into_iter().map(|(old, new)| old.len().saturating_add(new.len())).sum()
}
