//! Compactions, planned: with a text that the host's compactor has written, if it has one, and of an edit that makes a document
//! too large.
//!
//! What a compactor writes is a candidate of a [`Rewrite`], planned like any other request: it reaches a document only through
//! the gate and the guard.

use std::sync::Arc;

use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Commit, Edit, EditError, Warning};
use crate::memory::plan::Terms;
use crate::memory::{Compactor, CompactorError, DocName, MemoryError};
use crate::request::{
    BulletOutcome, CompactionReport, CompactionRequest, Reach, RefusedCandidate, Request, Rewrite, View,
};

/// How often a compactor is asked for one compaction: once, and twice more with what was wrong.
const ASKED: usize = 3;

/// Stands for the host's compactor where a call is only tried: it must not be asked.
pub(super) fn not_asked(_: &CompactionRequest) -> Result<String, CompactorError> {
    Err("the compactor is asked only where something is committed".into())
}

/// A compaction with its text.
pub(super) struct Written {
    pub(super) plan: Edit,
    /// The text that the host's compactor wrote.
    pub(super) text: Option<String>,
}

/// Plans a compaction that comes without a text, which the host's compactor writes, if it has one.
///
/// # Errors
///
/// The compaction is refused, or the last text that was tried; the host's compactor failed.
pub(super) fn written(
    document: &DocName,
    rewrite: &Rewrite,
    view: &View<'_>,
    compactor: Option<&dyn Compactor>,
) -> Result<Written, MemoryError> {
    let refused = |error| MemoryError::Request { document: document.clone(), error };
    let Some(compactor) = compactor else {
        return Ok(Written { plan: rewrite.plan(view).map_err(refused)?, text: None });
    };
    let (mut asked, mut last) = (0, None);
    loop {
        let brief = rewrite.brief(view, last).map_err(refused)?;
        let text = compactor
            .compact(&brief)
            .map_err(|error| MemoryError::HookFailed { document: document.clone(), error: Arc::from(error) })?;
        asked += 1;
        match rewrite.clone().with_candidate(&text).plan(view) {
            Err(error) if asked < ASKED => {
                last = Some(RefusedCandidate::new(&text, error.code(), error.to_string()));
            }
            planned => return Ok(Written { plan: planned.map_err(refused)?, text: Some(text) }),
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

/// Commits `plan`, and compacts its result where the policy says so. What does not help is left out.
///
/// # Errors
///
/// The guard refuses it; or it is too large, and the compaction that would have made room for it was refused.
pub(super) fn fitted(
    document: &DocName,
    doc: &MemoryDoc,
    plan: Edit,
    terms: &Terms<'_>,
) -> Result<Fitted, MemoryError> {
    let refused = |error| MemoryError::Edit { document: document.clone(), error };
    let made = doc.commit(&plan, terms.authority);
    let reach = match (doc.policy().auto_compact, &made) {
        (AutoCompact::Over | AutoCompact::Near, Err(EditError::TooLarge { .. })) => Reach::Hard,
        (AutoCompact::Near, Ok(commit)) if commit.doc.over_soft_limit().is_some() => Reach::Soft,
        _ => return Ok(Fitted { plan, commit: made.map_err(refused)?, report: None }),
    };
    let large = match &made {
        Ok(commit) => commit.doc.clone(),
        Err(_) => doc.draft(&plan, terms.authority).map_err(refused)?.doc().clone(),
    };
    let rewrite = Rewrite::on_overflow(&plan, reach);
    let reason = match written(document, &rewrite, &View::current(&large, terms.now), terms.compactor) {
        Ok(Written { plan: compaction, .. }) if compaction.splices().is_empty() => {
            return Ok(Fitted { plan, commit: made.map_err(refused)?, report: None });
        }
        Ok(Written { plan: compaction, .. }) => {
            match (Growth { doc, large: &large, plan: &plan }).compacted(&compaction, terms) {
                Ok(fitted) => return Ok(fitted),
                Err(error) => error.code(),
            }
        }
        Err(error) => error.code(),
    };
    match made {
        Ok(mut commit) => {
            commit.receipt.warnings.push(Warning::NotCompacted { reason });
            Ok(Fitted { plan, commit, report: None })
        }
        Err(error) => Err(MemoryError::NoRoom { document: document.clone(), error, compaction: reason }),
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
