//! Texts and entries of the past, found by walking back from the current text.

use std::time::Duration;
use std::{iter, vec};

use super::super::journal::{Entry, ReplayError, Seq, text_before};
use super::super::{DocName, Memory, MemoryError, Store, Stored, Version};
use crate::locate::Code;
use crate::text::{Revision, RevisionPrefix, Timestamp};

/// How many entries of the whole journal are read at once.
const MOST: u64 = 64;
/// How many entries of a document are read at once.
const PAGE: usize = 16;

/// How far back rewrites are looked for.
const WINDOW: Duration = Duration::from_secs(24 * 60 * 60);
/// The tool whose calls are rewrites. A session that holds one is recorded as made by this tool.
pub(crate) const REWRITE_TOOL: &str = "rewrite_memory";

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
        let found = self.store()?.entries(seq, 1)?;
        found.into_iter().find(|entry| entry.seq() == seq).ok_or_else(|| MemoryError::unknown_entry(seq))
    }

    /// Returns the entries of the journal from a number on, at most `limit`. Numbers that no entry has, and entries that cannot be read, are skipped.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn entries(&self, from: Seq, limit: usize) -> Result<Vec<Entry>, MemoryError> {
        Ok(self.store()?.entries(from, limit)?)
    }

    /// Returns the text that the document of this name had at a moment; `None` if there was no document of this name
    /// then. The text is computed from the current one, change by change: the cost grows with the number of changes since.
    ///
    /// # Errors
    ///
    /// There is no such entry or revision; an entry that is needed was erased, or does not fit; the store cannot be
    /// read.
    pub fn text_at(&self, document: &DocName, moment: &Moment) -> Result<Option<String>, MemoryError> {
        if let Moment::After(seq) = moment {
            self.entry(*seq)?;
        }
        let mut walk = self.walk(document)?;
        while let Some(entry) = walk.step()? {
            if moment.is_reached(&entry, document) {
                let text = walk.text;
                let is_other = |made| text.as_deref().is_some_and(|text| Revision::of(text) != made);
                return match entry.revision(document).is_some_and(is_other) {
                    true => Err(MemoryError::broken_chain(entry.seq())),
                    false => Ok(text),
                };
            }
        }
        match moment {
            Moment::At(revision) => Err(unknown_revision(document, revision)),
            Moment::After(_) | Moment::Time(_) => Ok(None),
        }
    }

    /// Iterates over the entries after `after`, latest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(crate) fn latest_first(
        &self,
        after: Seq,
    ) -> Result<impl Iterator<Item = Result<Entry, MemoryError>>, MemoryError> {
        let store = self.store()?;
        let (first, mut end, mut page) = (after.plus(1), store.head()?.seq.plus(1), Vec::new());
        Ok(iter::from_fn(move || {
            while page.is_empty() && end > first {
                let start = end.minus(MOST).max(first);
                let limit = usize::try_from(end.get() - start.get()).unwrap_or(usize::MAX);
                match store.entries(start, limit) {
                    Ok(entries) => page.extend(entries.into_iter().filter(|entry| entry.seq() < end)),
                    Err(error) => return Some(Err(error.into())),
                }
                end = start;
            }
            page.pop().map(Ok)
        }))
    }

    /// Returns the text of a document before the first rewrite of the last 24 hours; `None` if there was none, or the text
    /// before it was erased.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(crate) fn text_before_rewrites(&self, document: &DocName) -> Result<Option<String>, MemoryError> {
        let (now, mut before, mut walk) = (self.now(), None, self.walk(document)?);
        walk.entries.follows = Seq::new(u64::MAX);
        loop {
            let entry = match walk.step() {
                Ok(Some(entry)) if entry.time().after(WINDOW) >= now => entry,
                Err(error) if !matches!(error.code(), Code::UnknownEntry | Code::Redacted) => return Err(error),
                _ => return Ok(before),
            };
            if entry.header().tool.as_deref() == Some(REWRITE_TOOL) {
                before = text_before(&entry, &walk.entries.name, walk.text.as_deref()).unwrap_or_default();
            }
        }
    }

    /// Begins a walk back through the texts of a name, at its current text.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn walk(&self, document: &DocName) -> Result<TextWalk<'_>, MemoryError> {
        Ok(TextWalk::of(self.store()?, self.stored(document)?))
    }

    /// Returns the entries that changed the text of a name, latest first. For the document that had the name after entry
    /// `at`, or has it now, the names that it had before are followed.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn entries_back(&self, document: &DocName, at: Option<Seq>) -> Result<EntriesBack<'_>, MemoryError> {
        Ok(EntriesBack { follows: at.unwrap_or(Seq::new(u64::MAX)), ..self.walk(document)?.entries })
    }
}

