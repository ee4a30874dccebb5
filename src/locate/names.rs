//! Sections by title or path, blocks by ID, slots by name (SPEC § 2).
//!
//! Names are compared after trimming and folding white space; only if nothing matches so, letter case is overlooked too.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;

use super::candidate::candidates;
use super::closest::closest_name;
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::ladder::Rung;
use crate::document::{BlockId, MemoryDoc, SectionId, Slot};
use crate::text::{Span, excerpt, fold_name, fold_white_space};

/// How many names are listed where one was not found.
const KNOWN: usize = 8;

/// The names of a document, ready for many look-ups.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    doc: &'a MemoryDoc,
    sections: ByName<SectionId>,
    blocks: ByName<BlockId>,
    /// Slots, by their index in the outline.
    slots: ByName<usize>,
    /// Sections by their parent's title and their own, for paths.
    pairs: OnceCell<HashMap<(String, String), Vec<SectionId>>>,
    folded_pairs: OnceCell<HashMap<(String, String), Vec<SectionId>>>,
    /// Whether names like one that is not there are looked for: each time costs a pass over all names.
    suggests: Cell<bool>,
}

/// Nodes by name: as it is written, and in lower case. All lists are in document order.
#[derive(Debug)]
struct ByName<T> {
    exact: HashMap<String, Vec<T>>,
    lower: HashMap<String, Vec<T>>,
}

impl<T: Copy> ByName<T> {
    fn new<'n>(named: impl Iterator<Item = (T, &'n str)>) -> Self {
        let (mut exact, mut lower): (HashMap<_, Vec<T>>, HashMap<_, Vec<T>>) = Default::default();
        for (id, name) in named {
            exact.entry(fold_white_space(name).into_owned()).or_default().push(id);
            lower.entry(fold_name(name)).or_default().push(id);
        }
        Self { exact, lower }
    }

    fn get(&self, name: &str, case: Case) -> &[T] {
        let found = match case {
            Case::Kept => self.exact.get(&case.folded(name)),
            Case::Folded => self.lower.get(&case.folded(name)),
        };
        found.map_or(&[], Vec::as_slice)
    }
}

/// Whether letter case counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    Kept,
    Folded,
}

impl Case {
    fn healed(self) -> Vec<Rung> {
        match self {
            Self::Kept => Vec::new(),
            Self::Folded => vec![Rung::Case],
        }
    }

    fn folded(self, name: &str) -> String {
        match self {
            Self::Kept => fold_white_space(name).into_owned(),
            Self::Folded => fold_name(name),
        }
    }

    fn equal(self, a: &str, b: &str) -> bool {
        self.folded(a) == self.folded(b)
    }
}

