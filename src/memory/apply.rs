//! Applies operations: plans them on the current documents, and commits all changes together.

use super::commit::{Order, Response, commit};
use super::journal::Seq;
use super::landed::{Bases, already_applied};
use super::plan::{DocumentSet, plan};
use super::tries::until_free;
use super::{Applied, AppliedStatus, DocName, Memory, MemoryError, Operation, Origin, Recorded, RequestId};
use crate::edit::{Authority, Preview};

impl Memory {
    /// Plans every operation on its document, checks the results, and commits all changes in one write.
    ///
    /// An edit whose basis is stale is refused or rebased, as the policy says.
    ///
    /// `request` identifies the request. If it was committed before on the same basis, nothing is written and the
    /// status is `AlreadyApplied`. So a caller who has lost the answer may send the same request again.
    ///
    /// # Errors
    ///
    /// The refusals of all documents, or the store's failure; nothing was changed. `Indeterminate` if the store
    /// cannot tell whether the change was made, now or by an earlier attempt of the same request.
    pub fn apply(
        &self,
        operations: &[Operation<'_>],
        origin: &Origin,
        request: RequestId,
    ) -> Result<Vec<Applied>, MemoryError> {
        Ok(self.apply_as(operations, &Order::new(origin, request))?.applied)
    }

    /// Records an entry that changes no document.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply) says.
    pub(super) fn record(&self, order: &Order<'_>) -> Result<Recorded, MemoryError> {
        let response = self.apply_as(&[], &Order { stands_alone: true, ..*order })?;
        response.entry.ok_or(MemoryError::Contended(DocName::memory()))
    }

    /// Applies operations, and makes one entry of them and of the request's remark.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply) says.
    pub(super) fn apply_as(&self, operations: &[Operation<'_>], order: &Order<'_>) -> Result<Response, MemoryError> {
        if order.origin.is_trial {
            return Ok(Response { applied: self.foresee(operations, order.origin)?, entry: None });
        }
        match order.expected_head {
            // The request depends on the last entry. If another entry follows, only a new request can succeed.
            Some(_) => self.apply_once(operations, order),
            None => until_free(|| self.apply_once(operations, order)),
        }
    }

    /// Plans one edit as [`apply`](Self::apply) does, and renders what it would change. A compaction asks the host's
    /// compactor, which may write another text the next time.
    ///
    /// # Errors
    ///
    /// Those of `apply`.
    pub fn preview(
        &self,
        operation: &Operation<'_>,
        authority: Authority,
        preview: &Preview,
    ) -> Result<String, MemoryError> {
        let origin = Origin { authority, ..Origin::default() };
        let foreseen = self.foresee(std::slice::from_ref(operation), &origin)?;
        Ok(foreseen.iter().map(|applied| applied.preview(preview)).collect())
    }

    /// Plans operations on the current documents, and returns what they would change. Nothing is written. In a
    /// [trial](Origin::trial) the host's compactor is not asked, and plans have no warnings of near duplicates.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply); in a trial, a compaction that needs a text from the host's compactor.
    pub(crate) fn foresee(&self, operations: &[Operation<'_>], origin: &Origin) -> Result<Vec<Applied>, MemoryError> {
        plan(&self.documents_of(operations)?, operations, self, origin)
    }

    /// Reads the documents that the operations name.
    fn documents_of(&self, operations: &[Operation<'_>]) -> Result<DocumentSet, MemoryError> {
        let mut names: Vec<_> = operations.iter().flat_map(Operation::documents).cloned().collect();
        names.sort_unstable();
        names.dedup();
        Ok(DocumentSet::of(&self.store()?.read(&names)?, self))
    }

    /// Tries once: plans the operations on the documents that are in the store now, and commits the changes.
    fn apply_once(&self, operations: &[Operation<'_>], order: &Order<'_>) -> Result<Response, MemoryError> {
        let (origin, store) = (order.origin, self.begin()?);
        let documents = self.documents_of(operations)?;
        let bases = Bases::of(operations, &documents);
        let request = if order.skips_policy { order.request } else { bases.identify(order.request, origin) };
        let mut order = Order { request, ..*order };
        // A retry of a committed request must not be committed again, even if its edit could be planned a second
        // time.
        if let Some(entry) = bases.landed(self, documents.head, &order)? {
            return Ok(already_applied(operations, &documents, Recorded::before(&entry)));
        }
        if let Some(remark) = order.remark.filter(|remark| !remark.supersedes.is_empty()) {
            // Nobody may supersede one of the entries between this look and the commit.
            order.expected_head.get_or_insert(documents.head);
            self.derived()?.value.supersessions.check(&remark.supersedes)?;
        }
        if order.expected_head.is_some_and(|expected| expected != documents.head) {
            return Err(MemoryError::Contended(DocName::memory()));
        }
        let mut planned = plan(&documents, operations, self, origin)?;
        if !order.stands_alone && planned.iter().all(|applied| applied.changes.is_empty()) {
            return Ok(Response { applied: self.settle(planned, None), entry: None });
        }
        self.judge(&planned, &order)?;
        let change = self.change(&mut planned, documents.head, &order)?;
        let recorded = commit(store, &change, documents.head)?;
        if recorded.is_repeated {
            // Another try of the request was committed after these documents were read.
            return Ok(already_applied(operations, &self.documents_of(operations)?, recorded));
        }
        Ok(Response { applied: self.settle(planned, Some(recorded.seq)), entry: Some(recorded) })
    }

    /// Caches the documents as they are now, and gives the operations that were committed the number of their entry.
    fn settle(&self, planned: Vec<Applied>, seq: Option<Seq>) -> Vec<Applied> {
        let settle = |applied: Applied| {
            self.cache().insert(applied.document.clone(), applied.doc.clone());
            let seq = seq.filter(|_| applied.status == AppliedStatus::Committed);
            Applied { seq, ..applied }
        };
        planned.into_iter().map(settle).collect()
    }
}
