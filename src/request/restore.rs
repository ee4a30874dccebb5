//! Undo: the inverse of a commit, made again later.

use std::collections::HashSet;

use super::{Known, Refusal, Request, RequestError, View};
use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::text::{Content, Lines, Tally, is_blank};

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
    since: Option<Edit>,
}

impl Restore {
    /// Restores what `inverse`, of [`Commit`](crate::Commit), holds.
    pub const fn new(inverse: Edit) -> Self {
        Self { inverse, since: None }
    }

    /// Carries it over what is known to have been done since, and not over the difference of the texts, which does not tell what
    /// was written anew.
    #[must_use]
    pub(crate) fn over(self, since: Edit) -> Self {
        Self { since: Some(since), ..self }
    }

    /// Reports whether a line that would be brought back has been written by others since: what is taken back may have been put
    /// right by hand, and would be there twice.
    fn writes_again(&self, since: &Edit, believed: &MemoryDoc) -> bool {
        fn lines(text: &str) -> impl Iterator<Item = &str> {
            Lines::of(text).map(move |line| line.text.of(text)).filter(|line| !is_blank(line))
        }
        let written: HashSet<&str> = since.splices().iter().flat_map(|splice| lines(&splice.text)).collect();
        let back = self.inverse.splices().iter();
        let mut removed: Tally<&str> = back.clone().flat_map(|splice| lines(splice.span.of(believed.text()))).collect();
        back.flat_map(|splice| lines(&splice.text)).any(|line| !removed.take(line) && written.contains(line))
    }
}

impl Request for Restore {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let conflict = |span| RequestError::of(0, Refusal::Conflict { span, now: Content::default() });
        let believed = view.known.map(Known::believed).filter(|believed| believed.revision() == self.inverse.base());
        let since = match (&self.since, believed) {
            (Some(since), Some(believed)) if since.apply_to(believed.text()) == view.doc.text() => since,
            _ if self.inverse.base() == view.doc.revision() => return Ok(self.inverse.clone()),
            (None, Some(believed)) => &Edit::between(believed, view.doc),
            _ => return Err(conflict(None)),
        };
        if believed.is_some_and(|believed| self.writes_again(since, believed)) {
            return Err(conflict(None));
        }
        self.inverse.over(since, view.doc).map_err(|overlap| conflict(Some(overlap.span)))
    }
}