impl<'a> Names<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let outline = doc.outline();
        Self {
            doc,
            sections: ByName::new(outline.section_ids().map(|id| (id, doc.section_title(id)))),
            blocks: ByName::new(outline.block_ids().map(|id| (id, doc.block_id(id)))),
            slots: ByName::new(outline.slots().iter().map(|slot| slot.name.of(doc.text())).enumerate()),
            pairs: OnceCell::new(),
            folded_pairs: OnceCell::new(),
            suggests: Cell::new(true),
        }
    }

    /// Stops looking for names like those that are not there.
    pub(crate) fn stop_suggesting(&self) {
        self.suggests.set(false);
    }

    /// Returns the document whose names they are.
    pub(crate) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }

    /// Finds the one section inside `scope` with this title or path; a path may begin at any ancestor.
    pub(crate) fn section(&self, name: &str, scope: Span) -> Result<Found<SectionId>, LocateError> {
        let line = |id: SectionId| self.doc.outline().section(id).map_or(Span::at(0), |section| section.line);
        for case in [Case::Kept, Case::Folded] {
            let mut matching = self.sections_matching(name, case);
            matching.retain(|id| scope.covers(line(*id)));
            match matching.as_slice() {
                [] => {}
                [only] => return Ok(Found { at: *only, healed: case.healed() }),
                several => {
                    let lines: Vec<_> = several.iter().map(|id| line(*id)).collect();
                    let mut error = ambiguous(self.doc, Sought::Section(name.to_owned()), &lines);
                    if let LocateError::Ambiguous { help, .. } = &mut error {
                        for (candidate, id) in help.candidates.iter_mut().zip(several) {
                            candidate.fix = self.unique(*id).map(Fix::NameSection);
                        }
                    }
                    return Err(error);
                }
            }
        }
        if !self.suggests.get() {
            return Err(missing(Sought::Section(name.to_owned()), None, std::iter::empty::<&str>()));
        }
        // What is suggested names one section.
        let is_unique = |name: &&str| self.sections_matching(name, Case::Kept).len() == 1;
        // A heading that was copied with its `#`s.
        let bare = Some(name.trim_start_matches(['#', ' '])).filter(|bare| *bare != name).filter(is_unique);
        // A path is compared with paths as long.
        let depth = name.split('>').count();
        let path = |id: SectionId| {
            let ancestors = self.doc.outline().ancestors(id).take(depth);
            let mut titles: Vec<_> = ancestors.map(|ancestor| self.doc.section_title(ancestor)).collect();
            titles.reverse();
            titles.join(" > ")
        };
        let paths: Vec<_> = self.doc.outline().section_ids().map(path).collect();
        let closest = || closest_name(name, paths.iter().map(String::as_str)).filter(is_unique);
        let fix = bare.or_else(closest).map(|name| Fix::NameSection(name.to_owned()));
        let known = |id: SectionId| self.unique(id).unwrap_or_else(|| self.doc.section_title(id).to_owned());
        Err(missing(Sought::Section(name.to_owned()), fix, self.doc.outline().section_ids().map(known)))
    }

    /// Finds the one block inside `scope` with this ID.
    pub(crate) fn block(&self, id: &str, scope: Span) -> Result<Found<BlockId>, LocateError> {
        let line = |id: BlockId| self.doc.outline().block(id).map_or(Span::at(0), |block| block.line);
        let what = || Sought::Block(id.to_owned());
        if let Some(found) =
            self.only(&self.blocks, id, |id| Some(line(id)).filter(|line| scope.covers(*line)), &what)?
        {
            return Ok(found);
        }
        if !self.suggests.get() {
            return Err(missing(what(), None, std::iter::empty::<&str>()));
        }
        let ids = || self.doc.outline().block_ids().map(|block| self.doc.block_id(block));
        let fix = closest_name(id, ids()).map(|id| Fix::NameBlock(id.to_owned()));
        Err(missing(what(), fix, ids()))
    }

    /// Finds the one slot inside `scope` with this name.
    pub(crate) fn slot(&self, name: &str, scope: Span) -> Result<Found<&'a Slot>, LocateError> {
        let slots = self.doc.outline().slots();
        let line = |index: usize| slots.get(index).map(|slot| slot.line).filter(|line| scope.covers(*line));
        let what = || Sought::Slot(name.to_owned());
        let found = self.only(&self.slots, name, line, &what)?;
        if let Some((slot, healed)) = found.and_then(|found| Some((slots.get(found.at)?, found.healed))) {
            return Ok(Found { at: slot, healed });
        }
        if !self.suggests.get() {
            return Err(missing(what(), None, std::iter::empty::<&str>()));
        }
        let known = || slots.iter().map(|slot| slot.name.of(self.doc.text()));
        let fix = closest_name(name, known()).map(|name| Fix::NameSlot(name.to_owned()));
        Err(missing(what(), fix, known()))
    }

    /// Returns the one that has this name, of those that have a line; `None` if there is none.
    fn only<T: Copy>(
        &self,
        all: &ByName<T>,
        name: &str,
        line: impl Fn(T) -> Option<Span>,
        what: &dyn Fn() -> Sought,
    ) -> Result<Option<Found<T>>, LocateError> {
        for case in [Case::Kept, Case::Folded] {
            let matching: Vec<_> = all.get(name, case).iter().filter_map(|id| Some((*id, line(*id)?))).collect();
            match matching.as_slice() {
                [] => {}
                [(only, _)] => return Ok(Some(Found { at: *only, healed: case.healed() })),
                several => {
                    let lines: Vec<_> = several.iter().map(|(_, line)| *line).collect();
                    return Err(ambiguous(self.doc, what(), &lines));
                }
            }
        }
        Ok(None)
    }

    /// Returns the shortest name that only this section has: its title, or its path; `None` if another has the same path.
    pub(crate) fn unique(&self, id: SectionId) -> Option<String> {
        let names = [self.doc.section_title(id).to_owned(), self.doc.section_path(id)];
        names.into_iter().find(|name| self.sections_matching(name, Case::Kept) == [id])
    }

    /// Returns the sections with this title, else with this path.
    fn sections_matching(&self, name: &str, case: Case) -> Vec<SectionId> {
        let by_title = self.sections.get(name, case);
        if !by_title.is_empty() || !name.contains('>') {
            return by_title.to_vec();
        }
        let path: Vec<_> = name.split('>').collect();
        let has_path = |id: &&SectionId| {
            let mut ancestors = self.doc.outline().ancestors(**id);
            let mut titles = path.iter().rev();
            titles.all(|title| ancestors.next().is_some_and(|id| case.equal(self.doc.section_title(id), title)))
        };
        let [.., parent, last] = path.as_slice() else { return Vec::new() };
        let key = (case.folded(parent), case.folded(last));
        self.pairs(case).get(&key).into_iter().flatten().filter(has_path).copied().collect()
    }

    /// Returns the sections by their parent's title and their own.
    fn pairs(&self, case: Case) -> &HashMap<(String, String), Vec<SectionId>> {
        let cell = match case {
            Case::Kept => &self.pairs,
            Case::Folded => &self.folded_pairs,
        };
        cell.get_or_init(|| {
            let mut pairs: HashMap<_, Vec<SectionId>> = HashMap::new();
            for id in self.doc.outline().section_ids() {
                if let Some(parent) = self.doc.outline().section(id).and_then(|section| section.parent) {
                    let key = (case.folded(self.doc.section_title(parent)), case.folded(self.doc.section_title(id)));
                    pairs.entry(key).or_default().push(id);
                }
            }
            pairs
        })
    }
}

