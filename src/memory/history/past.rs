//! Texts and entries of the past.

use std::ops::ControlFlow;

use super::super::journal::{Entry, Replay, ReplayError, Seq, Step};
use super::super::{DocName, EntryQuery, Memory, MemoryError, Snapshot, Store};
use crate::text::{RevisionPrefix, Timestamp};

/// How many entries of a document are read at once.
const PAGE: usize = 16;

/// A moment in the past of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Moment {
    /// After the entry of this number.
    After(Seq),
    /// When the document was last at this revision.
    At(RevisionPrefix),
    /// After all that was done up to this time.
    Time(Timestamp),
}

impl Memory {
    /// Returns an entry of the journal.
    ///
    /// # Errors
    ///
    /// There is no such entry; the store cannot be read.
    pub fn entry(&self, seq: Seq) -> Result<Entry, MemoryError> {
        entry_of(self.store()?, seq)
    }

    /// Returns entries of the journal. Numbers that no entry has, and entries that cannot be read, are passed over.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn entries(&self, query: &EntryQuery<'_>) -> Result<Vec<Entry>, MemoryError> {
        Ok(self.store()?.entries(query)?)
    }

    /// Returns the text that a document had; `None` if it did not exist then.
    ///
    /// # Errors
    ///
    /// There is no such entry or revision; what it takes was erased, or does not fit; the store cannot be read.
    pub fn text_at(&self, document: &DocName, moment: &Moment) -> Result<Option<String>, MemoryError> {
        if let Moment::After(seq) = moment {
            self.entry(*seq)?;
        }
        match self.find_back(document, &mut |entry| moment.is_reached(entry, document))? {
            Some(entry) => self.text_after(document, entry),
            None => match moment {
                Moment::At(revision) => Err(MemoryError::UnknownRevision { revision: revision.clone() }),
                Moment::After(_) | Moment::Time(_) => Ok(None),
            },
        }
    }

    /// Returns the text that a document has after an entry that changed it; `None` if the entry deleted it.
    ///
    /// # Errors
    ///
    /// What it takes was erased, or does not fit; the store cannot be read.
    pub fn text_after(&self, document: &DocName, entry: Entry) -> Result<Option<String>, MemoryError> {
        text_after(self.store()?, document, entry)
    }

    /// Walks back over the entries that changed a document, and returns the first that is the wanted one.
    ///
    /// # Errors
    ///
    /// As [`walk_back`](Self::walk_back).
    pub(super) fn find_back(
        &self,
        document: &DocName,
        is_wanted: &mut dyn FnMut(&Entry) -> bool,
    ) -> Result<Option<Entry>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let mut found = None;
        self.walk_back(document, tip(&snapshot, document), &mut |entry| {
            found = Some(entry).filter(&mut *is_wanted);
            Ok(if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })?;
        Ok(found)
    }

    /// Walks back as [`find_back`](Self::find_back) does, and goes on with the document under the name that it had before.
    ///
    /// # Errors
    ///
    /// As [`walk_back`](Self::walk_back).
    pub(super) fn find_under_names(
        &self,
        document: &DocName,
        is_wanted: &mut dyn FnMut(&Entry, &DocName) -> bool,
    ) -> Result<Option<Entry>, MemoryError> {
        let snapshot = self.store()?.read(std::slice::from_ref(document))?;
        let (mut found, mut name, mut from) = (None, document.clone(), tip(&snapshot, document));
        loop {
            let mut renamed = None;
            self.walk_back(&name, from, &mut |entry| {
                renamed = entry.renamed_from(&name).cloned();
                from = renamed.as_ref().and_then(|old| entry.previous_of(entry.link(old)?));
                found = Some(entry).filter(|entry| is_wanted(entry, &name));
                let is_end = found.is_some() || renamed.is_some();
                Ok(if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
            match renamed.filter(|_| found.is_none()) {
                Some(old) => name = old,
                None => return Ok(found),
            }
        }
    }

    /// Visits the entries that changed a document, from entry `tip` back, until it is told to stop.
    ///
    /// # Errors
    ///
    /// `UnknownEntry`: an entry on the way cannot be read, or was dropped; the store cannot be read; what `visit` says.
    pub(in super::super) fn walk_back(
        &self,
        document: &DocName,
        tip: Option<Seq>,
        visit: &mut dyn FnMut(Entry) -> Result<ControlFlow<()>, MemoryError>,
    ) -> Result<(), MemoryError> {
        let mut next = tip;
        while let Some(seq) = next {
            let page = self.store()?.entries(&EntryQuery::OfDocument { document, seq, limit: PAGE })?;
            let last = page.last().ok_or(MemoryError::UnknownEntry { entry: seq })?;
            next = last.link(document).and_then(|link| last.previous_of(link));
            for entry in page {
                if visit(entry)?.is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Returns the number of the last entry that changed a document.
pub(in super::super) fn tip(snapshot: &Snapshot, document: &DocName) -> Option<Seq> {
    snapshot.of(document).and_then(|stored| stored.version.tip).map(|tip| tip.seq)
}

/// Returns an entry of the journal.
pub(in super::super) fn entry_of(store: &dyn Store, seq: Seq) -> Result<Entry, MemoryError> {
    let found = store.entries(&EntryQuery::From { seq, limit: 1 })?;
    found.into_iter().find(|entry| entry.seq() == seq).ok_or(MemoryError::UnknownEntry { entry: seq })
}

/// Returns the text that a document has after an entry that changed it.
pub(in super::super) fn text_after(
    store: &dyn Store,
    document: &DocName,
    entry: Entry,
) -> Result<Option<String>, MemoryError> {
    let mut replay = Replay::new(document.clone());
    let mut next = entry;
    while let Step::Earlier(seq) = replay.back(&next)? {
        next = entry_of(store, seq)?;
    }
    Ok(replay.text()?)
}

impl Moment {
    /// Reports whether, going back, the text after this entry is that of the moment.
    pub(super) fn is_reached(&self, entry: &Entry, document: &DocName) -> bool {
        match self {
            Self::After(seq) => entry.seq() <= *seq,
            Self::Time(time) => entry.time() <= *time,
            Self::At(revision) => {
                entry.state(document).and_then(|state| state.new).is_some_and(|new| revision.matches(&new))
            }
        }
    }
}

impl From<ReplayError> for MemoryError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Erased(entry) => Self::Erased { entry },
            ReplayError::NotChanged(entry) | ReplayError::Misfit(entry) => Self::ChainBroken { entry },
        }
    }
}
