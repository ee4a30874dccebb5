//! Planning: every hunk and section operation is located against the document as it was seen, then composed.

use super::super::{Failure, Refusal, RequestError};
use super::apart::explained;
use super::planner::Planner;
use super::{DocumentPatch, PatchPart, hunk_plan, section_plan};
use crate::document::MemoryDoc;
use crate::edit::Edit;
use crate::locate::LocateError;

/// Plans all parts of a patch of one document, whatever becomes of the numbers of its lists.
pub(super) fn plan(patch: &DocumentPatch, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    planned(patch, doc).map_err(|error| explained(patch, error))
}

fn planned(patch: &DocumentPatch, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    let mut planner = Planner::new(patch, doc);
    let mut failures = Vec::new();
    for (number, part) in patch.parts.iter().enumerate() {
        let planned = match part {
            PatchPart::Hunk(hunk) => hunk_plan::plan(&mut planner, number, hunk),
            PatchPart::Section(op) => section_plan::plan(&mut planner, number, op),
        };
        if let Err(refusal) = planned {
            let refusal = match refusal {
                Refusal::Locate(LocateError::TooCostly) => Refusal::TooCostly,
                refusal => refusal,
            };
            failures.push(Failure::new(number, refusal));
            planner.note_failure();
        }
    }
    RequestError::from_failures(failures).map_or(Ok(()), Err)?;
    planner.finish(&patch.healed)
}
