//! [`Paths`]: paths of sections, told apart by numbers.

use std::collections::HashMap;

use super::doc::MemoryDoc;
use super::node::NodeRef;

/// Paths of sections, each with a number: they grow with the sections and not with the lengths of their paths.
#[derive(Debug)]
pub(crate) struct Paths {
    fold: fn(&str) -> String,
    /// The number of each path, by that of the path above and the title.
    numbers: HashMap<(Option<usize>, String), usize>,
}

impl Paths {
    /// Compares titles as `fold` makes them.
    pub(crate) fn new(fold: fn(&str) -> String) -> Self {
        Self { fold, numbers: HashMap::new() }
    }

    /// Returns the number of each section's path. Sections of any documents have one number if their titles and those above are the
    /// same.
    pub(crate) fn of(&mut self, doc: &MemoryDoc) -> Vec<usize> {
        let mut own: Vec<usize> = Vec::new();
        for section in doc.sections() {
            let above = section.parent().and_then(|parent| own.get(NodeRef::index(parent)).copied());
            let next = self.numbers.len();
            own.push(*self.numbers.entry((above, (self.fold)(section.title()))).or_insert(next));
        }
        own
    }
}
