//! Look-up of nodes by name: sections by title or by a path such as `Projects > Alpha`, bullets by key or tag.

use std::borrow::Cow;
use std::collections::HashMap;

use super::doc::MemoryDoc;
use super::key::{Key, Keys};
use super::node::{BulletRef, NodeRef, SectionRef};
use crate::text::{excerpt, fold_name, fold_white_space, normal_name};

/// The length of the longest path that messages show, in bytes of its titles.
const LONGEST: usize = 1_000;
/// How many characters of the title are shown in place of a path that is longer.
const SHOWN: usize = 100;

impl MemoryDoc {
    /// Returns the sections that have this name, in document order. The name is a title, or a path: titles joined by
    /// `>` that may begin at any ancestor.
    pub(crate) fn sections_named(&self, name: &str, case: Case) -> Vec<SectionRef<'_>> {
        self.titles(case).named(name).into_iter().filter_map(|index| NodeRef::at(self, index)).collect()
    }

    fn titles(&self, case: Case) -> &Titles {
        let cell = match case {
            Case::Kept => &self.derived().headings.titles,
            Case::Folded => &self.derived().headings.folded_titles,
        };
        cell.get_or_init(|| {
            let parent = |section: SectionRef<'_>| section.parent().map(NodeRef::index);
            Titles::new(self.sections().map(|section| (parent(section), section.title())), case)
        })
    }

    /// Iterates over the reserved sections, each with the reserved name that its title passes for.
    pub(crate) fn reserved_sections(&self) -> impl Iterator<Item = (SectionRef<'_>, &str)> {
        let named = self.sections().zip(self.reserved_names());
        named.filter_map(|(section, name)| Some((section, name.as_deref()?)))
    }

    /// Returns for each section the reserved name that its title passes for.
    fn reserved_names(&self) -> &[Option<String>] {
        let name = |section: SectionRef<'_>| self.rules().reserved_name(section.title()).map(str::to_owned);
        self.derived().headings.reserved.get_or_init(|| self.sections().map(name).collect())
    }

    /// Returns the reserved section that holds `offset`, also in one of its subsections.
    pub fn reserved_section_at(&self, offset: usize) -> Option<SectionRef<'_>> {
        self.section_at(offset)?.ancestors().find(|section| section.reserved_name().is_some())
    }

    /// Returns the bullets that a key names; `key#n` names at most one.
    pub fn bullets_by_key(&self, key: &str) -> Vec<BulletRef<'_>> {
        self.keys().named(key).into_iter().filter_map(|index| NodeRef::at(self, index)).collect()
    }

    /// Returns the bullets that have a tag, in document order. White space in tags is folded. A bullet that has the tag
    /// twice is in the result twice.
    pub(crate) fn bullets_by_tag(&self, tag: &str) -> Vec<BulletRef<'_>> {
        let tagged = self.derived().tagged.get_or_init(|| {
            let mut tagged: HashMap<String, Vec<usize>> = HashMap::new();
            for bullet in self.bullets() {
                for tag in bullet.tags() {
                    tagged.entry(fold_white_space(tag).into_owned()).or_default().push(bullet.index());
                }
            }
            tagged
        });
        let named = tagged.get(&*fold_white_space(tag)).into_iter().flatten();
        named.filter_map(|index| NodeRef::at(self, *index)).collect()
    }

    fn keys(&self) -> &Keys {
        self.derived().keys.get_or_init(|| Keys::new(self.bullets().map(BulletRef::folded_content)))
    }
}

impl BulletRef<'_> {
    /// Returns the key that names exactly this bullet.
    pub fn key(self) -> Key {
        self.doc().keys().key(self.index())
    }
}

impl<'a> SectionRef<'a> {
    /// Returns the path: the titles of the ancestors and its own, outermost first, joined by ` > `.
    pub fn path(self) -> String {
        self.path_of(usize::MAX)
    }

    /// Reports whether the path is too long for messages. Many sections may be below one long title, and each path
    /// repeats it.
    pub(crate) fn has_long_path(self) -> bool {
        self.ancestors().map(|section| section.title().len()).sum::<usize>() > LONGEST
    }

    /// Returns the name of the section for messages: [`name`](Self::name); the beginning of the title if the path is
    /// long.
    pub(crate) fn shown_name(self) -> String {
        if self.has_long_path() { excerpt(self.title(), SHOWN) } else { self.name() }
    }

    /// Returns the shortest name that no other section has: the title, or the end of the path, as short as possible. If
    /// another section has the same path, returns the whole path.
    pub fn name(self) -> String {
        self.unique_name().unwrap_or_else(|| self.path())
    }

    /// Returns the shortest name that no other section has; `None` if another has the whole path.
    pub(crate) fn unique_name(self) -> Option<String> {
        self.doc().titles(Case::Kept).shortest(self.index()).map(|length| self.path_of(length))
    }

    /// Returns the reserved section that the title passes for.
    pub fn reserved_name(self) -> Option<&'a str> {
        self.doc().reserved_names().get(self.index())?.as_deref()
    }

    /// Returns the last `length` titles of the path, joined.
    pub(crate) fn path_of(self, length: usize) -> String {
        let mut titles: Vec<_> = self.ancestors().take(length).map(SectionRef::title).collect();
        titles.reverse();
        titles.join(PATH_SEPARATOR)
    }
}

/// The separator between the titles of a path.
pub(crate) const PATH_SEPARATOR: &str = " > ";
/// The most `>` that are read as separators. A name that has more is read as one title.
const SEPARATORS: usize = 16;

