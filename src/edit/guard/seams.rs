//! Where splices meet each other, and the lines beside them.

use super::super::carry::Carry;
use super::super::displaced::Owners;
use super::super::{Draft, Flaw, Promise};
use super::heirs::Heirs;
use super::nodes::begins;
use crate::document::{MemoryDoc, SectionRef};
use crate::text::{Line, Lines, is_blank};

/// Finds text that one part would write into what another inserts right above: each was planned as if it alone wrote there.
pub(super) fn check_between(draft: &Draft<'_>) -> Option<Flaw> {
    let (splices, written, text) = (draft.edit.splices(), &draft.written, draft.new.text());
    // Where the row begins that one splice is right behind another in.
    let mut begin = 0;
    splices.iter().zip(written).enumerate().find_map(|(nth, (splice, span))| {
        if nth.checked_sub(1).and_then(|last| written.get(last)).is_some_and(|last| last.end() < span.start()) {
            begin = nth;
        }
        if begin == nth || splice.promise != Promise::Lines {
            return None;
        }
        let first = Lines::within(text, *span).find(|line| !is_blank(line.text.of(text)))?.full.start();
        let is_of_another = |owner: usize| {
            let at = written.partition_point(|span| span.end() <= owner);
            let is_above = (begin..nth).contains(&at) && written.get(at).is_some_and(|span| span.contains(owner));
            let other = splices.get(at).filter(|_| is_above);
            other.is_some_and(|other| {
                other.span.is_empty() && other.promise == Promise::Lines && other.planned_as != splice.planned_as
            })
        };
        let mut owners = Owners::of(&draft.new, first).starts().into_iter().flatten();
        owners.any(is_of_another).then(|| Flaw::Between(draft.new.line_number(first)))
    })
}

/// Finds text that one part would write into a fence which another opens.
pub(super) fn check_fenced(draft: &Draft<'_>) -> Option<Flaw> {
    let (splices, written, new) = (draft.edit.splices(), &draft.written, &draft.new);
    splices.iter().zip(written).find_map(|(splice, span)| {
        let first = Lines::within(new.text(), *span).find(|line| !is_blank(line.text.of(new.text())))?.full.start();
        let fence = new.outline().fence_at(first).filter(|fence| fence.extent.start() < first)?.extent;
        let opener = written.partition_point(|span| span.end() <= fence.start());
        let is_written = written.get(opener).is_some_and(|span| span.contains(fence.start()));
        let other = splices.get(opener).filter(|other| is_written && other.planned_as != splice.planned_as)?;
        // A fence that was there, and is opened in another way, holds what it held.
        let was = draft.old.outline().fence_at(splice.span.start());
        let is_same =
            was.is_some_and(|was| was.extent.start() < splice.span.start() && other.span.contains(was.extent.start()));
        (!is_same).then(|| Flaw::Between(new.line_number(first)))
    })
}

/// Finds a section that one part inserts and that would stand below one which another writes, and not where it was planned.
pub(super) fn check_placed<'a>(draft: &'a Draft<'a>, heirs: &Heirs<'a>) -> Option<Flaw> {
    let (splices, written, new) = (draft.edit.splices(), &draft.written, &draft.new);
    splices.iter().zip(written).filter(|(splice, _)| splice.span.is_empty()).find_map(|(splice, span)| {
        let first = Lines::within(new.text(), *span).find(|line| !is_blank(line.text.of(new.text())))?.full.start();
        let section = new.section_at(first).filter(|section| section.line.start() == first)?;
        let parent = section.parent()?;
        let at = written.partition_point(|span| span.end() <= parent.line.start());
        let is_written = written.get(at).is_some_and(|span| span.contains(parent.line.start()));
        splices.get(at).filter(|other| is_written && other.planned_as != splice.planned_as)?;
        let above = draft.old.section_at(splice.span.start().checked_sub(1)?);
        let planned = above.into_iter().flat_map(SectionRef::ancestors).find(|around| around.level < section.level);
        let is_planned = planned.is_some_and(|planned| heirs.of_section(planned, parent));
        (!is_planned).then(|| Flaw::Between(new.line_number(first)))
    })
}

/// Finds a line that is not replaced and would go on with the one above, whose line break goes.
///
/// Where nothing but a break goes, two lines are joined on purpose; where white space is written for it, if the line goes on with what it
/// belonged to. Neither joins one to a heading or a block line.
pub(super) fn check_joined<'a>(draft: &'a Draft<'a>, heirs: &Heirs<'a>) -> Option<Flaw> {
    let (old, new, carry) = (draft.old, &draft.new, Carry::of(draft));
    let start = |doc: &MemoryDoc, at: usize| doc.line_start(doc.lines().index_at(at));
    draft.splices().find_map(|(gone, come, _)| {
        if !gone.of(old.text()).ends_with('\n') {
            return None;
        }
        let after = carry.survivor(gone.end())?;
        let joined = start(new, after);
        if joined == after || is_blank(Line::starting_at(old.text(), gone.end()).text.of(old.text())) {
            return None;
        }
        let is_head = |doc: &MemoryDoc, at: usize| begins(doc, at).iter().take(2).any(|begins| *begins);
        let is_with_head = is_head(new, joined)
            || [gone.start(), gone.end().saturating_sub(1)].into_iter().any(|at| is_head(old, start(old, at)));
        let goes_on = || match (old.bullet_at(gone.end()), new.bullet_at(after)) {
            (Some(was), Some(is)) => heirs.of_bullet(was, is),
            (was, is) => was.is_none() && is.is_none(),
        };
        let is_meant = || is_blank(gone.of(old.text())) || (come.of(new.text()).ends_with([' ', '\t']) && goes_on());
        (is_with_head || !is_meant()).then(|| Flaw::Joined(old.line_number(gone.end())))
    })
}
