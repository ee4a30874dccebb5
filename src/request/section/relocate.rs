//! Moves of sections: beside another section, or below one.

use super::super::{Argument, Refusal, SectionRefusal};
use super::SectionPlace;
use super::place::Place;
use super::resolve::{Resolved, Resolver, Step};
use crate::document::SectionRef;
use crate::edit::PartStatus;
use crate::edit::compose::too_deep;
use crate::locate::Found;

impl<'a> Resolver<'_, 'a> {
    pub(super) fn relocate(&self, section: &str, place: &SectionPlace) -> Result<Resolved<'a>, Refusal> {
        let Found { at: section, healed } = self.find(section)?;
        let place = self.place_for(section, place)?;
        let healed = [healed, place.healed].concat();
        if place.at.section().is_some_and(|named| named.ancestors().any(|around| around == section)) {
            let found = if place.at.section() == Some(section) { "that one itself" } else { "one of its subsections" };
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", found));
        }
        let spot = place.at.spot(self.doc, self.siblings)?;
        let own = section.extent.start()..=section.extent.end();
        if spot.parent == section.parent() && spot.level == section.level && own.contains(&spot.at) {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_free(spot.parent, section.title(), Some(section))?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(SectionRefusal::TooDeep { line }.into()),
            None => Ok(Resolved { healed, step: Step::Move { section, spot } }),
        }
    }

    fn place_for(&self, section: SectionRef<'a>, place: &SectionPlace) -> Result<Found<Place<'a>>, Refusal> {
        let named = |name: &str, place: fn(SectionRef<'a>) -> Place<'a>| Ok(self.find(name)?.map(place));
        match place {
            SectionPlace::Before(name) => named(name, Place::Before),
            SectionPlace::After(name) => named(name, Place::After),
            SectionPlace::FirstUnder(name) => named(name, Place::FirstUnder),
            SectionPlace::LastUnder(name) => named(name, Place::LastUnder),
            SectionPlace::First => Ok(Found::exactly(Place::FirstBeside(section))),
            SectionPlace::Last => Ok(Found::exactly(Place::LastBeside(section))),
        }
    }
}
