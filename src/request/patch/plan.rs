//! Planning: each part of a patch is planned, and those that fail are explained.

use super::super::{Failure, RequestError};
use super::planner::Planner;
use super::{DocumentPatch, PatchPart, explain, section_plan};
use crate::document::MemoryDoc;
use crate::edit::Edit;

/// How many failing parts are explained.
const EXPLAINED: usize = 5;

/// Plans all parts of a patch of one document.
pub(super) fn plan(patch: &DocumentPatch, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    let mut planner = Planner::new(doc, patch.parts.len());
    let mut failures = Vec::new();
    for (number, part) in patch.parts.iter().enumerate() {
        let planned = match part {
            PatchPart::Hunk(hunk) => planner.hunk(number, hunk).map_err(|miss| explain::miss(&planner, hunk, miss)),
            PatchPart::Section(op) => section_plan::plan(&mut planner, number, op),
        };
        if let Err(refusal) = planned {
            failures.push(Failure::new(number, refusal));
            if failures.len() >= EXPLAINED {
                planner.withhold_help();
            }
        }
    }
    RequestError::from_failures(failures).map_or(Ok(()), Err)?;
    planner.finish(&patch.healed)
}
