//! One rule for structure: nodes that start outside every splice survive with their kind and place; nodes inside match the
//! splice's promise. An edit that writes the whole text is held to one thing: that it leaves open no fence which was not open.

use std::cell::LazyCell;
use std::collections::HashSet;

use super::super::carry::Carry;
use super::super::{Draft, EditError, Flaw, Node, Promise};
use super::exempt::Exempt;
use super::heirs::Heirs;
use super::nodes::{Nesting, within};
use super::{following, seams};
use crate::document::{BulletRef, Fence, MemoryDoc};
use crate::text::{Lines, Span, is_blank};

pub(super) fn check(draft: &Draft<'_>) -> Result<(), EditError> {
    if draft.splices().any(|(_, _, promise)| promise == Promise::Whole) {
        return check_fences(draft).map_or(Ok(()), |flaw| Err(EditError::InvalidText(flaw)));
    }
    let may_nest = draft.splices().any(|(_, _, promise)| matches!(promise, Promise::Lines | Promise::Whole));
    let nesting = if may_nest { Nesting::Free } else { Nesting::Kept };
    let (exempt, heirs) = (Exempt::new(draft), Heirs::new(draft));
    let flaw = check_fences(draft)
        .or_else(|| check_front_matter(draft, &exempt))
        .or_else(|| check_survival(draft, nesting, &exempt))
        .or_else(|| seams::check_between(draft))
        .or_else(|| seams::check_fenced(draft))
        .or_else(|| seams::check_placed(draft, &heirs))
        .or_else(|| following::check(draft, nesting, &heirs, &exempt))
        .or_else(|| seams::check_joined(draft, &heirs))
        .or_else(|| check_promises(draft));
    flaw.map_or(Ok(()), |flaw| Err(EditError::InvalidText(flaw)))
}

/// Checks what is brought back among what was written since: nobody named the lines around it, and what stands there has been
/// compared.
pub(super) fn check_fences_of(draft: &Draft<'_>) -> Result<(), EditError> {
    check_fences(draft).map_or(Ok(()), |flaw| Err(EditError::InvalidText(flaw)))
}

/// A node, reduced to what must survive: where it starts, and what it is there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    start: usize,
    /// Where the line of a slot ends.
    end: usize,
    /// The level of a heading, the depth of a bullet where that must survive.
    rank: usize,
    /// Where the parent of a bullet starts, where that must survive.
    parent: Option<usize>,
}

fn check_survival(draft: &Draft<'_>, nesting: Nesting, exempt: &Exempt<'_>) -> Option<Flaw> {
    let kinds = [Node::FrontMatter, Node::Heading, Node::Block, Node::Bullet, Node::Fence, Node::Slot];
    let carry = Carry::of(draft);
    let freed = freed(draft, &carry);
    let is_freed = |kind: Node, mark: &Mark| {
        let next = freed.get(freed.partition_point(|span| span.end() <= mark.start));
        next.is_some_and(|span| span.contains(mark.start) && (kind != Node::Fence || mark.start != span.start()))
    };
    // Outside of what was parsed again, all nodes are the same.
    let (mut old_marks, mut new_marks) = (Vec::new(), Vec::new());
    kinds.into_iter().find_map(|kind| {
        old_marks.clear();
        draft.parsed_of_old().for_each(|span| marks(&mut old_marks, draft.old, span, kind, nesting));
        new_marks.clear();
        draft.parsed_of_new().for_each(|span| marks(&mut new_marks, &draft.new, span, kind, nesting));
        let before = old_marks.iter().copied().filter(|mark| !covers(&exempt.old, kind, mark));
        let before = before.filter_map(|mark| carry.survivor(mark.start).map(|start| Mark { start, ..mark }));
        let mut before = before.filter(|mark| !is_freed(kind, mark));
        let mut written = draft.written.iter().peekable();
        let mut after = new_marks.iter().copied().filter(|mark| {
            while written.next_if(|span| span.end() <= mark.start).is_some() {}
            !written.peek().is_some_and(|span| span.contains(mark.start))
                && !covers(&exempt.new, kind, mark)
                && !is_freed(kind, mark)
        });
        loop {
            match (before.next(), after.next()) {
                (Some(old), Some(new)) if old.start == new.start => {
                    // A parent that is written anew is the business of who writes it.
                    let keeps_parent = match old.parent {
                        Some(start) => carry.survivor(start).is_none_or(|start| new.parent == Some(start)),
                        None => new.parent.is_none(),
                    };
                    if old.rank != new.rank || !keeps_parent {
                        let line = draft.new.line_number(new.start);
                        return Some(if kind == Node::Bullet { Flaw::Nested(line) } else { Flaw::Lost(kind, line) });
                    }
                }
                (old, Some(new)) if old.is_none_or(|old| new.start < old.start) => {
                    return Some(Flaw::Gained(kind, draft.new.line_number(new.start)));
                }
                (Some(old), _) => return Some(Flaw::Lost(kind, draft.new.line_number(old.start))),
                (None, _) => return None,
            }
        }
    })
}

