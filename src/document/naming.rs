//! Nodes by name: sections by title and path, bullets by key.

use super::doc::MemoryDoc;
use super::key::{Key, Keys};
use super::node::{BulletRef, NodeRef, SectionRef};
use super::titles::{Case, Titles};
use crate::text::excerpt;

/// The length of a path that can be said, in bytes of its titles.
const LONGEST: usize = 1_000;
/// How much is told of a title that is longer, in characters.
const SHOWN: usize = 100;

impl MemoryDoc {
    /// Returns the sections that have this name, in document order: a title, or titles joined by
    /// `>`, of which the first may be that of any ancestor.
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

    /// Iterates over the sections that are reserved, each with the name that its title passes for.
    pub(crate) fn reserved_sections(&self) -> impl Iterator<Item = (SectionRef<'_>, &str)> {
        let named = self.sections().zip(self.reserved_names());
        named.filter_map(|(section, name)| Some((section, name.as_deref()?)))
    }

    /// Returns of each section the reserved name that its title passes for.
    fn reserved_names(&self) -> &[Option<String>] {
        let name = |section: SectionRef<'_>| self.rules().reserved_name(section.title()).map(str::to_owned);
        self.derived().headings.reserved.get_or_init(|| self.sections().map(name).collect())
    }

    /// Returns the section that holds `offset` and is reserved, or lies below one that is.
    pub fn reserved_section_at(&self, offset: usize) -> Option<SectionRef<'_>> {
        self.section_at(offset)?.ancestors().find(|section| section.reserved_name().is_some())
    }

    /// Returns the bullets that a key names; `key#n` names at most one.
    pub fn bullets_by_key(&self, key: &str) -> Vec<BulletRef<'_>> {
        self.keys().named(key).into_iter().filter_map(|index| NodeRef::at(self, index)).collect()
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

    /// Reports whether the path is too long to be said: many sections may stand below one long
    /// title.
    pub(crate) fn has_long_path(self) -> bool {
        self.ancestors().map(|section| section.title().len()).sum::<usize>() > LONGEST
    }

    /// Returns the name as it is told of what stands in the section; where it is too long to be
    /// said again and again, the beginning of the title.
    pub(crate) fn shown_name(self) -> String {
        if self.has_long_path() { excerpt(self.title(), SHOWN) } else { self.name() }
    }

    /// Returns the shortest name that no other section has: the title, else as much of the end of
    /// the path as it takes; the whole path if another has that too.
    pub fn name(self) -> String {
        self.unique_name().unwrap_or_else(|| self.path())
    }

    /// Returns the shortest name that no other section has; `None` if another has the whole path.
    pub(crate) fn unique_name(self) -> Option<String> {
        let length = self.doc().titles(Case::Kept).shortest(self.index())?;
        Some(self.path_of(length))
    }

    /// Returns a name by which this section can be asked for: the shortest that no other has, else
    /// the title behind its `#`s. `None` if another section has the same title and level, and no
    /// other path.
    pub(crate) fn asked_name(self) -> Option<String> {
        let of_level = || {
            let mut same = self.doc().sections_named(self.title(), Case::Folded).into_iter();
            let is_alone = same.all(|other| other == self || other.level != self.level);
            let is_title = !self.title().is_empty() && !self.title().contains('>');
            (is_alone && is_title).then(|| format!("{} {}", "#".repeat(self.level.into()), self.title()))
        };
        self.unique_name().or_else(of_level)
    }

    /// Returns the reserved section that the title passes for.
    pub fn reserved_name(self) -> Option<&'a str> {
        self.doc().reserved_names().get(self.index())?.as_deref()
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
    use super::super::titles::Case;

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
        let doc = MemoryDoc::parse("## Work\n### Work\n");
        let names: Vec<_> = doc.sections().filter_map(|section| section.asked_name()).collect();
        assert_eq!(names, ["## Work", "Work > Work"]);
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
