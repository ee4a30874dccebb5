//! Whole lines: inserted between others, or put in the place of others, with the endings of the
//! place.

use super::super::{EditBuilder, PartEdit, Promise};
use crate::document::MemoryDoc;
use crate::text::{Line, Lines, Span, differing, is_blank};

impl PartEdit<'_> {
    /// Inserts `lines` at `at`, which is the start of a line of `doc` or its end.
    ///
    /// At the end of a text without a final newline, the last line is completed first.
    pub(crate) fn insert_lines<T: AsRef<str>>(&mut self, doc: &MemoryDoc, at: usize, lines: &[T], promise: Promise) {
        let ending = last_ending_before(doc, at);
        let mut written = String::new();
        for line in lines {
            written.push_str(line.as_ref());
            written.push_str(ending);
        }
        self.insert(doc, at, &written, promise);
    }

    /// Inserts whole lines, as they are written, where a line of `doc` starts or at its end; the
    /// line before is completed.
    pub(super) fn insert(&mut self, doc: &MemoryDoc, at: usize, written: &str, promise: Promise) {
        // Behind a byte order mark no line is to be completed.
        let before = doc.text().get(..at).filter(|before| !before.is_empty() && *before != "\u{FEFF}");
        if before.is_some_and(|before| !before.ends_with('\n')) {
            self.append(at, last_ending_before(doc, at), written, promise);
        } else {
            self.replace(Span::at(at), written, promise);
        }
    }
}

/// Returns the text that puts `lines` in the place of `replaced`, lines in a row. Each line ends as the
/// one that it replaces, else as the line before; the last one as the last of those.
pub(crate) fn replacing_lines<T: AsRef<str>>(doc: &MemoryDoc, replaced: &[Line], lines: &[T]) -> String {
    let mut ending = last_ending_before(doc, replaced.first().map_or(0, |line| line.full.start()));
    let mut text = String::new();
    for (nth, line) in lines.iter().enumerate() {
        let own = replaced.get(nth).map_or("", |line| line.ending());
        ending = if own.is_empty() { ending } else { own };
        let last = replaced.last().filter(|_| nth + 1 == lines.len());
        text.push_str(line.as_ref());
        text.push_str(last.map_or(ending, |line| line.ending()));
    }
    text
}

/// Returns the ending for a line written at `offset`: that of the line before it, else that of the
/// line after, else LF.
///
/// It takes no longer in a long line than in a short one.
pub(crate) fn last_ending_before(doc: &MemoryDoc, offset: usize) -> &'static str {
    let lines = doc.lines();
    let line_at = |at| lines.line(doc.text(), lines.index_at(at));
    let before = offset.checked_sub(1).map(line_at);
    // A line without an ending of its own is the last: one before it may have one.
    let above = before.and_then(|line| line.full.start().checked_sub(1)).map(line_at);
    let all = [before, above, Some(line_at(offset))].into_iter().flatten();
    all.map(|line| line.ending()).find(|ending| !ending.is_empty()).unwrap_or("\n")
}

/// Returns where the trailing blank lines of `span`, which ends where a line does, begin.
pub(crate) fn before_trailing_blanks(doc: &MemoryDoc, span: Span) -> usize {
    let (text, lines) = (doc.text(), doc.lines());
    let mut end = span.end();
    for index in lines.range(span).rev() {
        let line = lines.line(text, index);
        if !is_blank(line.text.of(text)) {
            break;
        }
        end = line.full.start();
    }
    end
}

/// Returns true for a line that only separates: `---`.
pub(super) fn is_rule(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Puts `lines` in the place of those under `span`, which begins and ends where lines do.
pub(crate) fn rewrite_lines(doc: &MemoryDoc, span: Span, lines: &[&str], edit: &mut EditBuilder) {
    let text = doc.text();
    let there: Vec<Line> = Lines::within(text, span).collect();
    let old: Vec<&str> = there.iter().map(|line| line.text.of(text)).collect();
    for (from, to) in differing(&old, lines) {
        let (replaced, written) = (there.get(from.clone()).unwrap_or_default(), lines.get(to).unwrap_or_default());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_as_the_one_before_it_wherever_it_is_written() {
        for (text, ending) in [("", "\n"), ("a", "\n"), ("a\r\nb", "\r\n"), ("a\n", "\n"), ("a\r\n", "\r\n")] {
            let doc = MemoryDoc::parse(text);
            let all: Vec<_> = (0..=text.len()).map(|offset| last_ending_before(&doc, offset)).collect();
            assert_eq!(all, vec![ending; text.len() + 1], "{text:?}");
        }
        let doc = MemoryDoc::parse("a\r\nb\nc");
        assert_eq!([0, 3, 5, 6].map(|offset| last_ending_before(&doc, offset)), ["\r\n", "\r\n", "\n", "\n"]);
    }
}
