//! Compaction with the host's help: its hook is asked for a text, and told what is wrong with it; an edit that makes a document
//! too large is compacted in the same write.
//!
//! What the hook answers is a candidate of a [`Rewrite`], planned like any other request: it reaches a document only through
//! the gate and the guard.

use std::sync::Arc;

use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Authority, Commit, Edit, EditError, Warning};
use crate::locate::Code;
use crate::request::{
    BulletOutcome, CompactionReport, CompactionRequest, Reach, RefusedCandidate, Request, RequestError, Rewrite, View,
};
use crate::text::Timestamp;

/// How often a hook is asked for one compaction: once, and twice more with what was wrong.
const ASKED: usize = 3;

/// Why a compactor has no text: what the host's model or network said.
pub type CompactorError = Box<dyn std::error::Error + Send + Sync>;

/// Writes shorter texts for a memory: the host's hook, which calls a model. A closure is one, too.
///
/// It is called while no lock is held, and may take its time; what it returns is checked before anything is written.
///
/// # Examples
///
/// ```
/// use memdoc::{Base, Call, CompactionRequest, DocName, BulletOutcome, InMemoryStore, Memory, Policy, Rewrite, Work};
///
/// let store = InMemoryStore::new().with(DocName::memory(), "## Facts\n- Likes tea\n- Likes green tea\n- Has a cat\n");
/// let model = |request: &CompactionRequest| {
///     assert!(request.prompt().contains("- Likes green tea"));
///     Ok("## Facts\n- Likes green tea\n- Has a cat\n".to_owned())
/// };
/// let memory = Memory::new(store, Policy::default()).with_compactor(model);
///
/// let request = Rewrite::new("merge what says the same");
/// let work = [Work::new(DocName::memory(), Base::Any, &request)];
/// let applied = memory.apply(&work, &Call::new("host", "tidy".into()))?;
/// let report = applied[0].report.as_ref().expect("a rewrite is reported");
/// assert_eq!(report.count(BulletOutcome::Kept), 2);
/// # Ok::<(), memdoc::MemoryError>(())
/// ```
pub trait Compactor: Send + Sync {
    /// Returns the new text for what the request is about: the whole document, or the section with its heading.
    ///
    /// # Errors
    ///
    /// There is no text; the call that asked for it is refused with `hook_failed`, and nothing has been changed.
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError>;
}

impl<F> Compactor for F
where
    F: Fn(&CompactionRequest) -> Result<String, CompactorError> + Send + Sync,
{
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        self(request)
    }
}

impl<C: Compactor + ?Sized> Compactor for Arc<C> {
    fn compact(&self, request: &CompactionRequest) -> Result<String, CompactorError> {
        (**self).compact(request)
    }
}

/// Why there is no plan.
#[derive(Debug)]
pub(super) enum NotPlanned {
    /// The request is refused; of a compaction, the last text that was tried.
    Refused(RequestError),
    /// The host's compactor failed.
    HookFailed(CompactorError),
}

/// Reports whether planning a request calls the host's compactor.
pub(super) fn asks(hook: Option<&dyn Compactor>, request: &dyn Request) -> bool {
    hook.is_some() && request.rewrite().is_some_and(|rewrite| rewrite.candidate.is_none())
}

/// Plans a request. A compaction without a text gets one from the hook, if there is one, which is asked again with what was
/// wrong.
pub(super) fn plan(hook: Option<&dyn Compactor>, request: &dyn Request, view: &View<'_>) -> Result<Edit, NotPlanned> {
    let rewrite = request.rewrite().filter(|rewrite| rewrite.candidate.is_none());
    let (Some(hook), Some(rewrite)) = (hook, rewrite) else { return request.plan(view).map_err(NotPlanned::Refused) };
    let mut refused = None;
    for asked in 1.. {
        let brief = rewrite.brief(view, refused.take()).map_err(NotPlanned::Refused)?;
        let candidate = hook.compact(&brief).map_err(NotPlanned::HookFailed)?;
        match rewrite.clone().with_candidate(&*candidate).plan(view) {
            Ok(edit) => return Ok(edit),
            Err(error) if asked == ASKED => return Err(NotPlanned::Refused(error)),
            Err(error) => refused = Some(RefusedCandidate::new(candidate, error.code(), error.to_string())),
        }
    }
    Ok(Edit::nothing(view.doc))
}

