//! Compactions, planned: with a text that the host's compactor has written, if it has one, and of an edit that makes a document
//! too large.
//!
//! What a compactor writes is a candidate of a [`Rewrite`], planned like any other request: it reaches a document only through
//! the gate and the guard.

use std::error::Error;
use std::sync::Arc;

use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Commit, Edit, EditError, Warning};
use crate::locate::Code;
use crate::memory::Compactor;
use crate::memory::plan::Terms;
use crate::request::{BulletOutcome, CompactionReport, Reach, RefusedCandidate, Request, RequestError, Rewrite, View};

/// How often a compactor is asked for one compaction: once, and twice more with what was wrong.
const ASKED: usize = 3;

/// Who writes the text of a compaction that comes without one.
#[derive(Clone, Copy)]
pub(crate) enum Writer<'a> {
    BuiltIn,
    Host(&'a dyn Compactor),
    /// The host's compactor, which must not be asked now.
    NotAsked,
}

/// A compaction with its text.
pub(super) struct Written {
    pub(super) plan: Edit,
    /// The text that the host's compactor wrote.
    pub(super) text: Option<String>,
}

/// Why a compaction has no plan.
#[derive(Debug)]
pub(super) enum Unwritten {
    /// The host's compactor must not be asked now.
    NotAsked,
    /// The compaction is refused, or the last text that was tried.
    Refused(RequestError),
    /// The host's compactor failed.
    HookFailed(Arc<dyn Error + Send + Sync>),
}

/// Plans a compaction that comes without a text.
pub(super) fn written(rewrite: &Rewrite, view: &View<'_>, writer: Writer<'_>) -> Result<Written, Unwritten> {
    let compactor = match writer {
        Writer::BuiltIn => return Ok(Written { plan: rewrite.plan(view).map_err(Unwritten::Refused)?, text: None }),
        Writer::NotAsked => return Err(Unwritten::NotAsked),
        Writer::Host(compactor) => compactor,
    };
    let (mut asked, mut refused) = (0, None);
    loop {
        let brief = rewrite.brief(view, refused).map_err(Unwritten::Refused)?;
        let text = compactor.compact(&brief).map_err(|error| Unwritten::HookFailed(Arc::from(error)))?;
        asked += 1;
        match rewrite.clone().with_candidate(&text).plan(view) {
            Err(error) if asked < ASKED => {
                refused = Some(RefusedCandidate::new(&text, error.code(), error.to_string()));
            }
            planned => return Ok(Written { plan: planned.map_err(Unwritten::Refused)?, text: Some(text) }),
        }
    }
}

/// A commit of what was asked for, and of the compaction that made room for it, if one did.
#[derive(Debug)]
pub(super) struct Fitted {
    pub(super) plan: Edit,
    pub(super) commit: Commit,
    pub(super) report: Option<CompactionReport>,
}

/// Why an edit is not made.
#[derive(Debug)]
pub(super) enum NotFitted {
    /// The guard refuses it.
    Refused(EditError),
    /// It is too large, and the compaction that would have made room for it was refused with this code.
    NoRoom(EditError, Code),
    /// The host's compactor would be asked for room, and must not be now.
    NotAsked,
}

/// Commits `plan`, and compacts its result where the policy says so. What does not help is left out.
pub(super) fn fitted(doc: &MemoryDoc, plan: Edit, terms: &Terms<'_>) -> Result<Fitted, NotFitted> {
    let made = doc.commit(&plan, terms.authority);
    let reach = match (doc.policy().auto_compact, &made) {
        (AutoCompact::Over | AutoCompact::Near, Err(EditError::TooLarge { .. })) => Reach::Hard,
        (AutoCompact::Near, Ok(commit)) if commit.doc.over_soft_limit().is_some() => Reach::Soft,
        _ => return Ok(Fitted { plan, commit: made.map_err(NotFitted::Refused)?, report: None }),
    };
    let large = match &made {
        Ok(commit) => commit.doc.clone(),
        Err(_) => doc.draft(&plan, terms.authority).map_err(NotFitted::Refused)?.doc().clone(),
    };
    let rewrite = Rewrite::on_overflow(&plan, reach);
    let reason = match written(&rewrite, &View::current(&large, terms.now), terms.writer) {
        Ok(Written { plan: compaction, .. }) if compaction.splices().is_empty() => {
            return Ok(Fitted { plan, commit: made.map_err(NotFitted::Refused)?, report: None });
        }
        Ok(Written { plan: compaction, .. }) => {
            match (Growth { doc, large: &large, plan: &plan }).compacted(&compaction, terms) {
                Ok(fitted) => return Ok(fitted),
                Err(error) => error.code(),
            }
        }
        Err(Unwritten::NotAsked) => return Err(NotFitted::NotAsked),
        Err(Unwritten::Refused(error)) => error.code(),
        Err(Unwritten::HookFailed(_)) => Code::HookFailed,
    };
    match made {
        Ok(mut commit) => {
            commit.receipt.warnings.push(Warning::NotCompacted { reason });
            Ok(Fitted { plan, commit, report: None })
        }
        Err(error) => Err(NotFitted::NoRoom(error, reason)),
    }
}

/// A document, and what an edit makes of it that crosses a limit.
struct Growth<'a> {
    doc: &'a MemoryDoc,
    large: &'a MemoryDoc,
    plan: &'a Edit,
}

impl Growth<'_> {
    /// Commits the edit and the compaction of its result as one.
    fn compacted(&self, compaction: &Edit, terms: &Terms<'_>) -> Result<Fitted, EditError> {
        let small = self.large.draft(compaction, terms.authority)?.doc().clone();
        let report = CompactionReport::new(self.large, &small, terms.now);
        let gone = Warning::Compacted {
            merged: report.count(BulletOutcome::Merged),
            gone: report.count(BulletOutcome::Gone),
            expired: report.count(BulletOutcome::Expired),
        };
        let both = Edit::between(self.doc, &small).with_parts_of(self.plan);
        let mut commit = self.doc.commit(&both, terms.authority)?;
        commit.receipt.warnings.push(gone);
        Ok(Fitted { plan: both, commit, report: Some(report) })
    }
}
