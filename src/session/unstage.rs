//! Unstaging of changes, and carrying changes over to another text.

use super::staging::check;
use super::{Letter, PendingChange, Session, SessionError};
use crate::document::MemoryDoc;
use crate::edit::{Since, carried};
use crate::memory::{DocName, MemoryError};
use crate::request::Known;

impl Session {
    /// Removes a change, in all its documents, and carries later changes over to the texts without it.
    ///
    /// # Errors
    ///
    /// There is no such change, or a later change builds on it or is refused without it. The session is as before.
    pub fn unstage(&mut self, letter: Letter) -> Result<Vec<PendingChange>, SessionError> {
        let mut next = self.clone();
        let taken: Vec<_> = next.changes.extract_if(.., |change| change.letter == letter).collect();
        for change in &taken {
            let from = next.changes.partition_point(|other| other.letter < letter);
            let shifted = next.shift(from, &change.document, &change.before);
            shifted.map_err(|by| SessionError::BuiltOn { letter, by })?;
        }
        if taken.is_empty() {
            return Err(SessionError::UnknownChange { letter });
        }
        *self = next;
        Ok(taken)
    }

    /// Carries the changes of a document over to `current`, its current text.
    ///
    /// # Errors
    ///
    /// A change touches lines that others have changed. The session is as before.
    pub fn carry_to(&mut self, document: &DocName, current: &MemoryDoc) -> Result<(), MemoryError> {
        let Some(base) = self.base(document) else { return Ok(()) };
        if base.revision() == current.revision() {
            return Ok(());
        }
        self.shift(0, document, current).map_err(|_| MemoryError::overtaken(document, current.clone()))?;
        self.documents.insert(document.clone(), Known::of(current));
        Ok(())
    }

    /// Carries over the changes of a document that have the index `from` or a higher one. `base` replaces the text
    /// before the first of them.
    ///
    /// # Errors
    ///
    /// The letter of the first change that cannot be carried over. The session is as before.
    fn shift(&mut self, from: usize, document: &DocName, base: &MemoryDoc) -> Result<(), Letter> {
        let (mut base, mut shifted) = (base.clone(), Vec::new());
        for change in self.changes.iter().skip(from).filter(|change| change.document == *document) {
            let letter = change.letter;
            // The loss of a rewrite was measured on the text before it, so it cannot be carried over to another text.
            if change.is_rewrite() && change.before.revision() != base.revision() {
                return Err(letter);
            }
            let edit = carried(&change.before, &change.edit, &base, Since::Session);
            let edit = edit.map_err(|_| letter)?;
            let after = check(document, &base, &edit).map_err(|_| letter)?;
            let before = std::mem::replace(&mut base, after.clone());
            shifted.push(PendingChange { before, after, edit, ..change.clone() });
        }
        let own = self.changes.iter_mut().skip(from).filter(|change| change.document == *document);
        own.zip(shifted).for_each(|(change, shifted)| *change = shifted);
        Ok(())
    }

    /// Returns the changes that were in conflict when a commit was refused with `error`: the first one of each
    /// document.
    pub fn conflicts(&self, error: &MemoryError) -> Vec<Letter> {
        let of = |error: &MemoryError| match error {
            MemoryError::NotRebased { document, current, .. } => self.clone().shift(0, document, current).err(),
            _ => None,
        };
        let mut letters: Vec<_> = error.of_each_document().into_iter().filter_map(of).collect();
        letters.sort();
        letters.dedup();
        letters
    }
}
