//! Section operations as parts of a patch: what one of them takes or changes, no other part may count on.

use super::super::Refusal;
use super::super::section::{SectionOp, Step, resolve};
use super::planner::Planner;

pub(super) fn plan(planner: &mut Planner<'_>, number: usize, op: &SectionOp) -> Result<(), Refusal> {
    let resolved = resolve(op, &planner.names, &planner.siblings, &|id| planner.sections.deletes(id))?;
    if let Some((parent, title)) = resolved.step.given_title()
        && !planner.claim_title(parent, title)
    {
        return Err(Refusal::DuplicateTitle { title: title.to_owned() });
    }
    if let Step::Move { from, to, .. } = resolved.step {
        planner.index.spend(16 * to.abs_diff(from))?;
    }
    planner.begin(resolved.part());
    if let Some(extent) = resolved.step.taken() {
        planner.take(number, extent)?;
    }
    if let Some(host) = resolved.step.host() {
        planner.append_to(number, host);
    }
    if let Some(line) = resolved.step.changed() {
        planner.note_changed(number, line)?;
    }
    planner.sections.push(number, resolved.step);
    Ok(())
}
