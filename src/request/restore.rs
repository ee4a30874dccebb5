//! [`Restore`] takes a committed edit back, by its inverse. [`rebase`](rebase()) carries a request for an older text over to
//! the current one, the inverse too.

use super::{Known, Refusal, Request, RequestError, View};
use crate::edit::{Authority, Conflict, Edit, Part, PartStatus, Since, carried};
use crate::text::{excerpt, is_blank};

/// The most characters of a text in conflict that are shown.
const EXCERPT: usize = 160;

/// A request that was carried over to the current text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rebased {
    /// The edit on the text that the editor believes in.
    pub seen: Edit,
    /// The same edit on the current text.
    pub current: Edit,
}

/// Plans `request` on the text that the editor believes in, and merges its lines with the changes that others have made.
///
/// # Examples
///
/// ```
/// use memdoc::{Authority, Basis, Known, MemoryDoc, Replace, Timestamp, View, request::rebase};
///
/// let seen = MemoryDoc::parse("## Home\n- Denver\n\n## Food\n- Tea\n");
/// let current = MemoryDoc::parse("## Home\n- Denver\n\n## Food\n- Milk\n"); // others have changed `Food`
/// let known = Known::of(&seen);
/// let view = View::new(&current, &Basis::Known(&known), Timestamp::default());
/// let rebased = rebase(&Replace::new("Denver", "Austin"), &view)?;
/// let commit = current.commit(&rebased.current, Authority::Agent)?;
/// assert_eq!(commit.doc.text(), "## Home\n- Austin\n\n## Food\n- Milk\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The request is refused on the text that the editor believes in. `Conflict`: both changed the same line, or a line would
/// be below another parent than before.
pub fn rebase(request: &dyn Request, view: &View<'_>) -> Result<Rebased, RequestError> {
    let believed = view.known.map_or(view.doc, Known::believed);
    let seen = request.plan(&View { doc: believed, ..*view })?;
    believed.draft(&seen, Authority::Host)?;
    // The error shows the lines of the current text that are in conflict.
    let in_conflict = |Conflict { part, now }| {
        let now = view.doc.lines().span(&now).of(view.doc.text()).trim_end_matches(['\r', '\n']);
        RequestError::of(part, Refusal::conflict(&excerpt(now, EXCERPT)))
    };
    let mut current = carried(believed, &seen, view.doc, Since::Others).map_err(in_conflict)?;
    if current.splices().is_empty() && seen.splices().iter().any(|splice| !is_blank(&splice.text)) {
        // Others have written the same text.
        let parts = current.parts().iter().cloned().map(|part| Part { status: PartStatus::AlreadyApplied, ..part });
        current = Edit::nothing(view.doc).with_parts(parts.collect());
    }
    Ok(Rebased { seen, current })
}

/// Takes a committed edit back.
///
/// Its plan is the inverse that the commit returned, for the document that the commit made. For a later document, use
/// [`rebase`](super::rebase()), as for any request.
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
    /// Creates the request from the `inverse` of a [`Commit`](crate::Commit).
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse }
    }
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let is_current = self.inverse.base() == view.doc.revision();
        if is_current { Ok(self.inverse.clone()) } else { Err(Refusal::conflict("").into()) }
    }
}
