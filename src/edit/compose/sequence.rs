//! Sequence: which numbers of ordered lists do not count on any more after an edit.

use std::collections::{HashMap, HashSet};

use super::super::Edit;
use super::numbering::{Anew, Numbering, number_of};
use super::renumber::Lists;
use crate::document::{BulletRef, MemoryDoc};
use crate::text::Span;

/// Reports whether an edit touches an ordered list.
pub(crate) fn touches_numbers(doc: &MemoryDoc, edit: &Edit) -> bool {
    edit.splices().iter().any(|splice| numbered_at(doc, splice.span).next().is_some())
}

/// Returns the bullets of `new`, which `edit` makes of `doc`, whose numbers do not count on from 0 or 1, each with the number
/// that would, of lists that counted so before.
pub(crate) fn out_of_sequence<'n>(doc: &MemoryDoc, edit: &Edit, new: &'n MemoryDoc) -> Vec<(BulletRef<'n>, usize)> {
    let (before, after, written) = (Lists::new(doc), Lists::new(new), edit.result_spans());
    // How a list is in sequence that was: one that began anew, or has one number throughout, may do so again. `None` if it was not.
    let read = |bullet| {
        let (siblings, numbering) = (before.siblings(bullet), Numbering::new(before.siblings(bullet)));
        let anew = if numbering.is_sequence() { Anew::Apart } else { Anew::Anywhere };
        numbering.misplaced(siblings, Anew::Anywhere).is_empty().then_some(anew)
    };
    let mut in_sequence: HashMap<BulletRef<'_>, Option<Anew>> = HashMap::new();
    // A list that is new as a whole is as it was sent: years that move to another section are no count.
    let stays = |bullet: &BulletRef<'_>| {
        let at = written.partition_point(|span| span.end() <= bullet.line.start());
        number_of(*bullet).is_some() && written.get(at).is_none_or(|span| bullet.line.start() < span.start())
    };
    let (mut moved, mut told) = (Vec::new(), HashSet::new());
    for (splice, written) in edit.splices().iter().zip(&written) {
        let touched: Vec<_> = numbered_at(doc, splice.span).collect();
        let mut read_once = |bullet| {
            let first = before.siblings(bullet).first().copied()?;
            *in_sequence.entry(first).or_insert_with(|| read(first))
        };
        if touched.is_empty() || !touched.iter().all(|bullet| read_once(*bullet).is_some()) {
            continue;
        }
        // A list that is nested in another says nothing of that.
        let around: Vec<_> =
            touched.iter().take(1).flat_map(|bullet| bullet.ancestors()).chain(touched.clone()).collect();
        let mut was = |depth| {
            let alike = around.iter().find(|old| old.depth() == depth && number_of(**old).is_some());
            alike.map_or(Some(Anew::Anywhere), |old| read_once(*old))
        };
        let is_replaced = doc.bullets_within(splice.span).any(|bullet| number_of(bullet).is_some());
        for list in numbered_at(new, *written).map(|bullet| after.siblings(bullet)) {
            let is_new = list.first().is_some_and(|first| told.insert(*first));
            if is_new && (is_replaced || list.iter().any(stays)) {
                let anew = list.first().and_then(|first| was(first.depth()));
                moved.extend(anew.into_iter().flat_map(|anew| Numbering::new(list).misplaced(list, anew)));
            }
        }
    }
    moved.sort_unstable();
    moved.dedup();
    moved
}

/// Returns the numbered bullets that a splice touches: those that begin inside it, or on the lines right before and behind.
fn numbered_at(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets_within(doc.lines().around(span)).filter(|bullet| number_of(*bullet).is_some())
}
