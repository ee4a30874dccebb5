//! Sections among those of one parent: how one is moved past others.
//!
//! The blank lines behind a section are separators: they stay where they are when a section moves past others, and those of a
//! reserved section belong to it.

use super::super::{PartEdit, Promise};
use super::ending::last_ending_before;
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
        let Some(siblings) = self.siblings.get(first..=last) else { return };
        let range = Moved { doc: self.doc, siblings, from: self.from - first, to: self.to - first };
        if siblings.iter().any(|section| is_reserved(*section)) {
            range.around_reserved(&mut edit);
        } else {
            range.plain(&mut edit);
        }
    }

    /// Moves the section past others that are not reserved.
    fn plain(&self, edit: &mut PartEdit<'_>) {
        let text = self.doc.text();
        let cores: Vec<Span> = self.siblings.iter().map(|section| core(*section)).collect();
        let gap = |after: usize| match (cores.get(after), cores.get(after + 1)) {
            (Some(before), Some(next)) => Span::new(before.end(), next.start()).of(text),
            _ => "",
        };
        let (from, to) = (self.from, self.to);
        let (Some(moved), Some(target)) = (cores.get(from), cores.get(to)) else { return };
        let ending = last_ending_before(text, moved.end()).as_str();
        let completion = if moved.of(text).ends_with('\n') { "" } else { ending };
        let body = [moved.of(text), completion].concat();
        if to < from {
            let Some(before) = from.checked_sub(1).and_then(|before| cores.get(before)) else { return };
            edit.replace(Span::at(target.start()), [&*body, gap(to)].concat(), Promise::Lines);
            (to..from - 1).for_each(|place| self.respace(&cores, place, gap(place + 1), edit));
            edit.replace(Span::new(before.end(), moved.end()), "", Promise::Lines);
        } else {
            let Some(next) = cores.get(from + 1) else { return };
            edit.replace(Span::new(moved.start(), next.start()), "", Promise::Lines);
            (from + 1..to).for_each(|place| self.respace(&cores, place, gap(place - 1), edit));
            let written = [gap(to - 1), &*body].concat();
            self.write_behind(target.end(), ending, &written, edit);
        }
    }

    /// Moves the section past reserved ones: the others take the separators that are not theirs, in order.
    fn around_reserved(&self, edit: &mut PartEdit<'_>) {
        let text = self.doc.text();
        let cores: Vec<Span> = self.siblings.iter().map(|section| core(*section)).collect();
        let gaps: Vec<Span> = self
            .siblings
            .iter()
            .zip(&cores)
            .map(|(section, core)| Span::new(core.end(), section.extent.end()))
            .collect();
        let is_free = |index: &usize| self.siblings.get(*index).is_some_and(|section| !is_reserved(*section));
        let mut order: Vec<usize> = (0..self.siblings.len()).collect();
        order.remove(self.from);
        order.insert(self.to, self.from);
        let (Some(moved), Some(own_gap)) = (cores.get(self.from), gaps.get(self.from)) else { return };
        let ending = last_ending_before(text, moved.end()).as_str();
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
            self.write_behind(place, ending, &body, edit);
        }
    }

    /// Inserts whole lines at `at`, and completes the line before where that has no ending.
    fn write_behind(&self, at: usize, ending: &str, written: &str, edit: &mut PartEdit<'_>) {
        let text = self.doc.text();
        if at > 0 && text.as_bytes().get(at - 1) != Some(&b'\n') {
            edit.append(at, ending, written, Promise::Lines);
        } else {
            edit.replace(Span::at(at), written, Promise::Lines);
        }
    }

    /// Puts the separator `wanted` behind the sibling at `place`.
    fn respace(&self, cores: &[Span], place: usize, wanted: &str, edit: &mut PartEdit<'_>) {
        let (Some(before), Some(next)) = (cores.get(place), cores.get(place + 1)) else { return };
        let gap = Span::new(before.end(), next.start());
        if gap.of(self.doc.text()) != wanted {
            edit.replace(gap, wanted, Promise::Lines);
        }
    }
}
