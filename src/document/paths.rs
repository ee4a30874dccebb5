//! [`Paths`]: paths of sections, told apart by numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use super::doc::MemoryDoc;
use super::node::NodeRef;

/// Paths of sections, each with a number: they grow with the sections and not with the lengths of
/// their paths. Paths of any documents have one number if their titles, from the outermost on, are
/// the same.
#[derive(Debug)]
pub(crate) struct Paths<'t> {
    fold: fn(&'t str) -> Cow<'t, str>,
    /// The number of each path, by that of the path above and the title.
    numbers: HashMap<(Option<usize>, Cow<'t, str>), usize>,
}

impl<'t> Paths<'t> {
    /// Compares titles as `fold` makes them.
    pub(crate) fn new(fold: fn(&'t str) -> Cow<'t, str>) -> Self {
        Self { fold, numbers: HashMap::new() }
    }

    /// Returns the number of the path that a title makes below another.
    fn below(&mut self, above: Option<usize>, title: &'t str) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry((above, (self.fold)(title))).or_insert(next)
    }

    /// Returns the number of each section's path.
    pub(crate) fn of(&mut self, doc: &'t MemoryDoc) -> Vec<usize> {
        let mut own: Vec<usize> = Vec::new();
        for section in doc.sections() {
            let above = section.parent().and_then(|parent| own.get(NodeRef::index(parent)).copied());
            own.push(self.below(above, section.title()));
        }
        own
    }
}
