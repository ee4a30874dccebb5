//! Moves of sections: beside another section, or below one.

use super::super::{Argument, Refusal};
use super::SectionPlace;
use super::place::Row;
use super::resolve::{self, Resolved, Resolver, Step};
use crate::edit::PartStatus;
use crate::edit::compose::too_deep;
use crate::locate::Found;

impl<'a> Resolver<'_, 'a> {
    pub(super) fn relocate(&self, section: &str, place: &SectionPlace) -> Result<Resolved<'a>, Refusal> {
        let Found { at: section, healed } = self.find(section)?;
        let named = place.name().map(|name| self.find(name)).transpose()?.map(|named| named.at);
        if named.is_some_and(|named| named.ancestors().any(|around| around == section)) {
            let found = if named == Some(section) { "that one itself" } else { "one of its subsections" };
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", found));
        }
        let Found { at: spot, healed } = self.spot(place, Row::of(section))?.behind(healed);
        let own = section.extent.start()..=section.extent.end();
        if spot.parent == section.parent() && spot.level == section.level && own.contains(&spot.at) {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_free(spot.parent, section.title(), Some(section))?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(resolve::too_deep(line)),
            None => Ok(Resolved { healed, step: Step::Move { section, spot } }),
        }
    }
}
