//! New sections: where they go, and when they are there already.

use super::super::{Argument, Refusal};
use super::SectionPlace;
use super::place::Place;
use super::resolve::{Resolved, Resolver, Step};
use super::title::{body_of, check_title, same_title, title_of};
use crate::document::SectionRef;
use crate::edit::PartStatus;
use crate::edit::compose::body_lines;
use crate::locate::{Found, Leniency};
use crate::text::Content;

impl<'a> Resolver<'_, 'a> {
    pub(super) fn add(
        &self,
        called: &str,
        lines: &[Content],
        place: Option<&SectionPlace>,
    ) -> Result<Resolved<'a>, Refusal> {
        let called = title_of(called);
        let (above, title) = match self.path_of(called.at) {
            Some((above, title)) => (Some(above), title_of(title).at),
            None => (None, called.at),
        };
        check_title(title)?;
        let body = body_of(title, lines);
        let place = self.place_of_new(above, place)?;
        let spot = place.at.spot(self.doc, self.siblings)?;
        let mut healed: Vec<Leniency> = [called.healed, body.healed, place.healed].concat();
        healed.dedup();
        let existing = self.named_beside(spot.parent, title, None).filter(|section| !(self.is_deleted)(*section));
        let Some(existing) = existing else {
            let step =
                Step::Add { title: title.to_owned(), lines: body.at.into_iter().map(Into::into).collect(), spot };
            return Ok(Resolved { healed, step });
        };
        match is_same(existing, title, &body.at) {
            true => Ok(Resolved { healed, step: Step::Settled(PartStatus::AlreadyApplied) }),
            false => Err(Self::duplicate(existing, title)),
        }
    }

    /// Cuts a path into what is above the new section, and its title; `None` for a title, or one that is there and reads so.
    fn path_of<'t>(&self, called: &'t str) -> Option<(&'t str, &'t str)> {
        let cut = called.rsplit_once(" > ")?;
        (!self.siblings.has_title(called)).then_some(cut)
    }

    /// Finds where a new section goes: below the section `above`, beside another, or at the end.
    fn place_of_new(&self, above: Option<&str>, place: Option<&SectionPlace>) -> Result<Found<Place<'a>>, Refusal> {
        let beside = |name: &str, make: fn(SectionRef<'a>) -> Place<'a>| -> Result<Found<Place<'a>>, Refusal> {
            let found = self.find(name)?;
            Ok(Found { at: make(found.at), healed: found.healed })
        };
        let found = match (place, above) {
            (Some(SectionPlace::Before(name)), _) => beside(name, Place::Before)?,
            (Some(SectionPlace::After(name)), _) => beside(name, Place::After)?,
            (Some(SectionPlace::FirstUnder(name)), _) => beside(name, Place::FirstUnder)?,
            (Some(SectionPlace::LastUnder(name)), _) => beside(name, Place::LastUnder)?,
            (Some(SectionPlace::First), Some(above)) => return beside(above, Place::FirstUnder),
            (_, Some(above)) => return beside(above, Place::LastUnder),
            (Some(SectionPlace::First), None) => return Ok(Found::exactly(Place::Start)),
            (Some(SectionPlace::Last) | None, None) => return Ok(Found::exactly(Place::End)),
        };
        let Some(above) = above else { return Ok(found) };
        let named = self.find(above)?;
        match found.at.spot(self.doc, self.siblings)?.parent == Some(named.at) {
            true => Ok(Found { at: found.at, healed: [found.healed, named.healed].concat() }),
            false => {
                let expected = "a place below the section that the path names";
                Err(Refusal::invalid(Argument::SectionPlace, expected, "one below another"))
            }
        }
    }
}

fn is_same(existing: SectionRef<'_>, title: &str, lines: &[Content]) -> bool {
    let text = |lines: Vec<&str>| lines.join("\n").trim_matches('\n').to_owned();
    let wanted = text(lines.iter().map(Content::as_str).collect());
    same_title(existing.title(), title) && text(body_lines(existing).collect()) == wanted
}
