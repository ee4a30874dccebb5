//! What an operation on a section means in a document: located and checked, not yet written.

use super::super::Refusal;
use super::SectionOp;
use super::place::Spot;
use super::siblings::Siblings;
use super::title::{check_title, title_of};
use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::edit::{Part, PartStatus};
use crate::locate::{Code, Found, Leniency, LocateError, Names};

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

    /// Finds a section; if it is not found, no one is told.
    fn find_unhelped(&self, name: &str) -> Result<Found<SectionRef<'a>>, LocateError> {
        self.names.without_help(|| self.find(name))
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

    fn rename(&self, section: &str, title: &str) -> Result<Resolved<'a>, Refusal> {
        let found = self.find(section)?;
        let parent = found.at.parent();
        let mut title = title_of(title);
        // The path that the section then has.
        let own = |above: &str| self.find_unhelped(above).is_ok_and(|above| Some(above.at) == parent);
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
    pub(super) fn check_free(
        &self,
        parent: Option<SectionRef<'a>>,
        title: &str,
        except: Option<SectionRef<'a>>,
    ) -> Result<(), Refusal> {
        self.named_beside(parent, title, except).map_or(Ok(()), |other| Err(duplicate(other, title)))
    }

    /// Returns the section of `parent`, other than `except`, that has this title and stays. One that passes for a reserved one
    /// is the guard's business.
    pub(super) fn named_beside(
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
pub(in super::super) fn duplicate(existing: SectionRef<'_>, title: &str) -> Refusal {
    let why = format!("a section `{title}` stands on line {} already", existing.line_number());
    Refusal::impossible(Code::DuplicateSection, why)
}

/// The refusal of a heading that would have more than six levels.
pub(super) fn too_deep(line: usize) -> Refusal {
    Refusal::impossible(Code::InvalidText, format!("the heading on line {line} would stand deeper than six levels"))
}
