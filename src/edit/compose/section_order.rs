//! Sections among those of one parent: how one is moved past others.
//!
//! The blank lines behind a section are separators: they stay where they are when a section moves past others, and those of a
//! reserved section belong to it.

use super::super::{PartEdit, Promise};
use super::last_ending_before;
use super::section::extent_without_blanks as core;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::Span;

/// A section that moves among `siblings`, the sections of its parent in order, from one index, from 0, to another.
///
/// The separators keep their places; only what stands between them changes it. A reserved section keeps its own.
pub(crate) struct Moved<'a> {
    pub(crate) doc: &'a MemoryDoc,
    pub(crate) siblings: &'a [SectionRef<'a>],
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Reports whether a section is reserved, or ends in one that is.
fn is_reserved(section: SectionRef<'_>) -> bool {
    section.doc().reserved_section_at(section.extent.end().saturating_sub(1)).is_some()
}

impl Moved<'_> {
    /// Writes the move.
    pub(crate) fn compose(&self, mut edit: PartEdit<'_>) {
        // Only what stands between the two places changes.
        let (first, last) = (self.from.min(self.to), self.from.max(self.to));
        if let Some(siblings) = self.siblings.get(first..=last) {
            Moved { doc: self.doc, siblings, from: self.from - first, to: self.to - first }.write(&mut edit);
        }
    }

    /// Moves the section past all the others; those that are not reserved take the separators that are not theirs, in order.
    fn write(&self, edit: &mut PartEdit<'_>) {
        let text = self.doc.text();
        let cores: Vec<Span> = self.siblings.iter().map(|section| core(*section)).collect();
        let gap = |(section, core): (&SectionRef<'_>, &Span)| Span::new(core.end(), section.extent.end());
        let gaps: Vec<Span> = self.siblings.iter().zip(&cores).map(gap).collect();
        let is_free = |index: &usize| self.siblings.get(*index).is_some_and(|section| !is_reserved(*section));
        let mut order: Vec<usize> = (0..self.siblings.len()).collect();
        order.remove(self.from);
        order.insert(self.to, self.from);
        let (Some(moved), Some(own_gap)) = (cores.get(self.from), gaps.get(self.from)) else { return };
        let ending = last_ending_before(self.doc, moved.end()).as_str();
        let mut separators = (0..self.siblings.len()).filter(is_free).filter_map(|index| gaps.get(index));
        let mut moved_separator = "";
        for index in order.into_iter().filter(is_free) {
            let (Some(core), Some(gap)) = (cores.get(index), gaps.get(index)) else { return };
            let wanted = separators.next().map_or("", |gap| gap.of(text));
            if index == self.from {
                moved_separator = wanted;
            } else if !core.of(text).ends_with('\n') {
                edit.append(gap.start(), ending, wanted, Promise::Lines);
            } else if gap.of(text) != wanted {
                edit.replace(*gap, wanted, Promise::Lines);
            }
        }
        let completion = if moved.of(text).ends_with('\n') { "" } else { ending };
        let body = [moved.of(text), completion, moved_separator].concat();
        edit.replace(Span::new(moved.start(), own_gap.end()), "", Promise::Lines);
        let upwards = cores.get(self.to).map(|core| core.start()).filter(|_| self.to < self.from);
        if let Some(place) = upwards.or_else(|| gaps.get(self.to).map(|gap| gap.end())) {
            edit.insert(self.doc, place, &body, Promise::Lines);
        }
    }
}
