//! `patch_memory`: V4A-style patches. A patch that is not clear is refused.
//!
//! [`Patch`] is a parsed patch. Its [`DocumentPatch`]es are requests. Each hunk is located in the document as it was seen,
//! in the scope that its anchors name. Hunks may be in any order.

mod anchor;
mod explain;
mod hunk;
mod parse;
mod planner;
mod search;
mod write;

pub use anchor::Anchor;
pub use hunk::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart};
pub use parse::PatchError;
pub(crate) use parse::plain;

pub use super::section::{SectionOp, SectionPlace};
use super::{Failure, Refusal, Request, RequestError, View};
use crate::edit::Edit;
use crate::edit::compose::with_numbering;
use crate::locate::HELPED;

use planner::Planner;

impl Request for DocumentPatch {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let mut planner = Planner::new(view);
        let mut failures = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let planned = match part {
                PatchPart::Hunk(hunk) => planner.hunk(number, hunk),
                PatchPart::Section(op) => planner.section(number, op),
            };
            failures.extend(planned.err().map(|refusal| Failure::new(number, refusal)));
            planner.names.helps.set(failures.len() < HELPED);
        }
        failures.extend(planner.overlaps());
        RequestError::from_failures(failures).map_or(Ok(()), Err)?;
        Ok(with_numbering(view.doc, planner.finish(&self.healed)?))
    }
}
