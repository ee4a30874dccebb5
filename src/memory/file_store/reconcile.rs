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

use std::time::Duration;

use super::super::clock::Clock as _;
use super::super::journal::{Entry, Seq, Side, text_before};
use super::super::recording::{Made as MadeText, Recorded, external, replacing};
use super::super::{DocName, FileFlaw, StoreError, Version};
use super::append::{Committed, Terms};
use super::disk::{Access, Disk, Found, Moved, age, look};
use super::index::Made;
use super::layout::{Beside, Mark};
use super::names;
use super::place::{Placed, Put};
use super::work::{Looked, Mode, Watch, Work};
use crate::edit::merged_texts;
use crate::text::{Revision, differing};

/// How long a text has not been modified that is taken for finished.
const STILL: Duration = Duration::from_millis(200);
/// The same for an empty one, which is what most editors leave while they save, and for a file that is missing.
const STILL_EMPTY: Duration = Duration::from_secs(1);

/// What a document's file is.
pub(super) enum Seen {
    /// It holds what was committed.
    Clean(Looked),
    /// It holds what a person wrote, which cannot be recorded.
    Foreign(Looked),
    /// It cannot be written out now: what was committed counts.
    NotWrittenOut,
    /// A person may be writing it: look again after this time.
    Unsettled(Duration),
    /// It cannot be a document.
    Unusable(FileFlaw),
}

/// What stands beside a document's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Written {
    Out,
    /// The last entry was not written out.
    Not,
}

