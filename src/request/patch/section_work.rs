//! What a patch does to whole sections. It is composed when all hunks are planned: lines that a hunk appends belong to what
//! stands before a section that is written at the same place.

use std::rc::Rc;

use crate::document::{MemoryDoc, SectionId};
use crate::edit::EditBuilder;
use crate::edit::compose::{Place, add_section, delete_sections, move_section};

/// Sections that are added, moved and deleted, each on behalf of its part.
#[derive(Debug, Default)]
pub(super) struct SectionWork {
    added: Vec<Added>,
    moved: Vec<Moved>,
    deleted: Vec<(usize, SectionId)>,
}

#[derive(Debug)]
struct Added {
    part: usize,
    title: String,
    lines: Vec<String>,
    place: Place,
    level: u8,
}

#[derive(Debug)]
struct Moved {
    part: usize,
    siblings: Rc<Vec<SectionId>>,
    /// From which index among the siblings, and to which.
    places: (usize, usize),
}

impl SectionWork {
    pub(super) fn add(&mut self, part: usize, title: &str, lines: &[String], (place, level): (Place, u8)) {
        self.added.push(Added { part, title: title.to_owned(), lines: lines.to_vec(), place, level });
    }

    pub(super) fn reorder(&mut self, part: usize, siblings: Rc<Vec<SectionId>>, places: (usize, usize)) {
        self.moved.push(Moved { part, siblings, places });
    }

    pub(super) fn delete(&mut self, part: usize, section: SectionId) {
        self.deleted.push((part, section));
    }

    /// Reports whether a section is among those that are deleted.
    pub(super) fn deletes(&self, section: SectionId) -> bool {
        self.deleted.iter().any(|(_, deleted)| *deleted == section)
    }

    /// Composes all of it.
    pub(super) fn compose(self, doc: &MemoryDoc, edit: &mut EditBuilder) {
        delete_sections(doc, &self.deleted, edit);
        for Moved { part, siblings, places } in self.moved {
            move_section(doc, &siblings, places, (edit, part));
        }
        for Added { part, title, lines, place, level } in self.added {
            add_section(doc, &title, &lines, (place, level), (edit, part));
        }
    }
}
