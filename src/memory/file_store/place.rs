//! Writing a text out: staged beside the document's file, then exchanged with it.
//!
//! What was displaced is looked at. If it is not what was expected, somebody has written it since the last look: the two are
//! exchanged back, and the next access reconciles. The staged text stays beside the file then, and says that the entry is not
//! written out. A document is deleted by renaming its file over an empty one that is staged.

use super::access::Directory;
use super::disk::{Disk, Found, LARGEST, Moved, Rename, read, write_new};
use super::layout::{self, Mark};
use crate::memory::{DocName, StoreError};
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

impl<D: Disk> Directory<'_, D> {
    /// Writes the next text beside the document's file, and syncs it.
    ///
    /// # Errors
    ///
    /// The system refuses: a part of the text may stand beside the file.
    pub(super) fn stage(&self, put: &Put) -> Result<(), StoreError> {
        layout::create_folder(self.disk, put.name.folder())?;
        let text = put.next.as_ref().map(|text| text.as_bytes()).unwrap_or_default();
        let mode = put.expected.stat().map(|stat| stat.mode);
        let file = write_new(self.disk, &layout::next(&put.name, put.mark), mode, text)?;
        self.disk.sync(&file)
    }

    /// Does the same for an entry that is in the journal already. At no time does a part of the text stand under the name
    /// that what is displaced gets.
    ///
    /// # Errors
    ///
    /// As for [`stage`](Self::stage).
    pub(super) fn stage_again(&self, put: &Put) -> Result<(), StoreError> {
        let unmarked = Put { mark: Mark::default(), ..put.clone() };
        self.stage(&unmarked)?;
        let [from, to] = [unmarked.mark, put.mark].map(|mark| layout::next(&put.name, mark));
        self.disk.rename(&from, &to, Rename::Over).map(drop)
    }

    /// Gives a staged text its place, or removes the file of a document that is deleted. It is not done where something else
    /// than what was expected stands there.
    ///
    /// # Errors
    ///
    /// The system refuses: the next access goes on.
    pub(super) fn place(&self, put: &Put) -> Result<(), StoreError> {
        let next = layout::next(&put.name, put.mark);
        let is_displaced = match (&put.expected, &put.next) {
            (Found::Missing, Some(_)) => self.disk.rename(&next, &put.path, Rename::New)?,
            (Found::Missing, None) => Moved::Done,
            (_, None) => self.disk.rename(&put.path, &next, Rename::Over)?,
            (_, Some(_)) => self.disk.rename(&next, &put.path, Rename::Exchange)?,
        };
        match is_displaced {
            Moved::Refused => return Ok(()),
            // What stands there is replaced, after another look.
            Moved::Unsupported if !self.is_expected(&put.path, put)? => return Ok(()),
            Moved::Unsupported => drop(self.disk.rename(&next, &put.path, Rename::Over)?),
            Moved::Done if put.expected == Found::Missing => {}
            Moved::Done if !self.is_expected(&next, put)? => {
                let back = if put.next.is_some() { Rename::Exchange } else { Rename::New };
                return self.disk.rename(&next, &put.path, back).map(drop);
            }
            Moved::Done => {}
        }
        match put.next.is_none() || put.expected != Found::Missing {
            true => self.disk.remove(&next),
            false => Ok(()),
        }
    }

    /// Reports whether a file holds what another look has found at the document's place.
    fn is_expected(&self, path: &str, put: &Put) -> Result<bool, StoreError> {
        match read(self.disk, path, LARGEST) {
            Ok(found) => {
                Ok(found.map(|(bytes, _)| bytes).as_deref() == put.expected.text().map(|text| text.as_bytes()))
            }
            Err(StoreError::Unusable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
