//! Where nodes stand, and what a line belongs to: what checks of them share.

use crate::document::{BulletRef, MemoryDoc, SectionRef};
use crate::text::Span;

/// Whether bullets that are not written must stay as deep as they are, below the same parents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Nesting {
    Kept,
    Free,
}

/// Iterates over those of `nodes`, which are in document order, that start inside `span`.
pub(super) fn within<T>(nodes: &[T], span: Span, start: impl Fn(&T) -> usize) -> impl Iterator<Item = &T> {
    let first = nodes.partition_point(|node| start(node) < span.start());
    nodes.iter().skip(first).take_while(move |node| start(node) < span.end())
}

/// Returns the bullet that a line goes on with; where bullets may be nested anew, the one that a bullet is nested in.
pub(super) fn owner(doc: &MemoryDoc, at: usize, is_free: bool) -> Option<BulletRef<'_>> {
    let bullet = doc.bullet_at(at)?;
    if is_free && bullet.line.contains(at) { bullet.parent() } else { Some(bullet) }
}

/// Reports whether a section, a block, a bullet that is nested in none begins on the line at a place.
pub(super) fn begins(doc: &MemoryDoc, at: usize) -> [bool; 3] {
    [
        doc.section_at(at).is_some_and(|section| section.line.start() == at),
        doc.block_at(at).is_some_and(|block| block.line.start() == at),
        doc.bullet_at(at).is_some_and(|bullet| bullet.line.start() == at && bullet.depth() == 0),
    ]
}

/// Returns the sections that a line is in, the outermost first.
pub(super) fn open_sections(doc: &MemoryDoc, at: usize) -> Vec<SectionRef<'_>> {
    let mut open: Vec<_> = doc.section_at(at).into_iter().flat_map(SectionRef::ancestors).collect();
    open.reverse();
    open
}

/// Returns the section that a line belongs to: a heading to the section that its own is part of.
pub(super) fn home(doc: &MemoryDoc, at: usize) -> Option<SectionRef<'_>> {
    let section = doc.section_at(at)?;
    if section.line.start() == at { section.parent() } else { Some(section) }
}

/// Reports whether one of `spans`, which are sorted, holds a place.
pub(super) fn is_in(spans: &[Span], at: usize) -> bool {
    spans.get(spans.partition_point(|span| span.end() <= at)).is_some_and(|span| span.contains(at))
}

/// Reports whether what a line belonged to is what it belongs to: the same or none.
pub(super) fn is_kept<T>([old, new]: [Option<T>; 2], is_same: impl Fn(T, T) -> bool) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => is_same(old, new),
        (old, new) => old.is_none() && new.is_none(),
    }
}
