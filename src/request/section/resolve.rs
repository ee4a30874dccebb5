//! Resolves section operations: finds their sections and places in a document, and checks them. Nothing is written yet.

use std::collections::{HashMap, HashSet};

use super::super::written_lines::section_lines;
use super::super::{Argument, Refusal};
use super::{SectionOp, SectionPlace};
use crate::document::{BulletRef, MemoryDoc, NodeRef, SectionRef, heading};
use crate::edit::compose::{check_open_fence, extent_without_blanks, too_deep};
use crate::edit::{Part, PartStatus, named_lines};
use crate::locate::{Code, Found, Leniency, LocateError, Names};
use crate::text::{Content, Line, Span, excerpt, fold_name, is_blank, normal_name, visible};

/// An operation whose places are found.
pub(crate) struct Resolved<'a> {
    pub(crate) healed: Vec<Leniency>,
    pub(crate) step: Step<'a>,
    /// The text that it needs unchanged: the headings of the sections beside or below which it writes one and, if nothing
    /// is to be written, the lines that show this.
    pub(crate) needed: Vec<Span>,
}

/// The change that an operation makes.
pub(crate) enum Step<'a> {
    /// No change.
    Settled(PartStatus),
    /// No change: the section already is where it is to go.
    Stand(SectionRef<'a>),
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
        let status = match self.step {
            Step::Settled(status) => status,
            Step::Stand(_) => PartStatus::NoChange,
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
    pub(super) fn resolve(&self, op: &SectionOp) -> Result<Resolved<'a>, Refusal> {
        match op {
            SectionOp::Add { title, lines, place } => self.add(title, lines, place.as_ref()),
            SectionOp::Delete { section } => self.delete(section),
            SectionOp::Rename { section, title } => self.rename(section, title),
            SectionOp::Move { section, place } => self.relocate(section, place),
        }
    }

    fn find(&self, name: &str) -> Result<Found<SectionRef<'a>>, LocateError> {
        self.names.section(name, self.doc.span())
    }

    fn delete(&self, section: &str) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        // Pinned bullets in a reserved section are left to the guard, which refuses to delete that section.
        let is_free = |bullet: &BulletRef<'_>| self.doc.reserved_section_at(bullet.line.start()).is_none();
        let pinned = self.doc.bullets_within(found.at.extent).filter(|bullet| bullet.is_pinned()).filter(is_free);
        let lines: Vec<_> = pinned.map(NodeRef::line_number).collect();
        if !lines.is_empty() {
            let why = format!("pinned bullets would be gone: {}", named_lines(&lines));
            return Err(Refusal::impossible(Code::PinnedLost, why));
        }
        Ok(Resolved { healed: found.healed, step: Step::Delete(found.at), needed: Vec::new() })
    }

    fn add(&self, called: &str, lines: &[Content], place: Option<&SectionPlace>) -> Result<Resolved<'a>, Refusal> {
        let called = title_of(called);
        let (above, title) = match self.path_of(called.at) {
            Some((above, title)) => (Some(above), title_of(title).at),
            None => (None, called.at),
        };
        check_title(title)?;
        let sent = if self.doc.heals() { section_lines(lines) } else { Found::exactly(lines.to_vec()) };
        let body = body_of(title, &sent.at);
        let Found { at: spot, healed } = self.place_of_new(above, place.unwrap_or(&SectionPlace::Last(None)))?;
        let mut healed: Vec<Leniency> = [called.healed, body.healed, healed, sent.healed].concat();
        healed.dedup();
        let existing = self.named_beside(spot.parent, title, None).filter(|section| !self.deleted.contains(section));
        let Some(existing) = existing else {
            let step =
                Step::Add { title: title.to_owned(), lines: body.at.iter().map(ToString::to_string).collect(), spot };
            return Ok(Resolved { healed, step, needed: spot.needed() });
        };
        if !is_same(existing, title, &body.at) {
            return Err(duplicate(existing, title));
        }
        // The whole existing section shows that the addition is already applied.
        let needed = [spot.needed(), vec![existing.extent]].concat();
        Ok(Resolved { healed, step: Step::Settled(PartStatus::AlreadyApplied), needed })
    }

    /// Splits a path such as `A > B` into the name of the parent and the new title; `None` if there is no ` > `, or if a
    /// section has the whole text as its title.
    fn path_of<'t>(&self, called: &'t str) -> Option<(&'t str, &'t str)> {
        let cut = called.rsplit_once(" > ")?;
        (!self.siblings.has_title(called)).then_some(cut)
    }

    /// Finds the place of a new section: below the section `above`, beside another one, or at the end.
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
        let Found { at: spot, healed } = self.spot(place, Row::of(section))?.behind(healed);
        if spot.named.is_some_and(|named| named.ancestors().any(|around| around == section)) {
            let found = "that one itself or one of its subsections";
            return Err(Refusal::invalid(Argument::Parent, "a section outside the one that moves", found));
        }
        let own = section.extent.start()..=section.extent.end();
        if spot.parent == section.parent() && spot.level == section.level && own.contains(&spot.at) {
            let needed = [spot.needed(), vec![section.line]].concat();
            return Ok(Resolved { healed, step: Step::Stand(section), needed });
        }
        self.check_free(spot.parent, section.title(), Some(section))?;
        match too_deep(self.doc, section.extent, i16::from(spot.level) - i16::from(section.level)) {
            Some(line) => Err(too_many_levels(line)),
            None => Ok(Resolved { healed, step: Step::Move { section, spot }, needed: spot.needed() }),
        }
    }

    fn rename(&self, section: &str, title: &str) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        let parent = found.at.parent();
        let mut title = title_of(title);
        // The title may be sent as the new path of the section.
        let find = |above: &str| self.names.without_help(|| self.find(above));
        let own = |above: &str| find(above).is_ok_and(|above| Some(above.at) == parent);
        if let Some((_, last)) = title.at.rsplit_once(" > ").filter(|(above, _)| own(above)) {
            title = Found { at: title_of(last).at, healed: vec![Leniency::TitleMarks] };
        }
        check_title(title.at)?;
        let healed = [found.healed, title.healed].concat();
        if found.at.title() == title.at {
            let needed = parent.into_iter().chain([found.at]).map(|section| section.line).collect();
            return Ok(Resolved { healed, step: Step::Settled(PartStatus::NoChange), needed });
        }
        self.check_free(parent, title.at, Some(found.at))?;
        let step = Step::Rename { section: found.at, parent, title: title.at.to_owned() };
        Ok(Resolved { healed, step, needed: Vec::new() })
    }

    /// Refuses a title that another section of `parent` than `except` has.
    fn check_free(
        &self,
        parent: Option<SectionRef<'a>>,
        title: &str,
        except: Option<SectionRef<'a>>,
    ) -> Result<(), Refusal> {
        self.named_beside(parent, title, except).map_or(Ok(()), |other| Err(duplicate(other, title)))
    }

    /// Returns the section of `parent`, other than `except`, that has this title. A title that looks like a reserved one is
    /// left to the guard.
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
    let body = Line::all_within(there, body).map(|line| line.text.of(there)).collect();
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

