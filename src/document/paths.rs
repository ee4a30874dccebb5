//! [`Paths`]: paths of sections, told apart by numbers.

use std::borrow::Cow;
use std::collections::HashMap;

use super::doc::MemoryDoc;
use super::node::{NodeRef, SectionRef};

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
        self.of_merged(doc, None)
    }

    /// Returns the number of each section's path as it is to be where the first of two sections is
    /// merged into the second.
    pub(crate) fn of_merged(
        &mut self,
        doc: &'t MemoryDoc,
        merged: Option<(SectionRef<'t>, SectionRef<'t>)>,
    ) -> Vec<usize> {
        let mut around: Vec<_> = merged.into_iter().flat_map(|(_, target)| target.ancestors()).collect();
        around.reverse();
        let target = around.into_iter().fold(None, |above, section| Some(self.below(above, section.title())));
        let mut own: Vec<usize> = Vec::new();
        for section in doc.sections() {
            let above = section.parent().and_then(|parent| own.get(NodeRef::index(parent)).copied());
            let merged = target.filter(|_| merged.is_some_and(|(source, _)| source == section));
            own.push(merged.unwrap_or_else(|| self.below(above, section.title())));
        }
        own
    }
}
