//! Whole lines: inserted between others, or put in the place of others, with the endings of the place.

use super::super::{PartEdit, Promise};
use super::{endings, last_ending_before};
use crate::document::MemoryDoc;
use crate::text::{Line, Span, is_blank};

impl PartEdit<'_> {
    /// Inserts `lines` at `at`, which is the start of a line of `doc` or its end.
    ///
    /// At the end of a text without a final newline, the last line is completed first.
    pub(crate) fn insert_lines<T: AsRef<str>>(&mut self, doc: &MemoryDoc, at: usize, lines: &[T], promise: Promise) {
        let ending = last_ending_before(doc, at).as_str();
        let mut written = String::new();
        for line in lines {
            written.push_str(line.as_ref());
            written.push_str(ending);
        }
        self.insert(doc, at, &written, promise);
    }

    /// Inserts whole lines, as they are written, where a line of `doc` starts or at its end; the line before is completed.
    pub(super) fn insert(&mut self, doc: &MemoryDoc, at: usize, written: &str, promise: Promise) {
        // Behind a byte order mark no line is to be completed.
        let before = doc.text().get(..at).filter(|before| !before.is_empty() && *before != "\u{FEFF}");
        if before.is_some_and(|before| !before.ends_with('\n')) {
            self.append(at, last_ending_before(doc, at).as_str(), written, promise);
        } else {
            self.replace(Span::at(at), written, promise);
        }
    }
}

/// Returns the text that puts `lines` in the place of `replaced`, lines in a row.
pub(crate) fn replacing_lines<T: AsRef<str>>(doc: &MemoryDoc, replaced: &[Line], lines: &[T]) -> String {
    let before = last_ending_before(doc, replaced.first().map_or(0, |line| line.full.start()));
    let replaced: Vec<_> = replaced.iter().map(|line| line.ending()).collect();
    let endings = endings(&replaced, lines.len(), before);
    lines.iter().zip(endings).flat_map(|(line, ending)| [line.as_ref(), ending.as_str()]).collect()
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
