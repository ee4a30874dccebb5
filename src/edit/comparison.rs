//! [`Comparison`]: what has become of a text between two revisions that no edit in hand connects.

use std::collections::HashSet;

use super::LineChange;
use super::preview::Unified;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::{Lines, differing};

/// How many lines stand around each change.
const CONTEXT: usize = 3;

/// The lines in which two texts of one document differ.
#[derive(Debug)]
pub struct Comparison<'a> {
    old: &'a MemoryDoc,
    new: &'a MemoryDoc,
    changes: Vec<LineChange>,
}

impl<'a> Comparison<'a> {
    /// Compares two texts line by line, endings included, in bounded time.
    pub fn between(old: &'a MemoryDoc, new: &'a MemoryDoc) -> Self {
        let lines = |doc: &'a MemoryDoc| -> Vec<&'a str> {
            Lines::of(doc.text()).map(|line| line.full.of(doc.text())).collect()
        };
        let changes = differing(&lines(old), &lines(new)).into_iter();
        Self { old, new, changes: changes.map(|(old, new)| LineChange { old, new }).collect() }
    }

    /// Renders it as a unified diff of the document of this name.
    pub fn unified(&self, name: &str) -> String {
        Unified { old: self.old, new: self.new, context: CONTEXT }.render(name, &self.changes)
    }

    /// Returns the names of the sections in which lines differ, those of the new text first.
    pub fn sections(&self) -> Vec<String> {
        let new = self.changes.iter().flat_map(|change| change.new.clone()).map(|line| (self.new, line));
        let old = self.changes.iter().flat_map(|change| change.old.clone()).map(|line| (self.old, line));
        let sections = new.chain(old).filter_map(|(doc, line)| doc.section_at(doc.lines().start(line)));
        let (mut seen, mut known) = (HashSet::new(), HashSet::new());
        let names = sections.filter(|section| seen.insert(*section)).map(SectionRef::name);
        names.filter(|name| known.insert(name.clone())).collect()
    }
}