/// The deepest level of a heading.
const DEEPEST: u8 = 6;

/// A place for a section in a document, with the level and the parent that a section has there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot<'a> {
    /// The start of a line, or the end of the text.
    pub(crate) at: usize,
    /// The level of a section at this place.
    pub(crate) level: u8,
    /// The parent of a section at this place.
    pub(crate) parent: Option<SectionRef<'a>>,
    /// The section by which the request names the place.
    named: Option<SectionRef<'a>>,
}

impl Spot<'_> {
    fn needed(&self) -> Vec<Span> {
        self.parent.into_iter().chain(self.named).map(|section| section.line).collect()
    }
}

/// A row of sibling sections, with their parent and level.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    parent: Option<SectionRef<'a>>,
    level: u8,
}

impl<'a> Row<'a> {
    /// Returns the row that a section is in.
    pub(super) fn of(section: SectionRef<'a>) -> Self {
        Self { parent: section.parent(), level: section.level }
    }

    /// Returns the row below a section. Its level is that of the first child for the first place, else of the last child.
    pub(super) fn below(parent: SectionRef<'a>, place: &SectionPlace, siblings: &Siblings<'a>) -> Self {
        let children = siblings.of(Some(parent));
        let is_first = matches!(place, SectionPlace::First(_));
        let child = if is_first { children.first() } else { children.last() };
        Self { level: child.map_or(parent.level + 1, |child| child.level), parent: Some(parent) }
    }

