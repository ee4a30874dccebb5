//! Compactions, planned: with a text that the host's compactor has written, if it has one, and of an edit that makes a document
//! too large.
//!
//! What a compactor writes is a candidate of a [`Rewrite`], planned like any other request: it reaches a document only through
//! the gate and the guard. Nothing here calls the host: what is to be asked is part of the answer.

use std::error::Error;
use std::sync::Arc;

use super::terms::{ASKED, Terms, Writer};
use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Commit, Edit, EditError, Warning};
use crate::locate::Code;
use crate::request::{
    BulletOutcome, CompactionReport, CompactionRequest, Reach, RefusedCandidate, Request, RequestError, Rewrite, View,
};

/// Why a compaction has no plan.
#[derive(Debug, derive_more::From)]
pub(super) enum Unwritten {
    /// The host's compactor is to be asked first.
    Asks(Box<CompactionRequest>),
    /// The compaction is refused, or the last text that was tried.
    #[from]
    Refused(RequestError),
    /// The host's compactor failed.
    HookFailed(Arc<dyn Error + Send + Sync>),
}

/// Plans a compaction that comes without a text.
pub(super) fn written(rewrite: &Rewrite, view: &View<'_>, writer: Writer<'_>) -> Result<Edit, Unwritten> {
    let asks = |refused| Ok::<_, Unwritten>(Unwritten::Asks(Box::new(rewrite.brief(view, refused)?)));
    let answer = match writer {
        Writer::BuiltIn => return Ok(rewrite.plan(view)?),
        Writer::Host(None) => return Err(asks(None)?),
        Writer::Host(Some(answer)) => answer,
    };
    let text = answer.said.as_ref().map_err(|error| Unwritten::HookFailed(error.clone()))?;
    match rewrite.clone().with_candidate(text).plan(view) {
        Err(error) if answer.asked < ASKED => {
            Err(asks(Some(RefusedCandidate::new(text, error.code(), error.to_string())))?)
        }
        planned => Ok(planned?),
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
#[derive(Debug, derive_more::From)]
pub(super) enum NotFitted {
    /// The guard refuses it.
    #[from]
    Refused(EditError),
    /// It is too large, and the compaction that would have made room for it was refused with this code.
    NoRoom(EditError, Code),
    /// The host's compactor is to be asked for room first.
    Asks(Box<CompactionRequest>),
}

/// Commits `plan`, and compacts its result where the policy says so. What does not help is left out.
pub(super) fn fitted(doc: &MemoryDoc, plan: Edit, terms: &Terms<'_>, writer: Writer<'_>) -> Result<Fitted, NotFitted> {
    let made = doc.commit(&plan, terms.authority);
    let reach = match (doc.policy().auto_compact, &made) {
        (AutoCompact::Over | AutoCompact::Near, Err(EditError::TooLarge { .. })) => Reach::Hard,
        (AutoCompact::Near, Ok(commit)) if commit.doc.over_soft_limit().is_some() => Reach::Soft,
        _ => return Ok(Fitted { plan, commit: made?, report: None }),
    };
    let large = match &made {
        Ok(commit) => commit.doc.clone(),
        Err(_) => doc.draft(&plan, terms.authority)?.doc().clone(),
    };
    let rewrite = Rewrite::on_overflow(&plan, reach);
    let reason = match written(&rewrite, &View::current(&large, terms.now), writer) {
        Ok(compaction) if compaction.splices().is_empty() => {
            return Ok(Fitted { plan, commit: made?, report: None });
        }
        Ok(compaction) => match (Growth { doc, large: &large, plan: &plan }).compacted(&compaction, terms) {
            Ok(fitted) => return Ok(fitted),
            Err(error) => error.code(),
        },
        Err(Unwritten::Asks(brief)) => return Err(NotFitted::Asks(brief)),
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
