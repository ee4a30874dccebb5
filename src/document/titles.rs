//! Sections by name: by title, or by the titles of ancestors and the section's own, joined by ` > `.

use std::collections::HashMap;

use super::node::SectionRef;
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
/// A section has as many names as ancestors and one more. They are kept as chains of titles, so that the index grows with the
/// sections and not with the lengths of their paths.
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
    /// Indexes sections, given in document order by the parent's index and their title, which are compared under `case`.
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
        let chains = readings.into_iter().next_back().unwrap_or_default();
        let mut sections: Vec<_> =
            chains.into_iter().flatten().filter_map(|chain| self.named.get(chain)).flatten().copied().collect();
        sections.sort_unstable();
        sections.dedup();
        sections
    }

    /// Returns of how many titles the shortest name consists that this section alone has; `written` writes a name of so many
    /// titles. `None` if another has its full path.
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

impl<'a> SectionRef<'a> {
    /// Returns the path: the titles of the ancestors and its own, outermost first, joined by ` > `.
    pub fn path(self) -> String {
        self.path_of(usize::MAX)
    }

    /// Returns the shortest name that no other section has: the title, else as much of the end of the path as it takes; the
    /// whole path if another has that too.
    pub fn name(self) -> String {
        self.unique_name().unwrap_or_else(|| self.path())
    }

    /// Returns the shortest name that no other section has; `None` if another has the whole path.
    pub(crate) fn unique_name(self) -> Option<String> {
        let length = self.doc().titles(Case::Kept).shortest(self.index(), |length| self.path_of(length))?;
        Some(self.path_of(length))
    }

    /// Returns the reserved section that the title passes for.
    pub fn reserved_name(self) -> Option<&'a str> {
        self.doc().rules().reserved_name(self.title())
    }

    /// Returns the last `length` titles of the path, joined.
    pub(crate) fn path_of(self, length: usize) -> String {
        let mut titles: Vec<_> = self.ancestors().take(length).map(SectionRef::title).collect();
        titles.reverse();
        titles.join(" > ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::MemoryDoc;
    use super::Case;

    fn names(text: &str) -> Vec<String> {
        let doc = MemoryDoc::parse(text);
        doc.sections().map(|section| section.name()).collect()
    }

    #[test]
    fn a_name_is_as_long_as_it_must_be() {
        assert_eq!(names("## A\n### X\n## B\n### X\n### Y\n"), ["A", "A > X", "B", "B > X", "Y"]);
        assert_eq!(
            names("# M\n## A\n### X\n# N\n## A\n### X\n"),
            ["M", "M > A", "M > A > X", "N", "N > A", "N > A > X"]
        );
    }

    #[test]
    fn a_name_that_two_sections_have_is_written_in_full() {
        assert_eq!(names("# M\n## A\n## A\n"), ["M", "M > A", "M > A"]);
    }

    #[test]
    fn a_title_with_a_separator_is_read_both_ways() {
        assert_eq!(names("# M\n## A\n### B\n## A > B\n"), ["M", "A", "B", "M > A > B"]);
        assert_eq!(names("## A\n### B > C\n"), ["A", "B > C"]);
        let doc = MemoryDoc::parse("## A\n### B > C\n");
        let found = |name| doc.sections_named(name, Case::Kept);
        assert_eq!(found("A > B > C"), found("B>C"));
    }
}
