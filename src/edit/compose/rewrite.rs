//! A text written anew: only what differs is touched, so that lines which stay keep their bytes (SPEC § 12).

use super::super::{EditBuilder, Promise};
use super::lines::{insert_lines, replacing_lines};
use crate::document::MemoryDoc;
use crate::text::{Line, Lines, Span, differing};

/// Puts `lines` in the place of those under `span`, which begins and ends where lines do.
pub(crate) fn rewrite_lines(doc: &MemoryDoc, span: Span, lines: &[&str], edit: &mut EditBuilder) {
    let text = doc.text();
    let there: Vec<Line> = Lines::within(text, span).collect();
    let old: Vec<&str> = there.iter().map(|line| line.text.of(text)).collect();
    for (from, to) in differing(&old, lines) {
        let written = lines.get(to).unwrap_or_default();
        let replaced = there.get(from.clone()).unwrap_or_default();
        let at = there.get(from.start).map_or(span.end(), |line| line.full.start());
        match replaced.last() {
            None => insert_lines(edit, 0, (text, at), written, Promise::Whole),
            Some(last) => {
                let gone = Span::new(at, last.full.end());
                edit.replace(gone, replacing_lines(text, replaced, written), Promise::Whole);
            }
        }
    }
}