fn covers(regions: &[Span], kind: Node, mark: &Mark) -> bool {
    let next = regions.partition_point(|region| region.end() <= mark.start);
    // What a slot is depends on the line below it, too.
    let reach = if kind == Node::Slot { mark.end } else { mark.start };
    regions.get(next).is_some_and(|region| region.start() <= reach)
}

/// Adds the marks of the nodes that start inside `span`.
fn marks(into: &mut Vec<Mark>, doc: &MemoryDoc, span: Span, kind: Node, nesting: Nesting) {
    let outline = doc.outline();
    let mark = |start: usize, rank: usize| Mark { start, end: start, rank, parent: None };
    match kind {
        Node::Heading => {
            let headings = within(outline.sections(), span, |node| node.line.start());
            into.extend(headings.map(|node| mark(node.line.start(), node.level.into())));
        }
        Node::Block => into.extend(doc.blocks_within(span).map(|node| mark(node.line.start(), 0))),
        Node::Fence => {
            let fences = within(outline.fences(), span, |node| node.extent.start()).map(|node| node.extent.start());
            // Behind a marker it is part of what the bullet says.
            let bullet = |start: usize| doc.bullet_at(start).filter(|bullet| bullet.line.start() == start);
            into.extend(fences.map(|start| mark(bullet(start).map_or(start, |bullet| bullet.first_text().start()), 0)));
        }
        Node::FrontMatter => {
            let front = outline.front_matter().filter(|node| span.contains(node.start()));
            into.extend(front.iter().map(|node| mark(node.start(), 0)));
        }
        Node::Slot => {
            let slots = within(outline.slots(), span, |node| node.line.start());
            into.extend(slots.map(|node| Mark { end: node.line.end(), ..mark(node.line.start(), 0) }));
        }
        Node::Bullet => {
            let parent = |bullet: BulletRef<'_>| bullet.parent().map(|parent| parent.marker.start());
            into.extend(doc.bullets_within(span).map(|node| Mark {
                // The marker: white space before it may be written without touching the bullet.
                start: node.marker.start(),
                end: node.marker.start(),
                rank: if nesting == Nesting::Kept { node.depth() } else { 0 },
                parent: Some(node).filter(|_| nesting == Nesting::Kept).and_then(parent),
            }));
        }
    }
}

/// Refuses fences that the edit leaves open, but for those that were, there or written anew, and that take in nothing that was no code.
fn check_fences(draft: &Draft<'_>) -> Option<Flaw> {
    let carry = Carry::of(draft);
    let stay: HashSet<usize> = open_fences(draft.old).filter_map(|fence| carry.survivor(fence.start())).collect();
    let mut gone = open_fences(draft.old).count().saturating_sub(stay.len());
    let is_written = |at: usize| {
        let next = draft.written.partition_point(|span| span.end() <= at);
        draft.written.get(next).is_some_and(|span| span.contains(at))
    };
    let mut opened = open_fences(&draft.new).map(Span::start).filter(|start| !stay.contains(start));
    let first = opened.find(|start| {
        let is_replaced = gone > 0 && is_written(*start);
        gone -= usize::from(is_replaced);
        !is_replaced
    });
    // What was no code before is not written.
    let swallows = |fence: &Span| {
        let mut lines = Lines::within(draft.new.text(), *fence).map(|line| line.text);
        lines.any(|line| {
            let was = carry.origin(line.start()).filter(|_| !is_blank(line.of(draft.new.text())));
            was.is_some_and(|was| !draft.old.outline().is_fenced(was))
        })
    };
    let first = first.or_else(|| open_fences(&draft.new).find(swallows).map(Span::start))?;
    Some(Flaw::OpenFence(draft.new.line_number(first)))
}

