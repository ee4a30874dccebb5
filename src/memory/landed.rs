//! Whether a request has *landed*, that is, was committed before.

use crate::memory::commit::{Order, Recorded, Response};
use crate::memory::history::Undoings;
use crate::memory::journal::{Entry, Seq};
use crate::memory::plan::DocumentSet;
use crate::memory::{Applied, AppliedStatus, DocName, Memory, MemoryError, Operation, Origin, RequestId, StoreError};
use crate::request::Basis;
use crate::text::RevisionPrefix;

/// How many entries are searched at most. A request that landed further back is not found.
const REACH: u64 = 4096;

/// What a request is based on: for each document, the revision that its operation names, else the current one.
pub(super) struct Bases(Vec<Base>);

pub(super) struct Base {
    document: DocName,
    /// The revision that the operation names, else the current one.
    revision: RevisionPrefix,
    /// Whether the operation names it.
    is_named: bool,
    /// Whether the document is at this revision.
    is_current: bool,
}

impl Bases {
    pub(super) fn of(operations: &[Operation<'_>], documents: &DocumentSet) -> Self {
        let base = |operation: &Operation<'_>| {
            let current = documents.get(&operation.document)?.revision();
            let named = operation.basis.as_ref().and_then(Basis::revision);
            let (is_named, is_current) = (named.is_some(), named.as_ref().is_none_or(|named| named.matches(&current)));
            let revision = named.unwrap_or_else(|| current.into());
            Some(Base { document: operation.document.clone(), revision, is_named, is_current })
        };
        Self(operations.iter().filter_map(base).collect())
    }

    fn name_any(&self) -> bool {
        self.0.iter().any(|base| base.is_named)
    }

    /// Returns the ID of the request on these bases. If no operation names a revision, and `origin` has a `since`, it
    /// is the ID by that editor instead.
    pub(super) fn identify(&self, request: RequestId, origin: &Origin) -> RequestId {
        if let Some(request) = request.by(origin).filter(|_| !self.name_any()) {
            return request;
        }
        self.0.iter().fold(request, |request, base| request.on(&base.document, &base.revision))
    }

    /// Returns the entry with which the request has landed. `head` is the last entry. The search goes back to the
    /// entry that the editor knew, or to one that made a base that is no longer current: the request came after it.
    ///
    /// Returns `None` if the request has not landed, or was undone since, even if others have written since; or if one
    /// of its documents has returned to the revision that the request was based on: then the caller wants the same
    /// change once more.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or an entry that would tell was erased.
    pub(super) fn landed(&self, memory: &Memory, head: Seq, order: &Order<'_>) -> Result<Option<Entry>, MemoryError> {
        let Some(since) = self.searched_since(head, order.origin).filter(|since| *since < head) else {
            return Ok(None);
        };
        let lost = |error| match error {
            MemoryError::Store(error) => MemoryError::Indeterminate(error),
            other => other,
        };
        let mut undoings = Undoings::default();
        for entry in memory.latest_first(since).map_err(lost)? {
            let entry = entry.map_err(lost)?;
            undoings.see(&entry);
            let bases = || self.0.iter().filter(|base| entry.link(&base.document).is_some());
            for base in bases().filter(|base| !base.is_current) {
                match entry.revision(&base.document) {
                    Some(made) if base.revision.matches(&made) => return Ok(None),
                    None if !entry.has_lookup() => return Err(unknown(&entry)),
                    _ => {}
                }
            }
            if entry.is_of(order.request) {
                let has_returned = bases().any(|base| base.is_named && base.is_current);
                return Ok(Some(entry).filter(|entry| !has_returned && undoings.by(entry.seq()).is_none()));
            }
        }
        Ok(None)
    }

    /// Returns the entry after which the request may have landed; `None` if it has not landed.
    fn searched_since(&self, head: Seq, origin: &Origin) -> Option<Seq> {
        if let Some(since) = origin.since.filter(|_| !self.name_any()) {
            return Some(since);
        }
        // If a document's revision is not named, the caller may want the same change once more. If all bases are
        // current, the request has not landed.
        let may_have_landed = self.0.iter().all(|base| base.is_named) && !self.0.iter().all(|base| base.is_current);
        may_have_landed.then(|| head.minus(REACH))
    }
}

/// Returns the error for an entry that may be that of the request, and whose request was erased.
fn unknown(entry: &Entry) -> MemoryError {
    let why = format!("the request of entry {} was erased, so it is not known whether this one was made", entry.seq());
    MemoryError::Indeterminate(StoreError::Other(why.into()))
}

/// Returns the response to a request that was committed before, with this entry.
pub(super) fn already_applied(operations: &[Operation<'_>], documents: &DocumentSet, entry: Recorded) -> Response {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.get(&operation.document)?.clone();
        let applied = Applied::new(operation.document.clone(), AppliedStatus::AlreadyApplied, doc.clone(), doc);
        Some(Applied { seq: Some(entry.seq), ..applied })
    };
    Response { applied: operations.iter().filter_map(landed).collect(), entry: Some(entry) }
}
