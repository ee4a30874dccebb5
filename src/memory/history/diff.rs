//! What entries changed, and the differences between two moments.

use std::collections::BTreeSet;

use litemap::LiteMap;

use crate::document::MemoryDoc;
use crate::edit::Comparison;
use crate::memory::history::TextWalk;
use crate::memory::history::past::unknown_revision;
use crate::memory::journal::{Entry, Seq, inverse, text_before};
use crate::memory::{DocName, HistoryQuery, Memory, MemoryError, Moment};
use crate::text::{Content, Line, Span, is_blank};

impl Memory {
    /// Returns a unified diff of a document between two moments; empty if it is the same. A document that does not exist is empty.
    ///
    /// # Errors
    ///
    /// There is no such document, entry or revision; an entry that is needed was erased; the store cannot be read.
    pub fn diff(&self, document: &DocName, from: &Moment, to: Option<&Moment>) -> Result<String, MemoryError> {
        let stored = self.stored(document)?;
        if !stored.has_been() {
            return self.unwritten(document).map(|_| String::new());
        }
        // Before the first entry, the documents stood as that entry found them.
        let text = |moment: &Moment| match moment {
            Moment::Time(_) => self.text_at(document, &Moment::After(self.last_entry(moment)?)),
            moment => self.text_at(document, moment),
        };
        let old = text(from)?.unwrap_or_default();
        let new = match to {
            Some(to) => text(to)?.unwrap_or_default(),
            None => stored.text.as_deref().unwrap_or_default().to_owned(),
        };
        if old == new {
            return Ok(String::new());
        }
        let [old, new] = [old, new].map(MemoryDoc::parse);
        Ok(Comparison::between(&old, &new).unified(document.as_str()))
    }

    /// Returns the last entry of a moment: for [`Moment::After`], that entry; for [`Moment::At`], the last entry that
    /// made the revision of the document `memory`; for [`Moment::Time`], the last entry up to that time, or the
    /// journal's first entry if there is none.
    ///
    /// # Errors
    ///
    /// There is no such entry; `memory` never had the revision; the store cannot be read.
    pub fn last_entry(&self, moment: &Moment) -> Result<Seq, MemoryError> {
        match moment {
            Moment::After(seq) => Ok(self.entry(*seq)?.seq()),
            Moment::At(revision) => {
                let memory = DocName::memory();
                for step in self.entries_back(&memory, None)? {
                    let (entry, name) = step?;
                    if moment.is_reached(&entry, &name) {
                        return Ok(entry.seq());
                    }
                }
                Err(unknown_revision(&memory, revision))
            }
            Moment::Time(time) => {
                let query = HistoryQuery { until: Some(*time), limit: 1, ..HistoryQuery::default() };
                Ok(self.history(&query)?.entries.first().map_or(Seq::FIRST, |row| row.entry.seq()))
            }
        }
    }

    /// Returns the documents that the entries after `from` have changed, up to `to`, or up to now.
    ///
    /// # Errors
    ///
    /// There is no such entry; the store cannot be read.
    pub fn changed_between(&self, from: Seq, to: Option<Seq>) -> Result<BTreeSet<DocName>, MemoryError> {
        [Some(from), to].into_iter().flatten().try_for_each(|seq| self.entry(seq).map(drop))?;
        let mut changed = BTreeSet::new();
        for entry in self.latest_first(from)? {
            let entry = entry?;
            if to.is_none_or(|to| entry.seq() <= to) {
                changed.extend(entry.header().documents.iter().map(|link| link.name.clone()));
            }
        }
        Ok(changed)
    }
}

/// What an entry changed in a document, line by line. Blank lines are left out. Both lists are empty if the entry was
/// erased.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedDocument {
    /// The document.
    pub document: DocName,
    /// The lines that it removed or rewrote.
    pub removed: Vec<Content>,
    /// The lines that it wrote.
    pub added: Vec<Content>,
}

/// Walks back through the texts of documents, from entry to entry.
pub(super) struct PastTexts<'m> {
    memory: &'m Memory,
    /// The walk of each document; `None` if it cannot go further back.
    walks: LiteMap<DocName, Option<TextWalk<'m>>>,
}

impl<'m> PastTexts<'m> {
    pub(super) const fn of(memory: &'m Memory) -> Self {
        Self { memory, walks: LiteMap::new() }
    }

    /// Returns what an entry changed in a document. Entries must be asked about latest first.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn changed(&mut self, entry: &Entry, document: &DocName) -> Result<ChangedDocument, MemoryError> {
        let mut changed = ChangedDocument { document: document.clone(), removed: Vec::new(), added: Vec::new() };
        let Some(after) = self.after(entry, document)? else { return Ok(changed) };
        let splices = entry.splices(document).unwrap_or_default();
        let Ok(before) = text_before(entry, document, after.as_deref()) else { return Ok(changed) };
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        let back = inverse(splices).unwrap_or_default();
        changed.removed = lines(&before, splices.iter().map(|splice| splice.covered()));
        changed.added = lines(&after, back.iter().map(|splice| splice.covered()));
        // A line that is in both lists has not changed: only its line ending was touched, by a line added after it.
        let both: Vec<_> = changed.removed.iter().filter(|line| changed.added.contains(line)).cloned().collect();
        changed.removed.retain(|line| !both.contains(line));
        changed.added.retain(|line| !both.contains(line));
        Ok(changed)
    }

    /// Returns the text of a document after an entry: `Some(None)` if it did not exist, `None` if an entry that is
    /// needed was erased.
    fn after(&mut self, entry: &Entry, document: &DocName) -> Result<Option<Option<String>>, MemoryError> {
        if !self.walks.contains_key(document) {
            self.walks.insert(document.clone(), self.memory.walk(document).ok());
        }
        let Some(walk) = self.walks.get_mut(document).and_then(Option::as_mut) else { return Ok(None) };
        loop {
            if walk.at.as_ref().is_some_and(|at| at.seq() == entry.seq()) {
                return Ok(Some(walk.text.clone()));
            }
            match walk.step() {
                Ok(Some(at)) if at.seq() >= entry.seq() => {}
                Err(error @ MemoryError::Store(_)) => return Err(error),
                _ => {
                    self.walks.insert(document.clone(), None);
                    return Ok(None);
                }
            }
        }
    }
}

/// Returns the lines with words that spans of a text touch.
pub(super) fn lines(text: &str, spans: impl Iterator<Item = Span>) -> Vec<Content> {
    let mut lines: Vec<Content> = Vec::new();
    let mut from = 0;
    for span in spans {
        let start = text.get(..span.start()).and_then(|above| above.rfind('\n')).map_or(0, |newline| newline + 1);
        for line in Line::all_within(text, Span::new(start.max(from), span.end().max(start.max(from)))) {
            from = line.full.end();
            let line = line.text.of(text);
            lines.extend((!is_blank(line)).then(|| line.into()));
        }
    }
    lines
}
