//! Moves of sections: among those of the same parent, or to another.

use super::super::{Argument, Refusal, SectionRefusal};
use super::SectionPlace;
use super::place::Place;
use super::resolve::{Resolved, Resolver, Step};
use crate::document::SectionRef;
use crate::edit::compose::too_deep;
use crate::edit::{EditError, Flaw, PartStatus};
use crate::locate::{Fix, Found, Relation};

impl<'a> Resolver<'_, 'a> {
    pub(super) fn relocate(&self, section: &str, place: &SectionPlace) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        let under = match place {
            SectionPlace::FirstUnder(name) => (name, Place::FirstUnder as fn(_) -> _, SectionPlace::First),
            SectionPlace::LastUnder(name) => (name, Place::LastUnder as fn(_) -> _, SectionPlace::Last),
            _ => return self.reorder(section, found, place),
        };
        let (name, make, end) = under;
        let parent = self.find(name)?;
        let found = Found { at: found.at, healed: [found.healed, parent.healed].concat() };
        match found.at.parent() == Some(parent.at) {
            true => self.reorder(section, found, &end),
            false => self.transfer(found, parent.at, make(parent.at)),
        }
    }

    fn transfer(
        &self,
        found: Found<SectionRef<'a>>,
        parent: SectionRef<'a>,
        place: Place<'a>,
    ) -> Result<Resolved<'a>, Refusal> {
        if parent.ancestors().any(|around| around == found.at) {
            let inside = if parent == found.at { "that one itself" } else { "one of its subsections" };
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", inside));
        }
        let spot = place.spot(self.doc, self.siblings)?;
        let section = found.at;
        self.check_free(spot.parent, section.title(), None)?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(SectionRefusal::TooDeep { line }.into()),
            None => Ok(Resolved { healed: found.healed, step: Step::Transfer { section, spot } }),
        }
    }

    fn reorder(
        &self,
        section: &str,
        found: Found<SectionRef<'a>>,
        place: &SectionPlace,
    ) -> Result<Resolved<'a>, Refusal> {
        let siblings = self.siblings.of(found.at.parent());
        let place_of = |section: SectionRef<'a>| siblings.binary_search(&section).ok();
        let from = place_of(found.at).unwrap_or_default();
        let mut healed = found.healed;
        let mut beside = |name: &str| -> Result<usize, Refusal> {
            let other = self.find(name)?;
            healed.extend(other.healed);
            place_of(other.at).ok_or_else(|| {
                let fix = self.under_parent_of(found.at, other.at).map(Box::new);
                SectionRefusal::NotASibling { section: section.into(), other: name.into(), fix }.into()
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
        check_levels(&siblings, from, to, section)?;
        self.check_open_end(siblings.get(from.min(to)..=from.max(to)).unwrap_or_default())?;
        Ok(Resolved { healed, step: Step::Move { section: found.at, siblings, from, to } })
    }

    /// Refuses to put one section behind another whose code fence is not closed: it would be part of it.
    fn check_open_end(&self, sections: &[SectionRef<'a>]) -> Result<(), Refusal> {
        let ends_open = |section: &SectionRef<'a>| {
            let fence = self.doc.outline().fences().last().filter(|fence| !fence.is_closed)?;
            let is_last = fence.extent.end() == self.doc.text().len() && section.extent.covers(fence.extent);
            is_last.then(|| EditError::InvalidText(Flaw::InOpenFence(self.doc.line_number(fence.extent.start()))))
        };
        sections.iter().find_map(ends_open).map_or(Ok(()), |error| Err(error.into()))
    }

    /// Returns the place below the parent of `other`, if `section` can go there.
    fn under_parent_of(&self, section: SectionRef<'a>, other: SectionRef<'a>) -> Option<Fix> {
        let parent = other.parent()?;
        let found = Found::exactly(section);
        self.transfer(found, parent, Place::LastUnder(parent)).ok()?;
        Some(Fix::Place(Relation::Under, parent.asked_name()?.into()))
    }
}

/// Refuses a place where the section would become part of another, or another of it: among sections of one parent, none may
/// stand below one of a lower level.
fn check_levels(siblings: &[SectionRef<'_>], from: usize, to: usize, section: &str) -> Result<(), Refusal> {
    let mut passed: Vec<_> = siblings.get(from.min(to)..=from.max(to)).unwrap_or_default().to_vec();
    if to < from {
        passed.reverse();
    }
    // The section itself comes first.
    let Some((own, passed)) = passed.split_first() else { return Ok(()) };
    let allowed = passed.iter().take_while(|other| other.level == own.level).count();
    let Some(stop) = passed.get(allowed) else { return Ok(()) };
    let relation = if to < from { Relation::Before } else { Relation::After };
    let reached = allowed.checked_sub(1).and_then(|last| passed.get(last));
    let fix = reached.and_then(|reached| reached.asked_name()).map(|name| Box::new(Fix::Place(relation, name.into())));
    Err(SectionRefusal::NotASibling { section: section.into(), other: stop.name().into(), fix }.into())
}