/// A commit of what was asked for, and of the compaction that made room for it, if one did.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) plan: Edit,
    pub(super) commit: Commit,
    pub(super) report: Option<CompactionReport>,
    /// Whether the hook was asked for room.
    pub(super) asked_hook: bool,
}

impl Fitted {
    /// Commits `plan` as it is.
    pub(super) fn exactly(doc: &MemoryDoc, plan: Edit, authority: Authority) -> Result<Self, NotFitted> {
        let commit = doc.commit(&plan, authority)?;
        Ok(Self { plan, commit, report: None, asked_hook: false })
    }
}

/// Why an edit was not made.
#[derive(Debug)]
pub(super) struct NotFitted {
    pub(super) error: EditError,
    /// The code of what was wrong with the compaction that would have made room for it, if one was tried.
    pub(super) compaction: Option<Code>,
}

impl From<EditError> for NotFitted {
    fn from(error: EditError) -> Self {
        Self { error, compaction: None }
    }
}

/// Commits `plan`, and compacts its result where the policy says so. What does not help is left out.
pub(super) fn commit(
    hook: Option<&dyn Compactor>,
    doc: &MemoryDoc,
    plan: Edit,
    (authority, now): (Authority, Timestamp),
) -> Result<Fitted, NotFitted> {
    let made = doc.commit(&plan, authority);
    let reach = match (doc.policy().auto_compact, &made) {
        (AutoCompact::Over | AutoCompact::Near, Err(EditError::TooLarge { .. })) => Some(Reach::Hard),
        (AutoCompact::Near, Ok(commit)) if commit.doc.over_soft_limit().is_some() => Some(Reach::Soft),
        _ => None,
    };
    let Some(reach) = reach else {
        return Ok(made.map(|commit| Fitted { plan, commit, report: None, asked_hook: false })?);
    };
    let large = match &made {
        Ok(commit) => commit.doc.clone(),
        Err(_) => doc.draft(&plan, authority)?.doc().clone(),
    };
    match compacted(hook, (doc, &large), &plan, (reach, authority, now)) {
        Ok(fitted) => Ok(fitted),
        Err(code) => match made {
            Ok(mut commit) => {
                commit.receipt.warnings.push(Warning::NotCompacted { reason: code });
                Ok(Fitted { plan, commit, report: None, asked_hook: hook.is_some() })
            }
            Err(error) => Err(NotFitted { error, compaction: Some(code) }),
        },
    }
}

/// Compacts `large`, what `plan` makes of `doc`, and commits both as one; else gives the code of why not.
fn compacted(
    hook: Option<&dyn Compactor>,
    (doc, large): (&MemoryDoc, &MemoryDoc),
    plan: &Edit,
    (reach, authority, now): (Reach, Authority, Timestamp),
) -> Result<Fitted, Code> {
    let rewrite = Rewrite::on_overflow(plan, reach);
    let compaction = self::plan(hook, &rewrite, &View::current(large, now)).map_err(|error| match error {
        NotPlanned::Refused(error) => error.code(),
        NotPlanned::HookFailed(_) => Code::HookFailed,
    })?;
    let small = large.draft(&compaction, authority).map_err(|error| error.code())?.doc().clone();
    let report = CompactionReport::new(large, &small, now);
    let gone = Warning::Compacted {
        merged: report.count(BulletOutcome::Merged),
        dropped: report.count(BulletOutcome::Dropped),
        expired: report.count(BulletOutcome::Expired),
        changed: report.count(BulletOutcome::Changed),
    };
    let both = plan.then(&compaction).with_parts_of(plan);
    let mut commit = doc.commit(&both, authority).map_err(|error| error.code())?;
    commit.receipt.warnings.push(gone);
    Ok(Fitted { plan: both, commit, report: Some(report), asked_hook: hook.is_some() })
}
