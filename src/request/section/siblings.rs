//! The sections of each parent, in order and by title.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use crate::document::{MemoryDoc, SectionRef};
use crate::text::{fold_name, normal_name};

/// The sections of a document by parent, ready for many look-ups. Titles are compared without regard to letter case.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    doc: &'a MemoryDoc,
    by_parent: HashMap<Option<SectionRef<'a>>, Vec<SectionRef<'a>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
    /// All titles, letter case kept.
    titles: OnceCell<HashSet<String>>,
}

impl<'a> Siblings<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let mut by_parent: HashMap<_, Vec<_>> = HashMap::new();
        let mut by_title: HashMap<_, Vec<_>> = HashMap::new();
        for section in doc.sections() {
            by_parent.entry(section.parent()).or_default().push(section);
            by_title.entry((section.parent(), fold_name(section.title()))).or_default().push(section);
        }
        Self { doc, by_parent, by_title, titles: OnceCell::new() }
    }

    /// Reports whether any section has this title, letter case included.
    pub(super) fn has_title(&self, title: &str) -> bool {
        let all = || self.doc.sections().map(|section| normal_name(section.title())).collect();
        self.titles.get_or_init(all).contains(&normal_name(title))
    }

    /// Returns the sections of a parent, in document order.
    pub(crate) fn of(&self, parent: Option<SectionRef<'a>>) -> &[SectionRef<'a>] {
        self.by_parent.get(&parent).map_or(&[], Vec::as_slice)
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
