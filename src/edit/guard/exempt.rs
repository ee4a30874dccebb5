//! The lines that a request names, in both texts, and what each of its parts names and writes.

use std::cell::OnceCell;

use super::super::draft::merged;
use super::super::{Carry, Draft};
use crate::text::Span;

/// The lines that the request named: what stands there, changed or not, is its business.
pub(super) struct Exempt<'a> {
    pub(super) old: Vec<Span>,
    pub(super) new: Vec<Span>,
    draft: &'a Draft<'a>,
    carry: Carry<'a>,
    /// Lines of the old text, and the parts that name them. Sorted, disjoint.
    shares: OnceCell<Vec<(Span, Vec<usize>)>>,
}

impl<'a> Exempt<'a> {
    pub(super) fn new(draft: &'a Draft<'a>) -> Self {
        let old = merged(draft.edit.named().iter().map(|named| named.lines));
        let new = renewed(draft, &old);
        Self { old, new, draft, carry: Carry::of(draft), shares: OnceCell::new() }
    }

    /// Reports whether a part names two lines of the old text.
    pub(super) fn names_both(&self, line: usize, other: usize) -> bool {
        let naming = self.naming(line);
        self.naming(other).iter().any(|part| naming.binary_search(part).is_ok())
    }

    /// Reports whether a part names a line of the old text, and writes or names what stands at a place of the new one.
    pub(super) fn is_together(&self, line: usize, place: usize) -> bool {
        if let Some(old) = self.carry.origin(place) {
            return self.names_both(line, old);
        }
        let written = self.draft.written.partition_point(|span| span.end() <= place);
        let splice = self.draft.edit.splices().get(written);
        splice.is_some_and(|splice| self.naming(line).binary_search(&splice.planned_as).is_ok())
    }

    /// Returns the parts that name a line of the old text, ascending.
    fn naming(&self, line: usize) -> &[usize] {
        let shares = self.shares.get_or_init(|| shares(self.draft));
        let next = shares.get(shares.partition_point(|(lines, _)| lines.end() <= line));
        next.filter(|(lines, _)| lines.contains(line)).map_or(&[], |(_, parts)| parts)
    }
}

/// Divides the lines that are named where one part ceases to name them, or another begins to.
fn shares(draft: &Draft<'_>) -> Vec<(Span, Vec<usize>)> {
    let named = draft.edit.named();
    let mut bounds: Vec<_> = named.iter().flat_map(|named| [named.lines.start(), named.lines.end()]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    let between = bounds.iter().zip(bounds.iter().skip(1));
    let mut shares: Vec<_> = between.map(|(start, end)| (Span::new(*start, *end), Vec::new())).collect();
    for named in named {
        let first = shares.partition_point(|(lines, _)| lines.start() < named.lines.start());
        let own = shares.iter_mut().skip(first).take_while(|(lines, _)| lines.end() <= named.lines.end());
        own.for_each(|(_, parts)| parts.push(named.part));
    }
    shares.iter_mut().for_each(|(_, parts)| parts.sort_unstable());
    shares
}

/// Returns where lines stand in the new text, with what is written among them.
fn renewed(draft: &Draft<'_>, old: &[Span]) -> Vec<Span> {
    let mut splices = draft.splices().peekable();
    let (mut added, mut removed) = (0, 0);
    let mut new = Vec::with_capacity(old.len());
    for region in old {
        while let Some((gone, come, _)) = splices
            .next_if(|(gone, ..)| gone.end() < region.start() || (gone.end() == region.start() && !gone.is_empty()))
        {
            added += come.len();
            removed += gone.len();
        }
        let start = (region.start() + added).saturating_sub(removed);
        let mut end = region.end();
        // What another part removes right behind the region is no part of it.
        let is_inside = |gone: &Span| gone.start() < region.end() || (gone.is_empty() && gone.start() == region.end());
        while let Some((gone, come, _)) = splices.next_if(|(gone, ..)| is_inside(gone)) {
            added += come.len();
            removed += gone.len();
            end = end.max(gone.end());
        }
        new.push(Span::new(start, (end + added).saturating_sub(removed)));
    }
    new
}
