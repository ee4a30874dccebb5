//! Resolves section operations: finds their sections and places in a document, and checks them. Nothing is written yet.

use std::collections::HashSet;

use super::place::{SectionSpot, SiblingRow, Siblings};
use super::{SectionOp, SectionPlace};
use crate::document::{BulletRef, Case, MemoryDoc, NodeRef, PATH_SEPARATOR, SectionRef, heading};
use crate::edit::compose::{extent_without_blanks, too_deep};
use crate::edit::{Part, PartStatus, named_lines};
use crate::locate::{Code, Found, Leniency, LocateError, Names};
use crate::request::{Argument, Refusal, written_lines::section_lines};
use crate::text::{Content, Line, Span, excerpt, is_blank, normal_name, visible};

/// An operation whose places are found.
pub(crate) struct ResolvedOp<'a> {
    pub(crate) healed: Vec<Leniency>,
    pub(crate) step: Step<'a>,
    /// The text that it needs unchanged: the headings of the sections beside or below which it writes one and, if nothing
    /// is to be written, the lines that show this.
    pub(crate) needed: Vec<Span>,
}

/// The change that an operation makes.
pub(crate) enum Step<'a> {
    /// No change.
    NoChange(PartStatus),
    /// No change: the section already is where it is to go.
    InPlace(SectionRef<'a>),
    /// A new section.
    Add {
        title: String,
        lines: Vec<String>,
        spot: SectionSpot<'a>,
    },
    Delete(SectionRef<'a>),
    Rename {
        section: SectionRef<'a>,
        title: String,
    },
    Move {
        section: SectionRef<'a>,
        spot: SectionSpot<'a>,
    },
}

impl ResolvedOp<'_> {
    /// Returns the text that it changes, but for what it writes between lines.
    pub(crate) fn changed(&self) -> Option<Span> {
        match &self.step {
            Step::Delete(section) | Step::Move { section, .. } => Some(section.extent),
            Step::Rename { section, .. } => Some(section.line),
            Step::Add { .. } | Step::NoChange(_) | Step::InPlace(_) => None,
        }
    }

    /// Returns the part of the plan.
    pub(crate) fn part(&self) -> Part {
        let status = match self.step {
            Step::NoChange(status) => status,
            Step::InPlace(_) => PartStatus::NoChange,
            _ => PartStatus::Applied,
        };
        Part::new(status).with_healed(self.healed.clone())
    }
}

pub(super) struct Resolver<'r, 'a> {
    pub(super) doc: &'a MemoryDoc,
    pub(super) names: &'r Names<'a>,
    pub(super) siblings: &'r Siblings<'a>,
    /// The sections that earlier parts of the request delete.
    pub(super) deleted: &'r HashSet<SectionRef<'a>>,
}

