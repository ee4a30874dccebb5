//! Planning: what operations make of documents. It writes nothing, and is given the time; a compaction may ask the
//! host's compactor for its text.

use std::collections::HashSet;

use litemap::LiteMap;

use super::journal::{LinkKind, Seq, Splice};
use super::operation::OperationKind;
use super::{
    Applied, AppliedStatus, DocName, DocumentChange, Memory, MemoryError, Operation, Origin, Snapshot, Stored, Version,
};
use crate::document::{MemoryDoc, OnStale};
use crate::edit::{Authority, Commit, Edit, EditError, Warning, Whose};
use crate::locate::Code;
use crate::request::{Basis, CompactionReport, Known, Rebased, Request, RequestError, View, rebase};
use crate::text::{Span, Timestamp};

/// The documents that operations name, as of one moment.
pub(super) struct DocumentSet {
    /// The last entry at that moment.
    pub(super) head: Seq,
    /// Each document with its version. A document that does not exist is empty.
    named: LiteMap<DocName, (MemoryDoc, Version)>,
}

impl DocumentSet {
    /// Takes the documents of a snapshot.
    pub(super) fn of(snapshot: &Snapshot, memory: &Memory) -> Self {
        let named = |stored: &Stored| (stored.name.clone(), (memory.parse(stored), stored.version));
        Self { head: snapshot.head.seq, named: snapshot.documents.iter().map(named).collect() }
    }

    pub(super) fn get(&self, name: &DocName) -> Option<&MemoryDoc> {
        self.named.get(name).map(|(doc, _)| doc)
    }

    /// Returns the version of a document.
    fn version(&self, name: &DocName) -> Version {
        self.named.get(name).map(|(_, version)| *version).unwrap_or_default()
    }

    fn has(&self, name: &DocName) -> bool {
        self.version(name).revision.is_some()
    }
}

/// Plans operations on the documents as they stand: returns what becomes of each, in their order.
///
/// # Errors
///
/// A document is named twice; else the refusals of all operations that are refused.
pub(super) fn plan(
    documents: &DocumentSet,
    operations: &[Operation<'_>],
    memory: &Memory,
    origin: &Origin,
) -> Result<Vec<Applied>, MemoryError> {
    let now = memory.now();
    let mut known = HashSet::new();
    if let Some(twice) = operations.iter().flat_map(Operation::documents).find(|name| !known.insert(*name)) {
        let why = format!("document `{twice}` is named twice");
        return Err(MemoryError::refused_in(twice, Code::InvalidArguments, why));
    }
    let (mut planned, mut refusals) = (Vec::<Applied>::with_capacity(operations.len()), Vec::new());
    for operation in operations {
        let document = &operation.document;
        let doc = documents.get(document).ok_or_else(|| memory.unknown(document))?;
        let planner =
            OperationPlanner { memory, origin, now, documents, document, doc, exists: documents.has(document) };
        // An operation that accompanies changes is left out if there are none.
        let is_left_out = operation.accompanies && planned.iter().all(|applied| applied.changes.is_empty());
        let applied = if is_left_out { Ok(planner.untouched()) } else { planner.apply(operation) };
        match applied {
            Ok(applied) => planned.push(Applied { accompanies: operation.accompanies, ..applied }),
            Err(error) => refusals.push(error),
        }
    }
    let mut refusals = refusals.into_iter();
    match (refusals.next(), refusals.len()) {
        (None, _) => Ok(planned),
        (Some(only), 0) => Err(only),
        (Some(first), _) => Err(MemoryError::Several { first: Box::new(first), others: refusals.collect() }),
    }
}

/// Plans one operation.
pub(super) struct OperationPlanner<'a> {
    /// Has the policies and the history. It also has the names of all documents, for the refusal of an unknown one.
    pub(super) memory: &'a Memory,
    /// Whom the request comes from. If it is only tried, nobody reads the warnings.
    pub(super) origin: &'a Origin,
    pub(super) now: Timestamp,
    documents: &'a DocumentSet,
    pub(super) document: &'a DocName,
    pub(super) doc: &'a MemoryDoc,
    /// Whether the document is there.
    exists: bool,
}

