//! What a request does to whole sections. It is composed when all its parts are planned: lines that a hunk appends belong to
//! what stands before a section that is written at the same place.

use super::resolve::Step;
use crate::document::{MemoryDoc, SectionId};
use crate::edit::EditBuilder;
use crate::edit::compose::{add_section, delete_sections, move_section, rename_section};

/// Steps, each on behalf of its part.
#[derive(Default)]
pub(crate) struct SectionWork {
    steps: Vec<(usize, Step)>,
    deleted: Vec<(usize, SectionId)>,
}

impl SectionWork {
    /// Adds the step of a part.
    pub(crate) fn push(&mut self, part: usize, step: Step) {
        match step {
            Step::Delete(section) => self.deleted.push((part, section)),
            step => self.steps.push((part, step)),
        }
    }

    /// Reports whether a section is among those that are deleted.
    pub(crate) fn deletes(&self, section: SectionId) -> bool {
        self.deleted.iter().any(|(_, deleted)| *deleted == section)
    }

    /// Composes all of it.
    pub(crate) fn compose(self, doc: &MemoryDoc, edit: &mut EditBuilder) {
        delete_sections(doc, &self.deleted, edit);
        // What moves goes before what is new at the same place.
        let (added, others): (Vec<_>, Vec<_>) =
            self.steps.into_iter().partition(|(_, step)| matches!(step, Step::Add { .. }));
        for (part, step) in others.into_iter().chain(added) {
            match step {
                Step::Add { title, lines, place, level, .. } => {
                    add_section(doc, &title, &lines, (place, level), (edit, part));
                }
                Step::Rename { section, title, .. } => rename_section(doc, section, &title, (edit, part)),
                Step::Move { siblings, places, .. } => move_section(doc, &siblings, places, (edit, part)),
                Step::Settled(_) | Step::Delete(_) => {}
            }
        }
    }
}
