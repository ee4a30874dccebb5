//! `patch_memory`: V4A-style patches that are right or refused.
//!
//! [`Patch`] is a patch as data; it prints back as text. Its [`DocumentPatch`]es are requests: every hunk is located against
//! the document as it was seen, in any order, inside the scope that its anchors name.

mod anchor;
mod anchored;
mod apart;
mod document;
mod envelope;
mod error;
mod hunk;
mod hunk_applied;
mod hunk_match;
mod hunk_plan;
mod hunk_write;
mod marker;
mod no_place;
mod numbers;
mod offers;
mod parse;
mod parse_section;
mod parser;
mod plan;
mod planner;
mod print;
mod section_plan;

pub use anchor::Anchor;
pub use document::{DocumentPatch, Patch, PatchPart};
pub use error::PatchError;
pub use hunk::{Hunk, HunkLine, LineOp};

pub use super::section::{SectionOp, SectionPlace};
use super::{Request, RequestError, View};
use crate::edit::Edit;

impl Request for DocumentPatch {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let edit = plan::plan(self, view.doc)?;
        let warning = numbers::warning(view.doc, &edit);
        Ok(edit.with_warning(warning))
    }
}
