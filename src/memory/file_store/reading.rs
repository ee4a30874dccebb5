//! Reading documents and entries.

use super::super::journal::{Entry, Replay, ReplayError, Seq, Step};
use super::super::{DocName, FileFlaw, Snapshot, StoreError, Stored, Unusable, Version, WhyUnusable};
use super::disk::{Disk, Found};
use super::journal::BLOCK;
use super::layout;
use super::names;
use super::reconcile::Seen;
use super::work::{Looked, Mode, Work, cannot_write};
use crate::text::{Revision, SharedText};

impl<D: Disk> Work<'_, D> {
    /// Reads documents. What a person wrote is recorded, where that can be.
    ///
    /// # Errors
    ///
    /// The system refuses, or a document's file cannot be used.
    pub(super) fn read(&mut self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let mut documents = Vec::with_capacity(names.len());
        for name in names {
            let seen = match self.reconcile(name) {
                Err(error) if self.mode == Mode::Writable && cannot_write(&error) => {
                    self.mode = Mode::ReadOnly;
                    self.reconcile(name)
                }
                seen => seen,
            }?;
            let stored = match seen {
                Seen::Clean(looked) => {
                    let version = self.committed(name)?;
                    Stored::new(name.clone(), text(looked), version)
                }
                Seen::Foreign(looked) => {
                    let tip = self.index().rows.get(name).map(|row| row.tip);
                    let version = Version::new(looked.found.revision(), tip);
                    Stored::new(name.clone(), text(looked), version).unrecorded()
                }
                Seen::NotWrittenOut => self.stored_as_committed(name)?,
                Seen::Unsettled(_) => self.stored_as_committed(name)?.unsettled(),
                Seen::Unusable(what) => {
                    return Err(StoreError::Unusable { path: self.disk.full_path(&layout::place(name)), what });
                }
            };
            documents.push(stored);
        }
        Ok(Snapshot::new(self.head(), documents))
    }

    fn stored_as_committed(&mut self, name: &DocName) -> Result<Stored, StoreError> {
        let version = self.committed(name)?;
        let text = if version.revision.is_some() { self.committed_text(name)? } else { None };
        Ok(Stored::new(name.clone(), text.map(Into::into), version))
    }

    /// Lists at most `limit` documents behind `after`, with the revisions that their files have now.
    ///
    /// # Errors
    ///
    /// The system refuses. A document that cannot be used is left out.
    pub(super) fn revisions(
        &mut self,
        after: Option<&DocName>,
        limit: usize,
    ) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let mut names = names::documents(self.disk, &|name| self.index().exists(name))?.documents;
        names.extend(self.index().rows.keys().filter(|name| self.index().exists(name)).cloned());
        names.sort_unstable();
        names.dedup();
        let from = after.map_or(0, |after| names.partition_point(|name| name <= after));
        let mut listed = Vec::new();
        for name in names.into_iter().skip(from) {
            if listed.len() >= limit {
                break;
            }
            let is_unsettled = self.index().rows.get(&name).is_some_and(|row| row.tip.seq > self.index().settled);
            let revision = match self.look(&name).map(|looked| looked.found) {
                // It may be in the middle of a save.
                Ok(Found::Missing) => self.committed(&name).ok().and_then(|version| version.revision),
                // It may not be written out.
                Ok(Found::Text { .. }) if is_unsettled => self.read_revision(&name),
                Ok(found) => found.revision(),
                Err(_) => None,
            };
            listed.extend(revision.map(|revision| (name, revision)));
        }
        Ok(listed)
    }

    fn read_revision(&mut self, name: &DocName) -> Option<Revision> {
        self.read(std::slice::from_ref(name)).ok()?.documents.first()?.version.revision
    }

    /// Lists the files that cannot be documents.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        let listing = names::documents(self.disk, &|name| self.index().exists(name))?;
        let named = |other: names::Other| Unusable { file: other.file, why: WhyUnusable::Name(other.rule) };
        let mut unusable: Vec<_> = listing.others.into_iter().map(named).collect();
        for name in listing.documents {
            if let Ok(Looked { path, found: Found::Unusable(what) }) = self.look(&name) {
                unusable.push(Unusable { file: path, why: WhyUnusable::File(what) });
            }
        }
        unusable.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(unusable)
    }

    /// Returns at most `limit` entries from a number on.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entries_from(&self, seq: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut entries = Vec::new();
        if seq > self.head().seq || limit == 0 {
            return Ok(entries);
        }
        let (mut at, _) = self.index().range_of(seq);
        let end = self.index().end;
        let mut rest: Vec<u8> = Vec::new();
        while at < end {
            let to = end.min(at.saturating_add(u64::try_from(BLOCK).unwrap_or(u64::MAX)));
            rest.extend(self.journal(at, to)?);
            at = to;
            let complete = memchr::memrchr(b'\n', &rest).map_or(0, |newline| newline.saturating_add(1));
            let behind = rest.split_off(complete);
            for line in rest.split(|byte| *byte == b'\n') {
                if let Some(entry) = Entry::parse(line).ok().filter(|entry| entry.seq() >= seq) {
                    entries.push(entry);
                    if entries.len() >= limit {
                        return Ok(entries);
                    }
                }
            }
            rest = behind;
        }
        Ok(entries)
    }

    /// Returns at most `limit` entries that changed a document, latest first, from number `seq` on.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entries_of(&self, document: &DocName, seq: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let mut found: Vec<Entry> = Vec::new();
        let mut next = Some(seq);
        while found.len() < limit
            && let Some(seq) = next
            && let Some(entry) = self.entry(seq)?
            && let Some(link) = entry.link(document)
        {
            // A link that does not lead back would never end.
            next = entry.previous_of(link).filter(|previous| *previous < seq);
            found.push(entry);
        }
        Ok(found)
    }

    /// Returns the text that a document is committed at; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// The system refuses; or the text cannot be replayed.
    pub(super) fn committed_text(&self, name: &DocName) -> Result<Option<String>, StoreError> {
        let row = self.index().rows.get(name);
        row.map_or(Ok(None), |row| self.text_at(name, row.tip.seq))
    }

    /// Returns the text of a document after an entry.
    ///
    /// # Errors
    ///
    /// The system refuses; or the text cannot be replayed.
    pub(super) fn text_at(&self, name: &DocName, seq: Seq) -> Result<Option<String>, StoreError> {
        let failed = |error| match error {
            ReplayError::Erased(seq) => StoreError::Erased(seq),
            _ => self.unreadable(),
        };
        let mut replay = Replay::new(name.clone());
        let mut next = seq;
        loop {
            let entry = self.entry(next)?.ok_or_else(|| self.unreadable())?;
            match replay.back(&entry).map_err(failed)? {
                Step::Earlier(seq) => next = seq,
                Step::Complete => return replay.text().map_err(failed),
            }
        }
    }

    fn unreadable(&self) -> StoreError {
        StoreError::Unusable { path: self.disk.full_path(layout::PRIVATE), what: FileFlaw::NotACommit }
    }
}

fn text(looked: Looked) -> Option<SharedText> {
    match looked.found {
        Found::Text { text, .. } => Some(text),
        _ => None,
    }
}
