//! Search for nodes by name: sections by title or path, blocks by ID or title, labels and slots by name.
//!
//! The *called* name is the name as a request writes it. Names are compared after trimming, composing letters and
//! folding white space. If nothing matches, letter case is ignored. If still nothing matches, Markdown around the
//! called name is ignored, too (`## Facts`, `**Facts**`, `Facts:`). Marks are removed from the called name only, and
//! only if they are not part of a word: `C#` never means `C`. `#`s before a title name the level of the section.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::bullet_text::BulletText;
use super::diagnostic::{Diagnostic, Fix, LocateError, NodeKind, Target};
use super::leniency::Leniency;
use super::matches::{Found, Matches};
use super::missing;
use super::scope::Scope;
use crate::document::{
    BlockRef, BulletRef, COLONS, Case, LabelRef, MemoryDoc, PATH_SEPARATOR, SectionRef, Slot, heading,
};
use crate::text::Span;

/// How many failing parts of a request get help. Each costs a pass over the document.
pub(crate) const HELPED: usize = 5;

/// An index of the names and bullet texts of a document, built on demand, for the many look-ups of a request.
pub(crate) struct Names<'a> {
    doc: &'a MemoryDoc,
    blocks: OnceCell<ByName<BlockRef<'a>>>,
    titles: OnceCell<ByName<BlockRef<'a>>>,
    labels: OnceCell<ByName<LabelRef<'a>>>,
    slots: OnceCell<ByName<&'a Slot>>,
    /// The texts of bullets in normal form, each computed on its first use.
    texts: OnceCell<Vec<OnceCell<Box<BulletText>>>>,
    /// Whether errors get help. It is turned off for searches whose errors nobody sees, and after [`HELPED`] errors.
    pub(crate) helps: Cell<bool>,
}

/// Nodes by name. Each node is entered twice: under its name, and under its name in lower case. Lists are in document
/// order.
struct ByName<T>(HashMap<(Case, String), Vec<T>>);

impl<T: Copy> ByName<T> {
    fn new<'n>(named: impl Iterator<Item = (T, &'n str)>) -> Self {
        let mut by_name: HashMap<_, Vec<T>> = HashMap::new();
        for (node, name) in named {
            for case in [Case::Kept, Case::Folded] {
                by_name.entry((case, case.fold(name))).or_default().push(node);
            }
        }
        Self(by_name)
    }

    fn first_named(&self, readings: &[String], is_inside: impl Fn(&T) -> bool) -> Found<Vec<T>> {
        let named = |name: &str, case: Case| self.0.get(&(case, case.fold(name))).cloned().unwrap_or_default();
        first_named(readings, named, is_inside)
    }
}

