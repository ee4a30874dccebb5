//! Undo: the inverse of a commit, made again later.

use super::rebase::in_conflict;
use super::{Known, Refusal, Request, RequestError, View, rebase};
use crate::edit::{Edit, carried_along};
use crate::text::{ChangedLines, Content};

/// Takes a committed edit back.
///
/// It is planned on the document that the commit made, and is the inverse that the commit gave. A later text is merged with it, as
/// for any [`rebase`](super::rebase()).
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, MemoryDoc, Replace, Request, Timestamp, View, request::Restore};
///
/// let doc = MemoryDoc::parse("- Lives in Denver\n");
/// let now = Timestamp::default();
/// let edit = Replace::new("Denver", "Austin").plan(&View::current(&doc, now))?;
/// let commit = doc.commit(&edit, Authority::Agent)?;
///
/// let undo = Restore::new(commit.inverse).plan(&View::current(&commit.doc, now))?;
/// assert_eq!(commit.doc.commit(&undo, Authority::Agent)?.doc, doc);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Restore {
    inverse: Edit,
    /// The lines that have changed since, where that is known better than the texts tell it.
    changes: Option<Vec<ChangedLines>>,
}

impl Restore {
    /// Restores what `inverse`, of [`Commit`](crate::Commit), holds.
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse, changes: None }
    }

    /// Says which lines have changed since, up to the current text.
    #[must_use]
    pub(crate) fn along(self, changes: Vec<ChangedLines>) -> Self {
        Self { changes: Some(changes), ..self }
    }

    /// Returns the edit of the current text that takes back what was made of the text that the editor believes in.
    ///
    /// # Errors
    ///
    /// `Conflict`: it cannot be merged with what has changed since.
    pub(crate) fn merged(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        // A text that reads as before may have been written anew.
        let changes = self.changes.as_ref().filter(|changes| !changes.is_empty());
        match (view.known.map(Known::believed), changes) {
            (Some(believed), Some(changes)) => {
                let seen = self.plan(&view.on(believed))?;
                carried_along(believed, &seen, view.doc, changes).map_err(|conflict| in_conflict(&conflict, view.doc))
            }
            _ => Ok(rebase(self, view)?.current),
        }
    }
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        match self.inverse.base() == view.doc.revision() {
            true => Ok(self.inverse.clone()),
            false => Err(RequestError::of(0, Refusal::Conflict { span: None, now: Content::default() })),
        }
    }
}