/// How letter case is treated in a comparison of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Case {
    /// Names in another letter case are different.
    Kept,
    /// Letter case is ignored.
    Folded,
}

impl Case {
    /// Folds a name for comparison.
    pub(crate) fn fold(self, name: &str) -> String {
        if self == Self::Kept { normal_name(name) } else { fold_name(name) }
    }
}

/// An index of a document's sections by title and path.
pub(super) struct Titles {
    case: Case,
    // Invariant: one for each section, in document order.
    sections: Vec<SectionTitle>,
    /// The indexes of the sections that have a title, in document order.
    by_title: HashMap<String, Vec<usize>>,
}

/// A section's title, folded, and the index of its parent.
struct SectionTitle {
    title: String,
    parent: Option<usize>,
}

impl Titles {
    /// Indexes sections, in document order. Each is given by the index of its parent and its title. Titles are compared
    /// under `case`.
    pub(super) fn new<'t>(sections: impl Iterator<Item = (Option<usize>, &'t str)>, case: Case) -> Self {
        let mut titles = Self { case, sections: Vec::new(), by_title: HashMap::new() };
        for (nth, (parent, title)) in sections.enumerate() {
            let title = titles.fold(title);
            titles.by_title.entry(title.clone()).or_default().push(nth);
            titles.sections.push(SectionTitle { title, parent });
        }
        titles
    }

    /// Returns the indexes of the sections that have this name, in document order.
    pub(super) fn named(&self, name: &str) -> Vec<usize> {
        let mut named: Vec<usize> = self.with_path_end(&self.fold(name)).collect();
        named.sort_unstable();
        named
    }

    /// Iterates over the sections whose path ends with `name`, which is folded. A title may contain ` > ` itself, so
    /// every way to divide the name into titles is tried.
    fn with_path_end(&self, name: &str) -> impl Iterator<Item = usize> {
        let separators = name.match_indices(PATH_SEPARATOR).map(|(at, _)| at + PATH_SEPARATOR.len());
        let is_path = separators.clone().nth(SEPARATORS).is_none();
        let starts = std::iter::once(0).chain(separators.filter(move |_| is_path));
        let ending = starts.filter_map(|start| self.by_title.get(name.get(start..)?));
        ending.flatten().copied().filter(move |section| self.ends_in(*section, name))
    }

    /// Reports whether the path of a section ends with `name`, which is folded.
    fn ends_in(&self, section: usize, name: &str) -> bool {
        let Some(SectionTitle { title, parent }) = self.sections.get(section) else { return false };
        let Some(above) = name.strip_suffix(title.as_str()) else { return false };
        let of_parent = above.strip_suffix(PATH_SEPARATOR).zip(*parent);
        above.is_empty() || of_parent.is_some_and(|(above, parent)| self.ends_in(parent, above))
    }

    /// Returns the number of titles in the shortest unique name of a section; `None` if another section has the same
    /// path.
    pub(super) fn shortest(&self, section: usize) -> Option<usize> {
        let ancestors = std::iter::successors(self.sections.get(section), |section| self.sections.get(section.parent?));
        let names = ancestors.scan(String::new(), |below, section| {
            let separator = if below.is_empty() { "" } else { PATH_SEPARATOR };
            *below = [&section.title, separator, below].concat();
            Some(below.clone())
        });
        let is_alone = |name: &str| self.with_path_end(name).take(2).eq([section]);
        (1..).zip(names).find(|(_, name)| is_alone(name)).map(|(length, _)| length)
    }

    /// Folds each title of a name on its own, and joins them with the separator.
    fn fold(&self, name: &str) -> String {
        name.split('>').map(|part| self.case.fold(part)).collect::<Vec<_>>().join(PATH_SEPARATOR)
    }
}

/// Assigns a number to each path of sections, so that paths are compared without building them. Two sections, also of
/// different documents, get the same number if all titles of their paths are equal.
pub(crate) struct Paths<'t> {
    fold: fn(&'t str) -> Cow<'t, str>,
    /// The number of each path, by the number of its parent's path and the title.
    numbers: HashMap<(Option<usize>, Cow<'t, str>), usize>,
}

impl<'t> Paths<'t> {
    /// Compares titles in the form that `fold` returns.
    pub(crate) fn new(fold: fn(&'t str) -> Cow<'t, str>) -> Self {
        Self { fold, numbers: HashMap::new() }
    }

    /// Returns the number of each section's path.
    pub(crate) fn of(&mut self, doc: &'t MemoryDoc) -> Vec<usize> {
        let mut own: Vec<usize> = Vec::new();
        for section in doc.sections() {
            let above = section.parent().and_then(|parent| own.get(NodeRef::index(parent)).copied());
            let next = self.numbers.len();
            own.push(*self.numbers.entry((above, (self.fold)(section.title()))).or_insert(next));
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::super::MemoryDoc;
    use super::super::naming::Case;

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
    fn a_section_is_asked_for_by_a_name_that_no_other_has() {
        for text in [
            "## Work\n### Work\n",
            "## B\n# P\n## B\n",
            "# M\n## A\n# M\n# N\n# M\n### A\n## A\n",
            "# >\n## A\n# A\n",
            "# \n## A\n# A\n",
        ] {
            let doc = MemoryDoc::parse(text);
            for section in doc.sections() {
                let Some(name) = section.unique_name() else { continue };
                assert_eq!(doc.sections_named(&name, Case::Kept), [section], "{name} in {text:?}");
            }
        }
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
