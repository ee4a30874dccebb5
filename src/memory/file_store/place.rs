//! Writing a text out: staged beside the document's file, then exchanged with it.
//!
//! What was displaced is looked at. If it is not what was expected, somebody has written it since the last look: the two are
//! exchanged back, and the next access reconciles. The staged text stays beside the file then, and says that the entry is not
//! written out.

use super::super::{DocName, StoreError};
use super::disk::{Disk, Found, Moved, look};
use super::layout::{self, Beside, Mark};
use super::work::Work;
use crate::text::SharedText;

/// A document's change, as its file goes through it.
#[derive(Clone)]
pub(super) struct Put {
    pub(super) name: DocName,
    /// The mark of the entry that makes the text.
    pub(super) mark: Mark,
    /// The document's file.
    pub(super) path: String,
    /// What stands there.
    pub(super) expected: Found,
    /// What shall stand there; `None` if nothing shall.
    pub(super) next: Option<SharedText>,
}

/// Whether a text was written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placed {
    Done,
    /// Something else than what was expected stands in the file.
    Overtaken,
}

impl Put {
    fn beside(&self, beside: Beside) -> String {
        beside.path(&self.name, self.mark)
    }
}

impl<D: Disk> Work<'_, D> {
    /// Writes the next text beside the document's file, and syncs it.
    ///
    /// # Errors
    ///
    /// The system refuses: a part of the text may stand beside the file.
    pub(super) fn stage(&self, put: &Put) -> Result<(), StoreError> {
        let Some(next) = &put.next else { return self.mark_deletion(put) };
        layout::create_folder(self.disk, put.name.folder())?;
        self.write_synced(&put.beside(Beside::Next), put, next)
    }

    /// Does the same for an entry that is in the journal already. At no time does a part of the text stand under the name
    /// that what is displaced gets.
    ///
    /// # Errors
    ///
    /// As for [`stage`](Self::stage).
    pub(super) fn stage_again(&self, put: &Put) -> Result<(), StoreError> {
        let Some(next) = &put.next else { return self.mark_deletion(put) };
        let redo = put.beside(Beside::Redo);
        layout::create_folder(self.disk, put.name.folder())?;
        self.write_synced(&redo, put, next)?;
        self.disk.replace(&redo, &put.beside(Beside::Next)).map(drop)
    }

    fn mark_deletion(&self, put: &Put) -> Result<(), StoreError> {
        let gone = put.beside(Beside::Gone);
        self.disk.remove(&gone)?;
        self.disk.create(&gone, None).map(drop)
    }

    fn write_synced(&self, path: &str, put: &Put, text: &SharedText) -> Result<(), StoreError> {
        let mode = put.expected.mode();
        let file = match self.disk.create(path, mode) {
            Err(StoreError::Io { source, .. }) if source.kind() == std::io::ErrorKind::AlreadyExists => {
                self.disk.remove(path)?;
                self.disk.create(path, mode)?
            }
            created => created?,
        };
        self.disk.write_at(&file, 0, text.as_bytes())?;
        self.disk.sync(&file)
    }

    /// Removes what was staged for an entry that is not made.
    pub(super) fn unstage(&self, put: &Put) {
        // What cannot be removed now is swept later.
        for beside in [Beside::Next, Beside::Gone] {
            if beside == Beside::Next || put.next.is_none() {
                let _ = self.disk.remove(&put.beside(beside));
            }
        }
    }

    /// Gives a staged text its place, or removes the file of a document that is deleted.
    ///
    /// # Errors
    ///
    /// The system refuses: the next access goes on.
    pub(super) fn place(&mut self, put: &Put) -> Result<Placed, StoreError> {
        let next = put.beside(Beside::Next);
        let placed = match (&put.expected, &put.next) {
            (Found::Missing, Some(_)) => self.create(put, &next),
            (_, Some(_)) => self.exchange(put, &next),
            (_, None) => self.delete(put, &next),
        }?;
        if placed == Placed::Done {
            self.state.clean.insert(put.name.clone(), put.mark);
        }
        Ok(placed)
    }

    fn exchange(&self, put: &Put, next: &str) -> Result<Placed, StoreError> {
        match self.disk.exchange(next, &put.path)? {
            Moved::Done => {}
            Moved::Unsupported => return self.replace(put, next),
            Moved::Missing | Moved::Taken => return Ok(Placed::Overtaken),
        }
        if look(self.disk, next, self.limits.document)?.is_same(&put.expected) {
            self.disk.remove(next)?;
            return Ok(Placed::Done);
        }
        self.disk.exchange(next, &put.path)?;
        Ok(Placed::Overtaken)
    }

    /// Replaces the file where the system cannot exchange two.
    fn replace(&self, put: &Put, next: &str) -> Result<Placed, StoreError> {
        if !look(self.disk, &put.path, self.limits.document)?.is_same(&put.expected) {
            return Ok(Placed::Overtaken);
        }
        let moved = self.disk.replace(next, &put.path)?;
        Ok(if moved == Moved::Done { Placed::Done } else { Placed::Overtaken })
    }

    fn create(&self, put: &Put, next: &str) -> Result<Placed, StoreError> {
        let moved = self.disk.rename_new(next, &put.path)?;
        Ok(if moved == Moved::Done { Placed::Done } else { Placed::Overtaken })
    }

    fn delete(&self, put: &Put, next: &str) -> Result<Placed, StoreError> {
        if put.expected != Found::Missing && self.disk.rename_new(&put.path, next)? == Moved::Done {
            if !look(self.disk, next, self.limits.document)?.is_same(&put.expected) {
                self.disk.rename_new(next, &put.path)?;
                return Ok(Placed::Overtaken);
            }
            self.disk.remove(next)?;
        }
        self.disk.remove(&put.beside(Beside::Gone))?;
        Ok(Placed::Done)
    }
}
