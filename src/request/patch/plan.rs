//! Planning: every hunk and section operation is located against the document as it was seen, then composed.

use super::super::{Failure, Refusal, RequestError};
use super::apart::explained;
use super::planner::Planner;
use super::{DocumentPatch, Hunk, PatchPart, hunk_plan, section_plan};
use crate::document::MemoryDoc;
use crate::edit::{Authority, Edit};
use crate::locate::LocateError;

/// Plans all parts of a patch of one document, whatever becomes of the numbers of its lists.
pub(super) fn plan(patch: &DocumentPatch, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    planned(patch, doc).map_err(|error| explained(patch, error))
}

fn planned(patch: &DocumentPatch, doc: &MemoryDoc) -> Result<Edit, RequestError> {
    let mut planner = Planner::new(patch, doc, makes_edit);
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

/// Reports whether a hunk, alone, makes an edit that would be committed.
fn makes_edit(doc: &MemoryDoc, hunk: Hunk) -> bool {
    let patch = DocumentPatch { parts: vec![PatchPart::Hunk(hunk)], ..DocumentPatch::default() };
    let [PatchPart::Hunk(hunk)] = patch.parts.as_slice() else { return false };
    let mut planner = Planner::new(&patch, doc, makes_edit);
    planner.withhold_help();
    if hunk_plan::plan(&mut planner, 0, hunk).is_err() {
        return false;
    }
    let is_made = |edit| doc.draft(&edit, Authority::Agent).is_ok() && !edit.splices().is_empty();
    planner.finish(&[]).is_ok_and(is_made)
}
