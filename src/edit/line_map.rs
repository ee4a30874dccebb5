//! Maps between the text before an edit and its result: [`LineMap`] for lines, [`OffsetMap`] for bytes.

use std::ops::Range;

use super::{Draft, Edit, Splice};
use crate::document::MemoryDoc;
use crate::text::{ChangedRange, Difference, Span, is_blank};

/// Lines that an edit replaces, and the lines that it writes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RewrittenLines {
    pub(crate) lines: ChangedRange,
    /// The parts of the request that rewrite them, ascending.
    pub(crate) parts: Vec<usize>,
}

/// The rewritten lines of an edit, in document order. All other lines stay, in their order.
///
/// A splice inside a line rewrites the whole line. But a line of which splices replace only white space or the ending
/// stays, if its text is the same afterwards.
#[derive(Clone, Debug)]
pub(crate) struct LineMap {
    /// The rewritten lines, in document order.
    pub(crate) rewrites: Vec<RewrittenLines>,
    /// The lines that a splice touches, also those that are the same afterwards.
    // Invariant: ascending, disjoint.
    touched: Vec<ChangedRange>,
}

impl LineMap {
    pub(crate) fn of(draft: &Draft<'_>) -> Self {
        let (old, new) = (draft.old, &draft.new);
        let mut rewrites: Vec<RewrittenLines> = Vec::new();
        for (splice, written) in draft.edit.splices_in_result() {
            let lines = touched(draft, splice, written);
            match rewrites.last_mut() {
                Some(RewrittenLines { lines: last, parts }) if lines.start < last.old.end => {
                    last.old.end = last.old.end.max(lines.end);
                    parts.push(splice.part);
                }
                last => {
                    let first = last.map_or(lines.start, |last| last.lines.new.end + lines.start - last.lines.old.end);
                    let lines = ChangedRange { old: lines, new: first..first };
                    rewrites.push(RewrittenLines { lines, parts: vec![splice.part] });
                }
            }
            let Some(RewrittenLines { lines: run, .. }) = rewrites.last_mut() else { continue };
            let rest = old.lines().start(run.old.end).saturating_sub(splice.span.end());
            run.new.end = line_after_run(new, run.new.start, written.end() + rest);
        }
        let touched = rewrites.iter().map(|rewrite| rewrite.lines.clone()).collect();
        for RewrittenLines { lines, parts } in &mut rewrites {
            parts.sort_unstable();
            parts.dedup();
            // At both ends, lines of which no visible character is replaced stay.
            trim(lines, |at, now| old.line_text(at) == new.line_text(now) && !is_replaced(draft, at));
        }
        rewrites.retain(|RewrittenLines { lines, .. }| !(lines.old.is_empty() && lines.new.is_empty()));
        Self { rewrites, touched }
    }

    /// Returns the lines that splices touch. At both ends of each run, lines that are the `same` before and after are
    /// left out.
    pub(crate) fn changes(
        &self,
        old: &MemoryDoc,
        same: impl Fn(&ChangedRange, usize, usize) -> bool,
    ) -> Vec<ChangedRange> {
        let last = old.lines().len().checked_sub(1).filter(|last| old.line(*last).ending().is_empty());
        let mut changes: Vec<ChangedRange> = Vec::with_capacity(self.touched.len());
        for lines in &self.touched {
            match changes.last_mut().filter(|last| last.old.end == lines.old.start) {
                Some(last) => (last.old.end, last.new.end) = (lines.old.end, lines.new.end),
                None => changes.push(lines.clone()),
            }
        }
        for change in &mut changes {
            // Text written after a last line without an ending completes that line, and so changes it.
            if last.is_some_and(|last| change.old.start == last + 1) {
                (change.old.start, change.new.start) = (change.old.start - 1, change.new.start.saturating_sub(1));
            }
            let touched = change.clone();
            trim(change, |from, to| same(&touched, from, to));
        }
        changes.retain(|change| !(change.old.is_empty() && change.new.is_empty()));
        changes
    }

    /// Returns the rewrite that writes a line of the new text.
    pub(crate) fn writer(&self, new: usize) -> Option<&RewrittenLines> {
        let next = self.rewrites.partition_point(|rewrite| rewrite.lines.new.end <= new);
        self.rewrites.get(next).filter(|rewrite| rewrite.lines.new.contains(&new))
    }

