//! The sections of each parent, in order and by title.

use std::collections::HashMap;
use std::rc::Rc;

use crate::document::{MemoryDoc, SectionId};
use crate::text::fold_name;

/// The sections of a document by parent, ready for many look-ups. Titles are compared without regard to letter case.
#[derive(Debug)]
pub(crate) struct Siblings {
    by_parent: HashMap<Option<SectionId>, Rc<Vec<SectionId>>>,
    places: HashMap<SectionId, usize>,
    by_title: HashMap<(Option<SectionId>, String), Vec<SectionId>>,
}

impl Siblings {
    pub(crate) fn new(doc: &MemoryDoc) -> Self {
        let mut by_parent: HashMap<_, Vec<SectionId>> = HashMap::new();
        let mut by_title: HashMap<_, Vec<SectionId>> = HashMap::new();
        let mut places = HashMap::new();
        for id in doc.outline().section_ids() {
            let parent = doc.outline().section(id).and_then(|section| section.parent);
            let siblings = by_parent.entry(parent).or_default();
            places.insert(id, siblings.len());
            siblings.push(id);
            by_title.entry((parent, fold_name(doc.section_title(id)))).or_default().push(id);
        }
        let by_parent = by_parent.into_iter().map(|(parent, siblings)| (parent, Rc::new(siblings))).collect();
        Self { by_parent, places, by_title }
    }

    /// Returns the sections of a parent, in document order.
    pub(crate) fn of(&self, parent: Option<SectionId>) -> Rc<Vec<SectionId>> {
        self.by_parent.get(&parent).cloned().unwrap_or_default()
    }

    /// Returns a section's index among those of its parent.
    pub(crate) fn place(&self, id: SectionId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Returns the first section of `parent`, other than `except`, that has this title.
    pub(crate) fn called(
        &self,
        parent: Option<SectionId>,
        title: &str,
        except: Option<SectionId>,
    ) -> Option<SectionId> {
        let called = self.by_title.get(&(parent, fold_name(title)))?;
        called.iter().copied().find(|id| Some(*id) != except)
    }
}