impl<'a> Names<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let (blocks, titles, labels, slots, texts) = Default::default();
        Self { doc, blocks, titles, labels, slots, texts, helps: Cell::new(true) }
    }

    /// Returns the document that is indexed.
    pub(crate) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }

    /// Returns the text of a bullet in normal form, which is computed once.
    pub(super) fn bullet_text(&self, bullet: BulletRef<'_>) -> Option<&BulletText> {
        let texts = self.texts.get_or_init(|| vec![OnceCell::new(); self.doc.outline().bullets.len()]);
        Some(texts.get(bullet.index())?.get_or_init(|| Box::new(BulletText::new(bullet))))
    }

    /// Runs a search whose errors nobody sees, so that they need no help.
    pub(crate) fn without_help<T>(&self, search: impl FnOnce() -> T) -> T {
        let helps = self.helps.replace(false);
        let found = search();
        self.helps.set(helps);
        found
    }

    /// Finds the one section or block inside `within` that has this name. If there is none, finds the label with this
    /// name, else the block with this ID, else the block with this title; that is healed as [`Leniency::Label`].
    pub(crate) fn scope(&self, kind: NodeKind, name: &str, within: Span) -> Result<Found<Scope<'a>>, LocateError> {
        let [section, label, block, titled] = self.called(name, within);
        let named = if kind == NodeKind::Block { block.clone() } else { section };
        match [label, block, titled].into_iter().find(|found| is_absent(&named) && !is_absent(found)) {
            Some(other) => Ok(other?.with_earlier(vec![Leniency::Label])),
            None => self.helped(named, || missing::scope(self.doc, kind, name)),
        }
    }

    /// Finds the one section, label or block inside `within` that has this title or name. `None` if there is none, or
    /// if two nodes of different kinds have it.
    pub(crate) fn titled_scope(&self, name: &str, within: Span) -> Option<Result<Found<Scope<'a>>, LocateError>> {
        let place = |found: &Result<Found<Scope<'a>>, _>| Some(found.as_ref().ok()?.at.span(self.doc).start());
        let mut present = self.called(name, within).into_iter().filter(|found| !is_absent(found));
        let first = present.next()?;
        // A heading with an ID is both a section and a block: these count as one node.
        present.all(|other| place(&other).is_some() && place(&other) == place(&first)).then_some(first)
    }

    /// Searches inside `within` for the section, the label, the block by ID and the block by title that have this name.
    /// Errors get no help.
    fn called(&self, name: &str, within: Span) -> [Result<Found<Scope<'a>>, LocateError>; 4] {
        self.without_help(|| {
            [
                self.section(name, within).map(|found| found.map(Scope::Section)),
                self.label(name, within).map(|found| found.map(Scope::Label)),
                self.block(name, within).map(|found| found.map(Scope::Block)),
                self.titled(&readings(name), within).map(|found| found.map(Scope::Block)),
            ]
        })
    }

    /// Finds the one label inside `scope` with this name.
    fn label(&self, name: &str, scope: Span) -> Result<Found<LabelRef<'a>>, LocateError> {
        let labels = self.labels.get_or_init(|| ByName::new(self.doc.labels().map(|label| (label, label.name()))));
        let found = labels.first_named(&readings(name), |label| scope.covers(label.line));
        self.only(Target::Section(name.into()), found, |label| label.line, |_| None)
    }

    /// Finds the one section inside `scope` with this title or path. A path may begin at any ancestor. If `#`s come
    /// before a title, the section of this level is meant, if there is one.
    pub(crate) fn section(&self, name: &str, scope: Span) -> Result<Found<SectionRef<'a>>, LocateError> {
        let readings = readings(name);
        let named = |name: &str, case| self.doc.sections_named(name, case);
        let found_of = |level: Option<u8>| {
            let is_of = |section: &SectionRef<'_>| level.is_none_or(|level| section.level == level);
            first_named(&readings, named, |section| is_of(section) && scope.covers(section.line))
        };
        // In a path, `#`s would be the level of the first title, not of the section.
        let level = heading(name.trim()).filter(|_| !name.contains('>')).map(|heading| heading.level);
        let of_level = level.map(|level| found_of(Some(level))).filter(|found| !found.at.is_empty());
        let found = of_level.unwrap_or_else(|| found_of(None));
        let fix = |section: &SectionRef<'a>| Fix::section(Some(*section));
        let only = self.only(Target::Section(name.into()), found, |section| section.line, fix);
        self.helped(only, || missing::scope(self.doc, NodeKind::Section, name))
    }

    /// Finds the one block inside `scope` with this ID.
    pub(crate) fn block(&self, id: &str, scope: Span) -> Result<Found<BlockRef<'a>>, LocateError> {
        let blocks = self.blocks.get_or_init(|| ByName::new(self.doc.blocks().map(|block| (block, block.id()))));
        let found = blocks.first_named(&readings(id), |block| scope.covers(block.line));
        let only = self.only(Target::Block(id.into()), found, |block| block.line, |_| None);
        self.helped(only, || missing::scope(self.doc, NodeKind::Block, id))
    }

    /// Finds the one block inside `scope` whose title is one of `readings`. If several match, the fix for each is its
    /// ID.
    pub(crate) fn titled(&self, readings: &[String], scope: Span) -> Result<Found<BlockRef<'a>>, LocateError> {
        let titles = self.titles.get_or_init(|| ByName::new(self.doc.blocks().map(|block| (block, block.title()))));
        let found = titles.first_named(readings, |block| scope.covers(block.line));
        let name = readings.first().map(String::as_str).unwrap_or_default();
        let fix = |block: &BlockRef<'a>| Some(Fix::NameBlock(block.id().into()));
        self.only(Target::Block(name.into()), found, |block| block.line, fix)
    }

    /// Finds the one slot inside `scope` with this name.
    pub(crate) fn slot(&self, name: &str, scope: Span) -> Result<Found<&'a Slot>, LocateError> {
        let all = || self.doc.outline().slots.iter();
        let slots = self.slots.get_or_init(|| ByName::new(all().map(|slot| (slot, slot.name.of(self.doc.text())))));
        let found = slots.first_named(&readings(name), |slot| scope.covers(slot.line));
        let only = self.only(Target::Slot(name.into()), found, |slot| slot.line, |_| None);
        self.helped(only, || missing::slot(self.doc, name))
    }

    /// Returns the only node of `found`.
    ///
    /// # Errors
    ///
    /// There is none, or there are several. For several, `line` returns the span to show for a node, and `fix` the
    /// change of the request that selects it.
    pub(crate) fn only<T: Copy>(
        &self,
        what: Target,
        found: Found<Vec<T>>,
        line: impl Fn(&T) -> Span,
        fix: impl Fn(&T) -> Option<Fix>,
    ) -> Result<Found<T>, LocateError> {
        match found.at.as_slice() {
            [] => Err(LocateError::not_found(what, Diagnostic::default())),
            [only] => Ok(Found { at: *only, healed: found.healed }),
            several => {
                let mut matches = Matches::new(self.doc, several.iter().map(&line).collect());
                matches.offer(|span, _| fix(several.iter().find(|node| line(node) == span)?));
                Err(LocateError::Ambiguous { what, matches: Box::new(matches) })
            }
        }
    }

    /// Adds the help that `find` returns to a not-found error, unless help is turned off.
    pub(crate) fn helped<T>(
        &self,
        mut found: Result<T, LocateError>,
        find: impl FnOnce() -> Diagnostic,
    ) -> Result<T, LocateError> {
        if let Err(LocateError::NotFound { help, .. }) = &mut found
            && self.helps.get()
        {
            **help = find();
        }
        found
    }
}

