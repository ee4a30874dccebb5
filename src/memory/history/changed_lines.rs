//! The first lines that an entry removed and wrote, for a list of entries, latest first.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::journal::{Entry, Seq, text_before};
use crate::memory::{DocName, Memory, MemoryError};
use crate::text::{Content, LineTexts, is_blank};

/// What an entry changed in a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChangedDocument {
    /// The document.
    pub document: DocName,
    /// The first line with words that it removed; `None` if there is none, or if it was erased.
    pub removed: Option<Content>,
    /// The first line with words that it wrote; `None` if there is none, or if it was erased.
    pub added: Option<Content>,
}

/// The texts of documents, on the way back from entry to entry.
pub(super) struct Texts<'m> {
    memory: &'m Memory,
    /// Of each document, an entry that changed it and the text after it.
    after: BTreeMap<DocName, (Seq, Option<String>)>,
}

impl<'m> Texts<'m> {
    /// Reads the texts that documents have now. A document that cannot be read now is left out: its text is replayed.
    pub(super) fn of<'a>(memory: &'m Memory, names: impl Iterator<Item = &'a DocName>) -> Result<Self, MemoryError> {
        let (names, store) = (names.collect::<BTreeSet<_>>(), memory.store()?);
        let current = names.into_iter().filter_map(|name| {
            let snapshot = store.read(std::slice::from_ref(name)).ok()?;
            let stored = snapshot.of(name)?;
            Some((name.clone(), (stored.version.tip?.seq, stored.text.as_deref().map(str::to_owned))))
        });
        Ok(Self { memory, after: current.collect() })
    }

    /// Returns what an entry changed in a document.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub(super) fn changed(&mut self, entry: &Entry, document: &DocName) -> Result<ChangedDocument, MemoryError> {
        let mut changed = ChangedDocument { document: document.clone(), removed: None, added: None };
        let after = match self.after.remove(document) {
            Some((seq, text)) if seq == entry.seq() => text,
            _ => match self.memory.text_after(document, entry.clone()) {
                Ok(text) => text,
                Err(error @ MemoryError::Store(_)) => return Err(error),
                // What was erased, or does not fit, is not shown.
                Err(_) => return Ok(changed),
            },
        };
        let Ok(before) = text_before(entry, document, after.as_deref()) else { return Ok(changed) };
        let [old, new] = [&before, &after].map(|text| LineTexts::of(text.as_deref().unwrap_or_default()));
        for change in old.changes(&new) {
            let first = |lines: &[&str]| lines.iter().find(|line| !is_blank(line)).map(|line| Content::from(*line));
            changed.removed = changed.removed.or_else(|| first(old.texts(&change.old)));
            changed.added = changed.added.or_else(|| first(new.texts(&change.new)));
        }
        if let Some(previous) = entry.link(document).and_then(|link| entry.previous_of(link)) {
            self.after.insert(document.clone(), (previous, before));
        }
        Ok(changed)
    }
}
