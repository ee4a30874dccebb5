//! Places of whole sections: which level and parent a section has there, and where it is written.

use super::super::{Refusal, SectionRefusal};
use super::siblings::Siblings;
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::{EditError, Flaw};

/// The deepest level of a heading.
const DEEPEST: u8 = 6;

/// Where a section is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'a> {
    /// Before this section.
    Before(SectionRef<'a>),
    /// After this section, with its subsections.
    After(SectionRef<'a>),
    /// Before the subsections of this one.
    FirstUnder(SectionRef<'a>),
    /// After the subsections of this one.
    LastUnder(SectionRef<'a>),
    /// Before all others of the parent of this one, which moves.
    FirstBeside(SectionRef<'a>),
    /// After all others of the parent of this one, which moves.
    LastBeside(SectionRef<'a>),
    /// Before all other sections that a new section goes behind by itself.
    Start,
    /// Where new sections go.
    End,
}

/// A place in a document, with all that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot<'a> {
    /// The start of a line, or the end of the text.
    pub(crate) at: usize,
    /// The level of a section there.
    pub(crate) level: u8,
    /// The section that it is a subsection of there.
    pub(crate) parent: Option<SectionRef<'a>>,
}

impl<'a> Place<'a> {
    /// Finds the place in a document.
    ///
    /// # Errors
    ///
    /// A section there would have too many levels, or be part of a code fence that is not closed.
    pub(super) fn spot(self, doc: &'a MemoryDoc, siblings: &Siblings<'a>) -> Result<Spot<'a>, Refusal> {
        let below = |parent: SectionRef<'a>, child: Option<&SectionRef<'a>>| {
            (child.map_or(parent.level + 1, |child| child.level), Some(parent))
        };
        let (level, parent) = match self {
            Self::Before(section) | Self::After(section) => (section.level, section.parent()),
            Self::FirstBeside(section) | Self::LastBeside(section) => (section.level, section.parent()),
            Self::FirstUnder(parent) => below(parent, siblings.of(Some(parent)).first()),
            Self::LastUnder(parent) => below(parent, siblings.of(Some(parent)).last()),
            Self::Start | Self::End => at_end(siblings),
        };
        let at = self.point(doc, siblings);
        let outline = doc.outline();
        let is_inside = |before: &usize| outline.is_fenced(*before);
        let open =
            |before: usize| outline.fences().iter().find(|fence| !fence.is_closed && fence.extent.contains(before));
        if let Some(fence) = at.checked_sub(1).filter(is_inside).and_then(open) {
            return Err(EditError::InvalidText(Flaw::InOpenFence(doc.line_number(fence.extent.start()))).into());
        }
        if let Some(parent) = parent.filter(|_| level > DEEPEST) {
            return Err(SectionRefusal::TooDeep { line: parent.line_number() }.into());
        }
        Ok(Spot { at, level, parent })
    }

    fn point(self, doc: &MemoryDoc, siblings: &Siblings<'a>) -> usize {
        match self {
            Self::Before(section) => section.extent.start(),
            Self::After(section) | Self::LastUnder(section) => section.extent.end(),
            Self::FirstUnder(parent) => {
                siblings.of(Some(parent)).first().map_or(parent.extent.end(), |first| first.extent.start())
            }
            Self::FirstBeside(section) => {
                siblings.of(section.parent()).first().map_or(section.extent.start(), |first| first.extent.start())
            }
            Self::LastBeside(section) => {
                siblings.of(section.parent()).last().map_or(section.extent.start(), |last| last.extent.end())
            }
            Self::Start => {
                let (_, parent) = at_end(siblings);
                siblings.of(parent).first().map_or(doc.text().len(), |first| first.extent.start())
            }
            Self::End => doc.text().len(),
        }
    }

    /// Returns the section that the place names.
    pub(super) const fn section(self) -> Option<SectionRef<'a>> {
        match self {
            Self::Before(section) | Self::After(section) | Self::FirstUnder(section) | Self::LastUnder(section) => {
                Some(section)
            }
            Self::FirstBeside(_) | Self::LastBeside(_) | Self::Start | Self::End => None,
        }
    }
}

/// Returns the level and the parent of a section at the start or the end: those of the last section right below a lone level-1 heading,
/// else of the last top-level section; else it is a section of level 2.
fn at_end<'a>(siblings: &Siblings<'a>) -> (u8, Option<SectionRef<'a>>) {
    match siblings.of(None).as_slice() {
        [] => (2, None),
        [title] if title.level == 1 => (siblings.of(Some(*title)).last().map_or(2, |below| below.level), Some(*title)),
        [.., last] => (last.level, None),
    }
}
