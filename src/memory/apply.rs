//! Applying: operations are planned on the current documents, and what they change is committed as one.

use super::handle::existing;
use super::journal::Seq;
use super::landed::{Bases, landed};
use super::landed::{Made, commit, until_free};
use super::operation::Asked;
use super::operation::Kind;
use super::plan::{Documents, Share, Terms, plan};
use super::room::{self, Written};
use super::{Applied, Compactor, DocName, Memory, MemoryError, Operation, Origin, RequestId, Snapshot, Store};
use crate::edit::{Authority, Preview};
use crate::request::{Rewrite, View};

/// What an edit would change.
#[derive(Debug, Default)]
pub(crate) struct Foreseen {
    /// Rendered; empty if nothing.
    pub(crate) text: String,
    /// What would be told of it.
    pub(crate) applied: Vec<Applied>,
}

impl Memory {
    /// Plans every operation on its document, checks the results, and commits all that changes in one write.
    ///
    /// An edit whose basis is stale is refused or rebased, as the policy says; it is `AlreadyApplied` if the same request, on
    /// the same basis, is known to have been committed. `request` is what tells it from others.
    ///
    /// # Errors
    ///
    /// Every document's refusal, or the store's failure; nothing has been changed. `Indeterminate` if the store cannot tell
    /// whether the change was made, now or by an earlier try of the same request.
    pub fn apply(
        &self,
        operations: &[Operation<'_>],
        origin: &Origin,
        request: RequestId,
    ) -> Result<Vec<Applied>, MemoryError> {
        self.apply_as(&Task { operations, origin, request, is_judged: false })
    }

    /// Applies a task.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply) says.
    pub(super) fn apply_as(&self, task: &Task<'_>) -> Result<Vec<Applied>, MemoryError> {
        let store = self.begin()?;
        match task.operations.iter().any(|operation| operation.expected.is_some()) {
            // Whoever made them for what stood there makes them anew.
            true => self.apply_once(task, store),
            false => until_free(|| self.apply_once(task, store)),
        }
    }

    /// Plans one edit as [`apply`](Self::apply) does, and renders what it would change. A compaction asks the host's
    /// compactor, which may write another text the next time.
    ///
    /// # Errors
    ///
    /// What `apply` would refuse it for.
    pub fn preview(
        &self,
        operation: &Operation<'_>,
        authority: Authority,
        preview: &Preview,
    ) -> Result<String, MemoryError> {
        Ok(self.foresee(operation, authority, preview)?.text)
    }

    /// Plans one edit as [`preview`](Self::preview) does, and tells also how it was read, and what should be known of it.
    pub(crate) fn foresee(
        &self,
        operation: &Operation<'_>,
        authority: Authority,
        preview: &Preview,
    ) -> Result<Foreseen, MemoryError> {
        let operations = std::slice::from_ref(operation);
        let store = self.store()?;
        let (_, documents) = self.documents_of(store, operations)?;
        let shares = self.plan(&documents, operations, authority).map_err(|error| with_names(store, error))?;
        let mut foreseen = Foreseen::default();
        if let Some((before, plan)) =
            shares.iter().find_map(|share| Some((&share.before, share.applied.plan.as_ref()?)))
        {
            let draft = before.draft(plan, authority);
            let draft = draft.map_err(|error| MemoryError::Edit { document: operation.document().clone(), error })?;
            foreseen.text = draft.preview(preview);
        }
        foreseen.applied = shares.into_iter().map(|share| share.applied).collect();
        Ok(foreseen)
    }

    /// Plans operations, and asks the host's compactor for what planning needs of it.
    fn plan(
        &self,
        documents: &Documents,
        operations: &[Operation<'_>],
        authority: Authority,
    ) -> Result<Vec<Share>, MemoryError> {
        plan(documents, operations, &Terms { authority, now: self.now(), compactor: self.compactor() })
    }

    /// Returns what would become of the documents as they are now.
    ///
    /// # Errors
    ///
    /// What [`apply`](Self::apply) would refuse it for; or the host's compactor would have to be asked.
    pub(crate) fn planned(
        &self,
        operations: &[Operation<'_>],
        authority: Authority,
    ) -> Result<Vec<Applied>, MemoryError> {
        let (_, documents) = self.documents_of(self.store()?, operations)?;
        let compactor = self.compactor().map(|_| &room::not_asked as &dyn Compactor);
        let shares = plan(&documents, operations, &Terms { authority, now: self.now(), compactor })?;
        Ok(shares.into_iter().map(|share| share.applied).collect())
    }

    /// Has the host's compactor write the text of a compaction of the text viewed that comes without one; without a compactor, the built-in one
    /// writes whenever it is planned.
    ///
    /// # Errors
    ///
    /// The compactor failed, or all that it wrote is refused.
    pub(crate) fn written(
        &self,
        document: &DocName,
        rewrite: Rewrite,
        view: &View<'_>,
    ) -> Result<Rewrite, MemoryError> {
        let Some(compactor) = self.compactor().filter(|_| rewrite.candidate.is_none()) else { return Ok(rewrite) };
        let Written { text, .. } = room::written(document, &rewrite, view, Some(compactor))?;
        Ok(text.map_or(rewrite.clone(), |text| rewrite.with_candidate(&text)))
    }

    /// Reads the documents that the operations name.
    fn documents_of(
        &self,
        store: &dyn Store,
        operations: &[Operation<'_>],
    ) -> Result<(Snapshot, Documents), MemoryError> {
        let mut names: Vec<_> = operations.iter().flat_map(Operation::documents).cloned().collect();
        names.sort_unstable();
        names.dedup();
        let snapshot = store.read(&names)?;
        let mut documents = Documents::of(&snapshot, self);
        for operation in operations.iter().filter(|operation| matches!(operation.kind, Kind::Compact { .. })) {
            if let Some(text) = self.text_before_rewrites(&operation.document, &snapshot)? {
                documents.note_earlier(&operation.document, text);
            }
        }
        Ok((snapshot, documents))
    }
}

/// Adds the names of the documents that there are, where the error is that another was named.
fn with_names(store: &dyn Store, error: MemoryError) -> MemoryError {
    match error {
        MemoryError::UnknownDocument { document, .. } => {
            MemoryError::UnknownDocument { document, known: existing(store).unwrap_or_default() }
        }
        other => other,
    }
}

/// Operations to be applied.
pub(super) struct Task<'a> {
    pub(super) operations: &'a [Operation<'a>],
    pub(super) origin: &'a Origin,
    pub(super) request: RequestId,
    /// Whether the host has judged them itself, as what was withheld and is released.
    pub(super) is_judged: bool,
}

impl Memory {
    /// Plans on what stands in the store now, and commits that.
    fn apply_once(&self, task: &Task<'_>, store: &dyn Store) -> Result<Vec<Applied>, MemoryError> {
        let Task { operations, origin, .. } = *task;
        let (snapshot, documents) = self.documents_of(store, operations)?;
        let bases = Bases::of(operations, &documents);
        let request = bases.identify(task.request, origin);
        // A retry of what has landed must not be made again, not even where it would find its place.
        if let Some(seq) = bases.landed(store, &snapshot, request, origin.since)? {
            return Ok(landed(operations, &documents, seq));
        }
        check_expected(operations, &snapshot)?;
        let planned = self.plan(&documents, operations, origin.authority);
        let mut shares = planned.map_err(|error| with_names(store, error))?;
        if shares.iter().all(|share| share.changes.is_empty()) {
            return Ok(self.settle(shares, None));
        }
        if !task.is_judged {
            let asked = Asked { store, origin, request, expected_head: None };
            self.judge_shares(&shares, operations, &asked)?;
        }
        let change = self.change(&mut shares, &snapshot, task, request)?;
        let Made { seq, is_repeated } = commit(store, &change, snapshot.head.seq)?;
        if is_repeated {
            // The documents were read before the other try of it landed.
            let (_, documents) = self.documents_of(store, operations)?;
            return Ok(landed(operations, &documents, seq));
        }
        Ok(self.settle(shares, Some(seq)))
    }

    /// Takes over what has been committed, in this entry.
    fn settle(&self, shares: Vec<Share>, seq: Option<Seq>) -> Vec<Applied> {
        let settle = |share: Share| {
            let mut applied = share.applied;
            if !share.changes.is_empty() {
                applied.seq = seq;
            }
            self.keep(&applied.document, &applied.doc);
            applied
        };
        shares.into_iter().map(settle).collect()
    }
}

/// Refuses what was made for documents that have been changed since.
fn check_expected(operations: &[Operation<'_>], snapshot: &Snapshot) -> Result<(), MemoryError> {
    let is_overtaken = |operation: &&Operation<'_>| {
        operation.expected.is_some_and(|expected| expected != snapshot.version(&operation.document))
    };
    match operations.iter().find(is_overtaken) {
        Some(operation) => Err(MemoryError::Contended { document: operation.document.clone() }),
        None => Ok(()),
    }
}
