//! A text written anew: only what differs is touched, so that lines which stay keep their bytes.

use std::ops::Range;

use super::super::{EditBuilder, Promise};
use super::replacing_lines;
use crate::document::MemoryDoc;
use crate::text::{Ending, Line, Lines, Span, differing};

/// Puts `lines` in the place of those under `span`, which begins and ends where lines do. If the
/// last of those has no ending, the last of these has none either.
pub(crate) fn rewrite_lines(doc: &MemoryDoc, span: Span, lines: &[&str], edit: &mut EditBuilder) {
    let text = doc.text();
    let there: Vec<Line> = Lines::within(text, span).collect();
    let old: Vec<&str> = there.iter().map(|line| line.text.of(text)).collect();
    let mut before = (0, 0);
    for (mut from, mut to) in differing(&old, lines) {
        let is_after_both = from.start > before.0 && to.start > before.1;
        before = (from.end, to.end);
        if is_after_both && changes_open_end(doc, &there, &from, &to) {
            // The line before loses its ending, or gets one.
            from.start -= 1;
            to.start -= 1;
        }
        let written = lines.get(to).unwrap_or_default();
        let replaced = there.get(from.clone()).unwrap_or_default();
        let at = there.get(from.start).map_or(span.end(), |line| line.full.start());
        match replaced.last() {
            None => edit.for_part(0).insert_lines(doc, at, written, Promise::Whole),
            Some(last) => {
                let gone = Span::new(at, last.full.end());
                edit.replace(gone, replacing_lines(doc, replaced, written), Promise::Whole);
            }
        }
    }
}

/// Reports whether lines are dropped or added at the end of a text whose last line has no ending.
/// Behind a reserved section it gets one: not even a line end of that may change.
fn changes_open_end(doc: &MemoryDoc, there: &[Line], from: &Range<usize>, to: &Range<usize>) -> bool {
    let is_open = there.last().is_some_and(|last| last.ending() == Ending::None);
    let stays = from.start.checked_sub(1).and_then(|index| there.get(index));
    is_open
        && from.end == there.len()
        && (from.is_empty() || to.is_empty())
        && stays.is_some_and(|line| doc.reserved_section_at(line.full.start()).is_none())
}