impl<'a> Resolver<'_, 'a> {
    pub(super) fn resolve(&self, op: &SectionOp) -> Result<ResolvedOp<'a>, Refusal> {
        match op {
            SectionOp::Add { title, lines, place } => self.add(title, lines, place.as_ref()),
            SectionOp::Delete { section } => self.delete(section),
            SectionOp::Rename { section, title } => self.rename(section, title),
            SectionOp::Move { section, place } => self.relocate(section, place),
        }
    }

    pub(super) fn find(&self, name: &str) -> Result<Found<SectionRef<'a>>, LocateError> {
        self.names.section(name, self.doc.span())
    }

    fn delete(&self, section: &str) -> Result<ResolvedOp<'a>, Refusal> {
        let found = self.find(section)?;
        // Pinned bullets in a reserved section are left to the guard, which refuses to delete that section.
        let is_free = |bullet: &BulletRef<'_>| self.doc.reserved_section_at(bullet.line.start()).is_none();
        let pinned = self.doc.bullets_within(found.at.extent).filter(|bullet| bullet.is_pinned()).filter(is_free);
        let lines: Vec<_> = pinned.map(NodeRef::line_number).collect();
        if !lines.is_empty() {
            let why = format!("pinned bullets would be gone: {}", named_lines(&lines));
            return Err(Refusal::impossible(Code::PinnedLost, why));
        }
        Ok(ResolvedOp { healed: found.healed, step: Step::Delete(found.at), needed: Vec::new() })
    }

    fn add(&self, called: &str, lines: &[Content], place: Option<&SectionPlace>) -> Result<ResolvedOp<'a>, Refusal> {
        let called = title_of(called);
        let path = self.path_of(called.at).map(|(above, title)| (Some(above), title_of(title).at));
        let (above, title) = path.unwrap_or((None, called.at));
        check_title(title)?;
        let sent = if self.doc.heals() { section_lines(lines) } else { Found::exact(lines.to_vec()) };
        let body = body_of(title, &sent.at);
        let Found { at: spot, healed } = self.place_of_new(above, place.unwrap_or(&SectionPlace::Last(None)))?;
        let mut healed: Vec<Leniency> = [called.healed, body.healed, healed, sent.healed].concat();
        healed.dedup();
        let existing = self.named_beside(spot.parent, title).next().filter(|section| !self.deleted.contains(section));
        let Some(existing) = existing else {
            let step =
                Step::Add { title: title.to_owned(), lines: body.at.iter().map(ToString::to_string).collect(), spot };
            return Ok(ResolvedOp { healed, step, needed: spot.needed() });
        };
        if !is_same(existing, title, &body.at) {
            return Err(duplicate(existing, title));
        }
        // The whole existing section shows that the addition is already applied.
        let needed = [spot.needed(), vec![existing.extent]].concat();
        Ok(ResolvedOp { healed, step: Step::NoChange(PartStatus::AlreadyApplied), needed })
    }

    /// Splits a path such as `A > B` into the name of the parent and the new title; `None` if there is no ` > `, or if a
    /// section has the whole text as its title.
    fn path_of<'t>(&self, called: &'t str) -> Option<(&'t str, &'t str)> {
        let titled = self.doc.sections_named(called, Case::Kept);
        let is_path = !titled.iter().any(|section| same_title(section.title(), called));
        called.rsplit_once(PATH_SEPARATOR).filter(|_| is_path)
    }

    /// Finds the place of a new section: below the section `above`, beside another one, or at the end.
    fn place_of_new(&self, above: Option<&str>, place: &SectionPlace) -> Result<Found<SectionSpot<'a>>, Refusal> {
        let Some(above) = above else { return self.spot(place, SiblingRow::of_new(self.siblings)) };
        let above = self.find(above)?;
        let spot = self.spot(place, SiblingRow::below(above.at, place, self.siblings))?;
        if spot.at.parent != Some(above.at) {
            let expected = "a place below the section that the path names";
            return Err(Refusal::invalid(Argument::SectionPlace, expected, "one below another"));
        }
        Ok(spot.with_earlier(above.healed))
    }

    fn relocate(&self, section: &str, place: &SectionPlace) -> Result<ResolvedOp<'a>, Refusal> {
        let Found { at: section, healed } = self.find(section)?;
        let Found { at: spot, healed } = self.spot(place, SiblingRow::of(section))?.with_earlier(healed);
        if spot.named.is_some_and(|named| named.ancestors().any(|around| around == section)) {
            let found = "that one itself or one of its subsections";
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", found));
        }
        let own = section.extent.start()..=section.extent.end();
        if spot.parent == section.parent() && spot.level == section.level && own.contains(&spot.at) {
            let needed = [spot.needed(), vec![section.line]].concat();
            return Ok(ResolvedOp { healed, step: Step::InPlace(section), needed });
        }
        self.check_free(spot.parent, section.title(), section)?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(too_many_levels(line)),
            None => Ok(ResolvedOp { healed, step: Step::Move { section, spot }, needed: spot.needed() }),
        }
    }

    fn rename(&self, section: &str, title: &str) -> Result<ResolvedOp<'a>, Refusal> {
        let found = self.find(section)?;
        let parent = found.at.parent();
        let mut title = title_of(title);
        // The title may be sent as the new path of the section.
        let find = |above: &str| self.names.without_help(|| self.find(above));
        let own = |above: &str| find(above).is_ok_and(|above| Some(above.at) == parent);
        if let Some((_, last)) = title.at.rsplit_once(PATH_SEPARATOR).filter(|(above, _)| own(above)) {
            title = Found { at: title_of(last).at, healed: vec![Leniency::TitleMarks] };
        }
        check_title(title.at)?;
        let healed = [found.healed, title.healed].concat();
        if found.at.title() == title.at {
            let needed = parent.into_iter().chain([found.at]).map(|section| section.line).collect();
            return Ok(ResolvedOp { healed, step: Step::NoChange(PartStatus::NoChange), needed });
        }
        self.check_free(parent, title.at, found.at)?;
        let step = Step::Rename { section: found.at, title: title.at.to_owned() };
        Ok(ResolvedOp { healed, step, needed: Vec::new() })
    }

    /// Refuses a title that another section of `parent` than `own` has.
    fn check_free(&self, parent: Option<SectionRef<'a>>, title: &str, own: SectionRef<'a>) -> Result<(), Refusal> {
        let other = self.named_beside(parent, title).find(|other| *other != own);
        other.map_or(Ok(()), |other| Err(duplicate(other, title)))
    }

    /// Iterates over the sections of `parent` that have this title. A title that looks like a reserved one is left to the
    /// guard.
    fn named_beside(&self, parent: Option<SectionRef<'a>>, title: &str) -> impl Iterator<Item = SectionRef<'a>> {
        let is_reserved = self.doc.rules().reserved_name(title).is_some();
        self.siblings.called(parent, title).iter().copied().filter(move |_| !is_reserved)
    }
}

/// The refusal of a title that a section has already.
pub(super) fn duplicate(existing: SectionRef<'_>, title: &str) -> Refusal {
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
    let there = existing.doc().text();
    let body = Span::new(existing.body.start(), extent_without_blanks(existing).end());
    let body = Line::texts_within(there, body).collect();
    same_title(existing.title(), title) && text(body) == wanted
}

/// Reads a title that may be sent as a heading, such as `## Facts`. The level of the heading is ignored.
fn title_of(called: &str) -> Found<&str> {
    let called = called.trim();
    let heading = heading(called).filter(|heading| heading.id.is_none());
    match heading.map(|heading| heading.title).filter(|title| !title.is_empty()) {
        Some(title) => Found { at: title, healed: vec![Leniency::TitleMarks] },
        None => Found { at: called, healed: Vec::new() },
    }
}

/// Reads the lines below a heading. If they begin with the same heading, it is dropped. So are blank lines at the end, and
/// all but one at the beginning.
fn body_of(title: &str, lines: &[Content]) -> Found<Vec<Content>> {
    let repeats = |line: &Content| {
        let own = heading(line).filter(|heading| heading.id.is_none()).map(|heading| heading.title);
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

/// Refuses a title that is empty, or that would be read as something else in a heading.
pub(crate) fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back = heading(&line).is_some_and(|heading| heading.title == title && heading.id.is_none());
    if is_read_back && !title.is_empty() && !title.contains(['\n', '\r']) {
        return Ok(());
    }
    let why = format!("`{}` cannot be the title of a section", visible(&excerpt(title, 80)));
    Err(Refusal::impossible(Code::InvalidText, why))
}

/// Returns true if two titles are the same, in the same letter case.
pub(super) fn same_title(a: &str, b: &str) -> bool {
    normal_name(a) == normal_name(b)
}
