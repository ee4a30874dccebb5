//! Reading documents and entries.

use std::collections::BTreeSet;

use super::access::Directory;
use super::disk::{Disk, look};
use super::journal;
use super::layout;
use super::names;
use super::reconcile::ReconciledFile;
use crate::memory::journal::{DocumentLink, Entry, Seq, text_after};
use crate::memory::{DocName, Snapshot, StoreError, Stored, Unusable, Version};
use crate::text::{Content, Revision};

/// How many entries are read at once.
const BATCH: u64 = 256;

impl<D: Disk> Directory<'_, D> {
    /// Reads documents. What a person wrote is recorded, if the directory can be written to.
    ///
    /// # Errors
    ///
    /// The system refuses, or a document's file cannot be used; `Unsettled`: a document is being saved, and there is no
    /// committed text that could be read instead.
    pub(super) fn read(&mut self, names: &[DocName]) -> Result<Snapshot, StoreError> {
        let documents = names.iter().map(|name| self.stored(name)).collect::<Result<_, _>>()?;
        Ok(Snapshot::new(self.head(), documents))
    }

    fn stored(&mut self, name: &DocName) -> Result<Stored, StoreError> {
        match self.reconcile_or_look(name) {
            Ok(reconciled) => {
                let version = Version::new(reconciled.file.revision(), reconciled.version.tip);
                let stored = Stored::new(name.clone(), reconciled.file.text().cloned(), version);
                Ok(Stored { is_unrecorded: reconciled.is_unrecorded(), ..stored })
            }
            Err(StoreError::Unsettled { .. }) => {
                let (version, text) = (self.committed(name)?, self.committed_text(name));
                match version == Version::default() || matches!(text, Err(StoreError::NotReplayable(_))) {
                    true => Err(self.unsettled(name)),
                    false => Ok(Stored { is_unsettled: true, ..Stored::new(name.clone(), text?, version) }),
                }
            }
            Err(error) => Err(error),
        }
    }

    pub(super) fn unsettled(&self, name: &DocName) -> StoreError {
        StoreError::Unsettled(self.disk.full_path(&layout::place(name)))
    }

    /// Reconciles a document. If nothing can be written, it is only looked at.
    fn reconcile_or_look(&mut self, name: &DocName) -> Result<ReconciledFile, StoreError> {
        match self.reconcile(name) {
            Err(error) if self.can_write() => {
                self.accept_read_only(Err(error))?;
                self.reconcile(name)
            }
            reconciled => reconciled,
        }
    }

    /// Lists at most `limit` documents after `after`, with the revisions that they have now.
    ///
    /// # Errors
    ///
    /// The system refuses. A document that cannot be used is left out.
    pub(super) fn revisions(
        &mut self,
        after: Option<&DocName>,
        limit: usize,
    ) -> Result<Vec<(DocName, Revision)>, StoreError> {
        let listed = names::documents(self.disk, &self.state.index)?.documents.into_iter().map(|(name, _)| name);
        let names: BTreeSet<_> = listed.chain(self.state.index.existing().cloned()).collect();
        let following = names.into_iter().filter(|name| after.is_none_or(|after| name > after));
        let revision = |name: DocName| {
            let revision = match self.stored(&name) {
                // A new file that a person is saving is listed as it is now.
                Err(StoreError::Unsettled { .. }) => self.look(&name).ok()?.revision(),
                stored => stored.ok()?.version.revision,
            };
            Some((name, revision?))
        };
        Ok(following.filter_map(revision).take(limit).collect())
    }

    /// Lists the files that cannot be documents.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn unusable(&self) -> Result<Vec<Unusable>, StoreError> {
        let listing = names::documents(self.disk, &self.state.index)?;
        let mut unusable = listing.others;
        for file in listing.documents.iter().map(|(_, file)| layout::place(file)) {
            if let Err(StoreError::Unusable { what, .. }) = look(self.disk, &file) {
                unusable.push(Unusable { file, why: what });
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
        let (mut entries, mut next) = (Vec::new(), seq.max(Seq::FIRST));
        while entries.len() < limit && next <= self.head().seq {
            let (first, end) = (next, next.plus(BATCH));
            let (from, to) = (self.state.index.range_of(first).0, self.state.index.range_of(end).1);
            let bytes = journal::read(self.disk, from, to)?;
            let read = bytes.split(|byte| *byte == b'\n').filter_map(|line| Entry::parse(journal::entry_of(line)).ok());
            entries.extend(read.filter(|entry| (first..end).contains(&entry.seq())));
            next = end;
        }
        entries.truncate(limit);
        Ok(entries)
    }

    /// Returns at most `limit` entries that changed a document, latest first. The first is entry `seq`.
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
            && entry.link(document).is_some()
        {
            // Only a link to an earlier entry is followed: a damaged journal must not make a loop.
            next = entry.previous_of(document).filter(|previous| *previous < seq);
            found.push(entry);
        }
        Ok(found)
    }

    /// Returns the last committed text of a document; `None` if it does not exist. If the text cannot be replayed from
    /// the journal, the staged text of the last entry is returned, if it has the revision that this entry made.
    ///
    /// # Errors
    ///
    /// The system refuses; or the text cannot be replayed.
    pub(super) fn committed_text(&self, name: &DocName) -> Result<Option<Content>, StoreError> {
        let Some(row) = self.state.index.rows.get(name).filter(|row| !row.is_deleted) else { return Ok(None) };
        if let Some((_, text)) = self.state.texts.get(name).filter(|(seq, _)| *seq == row.seq) {
            return Ok(Some(text.clone()));
        }
        self.text_at(name, row.seq).or_else(|error| match look(self.disk, &layout::next(name, row.mark))? {
            Some(staged) if row.revision == Some(staged.revision) => Ok(Some(staged.text)),
            _ => Err(error),
        })
    }

    /// Returns the text of a document after an entry, replayed from its creation.
    ///
    /// # Errors
    ///
    /// The system refuses; or the text cannot be replayed.
    pub(super) fn text_at(&self, name: &DocName, seq: Seq) -> Result<Option<Content>, StoreError> {
        // A damaged entry is treated as an erased one; verification tells them apart.
        let unreadable = || StoreError::NotReplayable(seq);
        let mut entries = self.entries_of(name, seq, usize::MAX)?;
        let is_whole =
            |entry: &Entry| entry.text(name).is_some() || entry.link(name).is_some_and(DocumentLink::is_creation);
        entries.truncate(entries.iter().position(is_whole).map_or(usize::MAX, |at| at.saturating_add(1)));
        let mut text = None;
        for entry in entries.iter().rev() {
            text = text_after(entry, name, text.as_deref()).map_err(|_| unreadable())?;
        }
        let revision = entries.first().ok_or_else(unreadable)?.revision(name);
        match revision.is_some_and(|revision| text.as_deref().is_none_or(|text| Revision::of(text) != revision)) {
            true => Err(unreadable()),
            false => Ok(text.map(Into::into)),
        }
    }
}