impl OperationPlanner<'_> {
    fn apply(&self, operation: &Operation<'_>) -> Result<Applied, MemoryError> {
        let applied = match &operation.kind {
            OperationKind::Edit(request) => {
                self.edit(operation.basis.as_ref().unwrap_or(&Basis::Anything), *request)?
            }
            OperationKind::Create { .. } if self.exists => {
                return Err(MemoryError::DocumentExists(self.document.clone()));
            }
            // The document gets this text, and is created if it is not there.
            OperationKind::Create { text } | OperationKind::Write { text } => {
                self.make(Edit::between(self.doc, &MemoryDoc::with_rules(text.clone(), self.doc.rules().clone())))?
            }
            OperationKind::Rename { to, request } => self.rename(to, operation.basis.as_ref(), *request)?,
            OperationKind::Delete => self.delete(operation.basis.as_ref())?,
            OperationKind::Planned(plan) => self.make((**plan).clone())?,
        };
        let mut created = applied.changes.iter().filter(|change| change.kind() == LinkKind::Created);
        let has_folder = |name: &DocName| !name.folder().is_empty();
        let allows_folders = |name: &DocName| self.memory.policy_of(name).allow_folders;
        match created.find(|change| has_folder(&change.name) && !allows_folders(&change.name)) {
            Some(DocumentChange { name, .. }) => {
                let why =
                    format!("`{name}` would stand in a folder, which is not allowed here: use a name without `/`");
                Err(MemoryError::refused_in(name, Code::InvalidArguments, why))
            }
            None => Ok(applied),
        }
    }

    fn edit(&self, basis: &Basis<'_>, request: &dyn Request) -> Result<Applied, MemoryError> {
        let (doc, is_rewrite) = (self.doc, request.as_rewrite().is_some());
        let may_create = self.document.is_built_in() || doc.policy().allow_new_documents;
        if !self.exists && !may_create && self.origin.authority != Authority::Host {
            return Err(self.memory.unknown(self.document));
        }
        let planned = self.plan_on(basis, request);
        let finds_nothing = match &planned {
            Ok((plan, _)) => plan.splices().is_empty(),
            Err(error) => matches!(error.code(), Code::NotFound | Code::CountMismatch),
        };
        // A document that does not exist has no text to find, not even for the host. Built-in ones read as empty.
        if finds_nothing && !self.exists && !self.document.is_built_in() {
            return Err(self.memory.unknown(self.document));
        }
        let (plan, on_believed) = planned?;
        let mut applied = if plan.splices().is_empty() {
            self.result_of(plan, None)
        } else if is_rewrite {
            self.make(plan)?
        } else {
            self.make_with_room(plan)?
        };
        if is_rewrite {
            applied.report = Some(CompactionReport::new(doc, &applied.doc, self.now));
        }
        if let Some(commit) = applied.commit.as_mut().filter(|_| basis.is_stale(doc)) {
            commit.receipt.warnings.push(Warning::rebased());
        }
        Ok(Applied { on_believed, ..applied })
    }

    /// Makes a planned edit.
    fn make(&self, plan: Edit) -> Result<Applied, MemoryError> {
        let commit = self.commit(&plan)?;
        Ok(self.result_of(plan, Some(commit)))
    }

    fn rename(
        &self,
        to: &DocName,
        seen: Option<&Basis<'_>>,
        request: Option<&dyn Request>,
    ) -> Result<Applied, MemoryError> {
        self.check_exists()?;
        if self.documents.has(to) {
            return Err(MemoryError::DocumentExists(to.clone()));
        }
        if seen.is_some() {
            self.empty(seen)?;
        }
        let basis = seen.unwrap_or(&Basis::Anything);
        let plan = request.map(|request| self.plan_on(basis, request)).transpose()?.map(|(plan, _)| plan);
        let commit = plan.as_ref().map(|plan| self.commit(plan)).transpose()?;
        let text = commit.as_ref().map_or(self.doc, |commit| &commit.doc).shared_text().clone();
        let renamed = MemoryDoc::with_rules(text, self.memory.rules.of(to).clone());
        // The new name comes first. A store may write one file after the other: the text is then never without a name.
        let changes =
            vec![self.change(to, Some(&renamed), vec![Splice::new("", Span::at(0), renamed.text())]), self.removal()];
        let applied = Applied::new(to.clone(), AppliedStatus::Committed, self.doc.clone(), renamed);
        Ok(Applied { plan, commit, changes, ..applied })
    }

    fn untouched(&self) -> Applied {
        Applied::new(self.document.clone(), AppliedStatus::NoChange, self.doc.clone(), self.doc.clone())
    }

    fn delete(&self, seen: Option<&Basis<'_>>) -> Result<Applied, MemoryError> {
        self.check_exists()?;
        let (commit, empty) = (self.empty(seen)?, MemoryDoc::with_rules("", self.doc.rules().clone()));
        let applied = Applied::new(self.document.clone(), AppliedStatus::Committed, self.doc.clone(), empty);
        Ok(Applied { commit: Some(commit), changes: vec![self.removal()], ..applied })
    }

    fn check_exists(&self) -> Result<(), MemoryError> {
        if self.exists { Ok(()) } else { Err(self.memory.unknown(self.document)) }
    }

    fn removal(&self) -> DocumentChange {
        self.change(self.document, None, vec![Splice::new(self.doc.text(), self.doc.span(), "")])
    }

    /// Returns the commit that empties a document: the guard checks it before the document is deleted or renamed.
    ///
    /// # Errors
    ///
    /// It has changed since its editor saw it, or it holds what no edit may remove.
    fn empty(&self, seen: Option<&Basis<'_>>) -> Result<Commit, MemoryError> {
        let emptied = Edit::of_replacements(self.doc.revision(), [(self.doc.span(), "")].into_iter());
        match seen {
            Some(basis) if basis.is_stale(self.doc) => Err(self.stale(basis)),
            Some(_) => self.commit(&emptied),
            // It is checked like an undo of one's own edit: only reserved sections and pins are in the way, and only
            // for agents.
            None => self.commit(&emptied.into_inversion(Whose::Own)),
        }
    }

    fn commit(&self, plan: &Edit) -> Result<Commit, MemoryError> {
        self.doc.commit(plan, self.origin.authority).map_err(|error| self.forbidden(error))
    }

    /// Plans a request on its basis. If the basis is no longer the current text, the request is refused, or rebased if the
    /// policy says so. Returns the plan on the current text and, if the request was rebased, the plan on the text
    /// that the editor knew.
    fn plan_on(&self, basis: &Basis<'_>, request: &dyn Request) -> Result<(Edit, Option<Edit>), MemoryError> {
        let (doc, rewrite) = (self.doc, request.as_rewrite());
        let earlier = rewrite.map(|_| self.memory.text_before_rewrites(self.document)).transpose()?.flatten();
        let earlier = earlier.map(|text| MemoryDoc::with_rules(text, doc.rules().clone()));
        let mut view = View::new(doc, basis, self.now).since(earlier.as_ref());
        view.is_trial = self.origin.is_trial;
        // A stale request is rebased only if the policy says so, and the text that it was made on is known.
        let is_merged = doc.policy().on_stale == OnStale::Rebase && !rewrite.is_some_and(|rewrite| rewrite.is_of_shown);
        if view.is_stale() && !(is_merged && view.known.is_some()) {
            return Err(self.stale(basis));
        }
        // The host's compactor is shown the current text.
        let written = |rewrite| self.memory.with_candidate(self.document, rewrite, &view, self.origin);
        let written = rewrite.map(written).transpose()?.flatten();
        let current = written.as_ref().map(|written| written as &dyn Request);
        if let Some(request) = current.or((!view.is_stale()).then_some(request)) {
            return Ok((request.plan(&view).map_err(|error| self.refused(error))?, None));
        }
        let Rebased { seen, current } = self.rebase(request, &view)?;
        Ok((current, Some(seen)))
    }

    /// Plans a request on the text that the editor knew, and carries the plan over to the current text.
    fn rebase(&self, request: &dyn Request, view: &View<'_>) -> Result<Rebased, MemoryError> {
        let doc = self.doc;
        let rebased = rebase(request, view).map_err(|error| match error.code() {
            Code::Conflict => MemoryError::NotRebased { document: self.document.clone(), error, current: doc.clone() },
            _ => self.refused(error),
        })?;
        // The plan on the text that the editor knew must be allowed, too: the merge may have split what a part
        // promised to write.
        let believed = view.known.map_or(doc, Known::believed);
        believed.draft(&rebased.seen, self.origin.authority).map_err(|error| self.forbidden(error))?;
        if let Some(rewrite) = request.as_rewrite().filter(|_| !rebased.current.splices().is_empty()) {
            let view = View::current(doc, view.now).since(view.earlier);
            rewrite.check(&view, &rebased.current).map_err(|error| self.refused(error))?;
        }
        Ok(rebased)
    }

    /// Returns the result for a document that is edited.
    pub(super) fn result_of(&self, plan: Edit, commit: Option<Commit>) -> Applied {
        let commit = commit.filter(|commit| commit.doc != *self.doc || !self.exists);
        let status = match &commit {
            Some(_) => AppliedStatus::Committed,
            None if plan.is_already_applied() => AppliedStatus::AlreadyApplied,
            None => AppliedStatus::NoChange,
        };
        let new = commit.as_ref().map_or(self.doc, |commit| &commit.doc).clone();
        let splices = plan.splices().iter().map(|splice| Splice::new(self.doc.text(), splice.span, &splice.text));
        let changed = |commit: &Commit| self.change(self.document, Some(&commit.doc), splices.clone().collect());
        let changes = commit.iter().map(changed).collect();
        let applied = Applied::new(self.document.clone(), status, self.doc.clone(), new);
        Applied { plan: Some(plan), commit, changes, ..applied }
    }

    /// Returns the change of a document to `new` by these splices.
    fn change(&self, name: &DocName, new: Option<&MemoryDoc>, splices: Vec<Splice>) -> DocumentChange {
        DocumentChange::new(name.clone(), self.documents.version(name), new, splices)
    }

    fn refused(&self, error: RequestError) -> MemoryError {
        MemoryError::Request { document: self.document.clone(), error }
    }

    pub(super) fn forbidden(&self, error: EditError) -> MemoryError {
        MemoryError::Edit { document: self.document.clone(), error }
    }

    fn stale(&self, basis: &Basis<'_>) -> MemoryError {
        let seen = basis.revision().map_or_else(String::new, |prefix| prefix.as_str().to_owned());
        MemoryError::StaleRevision { document: self.document.clone(), seen, current: self.doc.clone() }
    }
}
