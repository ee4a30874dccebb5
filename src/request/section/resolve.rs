//! What an operation on a section means in a document: located and checked, not yet written.

use std::rc::Rc;

use super::super::Refusal;
use super::SectionOp;
use super::place::Spot;
use super::siblings::Siblings;
use super::title::title_of;
use crate::document::{MemoryDoc, SectionId, heading};
use crate::edit::{Part, PartStatus};
use crate::locate::{Found, LocateError, Names, Rung};
use crate::text::{Span, normal_name};

/// An operation whose places are found.
pub(crate) struct Resolved {
    pub(crate) healed: Vec<Rung>,
    pub(crate) step: Step,
}

/// What is to be written.
pub(crate) enum Step {
    /// Nothing.
    Settled(PartStatus),
    /// A new section.
    Add {
        title: String,
        lines: Vec<String>,
        spot: Spot,
    },
    Delete(SectionId),
    Rename {
        section: SectionId,
        parent: Option<SectionId>,
        title: String,
    },
    /// A move among the sections of one parent.
    Move {
        section: SectionId,
        siblings: Rc<Vec<SectionId>>,
        /// From which index among the siblings, and to which.
        places: (usize, usize),
    },
    /// A move to another parent.
    Transfer {
        section: SectionId,
        title: String,
        spot: Spot,
    },
}

impl Resolved {
    /// Returns the part of the plan.
    pub(crate) fn part(&self) -> Part {
        let status = if let Step::Settled(status) = self.step { status } else { PartStatus::Applied };
        Part::new(status).with_healed(self.healed.clone())
    }
}

impl Step {
    /// Returns the title that a section gets, and the parent among whose sections it must be the only one.
    pub(crate) fn given_title(&self) -> Option<(Option<SectionId>, &str)> {
        match self {
            Self::Add { title, spot, .. } | Self::Transfer { title, spot, .. } => Some((spot.parent, title)),
            Self::Rename { title, parent, .. } => Some((*parent, title)),
            Self::Settled(_) | Self::Delete(_) | Self::Move { .. } => None,
        }
    }

    /// Returns the lines that are removed or moved away.
    pub(crate) fn taken(&self, doc: &MemoryDoc) -> Option<Span> {
        match self {
            Self::Delete(section) | Self::Move { section, .. } | Self::Transfer { section, .. } => {
                doc.outline().section(*section).map(|section| section.extent)
            }
            Self::Settled(_) | Self::Add { .. } | Self::Rename { .. } => None,
        }
    }

    /// Returns the section that something is written into, which must stay where it is.
    pub(crate) fn host(&self, doc: &MemoryDoc) -> Option<Span> {
        match self {
            Self::Add { spot, .. } | Self::Transfer { spot, .. } => {
                doc.outline().section(spot.parent?).map(|parent| parent.extent)
            }
            Self::Settled(_) | Self::Delete(_) | Self::Rename { .. } | Self::Move { .. } => None,
        }
    }

    /// Returns the line that is changed where it stands.
    pub(crate) fn changed(&self, doc: &MemoryDoc) -> Option<Span> {
        match self {
            Self::Rename { section, .. } => doc.outline().section(*section).map(|section| section.line),
            _ => None,
        }
    }
}

/// Finds what an operation names, and refuses what cannot be done. A section that `is_deleted` by another part of the request
/// leaves its title to be given again.
pub(crate) fn resolve(
    op: &SectionOp,
    names: &Names<'_>,
    siblings: &Siblings,
    is_deleted: &dyn Fn(SectionId) -> bool,
) -> Result<Resolved, Refusal> {
    let resolver = Resolver { doc: names.doc(), names, siblings, is_deleted };
    match op {
        SectionOp::Add { title, lines, place } => resolver.add(title, lines, place.as_ref()),
        SectionOp::Delete { section } => resolver.delete(section),
        SectionOp::Rename { section, title } => resolver.rename(section, title),
        SectionOp::Move { section, place } => resolver.relocate(section, place),
    }
}

