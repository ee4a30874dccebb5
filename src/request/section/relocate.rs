//! Moves of sections: among those of the same parent, or to another.

use super::super::Refusal;
use super::SectionPlace;
use super::place::Place;
use super::resolve::{Resolved, Resolver, Step};
use crate::document::SectionId;
use crate::edit::PartStatus;
use crate::edit::compose::{MergeFlaw, too_deep};
use crate::locate::{Fix, Found, Relation};

impl Resolver<'_> {
    pub(super) fn relocate(&self, section: &str, place: &SectionPlace) -> Result<Resolved, Refusal> {
        let found = self.find(section)?;
        let under = match place {
            SectionPlace::FirstUnder(name) => (name, Place::FirstUnder as fn(_) -> _, SectionPlace::First),
            SectionPlace::LastUnder(name) => (name, Place::LastUnder as fn(_) -> _, SectionPlace::Last),
            _ => return self.reorder(section, found, place),
        };
        let (name, make, end) = under;
        let parent = self.find(name)?;
        let found = Found { at: found.at, healed: [found.healed, parent.healed].concat() };
        match self.parent(found.at) == Some(parent.at) {
            true => self.reorder(section, found, &end),
            false => self.transfer(found, parent.at, make(parent.at)),
        }
    }

    fn transfer(&self, found: Found<SectionId>, parent: SectionId, place: Place) -> Result<Resolved, Refusal> {
        let (doc, outline) = (self.doc, self.doc.outline());
        if outline.ancestors(parent).any(|id| id == found.at) {
            return Err(Refusal::InvalidArgument {
                argument: "under",
                expected: "a section outside the one that moves",
                found: if parent == found.at { "that one itself" } else { "one of its subsections" }.into(),
            });
        }
        let spot = place.spot(doc, self.siblings)?;
        let title = doc.section_title(found.at);
        self.check_free(spot.parent, title, None)?;
        let Some(section) = outline.section(found.at) else {
            return Ok(Resolved { healed: found.healed, step: Step::Settled(PartStatus::NoChange) });
        };
        match too_deep(doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(MergeFlaw::TooDeep { line }.into()),
            None => {
                let step = Step::Transfer { section: found.at, title: title.to_owned(), spot };
                Ok(Resolved { healed: found.healed, step })
            }
        }
    }

    fn reorder(&self, section: &str, found: Found<SectionId>, place: &SectionPlace) -> Result<Resolved, Refusal> {
        let siblings = self.siblings.of(self.parent(found.at));
        let from = self.siblings.place(found.at).unwrap_or_default();
        let mut healed = found.healed;
        let mut beside = |name: &str| -> Result<usize, Refusal> {
            let other = self.find(name)?;
            healed.extend(other.healed);
            let place = self.siblings.place(other.at).filter(|place| siblings.get(*place) == Some(&other.at));
            place.ok_or_else(|| Refusal::NotASibling {
                section: section.into(),
                other: name.into(),
                fix: self.under_parent_of(found.at, other.at).map(Box::new),
            })
        };
        let last = siblings.len().saturating_sub(1);
        let to = match place {
            SectionPlace::Before(name) => beside(name).map(|other| if other > from { other - 1 } else { other })?,
            SectionPlace::After(name) => beside(name).map(|other| if other < from { other + 1 } else { other })?,
            SectionPlace::First | SectionPlace::FirstUnder(_) => 0,
            SectionPlace::Last | SectionPlace::LastUnder(_) => last,
        };
        let to = to.min(last);
        if to == from {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_levels(&siblings, (from, to), section)?;
        Ok(Resolved { healed, step: Step::Move { section: found.at, siblings, places: (from, to) } })
    }

    /// Returns the place below the parent of `other`, if `section` can go there.
    fn under_parent_of(&self, section: SectionId, other: SectionId) -> Option<Fix> {
        let parent = self.parent(other)?;
        let found = Found::exactly(section);
        self.transfer(found, parent, Place::LastUnder(parent)).ok()?;
        Some(Fix::Place(Relation::Under, self.doc.unique_section_name(parent)?.into()))
    }

    /// Refuses a place where the section would become part of another, or another of it: among sections of one parent, none
    /// may stand below one of a lower level.
    fn check_levels(&self, siblings: &[SectionId], (from, to): (usize, usize), section: &str) -> Result<(), Refusal> {
        let level = |index: &usize| {
            siblings.get(*index).and_then(|id| self.doc.outline().section(*id)).map_or(0, |section| section.level)
        };
        let passed: Vec<usize> = if to < from { (to..from).rev().collect() } else { (from + 1..=to).collect() };
        let allowed = passed.iter().take_while(|other| level(other) == level(&from)).count();
        let Some(stop) = passed.get(allowed) else { return Ok(()) };
        let name = |index: &usize| siblings.get(*index).map(|id| self.doc.section_name(*id)).unwrap_or_default();
        let relation = if to < from { Relation::Before } else { Relation::After };
        let reached = allowed.checked_sub(1).and_then(|last| passed.get(last)).and_then(|last| siblings.get(*last));
        let fix =
            reached.and_then(|id| self.doc.unique_section_name(*id)).map(|name| Fix::Place(relation, name.into()));
        Err(Refusal::NotASibling { section: section.into(), other: name(stop).into(), fix: fix.map(Box::new) })
    }
}
