//! Places of whole sections: which level and parent a section has there, and where it is written.

use super::super::Refusal;
use super::siblings::Siblings;
use crate::document::{MemoryDoc, SectionId};
use crate::edit::compose::{MergeFlaw, extent_without_blanks};
use crate::edit::{EditError, Flaw};

/// The deepest level of a heading.
const DEEPEST: u8 = 6;

/// Where a section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before this section.
    Before(SectionId),
    /// After this section, with its subsections.
    After(SectionId),
    /// Before the subsections of this one.
    FirstUnder(SectionId),
    /// After the subsections of this one.
    LastUnder(SectionId),
    /// Where new sections go.
    End,
}

/// A place in a document, with all that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    /// The start of a line, or the end of the text.
    pub(crate) at: usize,
    /// The level of a section there.
    pub(crate) level: u8,
    /// The section that it is a subsection of there.
    pub(crate) parent: Option<SectionId>,
}

impl Place {
    /// Finds the place in a document.
    ///
    /// # Errors
    ///
    /// A section there would have too many levels, or be part of a code fence that is not closed.
    pub(super) fn spot(self, doc: &MemoryDoc, siblings: &Siblings) -> Result<Spot, Refusal> {
        let outline = doc.outline();
        let of = |id: SectionId| outline.section(id).map_or((2, None), |section| (section.level, section.parent));
        let below = |parent: SectionId, child: Option<&SectionId>| {
            (child.map_or_else(|| of(parent).0 + 1, |child| of(*child).0), Some(parent))
        };
        let (level, parent) = match self {
            Self::Before(id) | Self::After(id) => of(id),
            Self::FirstUnder(parent) => below(parent, siblings.of(Some(parent)).first()),
            Self::LastUnder(parent) => below(parent, siblings.of(Some(parent)).last()),
            Self::End => at_end(doc, siblings),
        };
        let at = self.point(doc, siblings);
        let is_inside = |before: &usize| outline.is_fenced(*before);
        let open =
            |before: usize| outline.fences().iter().find(|fence| !fence.is_closed && fence.extent.contains(before));
        if let Some(fence) = at.checked_sub(1).filter(is_inside).and_then(open) {
            return Err(EditError::InvalidText(Flaw::OpenFence(doc.line_number(fence.extent.start()))).into());
        }
        if let (true, Some(parent)) = (level > DEEPEST, parent.and_then(|parent| outline.section(parent))) {
            return Err(MergeFlaw::TooDeep { line: doc.line_number(parent.line.start()) }.into());
        }
        Ok(Spot { at, level, parent })
    }

    fn point(self, doc: &MemoryDoc, siblings: &Siblings) -> usize {
        let start = |id: SectionId| doc.outline().section(id).map_or(0, |section| section.extent.start());
        match self {
            Self::Before(id) => start(id),
            Self::After(id) | Self::LastUnder(id) => extent_without_blanks(doc, id).end(),
            Self::FirstUnder(id) => siblings
                .of(Some(id))
                .first()
                .map_or_else(|| extent_without_blanks(doc, id).end(), |first| start(*first)),
            Self::End => doc.text().len(),
        }
    }
}

/// Returns the level and the parent of a section at the end: those of the last section right below a lone level-1 heading,
/// else of the last top-level section; else it is a section of level 2.
fn at_end(doc: &MemoryDoc, siblings: &Siblings) -> (u8, Option<SectionId>) {
    let level = |id: SectionId| doc.outline().section(id).map_or(2, |section| section.level);
    match siblings.of(None).as_slice() {
        [] => (2, None),
        [title] if level(*title) == 1 => {
            (siblings.of(Some(*title)).last().map_or(2, |below| level(*below)), Some(*title))
        }
        [.., last] => (level(*last), None),
    }
}