/// Reports whether a search found nothing. Several matches are not nothing.
fn is_absent<T>(found: &Result<T, LocateError>) -> bool {
    found.as_ref().is_err_and(LocateError::is_absence)
}

/// Tries the `readings` of a name in order, each first with and then without regard to letter case, and returns the
/// nodes of the first that matches. The first reading is the called name itself.
fn first_named<T: Copy>(
    readings: &[String],
    named: impl Fn(&str, Case) -> Vec<T>,
    is_inside: impl Fn(&T) -> bool,
) -> Found<Vec<T>> {
    for (nth, name) in readings.iter().enumerate() {
        for case in [Case::Kept, Case::Folded] {
            let mut found = named(name, case);
            found.retain(&is_inside);
            if !found.is_empty() {
                let needed = [(Leniency::Case, case == Case::Folded), (Leniency::TitleMarks, nth > 0)];
                return Found { at: found, healed: Leniency::needed(needed) };
            }
        }
    }
    Found::exact(Vec::new())
}

/// How many nested marks are removed from a name.
const DEEPEST: usize = 6;
/// The marks that may enclose a name.
const AROUND: [(&str, &str); 8] = [
    ("**", "**"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("\u{201C}", "\u{201D}"),
    ("\u{2018}", "\u{2019}"),
    ("\u{201E}", "\u{201C}"),
    ("\u{AB}", "\u{BB}"),
];

/// Returns the possible readings of a called name: the name itself, then the name with one mark after the other
/// removed. For a path, the last reading has the marks of each title removed.
pub(crate) fn readings(name: &str) -> Vec<String> {
    let mut readings: Vec<String> = layers(name).map(str::to_owned).collect();
    let titles = name.split('>').map(|title| layers(title).last().unwrap_or(title).trim());
    let path = titles.collect::<Vec<_>>().join(PATH_SEPARATOR);
    if name.contains('>') && path != name {
        readings.push(path);
    }
    readings
}

/// Returns a called name without any marks.
pub(super) fn bare(name: &str) -> String {
    readings(name).pop().unwrap_or_default()
}

/// Iterates over a name, the name without its outermost mark, and so on.
fn layers(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |name| unwrapped(name)).take(1 + DEEPEST)
}

/// Returns the name without the outermost mark.
fn unwrapped(name: &str) -> Option<&str> {
    let name = name.trim();
    let of_heading = || heading(name).filter(|heading| heading.id.is_none()).map(|heading| heading.title);
    let behind_mark = name.strip_prefix("@@").map(|rest| rest.strip_suffix("@@").unwrap_or(rest));
    // The opening `@@` may have been removed when the anchor line was read.
    let of_anchor = || behind_mark.or_else(|| name.strip_suffix(" @@"));
    let enclosed = || {
        AROUND.iter().find_map(|(open, close)| {
            let inner = name.strip_prefix(open)?.strip_suffix(close)?;
            Some(inner).filter(|inner| !inner.contains(open) && !inner.contains(close))
        })
    };
    let bare = of_heading().or_else(of_anchor).or_else(enclosed).or_else(|| name.strip_suffix(COLONS))?;
    Some(bare.trim()).filter(|bare| !bare.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{bare, readings};

    #[test]
    fn marks_are_taken_away_one_by_one() {
        assert_eq!(readings("## **Facts**:"), ["## **Facts**:", "**Facts**:", "**Facts**", "Facts"]);
        assert_eq!(bare("@@ \"Facts\" @@"), "Facts");
        assert_eq!(bare("## A ## > `B`"), "A > B");
    }

    #[test]
    fn signs_of_a_word_stay() {
        for name in ["C#", "#Tag", "1)", "F# #", "\"A\" and \"B\"", "**A** or **B**", ":", "# ", "-x-"] {
            assert_eq!(readings(name), [name]);
        }
        assert_eq!(readings("## C# ##"), ["## C# ##", "C#"]);
    }
}