    /// Returns the rewrite that replaces or removes a line of the old text.
    pub(crate) fn remover(&self, old: usize) -> Option<&RewrittenLines> {
        let next = self.rewrites.partition_point(|rewrite| rewrite.lines.old.end <= old);
        self.rewrites.get(next).filter(|rewrite| rewrite.lines.old.contains(&old))
    }

    /// Returns the line of the new text that a line of the old text has become; `None` if it is rewritten.
    pub(crate) fn survivor(&self, old: usize) -> Option<usize> {
        map_position(&self.rewrites, old, |RewrittenLines { lines, .. }| (lines.old.clone(), lines.new.clone()))
    }

    /// Returns the line of the old text that has become a line of the new text; `None` if the edit writes it.
    pub(crate) fn origin(&self, new: usize) -> Option<usize> {
        map_position(&self.rewrites, new, |RewrittenLines { lines, .. }| (lines.new.clone(), lines.old.clone()))
    }
}

/// Returns the lines of the old text that a splice touches.
fn touched(draft: &Draft<'_>, splice: &Splice, written: Span) -> Range<usize> {
    let (doc, new, span) = (draft.old, draft.new.lines(), splice.span);
    let (text, lines, count) = (doc.text(), doc.lines(), doc.lines().len());
    // At the end of the text, a splice that begins a new line comes after the last line. That is also so if it begins
    // with the ending that the last line lacks.
    let begins_line =
        splice.text.starts_with(['\r', '\n']) || new.start(new.index_at(written.start())) == written.start();
    let first = if span.start() == text.len() && begins_line { count } else { lines.index_at(span.start()) };
    let last = if span.end() == text.len() { count } else { lines.index_at(span.end()) };
    let is_at_start = span.end() == doc.line_start(last) || span.end() == lines.start(last);
    let ends_lines = splice.text.ends_with('\n') || (splice.text.is_empty() && span.start() <= doc.line_start(first));
    let is_whole = last == count || (is_at_start && ends_lines);
    first..if is_whole { last.max(first) } else { last + 1 }
}

/// Returns the index of the line after the lines of the new text that start at line `first` and end at offset `end`.
fn line_after_run(new: &MemoryDoc, first: usize, end: usize) -> usize {
    if end >= new.text().len() {
        return new.lines().len();
    }
    let index = new.line_index(end);
    // Another splice may continue the last line if that has no ending.
    if new.line_start(index) < end { index + 1 } else { index.max(first) }
}

/// Removes the lines that are the `same` from both ends of a changed range. `same` compares a line of the old text with
/// a line of the new text, by their indexes.
fn trim(ChangedRange { old, new }: &mut ChangedRange, same: impl Fn(usize, usize) -> bool) {
    while old.start < old.end && new.start < new.end && same(old.start, new.start) {
        (old.start, new.start) = (old.start + 1, new.start + 1);
    }
    while old.start < old.end && new.start < new.end && same(old.end - 1, new.end - 1) {
        (old.end, new.end) = (old.end - 1, new.end - 1);
    }
}

/// Reports whether a splice replaces a visible character of a line of the old text, or appends visible text to the
/// line.
pub(crate) fn is_replaced(draft: &Draft<'_>, line: usize) -> bool {
    let (visible, splices) = (visible_part(draft.old, line), draft.edit.splices());
    let end = draft.old.line(line).text.end();
    let next = splices.partition_point(|splice| splice.span.end() <= visible.start());
    let appends_text = |text: &str| !is_blank(text.split('\n').next().unwrap_or_default());
    let mut touching = splices.iter().skip(next).take_while(|splice| splice.span.start() <= end);
    // A splice that also removes the ending appends nothing: it joins the line to another one.
    let is_inside = |splice: &Splice| splice.span.end() <= end;
    touching.any(|splice| splice.span.start() < visible.end() || (is_inside(splice) && appends_text(&splice.text)))
}

/// Returns the span of a line without the white space at both ends.
pub(crate) fn visible_part(doc: &MemoryDoc, line: usize) -> Span {
    let span = doc.line_span(line);
    let text = span.of(doc.text());
    let start = span.start() + text.len() - text.trim_start().len();
    Span::new(start, (span.start() + text.trim_end().len()).max(start))
}

