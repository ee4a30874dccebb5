//! Whether what a hunk writes stands there already.

use std::ops::Range;

use super::scope::HunkScope;
use super::write::LineEdit;
use super::{Hunk, LineOp};
use crate::locate::{DocLines, ItemText, SoughtLine};
use crate::text::is_blank;

/// Returns the lines on which insertions stand already, right where each would go; behind it too, if there is context.
pub(super) fn insertion_stands(
    lines: &DocLines<'_>,
    scope: &HunkScope<'_>,
    edits: &[LineEdit],
    has_context: bool,
) -> Option<Vec<Range<usize>>> {
    let low = if scope.is_document() { 0 } else { scope.start + 1 };
    let stands = |edit: &LineEdit| {
        let full: Vec<&str> = edit.texts.iter().map(String::as_str).filter(|text| !is_blank(text)).collect();
        let at = edit.lines.start;
        let before = at.saturating_sub(full.len()).max(low)..at;
        let behind = at..(at + full.len()).min(scope.full);
        let is_there = |range: &Range<usize>| !full.is_empty() && lines.texts(range.clone()).eq(full.iter().copied());
        [Some(before), Some(behind).filter(|_| has_context)].into_iter().flatten().find(is_there)
    };
    edits.iter().map(stands).collect()
}

/// Returns the lines on which the context and the `+` lines of a hunk stand as sent, once in its scope, while no other
/// line there says what a `-` line does.
pub(super) fn stands_as_sent(lines: &DocLines<'_>, hunk: &Hunk, scope: &HunkScope<'_>) -> Option<Range<usize>> {
    let of = |op| hunk.lines.iter().filter(move |line| line.op == op && !is_blank(&line.text));
    let (has_deletes, has_context) = (of(LineOp::Delete).next().is_some(), of(LineOp::Context).next().is_some());
    if of(LineOp::Add).next().is_none() || (!has_context && (has_deletes || scope.is_document())) {
        return None;
    }
    let new = hunk.lines.iter().filter(|line| line.op != LineOp::Delete);
    let sought: Vec<_> = new.map(|line| SoughtLine { text: &line.text, may_be_content: false }).collect();
    let mut found = lines.find(&sought, &scope.range());
    found.retain(|run| run.is_exact);
    let [only] = found.as_slice() else { return None };
    let range = only.first..only.first + sought.len();
    let is_elsewhere = |text: &str| {
        let said = [ItemText::of_line(text).content, text];
        said.iter()
            .any(|said| lines.saying(said).iter().any(|line| scope.range().contains(line) && !range.contains(line)))
    };
    (!of(LineOp::Delete).any(|line| is_elsewhere(&line.text))).then_some(range)
}
