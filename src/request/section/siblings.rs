//! The sections of each parent, in order and by title.

use std::collections::HashMap;
use std::rc::Rc;

use crate::document::{MemoryDoc, SectionRef};
use crate::text::fold_name;

/// The sections of a document by parent, ready for many look-ups. Titles are compared without regard to letter case.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    by_parent: HashMap<Option<SectionRef<'a>>, Rc<Vec<SectionRef<'a>>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
}

impl<'a> Siblings<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let mut by_parent: HashMap<_, Vec<SectionRef<'a>>> = HashMap::new();
        let mut by_title: HashMap<_, Vec<SectionRef<'a>>> = HashMap::new();
        for section in doc.sections() {
            by_parent.entry(section.parent()).or_default().push(section);
            by_title.entry((section.parent(), fold_name(section.title()))).or_default().push(section);
        }
        let by_parent = by_parent.into_iter().map(|(parent, siblings)| (parent, Rc::new(siblings))).collect();
        Self { by_parent, by_title }
    }

    /// Returns the sections of a parent, in document order.
    pub(crate) fn of(&self, parent: Option<SectionRef<'a>>) -> Rc<Vec<SectionRef<'a>>> {
        self.by_parent.get(&parent).cloned().unwrap_or_default()
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