/// Refuses an edit that makes front matter of lines which it did not name.
fn check_front_matter(draft: &Draft<'_>, exempt: &Exempt<'_>) -> Option<Flaw> {
    let made = draft.new.outline().front_matter().filter(|_| draft.old.outline().front_matter().is_none())?;
    let last = made.end().saturating_sub(1);
    let is_named = exempt.new.iter().chain(&draft.written).any(|span| span.contains(last));
    (!is_named).then(|| Flaw::Gained(Node::FrontMatter, draft.new.line_number(made.start())))
}

/// Returns where the result holds what unclosed fences held, if the edit leaves none unclosed: what they swallowed comes back.
fn freed(draft: &Draft<'_>, carry: &Carry<'_>) -> Vec<Span> {
    let is_inline = draft.splices().all(|(_, _, promise)| promise == Promise::Inline);
    if is_inline || open_fences(&draft.new).next().is_some() {
        return Vec::new();
    }
    let start = |at: usize| carry.survivor(at).or_else(|| carry.replacement(at).map(Span::start));
    let end = |at: usize| {
        let splices = draft.edit.splices();
        let last = splices.partition_point(|splice| splice.span.start() <= at).checked_sub(1);
        let last = last.and_then(|last| splices.get(last).zip(draft.written.get(last)));
        last.map_or(at, |(splice, come)| come.end() + at.saturating_sub(splice.span.end()))
    };
    open_fences(draft.old).filter_map(|fence| Some(Span::new(start(fence.start())?, end(fence.end())))).collect()
}

/// Iterates over the extents of the fences that nothing closes.
fn open_fences(doc: &MemoryDoc) -> impl Iterator<Item = Span> {
    doc.outline().fences().iter().filter(|fence| !fence.is_closed).map(|fence| fence.extent)
}

/// Returns where the first fence starts that is written, but for those of bullets that moved with them.
fn gained_fence(draft: &Draft<'_>, written: Span, promise: Promise, gone: impl Fn() -> usize) -> Option<usize> {
    let first = fences_within(&draft.new, written).next()?.extent.start();
    let is_of_bullet = fences_within(&draft.new, written).all(|fence| {
        let bullet = draft.new.bullet_at(fence.extent.start());
        fence.is_closed && bullet.is_some_and(|bullet| written.covers(bullet.extent))
    });
    let has_moved =
        matches!(promise, Promise::Bullets(_)) && is_of_bullet && fences_within(&draft.new, written).count() <= gone();
    (!has_moved).then_some(first)
}

/// Iterates over the fences that start inside `span`.
fn fences_within(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = &Fence> {
    within(doc.outline().fences(), span, |fence| fence.extent.start())
}

/// Holds what each splice writes against its promise.
fn check_promises(draft: &Draft<'_>) -> Option<Flaw> {
    let gone = LazyCell::new(|| draft.splices().map(|(gone, ..)| fences_within(draft.old, gone).count()).sum());
    draft.splices().find_map(|(_, written, promise)| check_promise(draft, written, promise, || *gone))
}

fn check_promise(draft: &Draft<'_>, written: Span, promise: Promise, gone: impl Fn() -> usize) -> Option<Flaw> {
    let new = &draft.new;
    let promised = match promise {
        Promise::Inline | Promise::Content => 0,
        Promise::Marker => 1,
        Promise::Bullets(promised) => promised,
        Promise::Lines | Promise::Whole => return None,
    };
    let outline = new.outline();
    let inside = |start: usize| written.contains(start);
    let heading = within(outline.sections(), written, |node| node.line.start()).next().map(|node| node.line.start());
    let block = new.blocks_within(written).next().map(|node| node.line.start());
    let fence = gained_fence(draft, written, promise, gone);
    let gained = [(Node::Heading, heading), (Node::Block, block), (Node::Fence, fence)];
    if let Some((kind, start)) = gained.into_iter().find_map(|(kind, start)| start.map(|start| (kind, start))) {
        return Some(Flaw::Gained(kind, new.line_number(start)));
    }
    let first = outline.bullets().partition_point(|bullet| bullet.marker.start() < written.start());
    let bullets = || outline.bullets().iter().skip(first).take_while(|bullet| inside(bullet.marker.start()));
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
    if let Some(swallows) = bullets().find(|bullet| bullet.extent.end() > written.end()) {
        return Some(Flaw::Nested(new.line_number(swallows.line.start())));
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