/// Finds the one section with this title or path.
pub(crate) fn section_by_name(doc: &MemoryDoc, name: &str) -> Result<Found<SectionId>, LocateError> {
    Names::new(doc).section(name, doc.span())
}

/// Finds the one block with this ID.
pub(crate) fn block_by_id(doc: &MemoryDoc, id: &str) -> Result<Found<BlockId>, LocateError> {
    Names::new(doc).block(id, doc.span())
}

/// The error for a title that several blocks have; their IDs tell them apart.
pub(crate) fn several_blocks(doc: &MemoryDoc, title: &str, blocks: &[BlockId]) -> LocateError {
    let line = |id: &BlockId| doc.outline().block(*id).map_or(Span::at(0), |block| block.line);
    let lines: Vec<_> = blocks.iter().map(line).collect();
    let mut error = ambiguous(doc, Sought::Block(title.to_owned()), &lines);
    if let LocateError::Ambiguous { help, .. } = &mut error {
        for (candidate, id) in help.candidates.iter_mut().zip(blocks) {
            candidate.fix = Some(Fix::NameBlock(doc.block_id(*id).to_owned()));
        }
    }
    error
}

/// Returns the shortest name that only this section has.
pub(super) fn unique_name(doc: &MemoryDoc, id: SectionId) -> Option<String> {
    Names::new(doc).unique(id)
}

fn missing(what: Sought, fix: Option<Fix>, names: impl Iterator<Item = impl AsRef<str>>) -> LocateError {
    let names = names.filter(|name| !name.as_ref().is_empty()).take(KNOWN);
    let known = names.map(|name| excerpt(name.as_ref(), 60)).collect();
    LocateError::NotFound { what, help: Box::new(Diagnostic { fix, known, ..Diagnostic::default() }) }
}

fn ambiguous(doc: &MemoryDoc, what: Sought, spans: &[Span]) -> LocateError {
    let (candidates, not_shown) = candidates(doc, spans);
    let help = Diagnostic { candidates, not_shown, ..Diagnostic::default() };
    LocateError::Ambiguous { what, count: spans.len(), overlapping: false, help: Box::new(help) }
}