pub(super) struct Resolver<'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) names: &'a Names<'a>,
    pub(super) siblings: &'a Siblings,
    pub(super) is_deleted: &'a dyn Fn(SectionId) -> bool,
}

impl Resolver<'_> {
    pub(super) fn find(&self, name: &str) -> Result<Found<SectionId>, LocateError> {
        self.names.section(name, self.doc.span())
    }

    pub(super) fn parent(&self, id: SectionId) -> Option<SectionId> {
        self.doc.outline().section(id).and_then(|section| section.parent)
    }

    fn delete(&self, section: &str) -> Result<Resolved, Refusal> {
        let found = self.find(section)?;
        let doc = self.doc;
        let extent = doc.outline().section(found.at).map_or(Span::at(0), |section| section.extent);
        let pinned: Vec<_> = doc.outline().bullets_within(extent).filter(|id| doc.is_pinned(*id)).collect();
        if !pinned.is_empty() {
            let start = |id: &_| doc.outline().bullet(*id).map_or(0, |bullet| bullet.line.start());
            let lines = pinned.iter().map(|id| doc.line_number(start(id))).collect();
            return Err(Refusal::PinnedLost { lines });
        }
        Ok(Resolved { healed: found.healed, step: Step::Delete(found.at) })
    }

    fn rename(&self, section: &str, title: &str) -> Result<Resolved, Refusal> {
        let found = self.find(section)?;
        let doc = self.doc;
        let parent = self.parent(found.at);
        let mut title = title_of(title);
        // The path that the section then has.
        let own = |above: &str| self.find(above).is_ok_and(|above| Some(above.at) == parent);
        if let Some((_, last)) = title.at.rsplit_once(" > ").filter(|(above, _)| own(above)) {
            title = Found { at: title_of(last).at, healed: vec![Rung::TitleMarks] };
        }
        check_title(title.at)?;
        let healed = [found.healed, title.healed].concat();
        if doc.section_title(found.at) == title.at {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_free(parent, title.at, Some(found.at))?;
        let step = Step::Rename { section: found.at, parent, title: title.at.to_owned() };
        Ok(Resolved { healed, step })
    }

    /// Refuses a title that a section of `parent` has, other than `except`.
    pub(super) fn check_free(
        &self,
        parent: Option<SectionId>,
        title: &str,
        except: Option<SectionId>,
    ) -> Result<(), Refusal> {
        self.named_beside(parent, title, except).map_or(Ok(()), |other| Err(self.duplicate(other, title)))
    }

    /// Returns the section of `parent`, other than `except`, that has this title and stays. One that passes for a reserved one
    /// is the guard's business.
    pub(super) fn named_beside(
        &self,
        parent: Option<SectionId>,
        title: &str,
        except: Option<SectionId>,
    ) -> Option<SectionId> {
        let is_reserved = self.doc.rules().reserved_name(title).is_some();
        self.siblings.called(parent, title, except).filter(|_| !is_reserved)
    }

    /// The refusal of a title that a section has already.
    pub(super) fn duplicate(&self, existing: SectionId, title: &str) -> Refusal {
        let line = self.doc.outline().section(existing).map_or(0, |section| section.line.start());
        let (line, section) = (self.doc.line_number(line), self.doc.section_name(existing));
        Refusal::DuplicateSection { title: title.into(), line, section: section.into() }
    }
}

/// Refuses a title that would not be read back as it is written, or that no one could name.
pub(super) fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back =
        heading(&line).is_some_and(|heading| line.get(heading.title) == Some(title) && heading.id.is_none());
    match is_read_back && !title.is_empty() && !title.contains(['\n', '\r']) {
        true => Ok(()),
        false => Err(Refusal::InvalidTitle { title: title.into() }),
    }
}

/// Reports whether two titles are the same, letter case included.
pub(super) fn same_title(a: &str, b: &str) -> bool {
    normal_name(a) == normal_name(b)
}
