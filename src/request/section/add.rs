//! New sections: where they go, and when they are there already.

use super::super::{Argument, Refusal};
use super::SectionPlace;
use super::place::{Row, Spot};
use super::resolve::{Resolved, Resolver, Step, duplicate};
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
        let Found { at: spot, healed } = self.place_of_new(above, place.unwrap_or(&SectionPlace::Last))?;
        let mut healed: Vec<Leniency> = [called.healed, body.healed, healed].concat();
        healed.dedup();
        let existing = self.named_beside(spot.parent, title, None).filter(|section| !(self.is_deleted)(*section));
        let Some(existing) = existing else {
            let step =
                Step::Add { title: title.to_owned(), lines: body.at.into_iter().map(Into::into).collect(), spot };
            return Ok(Resolved { healed, step });
        };
        match is_same(existing, title, &body.at) {
            true => Ok(Resolved { healed, step: Step::Settled(PartStatus::AlreadyApplied) }),
            false => Err(duplicate(existing, title)),
        }
    }

    /// Cuts a path into what is above the new section, and its title; `None` for a title, or one that is there and reads so.
    fn path_of<'t>(&self, called: &'t str) -> Option<(&'t str, &'t str)> {
        let cut = called.rsplit_once(" > ")?;
        (!self.siblings.has_title(called)).then_some(cut)
    }

    /// Finds where a new section goes: below the section `above`, beside another, or at the end.
    fn place_of_new(&self, above: Option<&str>, place: &SectionPlace) -> Result<Found<Spot<'a>>, Refusal> {
        let Some(above) = above else { return self.spot(place, Row::of_new(self.siblings)) };
        let above = self.find(above)?;
        let spot = self.spot(place, Row::below(above.at, place, self.siblings))?;
        if spot.at.parent != Some(above.at) {
            let expected = "a place below the section that the path names";
            return Err(Refusal::invalid(Argument::SectionPlace, expected, "one below another"));
        }
        Ok(spot.behind(above.healed))
    }
}

fn is_same(existing: SectionRef<'_>, title: &str, lines: &[Content]) -> bool {
    let text = |lines: Vec<&str>| lines.join("\n").trim_matches('\n').to_owned();
    let wanted = text(lines.iter().map(Content::as_str).collect());
    same_title(existing.title(), title) && text(body_lines(existing).collect()) == wanted
}
