//! Sections by title or path, blocks by ID, slots by name.
//!
//! Names are compared after trimming, composing letters and folding white space; only if nothing matches so, letter case is
//! overlooked too, and then the marks of Markdown around the called name.

use std::cell::Cell;
use std::collections::HashMap;

use super::candidate::candidates;
use super::diagnostic::{Diagnostic, Fix, Found, LocateError, Sought};
use super::ladder::Rung;
use super::{marks, missing};
use crate::document::{BlockId, Case, MemoryDoc, SectionId, Slot};
use crate::text::Span;

/// The names of a document, ready for many look-ups.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    doc: &'a MemoryDoc,
    blocks: ByName<BlockId>,
    /// Slots, by their index in the outline.
    slots: ByName<usize>,
    /// Whether names like one that is not there are looked for: each time costs a pass over all names.
    suggests: Cell<bool>,
}

/// Nodes by name, folded with and without letter case. All lists are in document order.
#[derive(Debug)]
struct ByName<T> {
    exact: HashMap<String, Vec<T>>,
    lower: HashMap<String, Vec<T>>,
}

impl<T: Copy> ByName<T> {
    fn new<'n>(named: impl Iterator<Item = (T, &'n str)>) -> Self {
        let (mut exact, mut lower): (HashMap<_, Vec<T>>, HashMap<_, Vec<T>>) = Default::default();
        for (id, name) in named {
            exact.entry(Case::Kept.fold(name)).or_default().push(id);
            lower.entry(Case::Folded.fold(name)).or_default().push(id);
        }
        Self { exact, lower }
    }

    fn get(&self, name: &str, case: Case) -> Vec<T> {
        let names = match case {
            Case::Kept => &self.exact,
            Case::Folded => &self.lower,
        };
        names.get(&case.fold(name)).cloned().unwrap_or_default()
    }
}

/// One kind of things that have names.
struct Kind<'k, T> {
    named: &'k dyn Fn(&str, Case) -> Vec<T>,
    /// The line of a thing.
    line: &'k dyn Fn(T) -> Span,
    /// What names one of several alone.
    fix: &'k dyn Fn(T) -> Option<Fix>,
    what: Sought,
}

impl<'a> Names<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let outline = doc.outline();
        Self {
            doc,
            blocks: ByName::new(outline.block_ids().map(|id| (id, doc.block_id(id)))),
            slots: ByName::new(outline.slots().iter().map(|slot| slot.name.of(doc.text())).enumerate()),
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
        let kind = Kind {
            named: &|name, case| self.doc.sections_named(name, case),
            line: &|id| self.doc.outline().section(id).map_or(Span::at(0), |section| section.line),
            fix: &|id| self.unique(id).map(|name| Fix::NameSection(name.into())),
            what: Sought::Section(name.into()),
        };
        let found = self.only(&kind, marks::readings(name), scope)?;
        found.ok_or_else(|| self.missing(kind.what, || missing::section(self.doc, name)))
    }

    /// Finds the one block inside `scope` with this ID.
    pub(crate) fn block(&self, id: &str, scope: Span) -> Result<Found<BlockId>, LocateError> {
        let kind = Kind {
            named: &|name, case| self.blocks.get(name, case),
            line: &|id| self.doc.outline().block(id).map_or(Span::at(0), |block| block.line),
            fix: &|_| None,
            what: Sought::Block(id.into()),
        };
        let found = self.only(&kind, marks::block_readings(id), scope)?;
        found.ok_or_else(|| self.missing(kind.what, || missing::block(self.doc, id)))
    }

    /// Finds the one slot inside `scope` with this name.
    pub(crate) fn slot(&self, name: &str, scope: Span) -> Result<Found<&'a Slot>, LocateError> {
        let slots = self.doc.outline().slots();
        let kind = Kind {
            named: &|name, case| self.slots.get(name, case),
            line: &|index: usize| slots.get(index).map_or(Span::at(0), |slot| slot.line),
            fix: &|_| None,
            what: Sought::Slot(name.into()),
        };
        let found = self.only(&kind, marks::readings(name), scope)?;
        let slot = found.and_then(|found| Some(Found { at: slots.get(found.at)?, healed: found.healed }));
        slot.ok_or_else(|| self.missing(kind.what, || missing::slot(self.doc, name)))
    }

    /// Returns the one inside `scope` that has the name as one of `readings` says, the first of which is the name itself;
    /// `None` if there is none.
    fn only<T: Copy>(
        &self,
        kind: &Kind<'_, T>,
        readings: Vec<String>,
        scope: Span,
    ) -> Result<Option<Found<T>>, LocateError> {
        for (nth, name) in readings.iter().enumerate() {
            for case in [Case::Kept, Case::Folded] {
                let mut found = (kind.named)(name, case);
                found.retain(|id| scope.covers((kind.line)(*id)));
                match found.as_slice() {
                    [] => {}
                    [only] => {
                        let healed = [(case == Case::Folded, Rung::Case), (nth > 0, Rung::TitleMarks)];
                        let healed = healed.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, rung)| rung);
                        return Ok(Some(Found { at: *only, healed: healed.collect() }));
                    }
                    several => return Err(self.ambiguous(kind, several)),
                }
            }
        }
        Ok(None)
    }

    fn ambiguous<T: Copy>(&self, kind: &Kind<'_, T>, several: &[T]) -> LocateError {
        let lines: Vec<_> = several.iter().map(|id| (kind.line)(*id)).collect();
        ambiguous(self.doc, kind.what.clone(), &lines, several.iter().map(|id| (kind.fix)(*id)))
    }

    fn missing(&self, what: Sought, help: impl FnOnce() -> Diagnostic) -> LocateError {
        let help = if self.suggests.get() { help() } else { Diagnostic::default() };
        LocateError::NotFound { what, help: Box::new(help) }
    }

    /// Returns the shortest name that only this section has; `None` if another has the same path.
    pub(crate) fn unique(&self, id: SectionId) -> Option<String> {
        self.doc.unique_section_name(id)
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
    let fixes = blocks.iter().map(|id| Some(Fix::NameBlock(doc.block_id(*id).into())));
    ambiguous(doc, Sought::Block(title.into()), &lines, fixes)
}

fn ambiguous(doc: &MemoryDoc, what: Sought, spans: &[Span], fixes: impl Iterator<Item = Option<Fix>>) -> LocateError {
    let (mut candidates, not_shown) = candidates(doc, spans);
    for (candidate, fix) in candidates.iter_mut().zip(fixes) {
        candidate.fix = fix;
    }
    let help = Diagnostic { candidates, not_shown, ..Diagnostic::default() };
    LocateError::Ambiguous { what, count: spans.len(), overlapping: false, help: Box::new(help) }
}
