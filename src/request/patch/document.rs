//! A patch as data.

use super::super::section::SectionOp;
use super::hunk::Hunk;
use crate::locate::Leniency;
use crate::text::Content;

/// A patch: what it changes in each document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The documents in the order in which the patch names them, each once.
    pub documents: Vec<DocumentPatch>,
    /// [`Leniency::Envelope`] if the patch stood in something that is no part of it.
    pub healed: Vec<Leniency>,
}

/// What a patch changes in one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DocumentPatch {
    /// The document's name as the patch writes it; `None` for the default document.
    pub document: Option<Content>,
    /// Hunks and section operations, in the patch's order.
    pub parts: Vec<PatchPart>,
    /// The leniencies that were needed to read the patch.
    pub healed: Vec<Leniency>,
}

impl DocumentPatch {
    /// Notes the leniencies that were needed to read the patch, so that the receipt tells of them.
    #[must_use]
    pub fn with_healed(mut self, healed: &[Leniency]) -> Self {
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
