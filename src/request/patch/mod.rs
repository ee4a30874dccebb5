//! `patch_memory`: V4A-style patches that are right or refused.
//!
//! [`Patch`] is a patch as data; it prints back as text. Its [`DocumentPatch`]es are requests: every hunk is located against
//! the document as it was seen, in any order, inside the scope that its anchors name.

mod anchor;
mod envelope;
mod hunk;
mod hunk_match;
mod hunk_plan;
mod hunk_write;
mod numbers;
mod parse;
mod plan;
mod planner;
mod print;
mod section_plan;

pub use anchor::Anchor;
pub use hunk::{Hunk, HunkLine, LineOp};
pub use parse::PatchError;

pub use super::section::{SectionOp, SectionPlace};
use super::{Request, RequestError, View};
use crate::edit::Edit;
use crate::locate::Rung;
use crate::text::Content;

/// A patch: what it changes in each document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The documents in the order in which the patch names them, each once.
    pub documents: Vec<DocumentPatch>,
    /// [`Rung::Envelope`] if the patch stood in something that is no part of it.
    pub healed: Vec<Rung>,
}

/// What a patch changes in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentPatch {
    /// The document's name as the patch writes it; `None` for the default document.
    pub document: Option<Content>,
    /// Hunks and section operations, in the patch's order.
    pub parts: Vec<PatchPart>,
    /// The rungs that were needed to read the patch.
    pub healed: Vec<Rung>,
}

impl DocumentPatch {
    /// Notes the rungs that were needed to read the patch, so that the receipt tells of them.
    #[must_use]
    pub fn with_healed(mut self, healed: &[Rung]) -> Self {
        self.healed.extend(healed);
        self
    }
}

/// One part of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchPart {
    /// Lines that are found and changed.
    Hunk(Hunk),
    /// A section that is added, deleted, renamed or moved.
    Section(SectionOp),
}

impl Request for DocumentPatch {
    fn plan(&self, view: &View<'_>) -> Result<Edit, RequestError> {
        plan::plan(self, view.doc)
    }
}
