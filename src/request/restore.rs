//! Undo: the inverse of a commit, made again later.

use super::{Known, Refusal, Request, RequestError, View};
use crate::edit::Edit;
use crate::text::Content;

/// Takes a committed edit back.
///
/// Planned on the document that the commit made, it is the inverse that the commit gave. Against a later text it is carried
/// over what has changed since, and refused with `conflict` where that is the same text.
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
}

impl Restore {
    /// Restores what `inverse`, of [`Commit`](crate::Commit), holds.
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse }
    }
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        if self.inverse.base() == view.doc.revision() {
            return Ok(self.inverse.clone());
        }
        let conflict = |span| RequestError::of(0, Refusal::Conflict { span, now: Content::default() });
        let Some(believed) = view.known.map(Known::believed) else { return Err(conflict(None)) };
        if self.inverse.base() != believed.revision() {
            return Err(conflict(None));
        }
        let since = Edit::between(believed, view.doc);
        self.inverse.over(&since, view.doc).map_err(|overlap| conflict(Some(overlap.span)))
    }
}
