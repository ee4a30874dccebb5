//! Section operations as parts of a patch: what one of them takes or changes, no other part may count on.

use super::super::Refusal;
use super::super::section::{SectionOp, Step, resolve};
use super::planner::Planner;

pub(super) fn plan(planner: &mut Planner<'_>, number: usize, op: &SectionOp) -> Result<(), Refusal> {
    let resolved = resolve(op, &planner.names, planner.siblings(), &|id| planner.sections.deletes(id))?;
    planner.begin(resolved.part());
    if let Some(neighbor) = op.neighbor().and_then(|name| planner.names.section(name, planner.doc.span()).ok()) {
        planner.neighbors.push((neighbor.at, number));
    }
    match &resolved.step {
        Step::Settled(_) => {
            // Where it is to be it stands already: no other part may take it from there.
            if let SectionOp::Move { section, .. } = op {
                let section = planner.names.section(section, planner.doc.span()).ok();
                planner.append_below(number, section.map(|found| found.at));
            }
        }
        Step::Delete(section) => planner.take(number, section.extent)?,
        Step::Rename { section, parent, title } => {
            planner.claim_title(*parent, title)?;
            planner.note_changed(number, section.line)?;
        }
        Step::Add { title, spot, .. } => {
            planner.claim_title(spot.parent, title)?;
            planner.append_below(number, spot.parent);
        }
        Step::Move { section, spot } => {
            if spot.parent != section.parent() {
                planner.claim_title(spot.parent, section.title())?;
            }
            planner.take(number, section.extent)?;
            planner.append_below(number, spot.parent);
        }
    }
    planner.sections.push(number, resolved.step);
    Ok(())
}
