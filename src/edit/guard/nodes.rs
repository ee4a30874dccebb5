//! What checks of nodes share.

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
