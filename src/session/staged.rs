//! [`Staged`]: the pending changes of one document, as the one request that a commit plans.

use crate::document::MemoryDoc;
use crate::edit::{Edit, composed, made};
use crate::memory::DocName;
use crate::request::{Failure, Refusal, Request, RequestError, View};
use crate::text::Revision;

use super::{PendingChange, Session};

/// The pending changes of one document. On the text that they were staged on they are the edits as they were staged; on any other
/// each is planned anew, behind those before it. A part of the plan is a change.
#[derive(Debug)]
pub(super) struct Staged<'s> {
    pub(super) base: Revision,
    pub(super) changes: Vec<&'s PendingChange>,
}

impl<'s> Staged<'s> {
    /// Takes the changes of a document, whose text they begin with.
    pub(super) fn of(session: &'s Session, document: &'s DocName, base: &MemoryDoc) -> Self {
        Self { base: base.revision(), changes: session.of(document).collect() }
    }

    /// Returns what each change comes to on the document of `view`.
    ///
    /// # Errors
    ///
    /// The first change that cannot be planned there.
    pub(super) fn each(&self, view: &View<'_>) -> Result<Vec<Edit>, RequestError> {
        if view.doc.revision() == self.base {
            return Ok(self.changes.iter().map(|change| change.edit.clone()).collect());
        }
        let mut doc: MemoryDoc = view.doc.clone();
        let mut edits = Vec::with_capacity(self.changes.len());
        for (nth, change) in self.changes.iter().enumerate() {
            let edit = change
                .request
                .plan(&view.on(&doc).at(change.time))
                .map_err(|error| of_part(nth, &error))?
                .into_one_part();
            doc = made(&doc, &edit);
            edits.push(edit);
        }
        Ok(edits)
    }
}

impl Request for Staged<'_> {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        Ok(composed(view.doc, &self.each(view)?))
    }

    fn is_named_by_place(&self) -> bool {
        self.changes.iter().any(|change| change.request.is_named_by_place())
    }

    fn depends_on_places(&self) -> bool {
        self.changes.iter().any(|change| change.request.depends_on_places())
    }

    fn is_placed_by_index(&self) -> bool {
        self.changes.iter().any(|change| change.request.is_placed_by_index())
    }
}

/// Returns the first refusal of a change as that of the part which it is.
fn of_part(nth: usize, error: &RequestError) -> RequestError {
    let failures = error.failures().iter().take(1).map(|failure| Failure::new(nth, failure.refusal.clone())).collect();
    RequestError::from_failures(failures)
        .unwrap_or_else(|| RequestError::of(nth, Refusal::Conflict { span: None, now: "".into() }))
}
