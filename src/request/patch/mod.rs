//! `patch_memory`: V4A-style patches that are right or refused.
//!
//! [`Patch`] is a patch as data; it prints back as text. Its [`DocumentPatch`]es are requests: every hunk is located against
//! the document as it was seen, in any order, inside the scope that its anchors name.

mod anchor;
mod apart;
mod append;
mod applied;
mod document;
mod envelope;
mod error;
mod explain;
mod hunk;
mod marker;
mod numbers;
mod parse;
mod plain;
mod plan;
mod planner;
mod print;
mod reading;
mod scope;
mod search;
mod section_plan;
mod uses;
mod write;

pub use anchor::Anchor;
pub use document::{DocumentPatch, Patch, PatchPart};
pub use error::PatchError;
pub use hunk::{Hunk, HunkLine, LineOp};

pub use super::section::{SectionOp, SectionPlace};
use super::{Refusal, Request, RequestError, View};
use crate::edit::Edit;

impl Request for DocumentPatch {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        let edit = plan::plan(self, view.doc)?;
        let warning = numbers::warning(view.doc, &edit);
        Ok(edit.with_warning(warning))
    }
}
