//! The sections of each parent, in order and by title.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::document::{MemoryDoc, NodeRef, SectionRef};
use crate::text::{Span, fold_name, normal_name};

/// The sections of a document by parent, ready for many look-ups. Titles are compared without regard to letter case.
#[derive(Debug)]
pub(crate) struct Siblings<'a> {
    doc: &'a MemoryDoc,
    by_parent: HashMap<Option<SectionRef<'a>>, Rc<Vec<SectionRef<'a>>>>,
    by_title: HashMap<(Option<SectionRef<'a>>, String), Vec<SectionRef<'a>>>,
    /// All titles, letter case kept.
    titles: OnceCell<HashSet<String>>,
    /// The pinned bullets, in order: where each starts, and the number of its line.
    pinned: OnceCell<Vec<(usize, usize)>>,
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
        let (titles, pinned) = Default::default();
        Self { doc, by_parent, by_title, titles, pinned }
    }

    /// Reports whether any section has this title, letter case included.
    pub(super) fn has_title(&self, title: &str) -> bool {
        let all = || self.doc.sections().map(|section| normal_name(section.title())).collect();
        self.titles.get_or_init(all).contains(&normal_name(title))
    }

    /// Returns the numbers of the lines in `span` on which pinned bullets start.
    pub(super) fn pinned_within(&self, span: Span) -> Vec<usize> {
        let pinned = self.pinned.get_or_init(|| {
            let pinned = self.doc.bullets().filter(|bullet| bullet.is_pinned());
            pinned.map(|bullet| (bullet.line.start(), NodeRef::line_number(bullet))).collect()
        });
        let behind = pinned.iter().skip(pinned.partition_point(|(start, _)| *start < span.start()));
        behind.take_while(|(start, _)| *start < span.end()).map(|(_, line)| *line).collect()
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
