//! Whether a request has landed before: its ID is looked for among the entries of its documents, back to what it is based on.

use super::history::Undoings;
use super::journal::{Entry, Seq};
use super::plan::Documents;
use super::{
    Applied, AppliedStatus, DocName, EntryQuery, MemoryError, Operation, Origin, RequestId, Snapshot, Store, StoreError,
};
use crate::document::MemoryDoc;
use crate::request::Basis;
use crate::text::RevisionPrefix;

/// How many entries are read at once.
const PAGE: usize = 16;
/// How many are read at most: what lies further back is not known to have landed.
const REACH: usize = 4096;

/// What a request is based on.
pub(super) struct Bases {
    /// Of each document the revision that its operation names, else the current one.
    revisions: Vec<Base>,
    /// Whether every operation names one, and one of them is no longer current: without a revision seen of each document, the same
    /// request may well be meant again, and on bases that are current it has not landed.
    may_have_landed: bool,
    /// Whether any operation names one.
    name_any: bool,
}

struct Base {
    document: DocName,
    revision: RevisionPrefix,
    is_current: bool,
}

impl Bases {
    pub(super) fn of(operations: &[Operation<'_>], documents: &Documents) -> Self {
        let mut bases =
            Self { revisions: Vec::with_capacity(operations.len()), may_have_landed: false, name_any: false };
        let mut name_all = true;
        for (name, operation) in operations.iter().map(|operation| (operation.document(), operation)) {
            let Some(current) = documents.get(name).map(MemoryDoc::revision) else { continue };
            let named = operation.basis().and_then(Basis::revision);
            name_all &= named.is_some();
            bases.name_any |= named.is_some();
            let is_current = named.as_ref().is_none_or(|base| base.matches(&current));
            let revision = named.unwrap_or_else(|| current.into());
            bases.revisions.push(Base { document: name.clone(), revision, is_current });
        }
        bases.may_have_landed = name_all && bases.revisions.iter().any(|base| !base.is_current);
        bases
    }

    /// Returns the ID of the request on these bases; of one that names none, by whoever acts.
    pub(super) fn identify(&self, request: RequestId, origin: &Origin) -> RequestId {
        if let Some(request) = request.by(origin).filter(|_| !self.name_any) {
            return request;
        }
        self.revisions.iter().fold(request, |request, base| request.on(&base.document, &base.revision))
    }

    /// Returns the entry with which the request has landed; `None` if it has not, or if one of its documents has come back to
    /// what it was based on: then the same call is a new one.
    ///
    /// # Errors
    ///
    /// `Indeterminate`: the store cannot be read, or what would tell was erased.
    pub(super) fn landed(
        &self,
        store: &dyn Store,
        snapshot: &Snapshot,
        request: RequestId,
        since: Option<Seq>,
    ) -> Result<Option<Seq>, MemoryError> {
        match since {
            Some(since) if !self.name_any => return later(store, since, request),
            _ if !self.may_have_landed => return Ok(None),
            _ => {}
        }
        for base in self.revisions.iter().filter(|base| !base.is_current) {
            let tip = snapshot.of(&base.document).and_then(|stored| stored.version.tip);
            let Some(tip) = tip else { continue };
            if let Some(entry) = base.search(store, tip, request)? {
                let has_come_back = |base: &Base| base.is_current && entry.link(&base.document).is_some();
                return Ok((!self.revisions.iter().any(has_come_back)).then_some(entry.seq()));
            }
        }
        Ok(None)
    }
}

/// Looks for the request among all entries behind `since`.
///
/// # Errors
///
/// `Indeterminate`: the store cannot be read.
pub(super) fn later(store: &dyn Store, since: Seq, request: RequestId) -> Result<Option<Seq>, MemoryError> {
    let mut next = since.plus(1);
    loop {
        let page = store.entries(&EntryQuery::From { seq: next, limit: PAGE }).map_err(MemoryError::Indeterminate)?;
        let Some(last) = page.last() else { return Ok(None) };
        next = last.seq().plus(1);
        if let Some(found) = page.iter().find(|entry| entry.is_of(request)) {
            return Ok(Some(found.seq()));
        }
    }
}

impl Base {
    /// Looks for the request among the entries of the document, from its last one back to this base. One that was taken back since has
    /// not landed, even if others have written since.
    fn search(&self, store: &dyn Store, tip: Seq, request: RequestId) -> Result<Option<Entry>, MemoryError> {
        let (mut next, mut looked_at, mut undoings) = (Some(tip), 0, Undoings::default());
        while let Some(seq) = next {
            let query = EntryQuery::OfDocument { document: &self.document, seq, limit: PAGE };
            let page = store.entries(&query).map_err(MemoryError::Indeterminate)?;
            next = page.last().and_then(|last| last.previous_of(&self.document));
            looked_at += page.len();
            for entry in page {
                undoings.see(&entry);
                if entry.revision(&self.document).is_some_and(|made| self.revision.matches(&made)) {
                    return Ok(None);
                }
                if entry.is_of(request) {
                    return Ok(Some(entry).filter(|entry| undoings.by(entry).is_none()));
                }
                if !entry.has_lookup() {
                    return Err(MemoryError::Indeterminate(StoreError::RequestErased(entry.seq())));
                }
            }
            if looked_at >= REACH {
                return Ok(None);
            }
        }
        Ok(None)
    }
}

/// Answers for a request that is known to have been committed.
pub(super) fn landed(operations: &[Operation<'_>], documents: &Documents, seq: Seq) -> Vec<Applied> {
    let landed = |operation: &Operation<'_>| {
        let doc = documents.get(operation.document())?.clone();
        let applied = Applied::new(operation.document().clone(), AppliedStatus::AlreadyApplied, doc);
        Some(Applied { seq: Some(seq), ..applied })
    };
    operations.iter().filter_map(landed).collect()
}
