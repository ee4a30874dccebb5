//! Plans compactions: those that a rewrite asks for, with a text by the host's compactor; and those that make room in a
//! document that an edit makes too large.
//!
//! What a compactor writes is a candidate of a [`Rewrite`], planned like any other request: it reaches a document only through
//! the gate and the guard.

use crate::document::{AutoCompact, MemoryDoc};
use crate::edit::{Edit, EditError, Warning, line_after, line_changes};
use crate::locate::Code;
use crate::memory::plan::OperationPlanner;
use crate::memory::{Applied, DocName, Memory, MemoryError, Origin};
use crate::request::{CompactionReport, Goal, RefusedCandidate, Request, Rewrite, View};

/// How often a compactor is asked for one compaction: once, and twice more with the reason of the refusal.
const MOST_ATTEMPTS: usize = 3;

impl Memory {
    /// Returns `rewrite` with a text by the host's compactor as its candidate; `None` if it has a text already, or the
    /// host has no compactor: then the built-in one writes the text when the rewrite is planned. A text that is refused
    /// is given back to the compactor with the reason; it is asked at most three times.
    ///
    /// # Errors
    ///
    /// The last text that was tried is refused; the host's compactor failed, or `origin` is that of a trial.
    pub(crate) fn with_candidate(
        &self,
        document: &DocName,
        rewrite: &Rewrite,
        view: &View<'_>,
        origin: &Origin,
    ) -> Result<Option<Rewrite>, MemoryError> {
        let of_host = self.compactor.as_deref().filter(|_| rewrite.candidate.is_none());
        let Some(compactor) = of_host else { return Ok(None) };
        if origin.is_trial {
            let why = "the compactor is asked only where something is committed";
            return Err(MemoryError::refused_in(document, Code::HookFailed, why));
        }
        let refused = |error| MemoryError::Request { document: document.clone(), error };
        let (mut attempts, mut last) = (0, None);
        loop {
            let brief = rewrite.brief(view, last).map_err(refused)?;
            let failed = |error| {
                let why = format!("the compactor failed: {error}");
                MemoryError::refused_in(document, Code::HookFailed, why)
            };
            let text = compactor.compact(&brief).map_err(failed)?;
            attempts += 1;
            let written = rewrite.clone().with_candidate(&text);
            match written.plan(view) {
                Ok(_) => return Ok(Some(written)),
                Err(error) if attempts == MOST_ATTEMPTS => return Err(refused(error)),
                Err(error) => last = Some(RefusedCandidate::new(&text, error.code(), error.to_string())),
            }
        }
    }
}

impl OperationPlanner<'_> {
    /// Commits `plan`, together with a compaction of its result if the policy says so. A compaction that is refused, or
    /// changes nothing, is left out.
    ///
    /// # Errors
    ///
    /// The guard refuses it; or it is too large, and the compaction that would have made room for it was refused.
    pub(super) fn make_with_room(&self, plan: Edit) -> Result<Applied, MemoryError> {
        let committed = self.doc.commit(&plan, self.origin.authority);
        let goal = match (self.doc.policy().auto_compact, &committed) {
            (AutoCompact::Over | AutoCompact::Near, Err(EditError::TooLarge { .. })) => Some(Goal::Hard),
            (AutoCompact::Near, Ok(commit)) if commit.doc.over_soft_limit().is_some() => Some(Goal::Soft),
            _ => None,
        };
        match goal.and_then(|goal| self.make_compacted(&plan, goal)) {
            Some(compacted) => Ok(compacted),
            None => Ok(self.result_of(plan, Some(committed.map_err(|error| self.forbidden(error))?))),
        }
    }

    /// Commits an edit and a compaction of its result as one; `None` if there is nothing to compact, or the compacted
    /// text is refused.
    fn make_compacted(&self, plan: &Edit, goal: Goal) -> Option<Applied> {
        let (doc, authority) = (self.doc, self.origin.authority);
        let large = doc.draft(plan, authority).ok()?.doc().clone();
        let small = self.compacted(&large, &Rewrite::on_overflow(plan, goal))?;
        let both = Edit::between(doc, &small).with_parts(plan.parts().to_vec());
        let mut commit = doc.commit(&both, authority).ok()?;
        let why = "the document had outgrown its limit and was compacted in the same write; `report` tells what went";
        commit.receipt.warnings.push(Warning::new("compacted", why));
        let report = with_lines_of(doc, &large, CompactionReport::new(&large, &small, self.now));
        Some(Applied { report: Some(report), ..self.result_of(both, Some(commit)) })
    }

    /// Returns a document after `rewrite`; `None` if that is refused, or changes nothing.
    fn compacted(&self, large: &MemoryDoc, rewrite: &Rewrite) -> Option<MemoryDoc> {
        let view = View::current(large, self.now);
        let written = self.memory.with_candidate(self.document, rewrite, &view, self.origin).ok()?;
        let compaction = written.as_ref().unwrap_or(rewrite).plan(&view).ok()?;
        let draft = large.draft(&compaction, self.origin.authority).ok()?;
        (!compaction.splices().is_empty()).then(|| draft.doc().clone())
    }
}

/// Returns the report of a compaction of `large` with the line numbers of `doc`, the document before the edit: nobody has
/// seen `large`.
fn with_lines_of(doc: &MemoryDoc, large: &MemoryDoc, mut report: CompactionReport) -> CompactionReport {
    let changes = line_changes(large, doc, &Edit::between(large, doc));
    let before = |number: usize| line_after(&changes, number.checked_sub(1)?).map(|index| index + 1);
    report.bullets.iter_mut().for_each(|bullet| bullet.line = bullet.line.and_then(before));
    report.other_lines = report.other_lines.into_iter().filter_map(before).collect();
    report
}