/// A map between the offsets of the old text and those of the new text.
#[derive(Clone, Debug)]
pub(crate) struct OffsetMap {
    // Invariant: sorted; the text between two replaced spans is the text between the two written spans.
    spans: Vec<Difference>,
}

impl OffsetMap {
    pub(crate) fn of(edit: &Edit) -> Self {
        Self { spans: edit.differences().collect() }
    }

    /// Returns the offset of a byte after the edit; `None` if the edit removes it.
    pub(crate) fn survivor(&self, offset: usize) -> Option<usize> {
        map_position(&self.spans, offset, |span| (span.old.range(), span.new.range()))
    }

    /// Returns the offset of a byte after the edit; if the edit removes it, the start of the text that replaces it.
    pub(crate) fn landing(&self, offset: usize) -> usize {
        let around = self.spans.partition_point(|span| span.old.end() <= offset);
        let start = self.spans.get(around).map_or(offset, |span| span.new.start());
        self.survivor(offset).unwrap_or(start)
    }

    /// Returns the offset before the edit of a byte of the result; `None` if the edit writes it.
    pub(crate) fn origin(&self, offset: usize) -> Option<usize> {
        map_position(&self.spans, offset, |span| (span.new.range(), span.old.range()))
    }
}

/// Returns the line that a line has become after `changes`, which are in document order; `None` if one of them rewrites
/// it.
pub(crate) fn line_after(changes: &[ChangedRange], line: usize) -> Option<usize> {
    map_position(changes, line, |change| (change.old.clone(), change.new.clone()))
}

