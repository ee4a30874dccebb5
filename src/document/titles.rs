//! Sections by name: by title, or by the titles of ancestors and the section's own, joined by ` >
//! `.
//!
//! The first title of a path may be that of any ancestor. A name that can be read in two ways,
//! because a title holds a `>`, names the sections of both.

use std::collections::HashMap;

use crate::text::{fold_name, normal_name};

/// How many `>` of a name are taken for separators of titles; a name that has more is one title.
const SEPARATORS: usize = 16;

/// Whether letter case counts where names are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The sections of a document by all their names, ready for many look-ups.
///
/// A section has as many names as ancestors and one more. They are kept as chains of titles, so
/// that the index grows with the sections and not with the lengths of their paths.
#[derive(Debug)]
pub(super) struct Titles {
    case: Case,
    /// The number of each title.
    numbers: HashMap<String, usize>,
    /// The number of each chain: of a title by itself, or behind a chain.
    chains: HashMap<(Option<usize>, usize), usize>,
    /// The indexes of the sections that each chain names, in document order.
    named: Vec<Vec<usize>>,
    /// The chains of each section, from its title alone to its full path.
    own: Vec<Vec<usize>>,
    /// Whether a title holds what separates titles.
    is_separated: bool,
}

impl Titles {
    /// Indexes sections, given in document order by the parent's index and their title, which are
    /// compared under `case`.
    pub(super) fn new<'t>(sections: impl Iterator<Item = (Option<usize>, &'t str)>, case: Case) -> Self {
        let mut titles = Self {
            case,
            numbers: HashMap::new(),
            chains: HashMap::new(),
            named: Vec::new(),
            own: Vec::new(),
            is_separated: false,
        };
        for (nth, (parent, title)) in sections.enumerate() {
            titles.add(nth, parent, title);
        }
        titles
    }

    fn add(&mut self, section: usize, parent: Option<usize>, title: &str) {
        self.is_separated |= title.contains('>');
        let next = self.numbers.len();
        let title = *self.numbers.entry(self.parts(title).join(" > ")).or_insert(next);
        let above = parent.and_then(|parent| self.own.get(parent)).cloned().unwrap_or_default();
        let before = std::iter::once(None).chain(above.into_iter().map(Some));
        let own = before.map(|before| {
            let chain = *self.chains.entry((before, title)).or_insert(self.named.len());
            if chain == self.named.len() {
                self.named.push(Vec::new());
            }
            if let Some(named) = self.named.get_mut(chain) {
                named.push(section);
            }
            chain
        });
        let own = own.collect();
        self.own.push(own);
    }

    /// Returns the indexes of the sections that have this name, in document order.
    pub(super) fn named(&self, name: &str) -> Vec<usize> {
        let chains = self.chains(name);
        let mut named: Vec<_> = chains.iter().filter_map(|chain| self.named.get(*chain)).flatten().copied().collect();
        named.sort_unstable();
        named.dedup();
        named
    }

    /// Returns the chains that a name may be read as.
    fn chains(&self, name: &str) -> Vec<usize> {
        let mut parts = self.parts(name);
        if parts.len() > SEPARATORS {
            parts = vec![parts.join(" > ")];
        }
        // The chains that the first parts may be read as, for each number of parts.
        let mut readings: Vec<Vec<Option<usize>>> = vec![vec![None]];
        for end in 1..=parts.len() {
            let mut ending = Vec::new();
            for (start, before) in readings.iter().enumerate() {
                let title = parts.get(start..end).unwrap_or_default().join(" > ");
                if let Some(title) = self.numbers.get(&title) {
                    ending.extend(
                        before.iter().filter_map(|before| self.chains.get(&(*before, *title))).map(|it| Some(*it)),
                    );
                }
            }
            readings.push(ending);
        }
        readings.into_iter().next_back().unwrap_or_default().into_iter().flatten().collect()
    }

    /// Returns of how many titles the shortest name consists that this section alone has; `written`
    /// writes a name of so many titles. `None` if another has its full path.
    pub(super) fn shortest(&self, section: usize, written: impl Fn(usize) -> String) -> Option<usize> {
        let chains = self.own.get(section)?;
        let is_alone = |chain: &usize| self.named.get(*chain).is_some_and(|named| named == &[section]);
        let mut lengths = (1..).zip(chains).filter(|(_, chain)| is_alone(chain)).map(|(length, _)| length);
        lengths.find(|length| !self.is_separated || self.named(&written(*length)) == [section])
    }

    /// Returns a name cut at what separates titles, each part folded.
    fn parts(&self, name: &str) -> Vec<String> {
        name.split('>').map(|part| self.case.fold(part)).collect()
    }
}
