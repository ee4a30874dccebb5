//! One document's share of a commit, planned: on the base that the editor saw or rebased, with a compaction where it needs the
//! room.

use super::compaction::{self, Compactor, Fitted, NotFitted, NotPlanned};
use super::error::{Drift, MemoryError};
use super::name::DocName;
use super::sight::Sight;
use super::store::DocumentChange;
use super::work::{Applied, AppliedStatus, Base, Work};
use crate::document::{MemoryDoc, OnStale};
use crate::edit::{Authority, Commit, Edit, PartStatus, Warning};
use crate::locate::Code;
use crate::request::{CompactionReport, Request, RequestError, View, rebase};
use crate::text::Timestamp;

/// What planning needs beside the document.
pub(super) struct Planner<'a> {
    pub(super) hook: Option<&'a dyn Compactor>,
    pub(super) authority: Authority,
    pub(super) now: Timestamp,
}

/// A share that is planned, and committed to nothing but the value of the document.
pub(super) struct Planned {
    document: DocName,
    pub(super) doc: MemoryDoc,
    exists: bool,
    pub(super) plan: Edit,
    on_believed: Option<Edit>,
    pub(super) commit: Option<Commit>,
    report: Option<CompactionReport>,
    /// Whether the host's compactor was asked for it.
    pub(super) asked_hook: bool,
}

/// A plan on the document as it stands.
struct Based {
    plan: Edit,
    /// The plan on the text that the editor believes in, where that is another.
    on_believed: Option<Edit>,
    is_rebased: bool,
}

impl From<Edit> for Based {
    fn from(plan: Edit) -> Self {
        Self { plan, on_believed: None, is_rebased: false }
    }
}

impl Planner<'_> {
    /// Plans a share on its document, and makes the commit.
    pub(super) fn plan(&self, work: &Work<'_>, doc: MemoryDoc, exists: bool) -> Result<Planned, MemoryError> {
        let Based { plan, on_believed, is_rebased } = match &work.base {
            Base::Seen(sight) if sight.believed().revision() != doc.revision() => self.on_stale(work, &doc, sight)?,
            Base::Seen(sight) => self.request(work, &View::new(&doc, sight.seen(), self.now))?.into(),
            Base::Named(prefix) if !prefix.matches(&doc.revision()) => {
                let settled = settled(work.request, &View::current(&doc, self.now));
                settled.ok_or_else(|| stale(work, prefix.as_str().to_owned(), &doc, None))?.into()
            }
            Base::Any | Base::Named(_) => self.request(work, &View::current(&doc, self.now))?.into(),
        };
        let mut planned = Planned {
            document: work.document.clone(),
            doc,
            exists,
            plan,
            on_believed,
            commit: None,
            report: None,
            asked_hook: compaction::asks(self.hook, work.request),
        };
        self.commit(work, &mut planned)?;
        if let Some(commit) = planned.commit.as_mut().filter(|_| is_rebased) {
            commit.receipt.warnings.push(Warning::Rebased);
        }
        Ok(planned)
    }

    /// Plans a request whose editor has seen another text: refuses it, or plans it anew.
    fn on_stale(&self, work: &Work<'_>, doc: &MemoryDoc, sight: &Sight) -> Result<Based, MemoryError> {
        let view = View::new(doc, sight.seen(), self.now);
        if doc.policy().on_stale != OnStale::Rebase {
            let settled = settled(work.request, &view);
            let seen = || sight.revision().short();
            return Ok(settled.ok_or_else(|| stale(work, seen(), doc, Some(drift(sight, doc))))?.into());
        }
        if compaction::asks(self.hook, work.request) {
            // The text is yet to be written: from what stands there now.
            let plan = self.request(work, &View::current(doc, self.now))?;
            return Ok(Based { plan, on_believed: None, is_rebased: true });
        }
        match rebase(work.request, sight.believed(), &view) {
            Ok(rebased) => Ok(Based { plan: rebased.current, on_believed: Some(rebased.seen), is_rebased: true }),
            Err(error) => {
                let refused = || {
                    let drift = (error.code() == Code::Conflict).then(|| drift(sight, doc));
                    MemoryError::Request { document: work.document.clone(), error, drift }
                };
                Ok(settled(work.request, &view).ok_or_else(refused)?.into())
            }
        }
    }

    fn request(&self, work: &Work<'_>, view: &View<'_>) -> Result<Edit, MemoryError> {
        compaction::plan(self.hook, work.request, view).map_err(|error| match error {
            NotPlanned::Refused(error) => refused(work, error),
            NotPlanned::HookFailed(error) => MemoryError::HookFailed { document: work.document.clone(), error },
        })
    }

    /// Makes the commit, with a compaction in it where an edit needs the room.
    fn commit(&self, work: &Work<'_>, planned: &mut Planned) -> Result<(), MemoryError> {
        let is_compaction = work.request.rewrite().is_some();
        if !planned.plan.splices().is_empty() {
            let made = match is_compaction {
                true => Fitted::exactly(&planned.doc, planned.plan.clone(), self.authority),
                false => compaction::commit(self.hook, &planned.doc, planned.plan.clone(), (self.authority, self.now)),
            };
            let document = planned.document.clone();
            let made = made.map_err(|NotFitted { error, compaction }| match compaction {
                Some(compaction) => MemoryError::NoRoom { document, error, compaction },
                None => MemoryError::Edit { document, error },
            })?;
            planned.plan = made.plan;
            planned.commit = Some(made.commit).filter(|made| made.doc != planned.doc);
            planned.report = made.report;
            planned.asked_hook |= made.asked_hook;
        }
        if is_compaction {
            let new = planned.commit.as_ref().map_or(&planned.doc, |commit| &commit.doc);
            planned.report = Some(CompactionReport::new(&planned.doc, new, self.now));
        }
        Ok(())
    }
}