/// Maps the position `from` in one text to the other text; `None` if it is replaced. For each replacement, `sides`
/// returns its range in the text of `from`, and its range in the other text.
fn map_position<T>(replaced: &[T], from: usize, sides: impl Fn(&T) -> (Range<usize>, Range<usize>)) -> Option<usize> {
    let before = replaced.partition_point(|range| sides(range).0.end <= from);
    if replaced.get(before).is_some_and(|range| sides(range).0.contains(&from)) {
        return None;
    }
    let last = before.checked_sub(1).and_then(|last| replaced.get(last)).map(sides);
    Some(last.map_or(from, |(here, there)| there.end + from - here.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{EditBuilder, Promise};

    /// A text, the bytes that each part replaces and by what, and the rewrites: old lines, new lines, parts.
    type Case = (
        &'static str,
        &'static [(Range<usize>, &'static str)],
        &'static [(Range<usize>, Range<usize>, &'static [usize])],
    );

    const CASES: [Case; 28] = [
        ("a\nb\nc\n", &[(2..3, "x")], &[(1..2, 1..2, &[0])]),
        ("a\nb\nc\n", &[(2..2, "x\n")], &[(1..1, 1..2, &[0])]),
        ("a\nb\nc\n", &[(2..4, "")], &[(1..2, 1..1, &[0])]),
        ("a\nb\nc\n", &[(2..4, "b\nx\n")], &[(1..2, 1..3, &[0])]),
        ("a\nb\nc\n", &[(3..4, " ")], &[(1..3, 1..2, &[0])]),
        ("a\nb\nc\n", &[(3..4, "\r\n")], &[]),
        ("a\nb \nc\n", &[(3..4, "")], &[(1..2, 1..2, &[0])]),
        ("a\nb\nc\n", &[(3..3, " x")], &[(1..2, 1..2, &[0])]),
        ("a\nb\nc\n", &[(3..3, "\nx")], &[(2..2, 2..3, &[0])]),
        ("a\nb\nc\n", &[(2..2, "x"), (3..3, "y")], &[(1..2, 1..2, &[0, 1])]),
        ("a\nb\nc\n", &[(2..4, "x\n"), (4..6, "y\n")], &[(1..2, 1..2, &[0]), (2..3, 2..3, &[1])]),
        ("a\nb\nc\n", &[(0..0, "x\n"), (6..6, "y\n")], &[(0..0, 0..1, &[0]), (3..3, 4..5, &[1])]),
        ("a\nb\nc", &[(5..5, "\nx\n")], &[(3..3, 3..4, &[0])]),
        ("a\nb\nc", &[(5..5, "x\n"), (5..5, "y")], &[(2..3, 2..3, &[0]), (3..3, 3..4, &[1])]),
        ("a\nb\nc", &[(3..5, "")], &[(2..3, 2..2, &[0])]),
        ("a\nb\nc", &[(4..5, "")], &[(2..3, 2..2, &[0])]),
        ("a\n\n\nb\n", &[(2..3, "")], &[(1..2, 1..1, &[0])]),
        ("a\n\n\nb\n", &[(1..4, "\n")], &[(1..3, 1..1, &[0])]),
        ("\u{FEFF}a\nb\n", &[(3..3, "x\n")], &[(0..0, 0..1, &[0])]),
        ("\u{FEFF}a\nb\n", &[(3..5, "")], &[(0..1, 0..0, &[0])]),
        ("", &[(0..0, "x\n")], &[(0..0, 0..1, &[0])]),
        (" a\n b\n", &[(0..1, "  "), (3..4, "")], &[(0..1, 0..1, &[0]), (1..2, 1..2, &[1])]),
        ("a\nb\nc\nd\n", &[(2..6, "c\nb\n")], &[(1..3, 1..3, &[0])]),
        ("a\nb\nc\nd\n", &[(1..3, "")], &[(1..2, 1..1, &[0])]),
        ("a\nb\nc\n", &[(1..2, "")], &[(0..2, 0..1, &[0])]),
        ("a\nb\nc\n", &[(0..1, "x"), (1..3, "y")], &[(0..2, 0..1, &[0, 1])]),
        ("a\n b\nc\n", &[(0..3, "x\n ")], &[(0..1, 0..1, &[0])]),
        ("a\nb \nc\n", &[(3..5, " \nx\n")], &[(2..2, 2..3, &[0])]),
    ];

    #[test]
    fn lines_are_rewritten_as_whole_lines_and_all_others_stay() {
        for (text, parts, expected) in CASES {
            let doc = MemoryDoc::parse(text);
            let mut edit = EditBuilder::new(&doc);
            for (part, (range, written)) in parts.iter().enumerate() {
                edit.for_part(part).replace(Span::new(range.start, range.end), *written, Promise::Lines);
            }
            let edit = edit.finish().unwrap_or_else(|_| Edit::nothing(&doc));
            let draft = Draft::new(&doc, &edit);
            let (map, offsets) = (LineMap::of(&draft), OffsetMap::of(&edit));
            let rows = map
                .rewrites
                .iter()
                .map(|RewrittenLines { lines, parts }| (lines.old.clone(), lines.new.clone(), &**parts));
            assert_eq!(rows.collect::<Vec<_>>(), expected, "{text:?} {parts:?}");
            for old in 0..doc.lines().len() {
                let is_rewritten = expected.iter().any(|(rewritten, ..)| rewritten.contains(&old));
                assert_eq!(map.survivor(old).is_none(), is_rewritten, "{text:?} {parts:?} {old}");
                let back = map.survivor(old).map(|new| (map.origin(new), draft.new.line_text(new).trim()));
                assert!(
                    back.is_none_or(|back| back == (Some(old), doc.line_text(old).trim())),
                    "{text:?} {parts:?} {old}"
                );
            }
            for new in 0..draft.new.lines().len() {
                let writer = expected.iter().find(|(_, written, _)| written.contains(&new)).map(|(.., parts)| *parts);
                assert_eq!(map.writer(new).map(|rewrite| &*rewrite.parts), writer, "{text:?} {parts:?} {new}");
                assert_eq!(map.origin(new).is_none(), writer.is_some(), "{text:?} {parts:?} {new}");
            }
            for old in 0..text.len() {
                let removed = parts.iter().position(|(range, _)| range.contains(&old));
                let written =
                    removed.and_then(|nth| edit.splices_in_result().nth(nth)).map(|(_, written)| written.start());
                let new = offsets.survivor(old);
                assert_eq!(
                    (new.is_none(), new.and_then(|new| offsets.origin(new)).or(removed.map(|_| old))),
                    (removed.is_some(), Some(old))
                );
                assert_eq!(Some(offsets.landing(old)), new.or(written), "{text:?} {parts:?} {old}");
            }
        }
    }
}
