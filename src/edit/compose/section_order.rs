//! Sections among those of one parent: how some are moved past others.
//!
//! The blank lines behind a section are separators: they stay where they are when a section moves past others, and those of a
//! reserved section belong to it. Where one becomes the last, those behind the section that was the last go with that, or it gets one.

use std::collections::{BTreeMap, HashSet};

use super::super::{EditBuilder, Promise};
use super::last_ending_before;
use super::section::extent_without_blanks as core;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::Span;

/// Sections that move among `siblings`, the sections of their parent in order.
///
/// The separators keep their places; only what stands between them changes it. A reserved section keeps its own.
pub(crate) struct Moved<'a> {
    pub(crate) doc: &'a MemoryDoc,
    pub(crate) siblings: &'a [SectionRef<'a>],
    /// In the order of the request; none moves twice.
    pub(crate) moves: &'a [SectionMove],
}

/// A move of a section, on behalf of a part, from one index among its siblings, from 0, to the one that it would have if no other
/// moved.
#[derive(Clone, Copy)]
pub(crate) struct SectionMove {
    pub(crate) part: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Reports whether a section is reserved, or ends in one that is.
fn is_reserved(section: SectionRef<'_>) -> bool {
    section.doc().reserved_section_at(section.extent.end().saturating_sub(1)).is_some()
}

impl Moved<'_> {
    /// Writes the moves; those that are not reserved take the separators that are not theirs, in order.
    pub(crate) fn compose(&self, edit: &mut EditBuilder) {
        let ends = || self.moves.iter().flat_map(|one| [one.from, one.to]);
        let (Some(first), Some(last), Some(one)) = (ends().min(), ends().max(), self.moves.first()) else { return };
        let text = self.doc.text();
        // Only what stands between the places changes.
        let between = self.siblings.get(first..=last).unwrap_or_default();
        let order = self.order(first, last);
        let is_left = |end: &SectionRef<'_>| order.last().is_some_and(|(last, _)| last != end && is_reserved(*last));
        // The section behind which there is an end no longer, but a reserved one before it.
        let left = self.siblings.last().copied().filter(|end| between.contains(end) && is_left(end));
        let gap = |section: SectionRef<'_>| match left == Some(section) {
            true => Span::new(core(section).end(), section.extent.end()),
            false => self.gap(section),
        };
        let separator = |section: &SectionRef<'_>| match gap(*section).of(text) {
            "" if left == Some(*section) => last_ending_before(self.doc, section.line.end()).as_str(),
            separator => separator,
        };
        let mut separators = between.iter().filter(|section| !is_reserved(**section)).map(separator);
        for (section, moved) in order {
            let (core, gap) = (core(section), gap(section));
            let wanted = match is_reserved(section) {
                true if moved.is_none() => continue,
                true => "",
                false => separators.next().unwrap_or_default(),
            };
            let ending = last_ending_before(self.doc, core.end()).as_str();
            let is_complete = core.of(text).ends_with('\n');
            let Some((moved, place)) = moved else {
                let mut edit = edit.for_part(one.part);
                if !is_complete {
                    edit.append(gap.start(), ending, wanted, Promise::Lines);
                } else if gap.of(text) != wanted {
                    edit.replace(gap, wanted, Promise::Lines);
                }
                continue;
            };
            let completion = if is_complete { "" } else { ending };
            edit.rank(moved.part, place, section.level.into());
            let mut edit = edit.for_part(moved.part);
            edit.replace(Span::new(core.start(), gap.end()), "", Promise::Lines);
            edit.insert(self.doc, place, &[core.of(text), completion, wanted].concat(), Promise::Lines);
        }
    }

    /// Returns the blank lines behind a section; those behind the last are not moved past, and may be its parent's too.
    fn gap(&self, section: SectionRef<'_>) -> Span {
        let end = core(section).end();
        if self.siblings.last() == Some(&section) { Span::at(end) } else { Span::new(end, section.extent.end()) }
    }

    /// Returns the sections from `first` to `last` in the order that they get, those that move with where they are written.
    fn order(&self, first: usize, last: usize) -> Vec<(SectionRef<'_>, Option<(SectionMove, usize)>)> {
        let leaving: HashSet<usize> = self.moves.iter().map(|one| one.from).collect();
        // By the place of the section that they come before.
        let mut arriving: BTreeMap<usize, Vec<_>> = BTreeMap::new();
        for one in self.moves {
            let is_upwards = one.to < one.from;
            let (Some(section), Some(passed)) = (self.siblings.get(one.from), self.siblings.get(one.to)) else {
                continue;
            };
            let place = if is_upwards { passed.extent.start() } else { self.gap(*passed).end() };
            let before = one.to + usize::from(!is_upwards);
            arriving.entry(before).or_default().push((*section, Some((*one, place))));
        }
        let staying = |index: &usize| *index <= last && !leaving.contains(index);
        let at = |index: usize| {
            let stays =
                Some(index).filter(staying).and_then(|index| self.siblings.get(index)).map(|section| (*section, None));
            arriving.remove(&index).unwrap_or_default().into_iter().chain(stays)
        };
        (first..=last + 1).flat_map(at).collect()
    }
}
