//! What an operation on a section means in a document: located and checked, not yet written.

use super::super::{Argument, Refusal};
use super::place::{Row, Siblings, Spot};
use super::{SectionOp, SectionPlace};
use crate::document::{BulletRef, MemoryDoc, SectionRef, heading};
use crate::edit::compose::{body_lines, too_deep};
use crate::edit::{Part, PartStatus};
use crate::locate::{Code, Found, Leniency, LocateError, Names};
use crate::text::{Content, excerpt, is_blank, normal_name, visible};

/// An operation whose places are found.
pub(crate) struct Resolved<'a> {
    pub(crate) healed: Vec<Leniency>,
    pub(crate) step: Step<'a>,
}

/// What is to be written.
pub(crate) enum Step<'a> {
    /// Nothing.
    Settled(PartStatus),
    /// A new section.
    Add {
        title: String,
        lines: Vec<String>,
        spot: Spot<'a>,
    },
    Delete(SectionRef<'a>),
    Rename {
        section: SectionRef<'a>,
        parent: Option<SectionRef<'a>>,
        title: String,
    },
    Move {
        section: SectionRef<'a>,
        spot: Spot<'a>,
    },
}

impl Resolved<'_> {
    /// Returns the part of the plan.
    pub(crate) fn part(&self) -> Part {
        let status = if let Step::Settled(status) = self.step { status } else { PartStatus::Applied };
        Part::new(status).with_healed(self.healed.clone())
    }
}

/// Finds what an operation names, and refuses what cannot be done. A section that `is_deleted` by another part of the request
/// leaves its title to be given again.
pub(crate) fn resolve<'a>(
    op: &SectionOp,
    names: &Names<'a>,
    siblings: &Siblings<'a>,
    is_deleted: &dyn Fn(SectionRef<'a>) -> bool,
) -> Result<Resolved<'a>, Refusal> {
    let resolver = Resolver { doc: names.doc(), names, siblings, is_deleted };
    match op {
        SectionOp::Add { title, lines, place } => resolver.add(title, lines, place.as_ref()),
        SectionOp::Delete { section } => resolver.delete(section),
        SectionOp::Rename { section, title } => resolver.rename(section, title),
        SectionOp::Move { section, place } => resolver.relocate(section, place),
    }
}

pub(super) struct Resolver<'r, 'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) names: &'r Names<'a>,
    pub(super) siblings: &'r Siblings<'a>,
    pub(super) is_deleted: &'r dyn Fn(SectionRef<'a>) -> bool,
}

impl<'a> Resolver<'_, 'a> {
    pub(super) fn find(&self, name: &str) -> Result<Found<SectionRef<'a>>, LocateError> {
        self.names.section(name, self.doc.span())
    }

    fn delete(&self, section: &str) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        // Those of a reserved section cannot be moved away: that it would be gone is said by the check of the result.
        let is_free = |bullet: &BulletRef<'_>| self.doc.reserved_section_at(bullet.line.start()).is_none();
        let pinned = self.doc.bullets_within(found.at.extent).filter(|bullet| bullet.is_pinned()).filter(is_free);
        let lines: Vec<_> = pinned.take(10).map(|bullet| bullet.line_number().to_string()).collect();
        if !lines.is_empty() {
            let what = if lines.len() == 1 { "line" } else { "lines" };
            let why = format!("pinned bullets would be gone: {what} {}", lines.join(", "));
            return Err(Refusal::impossible(Code::PinnedLost, why));
        }
        Ok(Resolved { healed: found.healed, step: Step::Delete(found.at) })
    }

    fn add(&self, called: &str, lines: &[Content], place: Option<&SectionPlace>) -> Result<Resolved<'a>, Refusal> {
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

    fn relocate(&self, section: &str, place: &SectionPlace) -> Result<Resolved<'a>, Refusal> {
        let Found { at: section, healed } = self.find(section)?;
        let named = place.name().map(|name| self.find(name)).transpose()?.map(|named| named.at);
        if named.is_some_and(|named| named.ancestors().any(|around| around == section)) {
            let found = "that one itself or one of its subsections";
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", found));
        }
        let Found { at: spot, healed } = self.spot(place, Row::of(section))?.behind(healed);
        let own = section.extent.start()..=section.extent.end();
        if spot.parent == section.parent() && spot.level == section.level && own.contains(&spot.at) {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_free(spot.parent, section.title(), Some(section))?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(too_many_levels(line)),
            None => Ok(Resolved { healed, step: Step::Move { section, spot } }),
        }
    }

    fn rename(&self, section: &str, title: &str) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        let parent = found.at.parent();
        let mut title = title_of(title);
        // The path that the section then has.
        let find = |above: &str| self.names.without_help(|| self.find(above));
        let own = |above: &str| find(above).is_ok_and(|above| Some(above.at) == parent);
        if let Some((_, last)) = title.at.rsplit_once(" > ").filter(|(above, _)| own(above)) {
            title = Found { at: title_of(last).at, healed: vec![Leniency::TitleMarks] };
        }
        check_title(title.at)?;
        let healed = [found.healed, title.healed].concat();
        if found.at.title() == title.at {
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange) });
        }
        self.check_free(parent, title.at, Some(found.at))?;
        let step = Step::Rename { section: found.at, parent, title: title.at.to_owned() };
        Ok(Resolved { healed, step })
    }

    /// Refuses a title that a section of `parent` has, other than `except`.
    fn check_free(
        &self,
        parent: Option<SectionRef<'a>>,
        title: &str,
        except: Option<SectionRef<'a>>,
    ) -> Result<(), Refusal> {
        self.named_beside(parent, title, except).map_or(Ok(()), |other| Err(duplicate(other, title)))
    }

    /// Returns the section of `parent`, other than `except`, that has this title and stays. One that passes for a reserved one
    /// is the guard's business.
    fn named_beside(
        &self,
        parent: Option<SectionRef<'a>>,
        title: &str,
        except: Option<SectionRef<'a>>,
    ) -> Option<SectionRef<'a>> {
        let is_reserved = self.doc.rules().reserved_name(title).is_some();
        self.siblings.called(parent, title, except).filter(|_| !is_reserved)
    }
}

