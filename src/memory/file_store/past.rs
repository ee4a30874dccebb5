//! What the journal says: entries, and the texts that they made.

use super::super::journal::{Entry, Replay, ReplayError, Seq, Step};
use super::super::{DocName, FileFlaw, StoreError, Version};
use super::disk::Disk;
use super::entries;
use super::layout;
use super::table::Made;
use super::work::Work;
use crate::text::Revision;

impl<D: Disk> Work<'_, D> {
    /// Returns the entry with a number.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entry(&self, seq: Seq) -> Result<Option<Entry>, StoreError> {
        let found = entries::at(&self.site, seq.get())?;
        Ok(found.and_then(|found| Entry::parse(&found.bytes).ok()))
    }

    /// Returns at most `limit` entries from a number on.
    ///
    /// # Errors
    ///
    /// The system refuses.
    pub(super) fn entries_from(&self, seq: Seq, limit: usize) -> Result<Vec<Entry>, StoreError> {
        if seq > self.head().seq {
            return Ok(Vec::new());
        }
        let found = entries::from(&self.site, seq.get(), limit)?;
        Ok(found.into_iter().filter_map(|found| Entry::parse(&found.bytes).ok()).collect())
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

    /// Returns what a document is committed at.
    ///
    /// # Errors
    ///
    /// The system refuses; or the revision was erased, and the text cannot be replayed either.
    pub(super) fn committed(&mut self, name: &DocName) -> Result<Version, StoreError> {
        let Some(row) = self.state.table.as_ref().and_then(|table| table.rows.get(name)).copied() else {
            return Ok(Version::default());
        };
        let revision = match row.made {
            Made::Nothing => None,
            Made::Text(revision) => Some(revision),
            Made::Erased => self.text_at(name, row.tip.seq)?.map(|text| Revision::of(&text)),
        };
        if let Some(known) = self.state.table.as_mut().and_then(|table| table.rows.get_mut(name)) {
            known.made = revision.map_or(Made::Nothing, Made::Text);
        }
        Ok(row.version(revision))
    }

    /// Returns the text that a document is committed at; `None` if it does not exist.
    ///
    /// # Errors
    ///
    /// The system refuses; or the text cannot be replayed.
    pub(super) fn committed_text(&self, name: &DocName) -> Result<Option<String>, StoreError> {
        let row = self.state.table.as_ref().and_then(|table| table.rows.get(name));
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
        StoreError::Unusable { path: self.site.disk.full_path(layout::PRIVATE), what: FileFlaw::NotACommit }
    }
}
