//! A text as a rung of the ladder sees it, and the way back from a place in it to the bytes of the document.

use std::cell::RefCell;
use std::rc::Rc;

use unicode_normalization::char::is_combining_mark;

use super::ladder::{Rung, Rungs};
use crate::text::{Line, Lines, Span};

/// A folded line, and for each of its bytes where the character that it comes from starts.
type FoldedLine = (String, Vec<usize>);

/// The lines of a scope, folded and joined.
#[derive(Debug)]
pub(super) struct FoldedText<'a> {
    text: &'a str,
    pub(super) rungs: Rungs,
    pub(super) folded: String,
    /// Where each line starts in `folded`, and in the text.
    lines: Vec<(usize, usize)>,
    /// The line that was looked at last, folded, with the origin of each byte: matches often share one.
    last: RefCell<Option<(usize, Rc<FoldedLine>)>>,
}

impl<'a> FoldedText<'a> {
    /// Folds the part of `text` under `scope`, which starts at a line.
    pub(super) fn new(text: &'a str, scope: Span, rungs: Rungs) -> Self {
        let mut folded = String::with_capacity(scope.len());
        let mut lines = Vec::new();
        for line in Lines::within(text, scope) {
            lines.push((folded.len(), line.full.start()));
            folded.push_str(&rungs.fold_line(line.text.of(text)));
            folded.push_str(ending(line, rungs));
        }
        Self { text, rungs, folded, lines, last: RefCell::new(None) }
    }

    /// Returns the bytes of the document behind `range` of the folded text; `None` if a boundary falls inside what is one
    /// character in the document.
    pub(super) fn origin(&self, start: usize, end: usize) -> Option<Span> {
        let from = self.boundary(start, Side::Start)?;
        let to = if end == start { from } else { self.boundary(end, Side::End)? };
        Some(Span::new(from, to))
    }

    /// Reports whether `offset` of the folded text is where a line's text ends.
    pub(super) fn is_line_end(&self, offset: usize) -> bool {
        let rest = self.folded.get(offset..).unwrap_or_default();
        rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n")
    }

    fn fold_line(&self, index: usize, line: Line) -> Rc<FoldedLine> {
        if let Some((_, known)) = self.last.borrow().as_ref().filter(|(known, _)| *known == index) {
            return Rc::clone(known);
        }
        let folded = Rc::new(self.rungs.fold_line_with_origins(line.text.of(self.text)));
        self.last.replace(Some((index, Rc::clone(&folded))));
        folded
    }

    fn boundary(&self, offset: usize, side: Side) -> Option<usize> {
        // The end of a match belongs to the line before it.
        let probe = if side == Side::End { offset.checked_sub(1)? } else { offset };
        let index = self.lines.partition_point(|(start, _)| *start <= probe).checked_sub(1)?;
        let (start, line) = *self.lines.get(index)?;
        let line = Line::starting_at(self.text, line);
        let line_folded = self.fold_line(index, line);
        let (folded, origins) = &*line_folded;
        let within = offset - start;
        if within > folded.len() {
            // Behind (part of) the ending.
            return (within == folded.len() + ending(line, self.rungs).len()).then_some(line.full.end());
        }
        if within == folded.len() {
            // White space that was folded away stays, unless the match goes on behind it.
            return Some(match (side, origins.last()) {
                (Side::End, Some(last)) => line.full.start() + last + char_len(self.text, line.full.start() + last),
                _ => line.text.end(),
            });
        }
        let origin = *origins.get(within)?;
        let splits_character = within > 0 && origins.get(within - 1) == Some(&origin);
        let splits_letter = within > 0 && begins_inside_letter(folded.get(within..)?);
        (!splits_character && !splits_letter).then_some(line.full.start() + origin)
    }
}

/// Reports whether a text goes on with a letter that was begun before it: by a mark on it, or joined to it.
pub(super) fn begins_inside_letter(text: &str) -> bool {
    let is_variant = |c: char| matches!(c, '\u{FE00}'..='\u{FE0F}');
    text.chars().next().is_some_and(|c| (is_combining_mark(c) && !is_variant(c)) || c == '\u{200D}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Start,
    End,
}

fn char_len(text: &str, offset: usize) -> usize {
    text.get(offset..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

/// Returns how a line ends for a comparison under `rungs`.
fn ending(line: Line, rungs: Rungs) -> &'static str {
    match line.ending().as_str() {
        // A last line that lacks its ending reads as one that has it.
        "\r\n" | "" if rungs.has(Rung::LineEndings) => "\n",
        ending => ending,
    }
}
