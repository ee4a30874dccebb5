//! What an operation on a section means in a document: located and checked, not yet written (SPEC § 7.5).

use std::rc::Rc;

use super::super::Refusal;
use super::siblings::Siblings;
use super::{SectionOp, SectionPlace};
use crate::document::{MemoryDoc, SectionId, heading};
use crate::edit::compose::{Place, body_lines};
use crate::edit::{EditError, Flaw, Part, PartStatus};
use crate::locate::{Found, LocateError, Names, Rung};
use crate::text::Span;

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
        place: Place,
        level: u8,
        parent: Option<SectionId>,
    },
    Delete(SectionId),
    Rename {
        section: SectionId,
        parent: Option<SectionId>,
        title: String,
    },
    Move {
        section: SectionId,
        siblings: Rc<Vec<SectionId>>,
        /// From which index among the siblings, and to which.
        places: (usize, usize),
    },
}

impl Resolved {
    /// Returns the part of the plan.
    pub(crate) fn part(&self) -> Part {
        let status = match &self.step {
            Step::Settled(status) => *status,
            Step::Add { .. } | Step::Delete(_) | Step::Rename { .. } | Step::Move { .. } => PartStatus::Applied,
        };
        Part::new(status).with_healed(self.healed.clone())
    }
}

impl Step {
    /// Returns the title that a section gets, and the parent among whose sections it must be the only one.
    pub(crate) fn given_title(&self) -> Option<(Option<SectionId>, &str)> {
        match self {
            Self::Add { title, parent, .. } | Self::Rename { title, parent, .. } => Some((*parent, title)),
            Self::Settled(_) | Self::Delete(_) | Self::Move { .. } => None,
        }
    }

    /// Returns the lines that are removed or moved away.
    pub(crate) fn taken(&self, doc: &MemoryDoc) -> Option<Span> {
        match self {
            Self::Delete(section) | Self::Move { section, .. } => {
                doc.outline().section(*section).map(|section| section.extent)
            }
            Self::Settled(_) | Self::Add { .. } | Self::Rename { .. } => None,
        }
    }

    /// Returns the line that is changed where it stands.
    pub(crate) fn changed(&self, doc: &MemoryDoc) -> Option<Span> {
        match self {
            Self::Rename { section, .. } => doc.outline().section(*section).map(|section| section.line),
            Self::Settled(_) | Self::Add { .. } | Self::Delete(_) | Self::Move { .. } => None,
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
        SectionOp::Move { section, place } => resolver.reorder(section, place),
    }
}

struct Resolver<'a> {
    doc: &'a MemoryDoc,
    names: &'a Names<'a>,
    siblings: &'a Siblings,
    is_deleted: &'a dyn Fn(SectionId) -> bool,
}

