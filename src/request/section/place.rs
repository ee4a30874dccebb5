//! Places of whole sections: which level and parent a section has there, where it is written, and among which others.

use std::collections::{HashMap, HashSet};

use super::super::Refusal;
use super::SectionPlace;
use super::resolve::{Resolver, too_many_levels};
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::compose::check_open_fence;
use crate::locate::Found;
use crate::text::{fold_name, normal_name};

/// The deepest level of a heading.
const DEEPEST: u8 = 6;

/// A place in a document, with all that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot<'a> {
    /// The start of a line, or the end of the text.
    pub(crate) at: usize,
    /// The level of a section there.
    pub(crate) level: u8,
    /// The section that it is a subsection of there.
    pub(crate) parent: Option<SectionRef<'a>>,
}

/// The sections of one parent and level, among which one goes.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    parent: Option<SectionRef<'a>>,
    level: u8,
}

impl<'a> Row<'a> {
    /// Returns the row that a section stands in.
    pub(super) fn of(section: SectionRef<'a>) -> Self {
        Self { parent: section.parent(), level: section.level }
    }

    /// Returns the row below a section: that of its first child for the first place, else that of its last.
    pub(super) fn below(parent: SectionRef<'a>, place: &SectionPlace, siblings: &Siblings<'a>) -> Self {
        let children = siblings.of(Some(parent));
        let is_first = matches!(place, SectionPlace::First | SectionPlace::FirstUnder(_));
        let child = if is_first { children.first() } else { children.last() };
        Self { level: child.map_or(parent.level + 1, |child| child.level), parent: Some(parent) }
    }

    /// Returns the row of a new section: that of the last section right below a lone level-1 heading, else of the last top-level
    /// section; else it is one of level 2.
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
    /// Finds a place; one that names no section is in `row`.
    ///
    /// # Errors
    ///
    /// The section that it names is not found; a section there would have too many levels, or be part of a fence that is not
    /// closed.
    pub(super) fn spot(&self, place: &SectionPlace, row: Row<'a>) -> Result<Found<Spot<'a>>, Refusal> {
        let named = place.name().map(|name| self.find(name)).transpose()?;
        let (row, beside) = match (&named, place) {
            (None, _) => (row, None),
            (Some(parent), SectionPlace::FirstUnder(_) | SectionPlace::LastUnder(_)) => {
                (Row::below(parent.at, place, self.siblings), None)
            }
            (Some(section), _) => (Row::of(section.at), Some(section.at.extent)),
        };
        let end = row.parent.map_or(self.doc.text().len(), |parent| parent.extent.end());
        let at = match (beside, place) {
            (Some(beside), SectionPlace::Before(_)) => beside.start(),
            (Some(beside), _) => beside.end(),
            (None, SectionPlace::First | SectionPlace::FirstUnder(_)) => {
                self.siblings.of(row.parent).first().map_or(end, |first| first.extent.start())
            }
            (None, _) => end,
        };
        let spot = Spot { at, level: row.level, parent: row.parent };
        self.check_spot(spot)?;
        Ok(Found { at: spot, healed: named.map(|named| named.healed).unwrap_or_default() })
    }

    fn check_spot(&self, spot: Spot<'a>) -> Result<(), Refusal> {
        check_open_fence(self.doc, spot.at)?;
        match spot.parent.filter(|_| spot.level > DEEPEST) {
            Some(parent) => Err(too_many_levels(parent.line_number())),
            None => Ok(()),
        }
    }
}

/// The sections of a document by parent, ready for many look-ups. Titles are compared without regard to letter case.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    by_parent: HashMap<Option<SectionRef<'a>>, Vec<SectionRef<'a>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
    /// All titles, letter case kept.
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

    /// Reports whether any section has this title, letter case included.
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