    /// Returns the row of a new section. If the document has one top-level section, of level 1, that is the parent. Else it
    /// is the row of the last top-level section. Without any section, it has level 2.
    pub(super) fn of_new(siblings: &Siblings<'a>) -> Self {
        match siblings.of(None) {
            [] => Self { level: 2, parent: None },
            [title] if title.level == 1 => {
                let level = siblings.of(Some(*title)).last().map_or(2, |below| below.level);
                Self { level, parent: Some(*title) }
            }
            [.., last] => Self { level: last.level, parent: None },
        }
    }
}

impl<'a> Resolver<'_, 'a> {
    /// Finds a place. A place that names no section is in `row`.
    ///
    /// # Errors
    ///
    /// The section that the place names is not found; a section there would be too deep, or inside of a fence that is not
    /// closed.
    pub(super) fn spot(&self, place: &SectionPlace, row: Row<'a>) -> Result<Found<Spot<'a>>, Refusal> {
        let (named, healed) = match place.name().map(|name| self.find(name)).transpose()? {
            Some(Found { at, healed }) => (Some(at), healed),
            None => (None, Vec::new()),
        };
        let (Row { parent, level }, at) = match (place, named) {
            (SectionPlace::Before(_), Some(section)) => (Row::of(section), section.extent.start()),
            (SectionPlace::After(_), Some(section)) => (Row::of(section), section.extent.end()),
            (_, parent) => {
                let row = parent.map_or(row, |parent| Row::below(parent, place, self.siblings));
                let first = self.siblings.of(row.parent).first().filter(|_| matches!(place, SectionPlace::First(_)));
                let end = || row.parent.map_or(self.doc.text().len(), |parent| parent.extent.end());
                (row, first.map_or_else(end, |first| first.extent.start()))
            }
        };
        check_open_fence(self.doc, at)?;
        match parent.filter(|_| level > DEEPEST) {
            Some(parent) => Err(too_many_levels(parent.line_number())),
            None => Ok(Found { at: Spot { at, level, parent, named }, healed }),
        }
    }
}

/// The sections of a document, indexed by parent and title. Titles are looked up in any letter case.
pub(crate) struct Siblings<'a> {
    by_parent: HashMap<Option<SectionRef<'a>>, Vec<SectionRef<'a>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
    /// All titles, in their own letter case.
    titles: HashSet<String>,
}

impl<'a> Siblings<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let mut by_parent: HashMap<_, Vec<_>> = HashMap::new();
        let mut by_title: HashMap<_, Vec<_>> = HashMap::new();
        for section in doc.sections() {
            by_parent.entry(section.parent()).or_default().push(section);
            by_title.entry((section.parent(), fold_name(section.title()))).or_default().push(section);
        }
        let titles = doc.sections().map(|section| normal_name(section.title())).collect();
        Self { by_parent, by_title, titles }
    }

    /// Returns true if a section has this title, in the same letter case.
    pub(super) fn has_title(&self, title: &str) -> bool {
        self.titles.contains(&normal_name(title))
    }

    /// Returns the sections of a parent, in document order.
    pub(crate) fn of(&self, parent: Option<SectionRef<'a>>) -> &[SectionRef<'a>] {
        self.by_parent.get(&parent).map_or(&[], Vec::as_slice)
    }

    /// Returns the first section of `parent`, other than `except`, that has this title.
    pub(crate) fn called(
        &self,
        parent: Option<SectionRef<'a>>,
        title: &str,
        except: Option<SectionRef<'a>>,
    ) -> Option<SectionRef<'a>> {
        let called = self.by_title.get(&(parent, fold_name(title)))?;
        called.iter().copied().find(|section| Some(*section) != except)
    }
}