impl Resolver<'_> {
    fn find(&self, name: &str) -> Result<Found<SectionId>, LocateError> {
        self.names.section(name, self.doc.span())
    }

    fn add(&self, title: &str, lines: &[String], place: Option<&SectionPlace>) -> Result<Resolved, Refusal> {
        check_title(title)?;
        let doc = self.doc;
        let (place, healed) = match place {
            Some(SectionPlace::Before(name)) => self.find(name).map(|found| (Place::Before(found.at), found.healed))?,
            Some(SectionPlace::After(name)) => self.find(name).map(|found| (Place::After(found.at), found.healed))?,
            Some(SectionPlace::First | SectionPlace::Last) | None => (Place::End, Vec::new()),
        };
        let (level, parent) = self.siblings.level_at(doc, place);
        let existing = self.named_beside(parent, title, None).filter(|id| !(self.is_deleted)(*id));
        if let Some(existing) = existing {
            let blanks = lines.iter().rev().take_while(|line| line.trim().is_empty()).count();
            let wanted = lines.iter().take(lines.len() - blanks).map(String::as_str);
            let is_same = doc.section_title(existing) == title && body_lines(doc, existing).into_iter().eq(wanted);
            if !is_same {
                return Err(duplicate(doc, existing, title));
            }
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::AlreadyApplied) });
        }
        let at = doc.text().len().saturating_sub(1);
        if place == Place::End
            && doc.outline().is_fenced(at)
            && doc.outline().fences().last().is_some_and(|fence| !fence.is_closed)
        {
            let line = doc.outline().fences().last().map_or(0, |fence| fence.extent.start());
            return Err(EditError::InvalidText(Flaw::OpenFence(doc.line_number(line))).into());
        }
        let step = Step::Add { title: title.to_owned(), lines: lines.to_vec(), place, level, parent };
        Ok(Resolved { healed, step })
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
        check_title(title)?;
        let found = self.find(section)?;
        let doc = self.doc;
        if doc.section_title(found.at) == title {
            return Ok(Resolved { healed: found.healed, step: Step::Settled(PartStatus::NoChange) });
        }
        let parent = doc.outline().section(found.at).and_then(|section| section.parent);
        if let Some(other) = self.named_beside(parent, title, Some(found.at)) {
            return Err(duplicate(doc, other, title));
        }
        let step = Step::Rename { section: found.at, parent, title: title.to_owned() };
        Ok(Resolved { healed: found.healed, step })
    }

    fn reorder(&self, section: &str, place: &SectionPlace) -> Result<Resolved, Refusal> {
        let found = self.find(section)?;
        let siblings = self.siblings.of(self.doc.outline().section(found.at).and_then(|section| section.parent));
        let from = self.siblings.place(found.at).unwrap_or_default();
        let mut healed: Vec<Rung> = found.healed;
        let mut beside = |name: &str| -> Result<usize, Refusal> {
            let other = self.find(name)?;
            healed.extend(other.healed);
            let place = self.siblings.place(other.at).filter(|place| siblings.get(*place) == Some(&other.at));
            place.ok_or_else(|| Refusal::NotASibling { section: section.to_owned(), other: name.to_owned() })
        };
        let last = siblings.len().saturating_sub(1);
        let to = match place {
            SectionPlace::First => 0,
            SectionPlace::Last => last,
            SectionPlace::Before(name) => beside(name).map(|other| if other > from { other - 1 } else { other })?,
            SectionPlace::After(name) => beside(name).map(|other| if other < from { other + 1 } else { other })?,
        };
        let to = to.min(last);
        if to == from {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        check_levels(self.doc, &siblings, (from, to), (section, place))?;
        Ok(Resolved { healed, step: Step::Move { section: found.at, siblings, places: (from, to) } })
    }

    /// Returns the section of `parent`, other than `except`, that has this title. One that passes for a reserved one is the
    /// guard's business.
    fn named_beside(&self, parent: Option<SectionId>, title: &str, except: Option<SectionId>) -> Option<SectionId> {
        let is_reserved = self.doc.rules().reserved_name(title).is_some();
        self.siblings.called(parent, title, except).filter(|_| !is_reserved)
    }
}

/// Refuses a place where the section would become part of another, or another of it: among sections of one parent, none may
/// stand below one of a lower level.
fn check_levels(
    doc: &MemoryDoc,
    siblings: &[SectionId],
    (from, to): (usize, usize),
    (section, place): (&str, &SectionPlace),
) -> Result<(), Refusal> {
    let level =
        |index: usize| siblings.get(index).and_then(|id| doc.outline().section(*id)).map_or(0, |section| section.level);
    let passed = if to < from { to..from } else { from + 1..to + 1 };
    let keeps_parents = passed.into_iter().all(|other| level(other) == level(from));
    let other = match place {
        SectionPlace::Before(name) | SectionPlace::After(name) => name.clone(),
        SectionPlace::First | SectionPlace::Last => {
            siblings.get(to).map(|id| doc.section_title(*id).to_owned()).unwrap_or_default()
        }
    };
    match keeps_parents {
        true => Ok(()),
        false => Err(Refusal::NotASibling { section: section.to_owned(), other }),
    }
}

/// The refusal of a title that a section has already.
fn duplicate(doc: &MemoryDoc, existing: SectionId, title: &str) -> Refusal {
    let line = doc.outline().section(existing).map_or(0, |section| section.line.start());
    Refusal::DuplicateSection { title: title.to_owned(), line: doc.line_number(line) }
}

/// Refuses a title that would not be read back as it is written, or that no one could name.
fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back =
        heading(&line).is_some_and(|heading| line.get(heading.title) == Some(title) && heading.id.is_none());
    match is_read_back && !title.is_empty() && !title.contains(['\n', '\r']) {
        true => Ok(()),
        false => Err(Refusal::InvalidTitle { title: title.to_owned() }),
    }
}