impl<D: Disk> Work<'_, D> {
    /// Brings the file of a document and the journal together.
    ///
    /// # Errors
    ///
    /// The system refuses; or the document's name is taken by another.
    pub(super) fn reconcile(&mut self, name: &DocName) -> Result<Seen, StoreError> {
        let written = self.look_beside(name)?;
        let looked = self.look(name)?;
        if looked.found != Found::Missing
            && !self.index().rows.contains_key(name)
            && let Some(other) = names::preferred(self.disk, name, &|name| self.index().exists(name))?
        {
            return Err(StoreError::NameTaken { name: name.clone(), other });
        }
        let version = match self.committed(name) {
            // Nothing tells what was committed: what stands there is what there is.
            Err(StoreError::Erased(_)) => self.trust(name, &looked.found),
            version => version?,
        };
        if looked.found.is(version.revision) {
            self.state.watches.remove(name);
            self.clear_beside(name, written)?;
            return Ok(Seen::Clean(looked));
        }
        if let Found::Unusable(what) = looked.found {
            return Ok(Seen::Unusable(what));
        }
        let has_lost_power = self.may_have_lost_power();
        let older = if has_lost_power { self.replaced_since_settled(name)? } else { self.replaced(name, written)? };
        let is_new = |stat: &super::disk::Stat| has_lost_power && stat.modified > self.modified;
        let is_by_hand = matches!(&looked.found, Found::Text { stat, .. } if is_new(stat));
        if older.contains(&looked.found.revision()) && !is_by_hand {
            return self.write_out(name, looked);
        }
        if let Some(wait) = self.wait_for(name, &looked.found) {
            return Ok(Seen::Unsettled(wait));
        }
        if self.mode == Mode::ReadOnly {
            return Ok(Seen::Foreign(looked));
        }
        self.record(name, looked, written)
    }

    /// Reconciles a document, and reports whether its file holds what was committed.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn is_reconciled(&mut self, name: &DocName) -> Result<bool, StoreError> {
        match self.reconcile(name) {
            Ok(seen) => Ok(matches!(seen, Seen::Clean(_))),
            Err(StoreError::NameTaken { .. } | StoreError::Unusable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Takes what stands in a file for what was committed.
    fn trust(&mut self, name: &DocName, found: &Found) -> Version {
        let Some(row) = self.index_mut().rows.get_mut(name) else { return Version::default() };
        row.made = found.revision().map_or(Made::Nothing, Made::Text);
        row.version(found.revision())
    }

    /// Looks at what the last commit has left beside a document's file. What it displaced and should not have goes back.
    fn look_beside(&mut self, name: &DocName) -> Result<Written, StoreError> {
        let Some(row) = self.index().rows.get(name).copied() else { return Ok(Written::Out) };
        if self.state.clean.get(name) == Some(&row.mark) {
            return Ok(Written::Out);
        }
        let next = Beside::Next.path(name, row.mark);
        let beside = look(self.disk, &next, self.limits.document)?;
        let is_deletion = row.made == Made::Nothing;
        let is_marked = is_deletion && {
            let gone = Beside::Gone.path(name, row.mark);
            self.disk.open(&gone, Access::Read)?.is_some()
        };
        let committed = if let Made::Text(revision) = row.made { Some(revision) } else { None };
        if beside == Found::Missing {
            if !is_marked {
                self.state.clean.insert(name.clone(), row.mark);
            }
            return Ok(if is_marked { Written::Not } else { Written::Out });
        }
        if committed.is_some() && beside.is(committed) {
            return Ok(Written::Not);
        }
        if self.mode == Mode::ReadOnly {
            return Ok(Written::Out);
        }
        let mut older = self.replaced(name, Written::Not)?;
        if self.may_have_lost_power() {
            older.extend(self.replaced_since_settled(name)?);
        }
        if beside.revision().is_some() && older.contains(&beside.revision()) {
            self.clear_beside(name, Written::Not)?;
            return Ok(Written::Out);
        }
        self.put_back(name, committed, &next, &beside)
    }

    /// Puts back what a commit has displaced and a person had written. If something else stands there by now, it is recorded.
    fn put_back(
        &mut self,
        name: &DocName,
        committed: Option<Revision>,
        next: &str,
        displaced: &Found,
    ) -> Result<Written, StoreError> {
        let looked = self.look(name)?;
        if looked.found.is(committed) {
            let moved = match looked.found {
                Found::Missing => self.disk.rename_new(next, &looked.path)?,
                _ => self.disk.exchange(next, &looked.path)?,
            };
            if moved == Moved::Done {
                return Ok(Written::Not);
            }
        }
        if let Found::Text { text, revision, .. } = displaced {
            let version = self.committed(name)?;
            let base = self.committed_text(name)?;
            let new = Some(MadeText { text, revision: *revision });
            let change = Recorded { name, version: &version, base: base.as_deref(), new };
            self.append_own(external(&change)?, Vec::new())?;
        }
        self.disk.remove(next)?;
        Ok(Written::Out)
    }

    /// Removes what a commit has left beside a document's file.
    fn clear_beside(&mut self, name: &DocName, written: Written) -> Result<(), StoreError> {
        let Some(mark) = self.index().rows.get(name).map(|row| row.mark) else { return Ok(()) };
        if written == Written::Not && self.mode == Mode::Writable {
            self.disk.remove(&Beside::Next.path(name, mark))?;
            self.disk.remove(&Beside::Gone.path(name, mark))?;
            self.state.clean.insert(name.clone(), mark);
        }
        Ok(())
    }

    /// Returns the revision that the last entry replaced, if it was not written out.
    fn replaced(&self, name: &DocName, written: Written) -> Result<Vec<Option<Revision>>, StoreError> {
        let tip = self.index().rows.get(name).map(|row| row.tip.seq);
        let (Written::Not, Some(tip)) = (written, tip) else { return Ok(Vec::new()) };
        let entry = self.entry(tip)?;
        Ok(entry.and_then(|entry| self.base(&entry, name).transpose()).transpose()?.into_iter().collect())
    }

    /// Returns the revisions that the entries of a document behind the settled ones replaced.
    fn replaced_since_settled(&self, name: &DocName) -> Result<Vec<Option<Revision>>, StoreError> {
        let mut replaced = Vec::new();
        for entry in self.unsettled_entries(name)? {
            replaced.extend(self.base(&entry, name)?);
        }
        Ok(replaced)
    }

    /// Returns the entries of a document behind the settled ones, latest first.
    fn unsettled_entries(&self, name: &DocName) -> Result<Vec<Entry>, StoreError> {
        let Some(tip) = self.index().rows.get(name).map(|row| row.tip.seq) else { return Ok(Vec::new()) };
        let settled = self.index().settled;
        let most = self.head().seq.get().saturating_sub(settled.get());
        let entries = self.entries_of(name, tip, usize::try_from(most).unwrap_or(usize::MAX))?;
        Ok(entries.into_iter().take_while(|entry| entry.seq() > settled).collect())
    }

    /// Returns the revision that an entry replaced, `Some(None)` if there was no document; `None` if nothing tells it.
    fn base(&self, entry: &Entry, name: &DocName) -> Result<Option<Option<Revision>>, StoreError> {
        let Some(link) = entry.link(name) else { return Ok(None) };
        Ok(match link.base {
            Side::Absent => Some(None),
            Side::To(_) => entry.state(name).map(|state| state.base),
            // A redaction does not say it: the entry before does, until it is erased.
            Side::Withheld => {
                let previous = entry.previous_of(link).map(|seq| self.entry(seq)).transpose()?.flatten();
                previous.and_then(|previous| previous.state(name).map(|state| state.new))
            }
        })
    }

    /// Puts what was committed into a document's file.
    fn write_out(&mut self, name: &DocName, looked: Looked) -> Result<Seen, StoreError> {
        if self.mode == Mode::ReadOnly {
            return Ok(Seen::NotWrittenOut);
        }
        let Some(mark) = self.index().rows.get(name).map(|row| row.mark) else { return Ok(Seen::NotWrittenOut) };
        let next = self.committed_text(name)?.map(Into::into);
        let put = Put { name: name.clone(), mark, path: looked.path, expected: looked.found, next };
        let placed = self.stage_again(&put).and_then(|()| self.place(&put));
        match placed {
            Ok(Placed::Done) => Ok(Seen::Clean(self.look(name)?)),
            Ok(Placed::Overtaken) => Ok(Seen::Unsettled(Duration::ZERO)),
            Err(error) if super::work::cannot_write(&error) => Ok(Seen::NotWrittenOut),
            Err(error) => Err(error),
        }
    }

    /// Returns how long to wait before what a person wrote is taken; `None` if it has been still for long enough.
    fn wait_for(&mut self, name: &DocName, found: &Found) -> Option<Duration> {
        let revision = found.revision();
        let watch = self.state.watches.entry(name.clone()).or_insert(Watch { revision, since: self.now });
        if watch.revision != revision {
            *watch = Watch { revision, since: self.now };
        }
        let watched = age(watch.since, self.now);
        let (still_for, needed) = match found {
            Found::Text { text, stat, .. } => {
                (age(stat.modified, self.now), if text.is_empty() { STILL_EMPTY } else { STILL })
            }
            _ => {
                let changed = self.disk.names_changed(name.folder()).ok().flatten();
                let changed = changed.or_else(|| self.disk.names_changed("").ok().flatten());
                (changed.map_or(Duration::ZERO, |changed| age(changed, self.now)), STILL_EMPTY)
            }
        };
        let still_for = still_for.max(watched);
        (still_for < needed).then(|| needed.saturating_sub(still_for))
    }

    /// Records what a person wrote, merged with what was committed and not written out. At a conflict the file stands.
    fn record(&mut self, name: &DocName, looked: Looked, written: Written) -> Result<Seen, StoreError> {
        self.begin_journal(None)?;
        let before = self.index().rows.get(name).map(|row| row.mark);
        let version = self.committed(name)?;
        let text = if let Found::Text { text, .. } = &looked.found { Some(&**text) } else { None };
        let committed = match self.committed_text(name) {
            Err(StoreError::Erased(_)) => None,
            committed => Some(committed?),
        };
        let Some(committed) = committed else {
            // What stood there cannot be told any more.
            let new = text.map(|text| MadeText { text, revision: Revision::of(text) });
            let change = Recorded { name, version: &version, base: None, new };
            self.append_own(replacing(&change)?, Vec::new())?;
            return Ok(Seen::Clean(looked));
        };
        let base = self.edited(name, committed.as_deref(), text, written)?;
        let result = match (base, &committed, text) {
            (Some(base), Some(committed), Some(text)) if base != *committed => {
                merged_texts(&base, committed, text).unwrap_or_else(|| text.to_owned())
            }
            (_, _, text) => text.unwrap_or_default().to_owned(),
        };
        let revision = Revision::of(&result);
        let new = text.map(|_| MadeText { text: &result, revision });
        let is_committed = text.is_some() && version.revision == Some(revision);
        let mut puts = Vec::new();
        if is_committed {
            return self.write_out(name, looked);
        }
        if text.is_some() && !looked.found.is(Some(revision)) {
            let mark = Mark::default();
            let (path, expected) = (looked.path.clone(), looked.found.clone());
            puts.push(Put { name: name.clone(), mark, path, expected, next: Some(result.as_str().into()) });
        } else if let Some(file) = self.disk.open(&looked.path, Access::Read)? {
            self.disk.sync(&file)?;
        }
        let change = Recorded { name, version: &version, base: committed.as_deref(), new };
        let is_merged = !puts.is_empty();
        self.append_own(external(&change)?, puts)?;
        self.state.watches.remove(name);
        if let Some(mark) = before {
            self.disk.remove(&Beside::Next.path(name, mark))?;
            self.disk.remove(&Beside::Gone.path(name, mark))?;
        }
        let looked = if is_merged { self.look(name)? } else { looked };
        let is_clean = looked.found.is(self.committed(name)?.revision);
        Ok(if is_clean { Seen::Clean(looked) } else { Seen::Unsettled(Duration::ZERO) })
    }

    /// Returns the text that a person has edited: of those that the file may have held, the one that is nearest.
    fn edited(
        &self,
        name: &DocName,
        committed: Option<&str>,
        text: Option<&str>,
        written: Written,
    ) -> Result<Option<String>, StoreError> {
        let mut entries = self.unsettled_entries(name)?;
        if !self.may_have_lost_power() {
            let tip = self.index().rows.get(name).map(|row| row.tip.seq);
            let Some(tip) = tip.filter(|_| written == Written::Not) else { return Ok(committed.map(str::to_owned)) };
            let last = self.entry(tip)?;
            let Some(last) = last else { return Ok(committed.map(str::to_owned)) };
            return Ok(text_before(&last, name, committed).unwrap_or_else(|_| committed.map(str::to_owned)));
        }
        entries.retain(|entry| entry.link(name).is_some());
        let mut nearest = committed.map(str::to_owned);
        let mut least = distance(committed, text);
        let mut current = committed.map(str::to_owned);
        for entry in entries {
            let Ok(before) = text_before(&entry, name, current.as_deref()) else { break };
            let far = distance(before.as_deref(), text);
            if far == 0 {
                // The person has put it back: that is an edit of what was committed.
                return Ok(committed.map(str::to_owned));
            }
            if far < least {
                (least, nearest) = (far, before.clone());
            }
            current = before;
        }
        Ok(nearest)
    }

    /// Returns what a document is committed at.
    ///
    /// # Errors
    ///
    /// The system refuses; or the revision was erased, and the text cannot be replayed either.
    pub(super) fn committed(&mut self, name: &DocName) -> Result<Version, StoreError> {
        let Some(row) = self.index().rows.get(name).copied() else { return Ok(Version::default()) };
        let revision = match row.made {
            Made::Nothing => None,
            Made::Text(revision) => Some(revision),
            Made::Erased => self.text_at(name, row.tip.seq)?.map(|text| Revision::of(&text)),
        };
        if let Some(known) = self.index_mut().rows.get_mut(name) {
            known.made = revision.map_or(Made::Nothing, Made::Text);
        }
        Ok(row.version(revision))
    }

    /// Appends entries of the store's own.
    ///
    /// # Errors
    ///
    /// The system refuses, or it is not known whether they were made.
    pub(super) fn append_own(
        &mut self,
        group: Vec<super::super::journal::Prepared>,
        puts: Vec<Put>,
    ) -> Result<Seq, StoreError> {
        match self.append(group, puts, &Terms::own(self.state.clock.now()))? {
            Committed::Durable => Ok(self.head().seq),
            Committed::Unknown(error) => Err(error),
        }
    }
}

/// Returns in how many lines two texts differ.
fn distance(one: Option<&str>, other: Option<&str>) -> usize {
    let [one, other] = [one, other].map(|text| text.unwrap_or_default().split_inclusive('\n').collect::<Vec<_>>());
    differing(&one, &other).into_iter().map(|(old, new)| old.len().saturating_add(new.len())).sum()
}
