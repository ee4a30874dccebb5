//! Sections by name: by title, or by the titles of ancestors and the section's own, joined by ` >
//! `.
//!
//! The first title of a path may be that of any ancestor. A name that can be read in two ways,
//! because a title holds a `>`, names the sections of both.

use std::collections::HashMap;

use crate::text::{fold_name, normal_name};

/// What stands between the titles of a path.
const SEPARATOR: &str = " > ";
/// How many `>` of a name are taken for separators of titles; a name that has more is one title.
const SEPARATORS: usize = 16;

/// Whether letter case counts where names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Case {
    /// It counts.
    Kept,
    /// It does not.
    Folded,
}

impl Case {
    /// Folds a name for comparison.
    pub(crate) fn fold(self, name: &str) -> String {
        match self {
            Self::Kept => normal_name(name),
            Self::Folded => fold_name(name),
        }
    }
}

/// The sections of a document by their titles, ready for many look-ups.
#[derive(Debug)]
pub(super) struct Titles {
    case: Case,
    // Invariant: one for each section.
    sections: Vec<Titled>,
    /// The indexes of the sections that have a title, in document order.
    by_title: HashMap<String, Vec<usize>>,
}

/// A section's title, folded, and the index of the section around it.
#[derive(Debug)]
struct Titled {
    title: String,
    parent: Option<usize>,
}

impl Titles {
    /// Indexes sections, given in document order by the parent's index and their title, which are
    /// compared under `case`.
    pub(super) fn new<'t>(sections: impl Iterator<Item = (Option<usize>, &'t str)>, case: Case) -> Self {
        let mut titles = Self { case, sections: Vec::new(), by_title: HashMap::new() };
        for (nth, (parent, title)) in sections.enumerate() {
            let title = titles.fold(title);
            titles.by_title.entry(title.clone()).or_default().push(nth);
            titles.sections.push(Titled { title, parent });
        }
        titles
    }

    /// Returns the indexes of the sections that have this name, in document order.
    pub(super) fn named(&self, name: &str) -> Vec<usize> {
        let mut named: Vec<usize> = self.all_named(&self.fold(name)).collect();
        named.sort_unstable();
        named
    }

    /// Iterates over the sections that have this name, folded: their title is the end of it, and
    /// what stands before is the end of the path above them.
    fn all_named(&self, name: &str) -> impl Iterator<Item = usize> {
        let separators = name.match_indices(SEPARATOR).map(|(at, _)| at + SEPARATOR.len());
        let is_path = separators.clone().nth(SEPARATORS).is_none();
        let starts = std::iter::once(0).chain(separators.filter(move |_| is_path));
        let ending = starts.filter_map(|start| self.by_title.get(name.get(start..)?));
        ending.flatten().copied().filter(move |section| self.has_name(*section, name))
    }

    /// Reports whether a name, folded, is the end of a section's path.
    fn has_name(&self, section: usize, name: &str) -> bool {
        let Some(Titled { title, parent }) = self.sections.get(section) else { return false };
        match name.strip_suffix(title.as_str()) {
            Some("") => true,
            Some(above) => {
                above.strip_suffix(SEPARATOR).zip(*parent).is_some_and(|(above, parent)| self.has_name(parent, above))
            }
            None => false,
        }
    }

    /// Returns of how many titles the shortest name consists that this section alone has; `None` if
    /// another has its full path.
    pub(super) fn shortest(&self, section: usize) -> Option<usize> {
        let around = std::iter::successors(self.sections.get(section), |titled| self.sections.get(titled.parent?));
        let names = around.scan(String::new(), |below, titled| {
            let separator = if below.is_empty() { "" } else { SEPARATOR };
            *below = [&titled.title, separator, below].concat();
            Some(below.clone())
        });
        let is_alone = |name: &str| self.all_named(name).take(2).eq([section]);
        (1..).zip(names).find(|(_, name)| is_alone(name)).map(|(length, _)| length)
    }

    /// Folds a name, each part between what separates titles by itself.
    fn fold(&self, name: &str) -> String {
        let parts: Vec<String> = name.split('>').map(|part| self.case.fold(part)).collect();
        parts.join(SEPARATOR)
    }
}
