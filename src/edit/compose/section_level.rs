//! Levels: how the headings of what moves below another heading are written.

use crate::document::MemoryDoc;
use crate::text::{Line, Lines, Span};

/// The deepest level of a heading.
const DEEPEST: i16 = 6;

/// Returns the line, from 1, of the first heading in `span` that would be too deep if all were `by`
/// levels deeper.
pub(crate) fn too_deep(doc: &MemoryDoc, span: Span, by: i16) -> Option<usize> {
    let mut deep = doc.outline().headings_within(span).filter(|section| i16::from(section.level) + by > DEEPEST);
    deep.next().map(|section| doc.line_number(section.line.start()))
}

/// Returns the lines of `span`, headings `by` levels deeper.
pub(crate) fn with_headings_deeper(doc: &MemoryDoc, span: Span, by: i16) -> Vec<String> {
    let text = doc.text();
    let mut headings = doc.outline().headings_within(span).peekable();
    let line = |line: Line| {
        let content = line.text.of(text);
        let Some(section) = headings.next_if(|section| section.line.start() == line.full.start()) else {
            return content.to_owned();
        };
        let hashes = content.trim_start_matches(' ');
        let indentation = content.strip_suffix(hashes).unwrap_or_default();
        let rest = hashes.get(section.level.into()..).unwrap_or_default();
        let level = usize::try_from(i16::from(section.level) + by).unwrap_or(1);
        [indentation, &"#".repeat(level), rest].concat()
    };
    Lines::within(text, span).map(line).collect()
}