impl Planned {
    /// Returns what a store is to write; `None` if nothing changes.
    pub(super) fn change(&self) -> Option<DocumentChange> {
        let commit = self.commit.as_ref()?;
        let expected = self.exists.then(|| self.doc.revision());
        Some(DocumentChange::new(self.document.clone(), expected, commit.doc.text()))
    }

    /// Returns the name of the document.
    pub(super) const fn document(&self) -> &DocName {
        &self.document
    }

    /// Tells what became of it.
    pub(super) fn finish(self) -> Applied {
        let wants_nothing = self.plan.parts().iter().any(|part| part.status == PartStatus::AlreadyApplied);
        let (status, doc) = match &self.commit {
            Some(commit) => (AppliedStatus::Committed, commit.doc.clone()),
            None if wants_nothing => (AppliedStatus::AlreadyApplied, self.doc),
            None => (AppliedStatus::NoChange, self.doc),
        };
        let Self { document, plan, on_believed, commit, report, .. } = self;
        Applied { document, status, doc, plan: Some(plan), commit, report, on_believed }
    }
}

/// Returns the plan of a stale request all of whose parts find what they ask for there already: a retry after a lost answer
/// is harmless.
fn settled(request: &dyn Request, view: &View<'_>) -> Option<Edit> {
    let plan = request.plan(view).ok()?;
    let is_settled =
        !plan.parts().is_empty() && plan.parts().iter().all(|part| part.status == PartStatus::AlreadyApplied);
    is_settled.then_some(plan)
}

fn refused(work: &Work<'_>, error: RequestError) -> MemoryError {
    MemoryError::Request { document: work.document.clone(), error, drift: None }
}

fn stale(work: &Work<'_>, seen: String, doc: &MemoryDoc, drift: Option<Drift>) -> MemoryError {
    MemoryError::StaleRevision { document: work.document.clone(), seen, current: doc.revision(), drift }
}

fn drift(sight: &Sight, doc: &MemoryDoc) -> Drift {
    Drift { believed: sight.believed().clone(), current: doc.clone() }
}
