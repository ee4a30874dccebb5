//! What a splice promises: how many bullets it writes, and that it makes no other node.

use crate::document::{Fence, MemoryDoc};
use crate::edit::{Draft, Flaw, Node, Promise};
use crate::text::{Lines, Span, is_blank};

/// Checks what each splice writes against its promise.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), Flaw> {
    let removed_fences = draft.splices().map(|(removed, ..)| fences_within(draft.old, removed).count()).sum();
    let flaw = draft.splices().find_map(|(_, written, promise)| flaw(&draft.new, written, promise, removed_fences));
    flaw.map_or(Ok(()), Err)
}

fn flaw(new: &MemoryDoc, written: Span, promise: Promise, removed_fences: usize) -> Option<Flaw> {
    let promised = match promise {
        Promise::Inline | Promise::Content => 0,
        Promise::Marker => 1,
        Promise::Bullets(promised) => promised,
        Promise::Lines | Promise::Below(_) | Promise::Note | Promise::Whole => return None,
    };
    let outline = new.outline();
    let inside = |start: usize| written.contains(start);
    let heading = outline.headings_within(written).next().map(|node| node.line.start());
    let block = new.blocks_within(written).next().map(|node| node.line.start());
    let fence = gained_fence(new, written, promise, removed_fences);
    let gained = [(Node::Heading, heading), (Node::Block, block), (Node::Fence, fence)];
    if let Some((kind, start)) = gained.into_iter().find_map(|(kind, start)| start.map(|start| (kind, start))) {
        return Some(Flaw::Gained(kind, new.line_number(start)));
    }
    let first = outline.bullets.partition_point(|bullet| bullet.marker.start() < written.start());
    let bullets = || outline.bullets.iter().skip(first).take_while(|bullet| inside(bullet.marker.start()));
    let found = bullets().count();
    if found != promised {
        return Some(Flaw::Bullets { promised, found });
    }
    if promise == Promise::Content {
        // What is written goes on with the bullet that it stands in.
        let bullet = new.bullet_at(written.start().saturating_sub(1));
        let goes_on = written.is_empty() || bullet.is_some_and(|bullet| bullet.extent.end() >= written.end());
        return (!goes_on).then(|| Flaw::Prose(new.line_number(written.end().saturating_sub(1))));
    }
    if matches!(promise, Promise::Inline | Promise::Marker) {
        let break_at = written.of(new.text()).find('\n');
        return break_at.map(|at| Flaw::Prose(new.line_number(written.start() + at)));
    }
    // Every line that is written belongs to a bullet that is written.
    let mut end = written.start();
    let mut extents = bullets().map(|bullet| bullet.extent).peekable();
    Lines::within(new.text(), written)
        .find(|line| {
            while let Some(extent) = extents.next_if(|extent| extent.start() <= line.full.start()) {
                end = end.max(extent.end());
            }
            line.full.start() >= end && !is_blank(line.text.of(new.text()))
        })
        .map(|line| Flaw::Prose(new.line_number(line.full.start())))
}

/// Returns where the first fence starts that is written, but for those of bullets that move along
/// with them.
fn gained_fence(new: &MemoryDoc, written: Span, promise: Promise, removed_fences: usize) -> Option<usize> {
    let moves_along = |fence: &Fence| {
        let bullet = new.bullet_at(fence.extent.start());
        fence.is_closed && bullet.is_some_and(|bullet| written.covers(bullet.extent))
    };
    let fences = || fences_within(new, written);
    let may_move = matches!(promise, Promise::Bullets(_)) && fences().count() <= removed_fences;
    let gained = fences().find(|fence| !(may_move && moves_along(fence)));
    gained.map(|fence| fence.extent.start())
}

/// Iterates over the fences that start inside `span`.
fn fences_within(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = &Fence> {
    let fences = &doc.outline().fences;
    let first = fences.partition_point(|fence| fence.extent.start() < span.start());
    fences.iter().skip(first).take_while(move |fence| fence.extent.start() < span.end())
}
