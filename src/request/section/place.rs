//! Where a section goes: [`SectionSpot`], and the search for it among the [`Siblings`].

use std::collections::HashMap;

use super::SectionPlace;
use super::resolve::{Resolver, too_many_levels};
use crate::document::{DEEPEST_LEVEL, MemoryDoc, SectionRef};
use crate::edit::compose::check_open_fence;
use crate::locate::Found;
use crate::request::Refusal;
use crate::text::{Span, fold_name};

/// A place for a section in a document, with the level and the parent that a section has there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SectionSpot<'a> {
    /// The start of a line, or the end of the text.
    pub(crate) at: usize,
    /// The level of a section at this place.
    pub(crate) level: u8,
    /// The parent of a section at this place.
    pub(crate) parent: Option<SectionRef<'a>>,
    /// The section by which the request names the place.
    pub(super) named: Option<SectionRef<'a>>,
}

impl SectionSpot<'_> {
    /// Returns the headings that a request needs unchanged to write at this place.
    pub(super) fn needed(&self) -> Vec<Span> {
        self.parent.into_iter().chain(self.named).map(|section| section.line).collect()
    }
}

/// A row of sibling sections, with their parent and level.
#[derive(Clone, Copy)]
pub(super) struct SiblingRow<'a> {
    parent: Option<SectionRef<'a>>,
    level: u8,
}

impl<'a> SiblingRow<'a> {
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
    pub(super) fn spot(&self, place: &SectionPlace, row: SiblingRow<'a>) -> Result<Found<SectionSpot<'a>>, Refusal> {
        let found = place.name().map(|name| self.find(name)).transpose()?;
        let (named, healed) = found.map(|found| (found.at, found.healed)).unzip();
        let (SiblingRow { parent, level }, at) = match (place, named) {
            (SectionPlace::Before(_), Some(section)) => (SiblingRow::of(section), section.extent.start()),
            (SectionPlace::After(_), Some(section)) => (SiblingRow::of(section), section.extent.end()),
            (_, parent) => {
                let row = parent.map_or(row, |parent| SiblingRow::below(parent, place, self.siblings));
                let first = self.siblings.of(row.parent).first().filter(|_| matches!(place, SectionPlace::First(_)));
                let end = || row.parent.map_or(self.doc.text().len(), |parent| parent.extent.end());
                (row, first.map_or_else(end, |first| first.extent.start()))
            }
        };
        check_open_fence(self.doc, at)?;
        match parent.filter(|_| level > DEEPEST_LEVEL) {
            Some(parent) => Err(too_many_levels(parent.line_number())),
            None => Ok(Found { at: SectionSpot { at, level, parent, named }, healed: healed.unwrap_or_default() }),
        }
    }
}

/// The sections of a document, indexed by parent and title. Titles are looked up in any letter case.
pub(crate) struct Siblings<'a> {
    by_parent: HashMap<Option<SectionRef<'a>>, Vec<SectionRef<'a>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
}

impl<'a> Siblings<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let mut by_parent: HashMap<_, Vec<_>> = HashMap::new();
        let mut by_title: HashMap<_, Vec<_>> = HashMap::new();
        for section in doc.sections() {
            by_parent.entry(section.parent()).or_default().push(section);
            by_title.entry((section.parent(), fold_name(section.title()))).or_default().push(section);
        }
        Self { by_parent, by_title }
    }

    /// Returns the sections of a parent, in document order.
    pub(crate) fn of(&self, parent: Option<SectionRef<'a>>) -> &[SectionRef<'a>] {
        self.by_parent.get(&parent).map_or(&[], Vec::as_slice)
    }

    /// Returns the sections of a parent that have this title, in document order.
    pub(crate) fn called(&self, parent: Option<SectionRef<'a>>, title: &str) -> &[SectionRef<'a>] {
        self.by_title.get(&(parent, fold_name(title))).map_or(&[], Vec::as_slice)
    }
}
