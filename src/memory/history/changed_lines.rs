//! The lines that entries removed and wrote, entry by entry, latest first.

use std::collections::BTreeMap;

use crate::memory::history::TextWalk;
use crate::memory::history::past::before;
use crate::memory::journal::{Entry, inverse, text_before};
use crate::memory::{DocName, Memory, MemoryError};
use crate::text::{Content, Lines, Span, is_blank};

/// What an entry changed in a document, line by line. Lines without words are left out, and all of what was erased.
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

impl Memory {
    /// Visits the latest `most` entries, latest first, with what each of them changed in documents.
    ///
    /// # Errors
    ///
    /// The store cannot be read.
    pub fn changes(&self, most: usize, visit: &mut dyn FnMut(&Entry, ChangedDocument)) -> Result<(), MemoryError> {
        let mut texts = Texts::of(self);
        for entry in self.latest_first()?.take(most) {
            let entry = entry?;
            for link in &entry.header().documents {
                visit(&entry, texts.changed(&entry, &link.name)?);
            }
        }
        Ok(())
    }
}

/// The texts of documents, on the way back from entry to entry.
pub(super) struct Texts<'m> {
    memory: &'m Memory,
    /// Of each document, its way back; `None` where it goes no further.
    walks: BTreeMap<DocName, Option<TextWalk<'m>>>,
}

impl<'m> Texts<'m> {
    pub(super) const fn of(memory: &'m Memory) -> Self {
        Self { memory, walks: BTreeMap::new() }
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
        // A line beside which another was written is none that was.
        let both: Vec<_> = changed.removed.iter().filter(|line| changed.added.contains(line)).cloned().collect();
        changed.removed.retain(|line| !both.contains(line));
        changed.added.retain(|line| !both.contains(line));
        Ok(changed)
    }

    /// Returns the texts of a document before an entry and after it, without one where it does not exist; `None` if what that
    /// takes was erased. Entries must be asked about latest first.
    pub(super) fn around(&mut self, entry: &Entry, document: &DocName) -> Result<Option<[String; 2]>, MemoryError> {
        let Some(after) = self.after(entry, document)? else { return Ok(None) };
        Ok(before(entry, document, after.as_deref()).ok().map(|before| [before, after].map(Option::unwrap_or_default)))
    }

    /// Returns the text of a document after an entry, `Some(None)` if it did not exist; `None` if what it takes was erased.
    fn after(&mut self, entry: &Entry, document: &DocName) -> Result<Option<Option<String>>, MemoryError> {
        if !self.walks.contains_key(document) {
            self.walks.insert(document.clone(), self.memory.walk(document).ok());
        }
        let Some(walk) = self.walks.get_mut(document).and_then(Option::as_mut) else { return Ok(None) };
        loop {
            if walk.entry().is_some_and(|at| at.seq() == entry.seq()) {
                return Ok(Some(walk.text().map(str::to_owned)));
            }
            match walk.step() {
                Ok(Some((at, _))) if at.seq() >= entry.seq() => {}
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
fn lines(text: &str, spans: impl Iterator<Item = Span>) -> Vec<Content> {
    let mut lines: Vec<Content> = Vec::new();
    let mut from = 0;
    for span in spans {
        let start = text.get(..span.start()).and_then(|above| above.rfind('\n')).map_or(0, |newline| newline + 1);
        for line in Lines::within(text, Span::new(start.max(from), span.end().max(start.max(from)))) {
            from = line.full.end();
            let line = line.text.of(text);
            lines.extend((!is_blank(line)).then(|| line.into()));
        }
    }
    lines
}