/// The refusal of a title that a section has already.
pub(crate) fn duplicate(existing: SectionRef<'_>, title: &str) -> Refusal {
    let why = format!("a section `{title}` stands on line {} already", existing.line_number());
    Refusal::impossible(Code::DuplicateSection, why)
}

/// The refusal of a heading that would have more than six levels.
pub(super) fn too_many_levels(line: usize) -> Refusal {
    Refusal::impossible(Code::InvalidText, format!("the heading on line {line} would stand deeper than six levels"))
}

fn is_same(existing: SectionRef<'_>, title: &str, lines: &[Content]) -> bool {
    let text = |lines: Vec<&str>| lines.join("\n").trim_matches('\n').to_owned();
    let wanted = text(lines.iter().map(Content::as_str).collect());
    same_title(existing.title(), title) && text(body_lines(existing).collect()) == wanted
}

/// Reads a title that may be written as a heading, whose level says nothing.
fn title_of(called: &str) -> Found<&str> {
    let called = called.trim();
    let heading = heading(called).filter(|heading| heading.id.is_none());
    match heading.and_then(|heading| called.get(heading.title)).filter(|title| !title.is_empty()) {
        Some(title) => Found { at: title, healed: vec![Leniency::TitleMarks] },
        None => Found { at: called, healed: Vec::new() },
    }
}

/// Reads the lines below a heading: without it, if they begin with it again, without blank lines at their end, and with at most
/// one at their beginning.
fn body_of(title: &str, lines: &[Content]) -> Found<Vec<Content>> {
    let repeats = |line: &Content| {
        let own = heading(line).filter(|heading| heading.id.is_none()).and_then(|heading| line.get(heading.title));
        own.is_some_and(|own| same_title(own, title))
    };
    let text = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    match lines.get(text..).and_then(<[Content]>::split_first).filter(|(first, _)| repeats(first)) {
        Some((_, below)) => Found { at: without_gaps(below), healed: vec![Leniency::TitleMarks] },
        None => Found { at: without_gaps(lines), healed: Vec::new() },
    }
}

fn without_gaps(lines: &[Content]) -> Vec<Content> {
    let start = lines.iter().take_while(|line| is_blank(line)).count();
    let end = lines.len() - lines.iter().rev().take_while(|line| is_blank(line)).count();
    lines.get(start.saturating_sub(1)..end).unwrap_or_default().to_vec()
}

/// Refuses a title that would not be read back as it is written, or that no one could name.
pub(crate) fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back =
        heading(&line).is_some_and(|heading| line.get(heading.title) == Some(title) && heading.id.is_none());
    if is_read_back && !title.is_empty() && !title.contains(['\n', '\r']) {
        return Ok(());
    }
    let why = format!("`{}` cannot be the title of a section", visible(&excerpt(title, 80)));
    Err(Refusal::impossible(Code::InvalidText, why))
}

/// Reports whether two titles are the same, letter case included.
pub(super) fn same_title(a: &str, b: &str) -> bool {
    normal_name(a) == normal_name(b)
}
