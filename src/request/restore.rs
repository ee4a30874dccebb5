//! [`Restore`]: a committed edit is taken back by its inverse, which is carried over to the current text as [`rebase`](rebase()) does
//! with any request that was made against an older one.

use super::{Known, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Conflict, Edit, Part, PartStatus, Since, carried};
use crate::text::{Span, excerpt, is_blank};

/// How many characters of the text in conflict are shown.
const EXCERPT: usize = 160;

/// A request that was carried over.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rebased {
    /// The plan on the text that the editor believes in.
    pub seen: Edit,
    /// The same edit on the current text.
    pub current: Edit,
}

/// Plans `request` on the text that the editor believes in, and merges its lines with what others have changed since.
///
/// # Errors
///
/// What the request is refused for on the text that was seen; `Conflict` where both changed a line, or where a line would
/// stand below something else than it did.
pub fn rebase(request: &dyn Request, view: &View<'_>) -> Result<Rebased, RequestError> {
    let believed = view.known.map_or(view.doc, Known::believed);
    let seen = request.plan(&view.on(believed))?;
    believed.draft(&seen, Authority::Host).map_err(Refusal::from)?;
    let mut current =
        carried(believed, &seen, view.doc, Since::Others).map_err(|conflict| in_conflict(&conflict, view.doc))?;
    if current.splices().is_empty() && seen.splices().iter().any(|splice| !is_blank(&splice.text)) {
        // Others have written the same.
        let parts = current.parts().iter().cloned().map(|part| Part { status: PartStatus::AlreadyApplied, ..part });
        current = Edit::nothing(view.doc).with_parts(parts.collect());
    }
    Ok(Rebased { seen, current })
}

/// Shows the lines of the current text for which an edit is not carried over.
fn in_conflict(conflict: &Conflict, doc: &MemoryDoc) -> RequestError {
    let [start, end] = [conflict.now.start, conflict.now.end].map(|line| doc.lines().start(line));
    let now = Span::new(start, end.max(start)).of(doc.text()).trim_end_matches(['\r', '\n']);
    RequestError::of(conflict.part, Refusal::conflict(&excerpt(now, EXCERPT)))
}

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
}

impl Restore {
    /// Restores what `inverse`, of [`Commit`](crate::Commit), holds.
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse }
    }
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        match self.inverse.base() == view.doc.revision() {
            true => Ok(self.inverse.clone()),
            false => Err(Refusal::conflict("").into()),
        }
    }
}
