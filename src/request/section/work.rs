//! What a request does to whole sections. It is composed when all its parts are planned: lines that a hunk appends belong to
//! what stands before a section that is written at the same place.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::resolve::Step;
use crate::document::{MemoryDoc, SectionRef};
use crate::edit::EditBuilder;
use crate::edit::compose::{
    Moved, SectionMove, Written, delete_sections, extent_without_blanks, rename_section, with_headings_deeper,
    write_sections,
};

/// Steps, each on behalf of its part.
#[derive(Default)]
pub(crate) struct SectionWork<'a> {
    steps: Vec<(usize, Step<'a>)>,
    deleted: Vec<(usize, SectionRef<'a>)>,
    /// The sections among those that are deleted.
    gone: HashSet<SectionRef<'a>>,
}

impl<'a> SectionWork<'a> {
    pub(crate) fn push(&mut self, part: usize, step: Step<'a>) {
        match step {
            Step::Delete(section) => {
                self.deleted.push((part, section));
                self.gone.insert(section);
            }
            step => self.steps.push((part, step)),
        }
    }

    /// Reports whether a section is among those that are deleted.
    pub(crate) fn deletes(&self, section: SectionRef<'a>) -> bool {
        self.gone.contains(&section)
    }

    /// Returns the sections that move, each with its part.
    pub(crate) fn moved(&self) -> HashMap<SectionRef<'a>, usize> {
        let moved = self.steps.iter().filter_map(|(part, step)| match step {
            Step::Move { section, .. } | Step::Transfer { section, .. } => Some((*section, *part)),
            _ => None,
        });
        moved.collect()
    }

    pub(crate) fn compose(self, doc: &MemoryDoc, edit: &mut EditBuilder) {
        let mut removed = self.deleted;
        let mut written = Vec::new();
        // Those of one parent move as one.
        let mut moved: BTreeMap<_, (Rc<Vec<SectionRef<'a>>>, Vec<SectionMove>)> = BTreeMap::new();
        // What moves among its siblings goes before what is new at the same place.
        for (part, step) in self.steps {
            match step {
                Step::Add { title, mut lines, spot } => {
                    lines.insert(0, format!("{} {title}", "#".repeat(spot.level.into())));
                    written.push(Written { part, at: spot.at, lines });
                }
                Step::Transfer { section, spot } => {
                    removed.push((part, section));
                    written.push(Written { part, at: spot.at, lines: transferred(section, spot.level) });
                }
                Step::Rename { section, title, .. } => rename_section(section, &title, edit.for_part(part)),
                Step::Move { siblings, from, to, .. } => {
                    let moves = &mut moved.entry(siblings.first().copied()).or_insert((siblings, Vec::new())).1;
                    moves.push(SectionMove { part, from, to });
                }
                Step::Settled(_) | Step::Delete(_) => {}
            }
        }
        // What moves inside a section goes before what moves behind it.
        for (siblings, moves) in moved.values().rev() {
            Moved { doc, siblings, moves }.compose(edit);
        }
        let removed = delete_sections(&removed, edit);
        write_sections(doc, written, &removed, edit);
    }
}

/// Returns the lines of a section on another level.
fn transferred(section: SectionRef<'_>, level: u8) -> Vec<String> {
    let deeper = i16::from(level) - i16::from(section.level);
    let lines = with_headings_deeper(section.doc(), extent_without_blanks(section), deeper);
    lines.into_iter().map(|(line, _)| line).collect()
}