/// The entries that changed a document, latest first, each with the name that it then had.
pub(crate) struct EntriesBack<'s> {
    store: &'s dyn Store,
    name: DocName,
    /// A renaming by this entry or an earlier one is followed to the name before it.
    follows: Seq,
    page: vec::IntoIter<Entry>,
    next: Option<Seq>,
}

impl Iterator for EntriesBack<'_> {
    type Item = Result<(Entry, DocName), MemoryError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

impl EntriesBack<'_> {
    fn step(&mut self) -> Result<Option<(Entry, DocName)>, MemoryError> {
        let Some(seq) = self.next else { return Ok(None) };
        if self.page.len() == 0 {
            self.page = self.store.entries_of(&self.name, seq, PAGE)?.into_iter();
        }
        self.next = None;
        // The entry cannot be read, or was dropped.
        let entry = self.page.next().ok_or_else(|| MemoryError::unknown_entry(seq))?;
        let name = self.name.clone();
        if let Some(old) = entry.renamed_from(&name).filter(|_| seq <= self.follows) {
            (self.name, self.page) = (old.clone(), Vec::new().into_iter());
        }
        self.next = entry.previous_of(&self.name).filter(|previous| *previous < entry.seq());
        Ok(Some((entry, name)))
    }
}

/// A walk back through the texts of a name, from entry to entry. A renaming ends a document under its old name, and
/// begins one under its new name.
pub(crate) struct TextWalk<'s> {
    entries: EntriesBack<'s>,
    /// The text after `at`; `None` if the document did not exist.
    pub(super) text: Option<String>,
    /// The entry that the walk is at.
    pub(super) at: Option<Entry>,
}

impl<'s> TextWalk<'s> {
    /// Begins at a document as it is stored.
    pub(crate) fn of(store: &'s dyn Store, stored: Stored) -> Self {
        let Stored { name, text, version: Version { tip: next, .. }, .. } = stored;
        let text = text.as_deref().map(str::to_owned);
        let entries = EntriesBack { store, name, follows: Seq::default(), page: Vec::new().into_iter(), next };
        Self { entries, text, at: None }
    }

    /// Goes back to the entry before, and returns it; `None` at the end.
    ///
    /// # Errors
    ///
    /// The entry that the walk is at was erased, or does not fit; the one before cannot be read.
    pub(crate) fn step(&mut self) -> Result<Option<Entry>, MemoryError> {
        if let Some(entry) = self.at.take() {
            self.text = text_before(&entry, &self.entries.name, self.text.as_deref())?;
        }
        self.at = self.entries.step()?.map(|(entry, _)| entry);
        Ok(self.at.clone())
    }
}

/// Returns the error for a revision that no entry made of a document under its name.
pub(super) fn unknown_revision(document: &DocName, revision: &RevisionPrefix) -> MemoryError {
    MemoryError::refused(Code::UnknownEntry, format!("no entry made the revision `{revision}` of `{document}`"))
}

impl Moment {
    /// Returns true if the moment is after this entry. To be called with one entry after the other, latest first: the
    /// first entry for which it is true made the text of the moment.
    pub(super) fn is_reached(&self, entry: &Entry, document: &DocName) -> bool {
        match self {
            Self::After(seq) => entry.seq() <= *seq,
            Self::Time(time) => entry.time() <= *time,
            Self::At(revision) => entry.revision(document).is_some_and(|new| revision.matches(&new)),
        }
    }
}

impl From<ReplayError> for MemoryError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Erased(entry) => Self::erased(entry),
            ReplayError::Misfit(entry) => Self::broken_chain(entry),
        }
    }
}
