//! Unified diffs: [`Draft::preview`], from the splices of an edit, and [`Comparison`], of any two texts.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use serde::Deserialize;

use super::line_map::LineMap;
use super::{Draft, Edit};
use crate::document::{MemoryDoc, SectionRef};
use crate::text::{ChangedRange, Line, Span, diff_ranges};

/// How much a preview shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PreviewFormat {
    /// A unified diff with three lines of context.
    #[default]
    Compact,
    /// A unified diff with the whole document as context.
    Full,
    /// Counts only.
    Stats,
}

/// How a preview is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preview {
    /// How much it shows.
    pub format: PreviewFormat,
    /// The name of the document, for the header.
    pub name: String,
    /// The maximum length in characters. A longer preview is cut at the end of a line, and a note says how much is
    /// missing.
    pub max_chars: usize,
}

impl Preview {
    /// The default of [`max_chars`](Self::max_chars).
    pub const MAX_CHARS: usize = 20_000;

    /// Creates the settings for a preview of the document `name`.
    pub fn new(format: PreviewFormat, name: impl Into<String>) -> Self {
        Self { format, name: name.into(), max_chars: Self::MAX_CHARS }
    }
}

impl Draft<'_> {
    /// Renders the edit as a diff or as counts. The diff of an edit that changes nothing is empty.
    pub fn preview(&self, preview: &Preview) -> String {
        let changes = changes(self);
        let context = match preview.format {
            PreviewFormat::Stats => return stats(self, &changes),
            PreviewFormat::Compact => CONTEXT,
            PreviewFormat::Full => usize::MAX,
        };
        if changes.is_empty() {
            return String::new();
        }
        let diff = Comparison { old: self.old, new: &self.new, changes }.render(&preview.name, context);
        match first_lines(&diff, preview.max_chars) {
            Some((kept, missing)) => format!("{kept}… ({missing} more lines)\n"),
            None => diff,
        }
    }
}

/// Returns the lines that `edit`, which turns `old` into `new`, changes.
pub(crate) fn line_changes(old: &MemoryDoc, new: &MemoryDoc, edit: &Edit) -> Vec<ChangedRange> {
    changes(&Draft::between(old, edit, new.clone()))
}

/// Returns the lines that a draft changes. A line whose ending changes counts.
fn changes(draft: &Draft<'_>) -> Vec<ChangedRange> {
    let (old, new) = (draft.old, &draft.new);
    let is_same = |from: usize, to: usize| old.line(from).full.of(old.text()) == new.line(to).full.of(new.text());
    LineMap::of(draft).changes(old, |_, from, to| is_same(from, to))
}

fn render_lines(doc: &MemoryDoc, range: Range<usize>, sign: char, out: &mut String) {
    for line in range.map(|index| doc.line(index)) {
        out.push(sign);
        out.push_str(line.full.of(doc.text()));
        if line.ending().is_empty() {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

fn stats(draft: &Draft<'_>, changes: &[ChangedRange]) -> String {
    let added: usize = changes.iter().map(|change| change.new.len()).sum();
    let removed: usize = changes.iter().map(|change| change.old.len()).sum();
    let characters = |text: &str| text.chars().count();
    let splices = draft.edit.splices().iter();
    let more: usize = splices.clone().map(|splice| characters(&splice.text)).sum();
    let fewer: usize = splices.map(|splice| characters(splice.span.of(draft.old.text()))).sum();
    format!("+{added}/-{removed} lines, +{more}/-{fewer} characters\n")
}

/// Returns the first lines of a text of more than `most` characters, and how many lines are missing; `None` if it is
/// not longer than that.
pub(crate) fn first_lines(text: &str, most: usize) -> Option<(&str, usize)> {
    let mut room = most;
    let is_within = |line: &Line| {
        let length = line.full.of(text).chars().take(room.saturating_add(1)).count();
        let is_within = length <= room;
        room = room.saturating_sub(length);
        is_within
    };
    let kept = Line::all(text).take_while(is_within).last().map_or(0, |line| line.full.end());
    let rest = Span::new(kept, text.len());
    let missing = Line::all_within(text, rest).count();
    (!rest.is_empty()).then(|| (Span::new(0, kept).of(text), missing))
}

/// How many unchanged lines a diff shows before and after each change.
const CONTEXT: usize = 3;

/// The lines in which two texts of one document differ.
///
/// # Examples
///
/// ```
/// use memdoc::{MemoryDoc, edit::Comparison};
///
/// let (old, new) = (MemoryDoc::parse("- Likes tea\n"), MemoryDoc::parse("- Likes milk\n"));
/// let diff = Comparison::between(&old, &new).unified("memory");
/// assert_eq!(diff, "--- a/memory.md\n+++ b/memory.md\n@@ -1,1 +1,1 @@\n-- Likes tea\n+- Likes milk\n");
/// ```
#[derive(Debug)]
pub struct Comparison<'a> {
    old: &'a MemoryDoc,
    new: &'a MemoryDoc,
    changes: Vec<ChangedRange>,
}

impl<'a> Comparison<'a> {
    /// Compares two texts line by line, endings included, in bounded time.
    pub fn between(old: &'a MemoryDoc, new: &'a MemoryDoc) -> Self {
        let lines = |doc: &'a MemoryDoc| doc.text().split_inclusive('\n').collect::<Vec<_>>();
        Self { old, new, changes: diff_ranges(&lines(old), &lines(new)) }
    }

    /// Renders the changes as a unified diff of the document `name`.
    pub fn unified(&self, name: &str) -> String {
        self.render(name, CONTEXT)
    }

    fn render(&self, name: &str, context: usize) -> String {
        let mut diff = format!("--- a/{name}.md\n+++ b/{name}.md\n");
        let gap = context.saturating_mul(2);
        for hunk in self.changes.chunk_by(|a, b| b.old.start.saturating_sub(a.old.end) <= gap) {
            self.render_hunk(hunk, context, &mut diff);
        }
        diff
    }

    fn render_hunk(&self, changes: &[ChangedRange], context: usize, out: &mut String) {
        let Self { old, new, .. } = *self;
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        let before = first.old.start.min(context);
        let after = (old.lines().len() - last.old.end).min(context);
        let old_range = first.old.start - before..last.old.end + after;
        let new_range = first.new.start - before..last.new.end + after;
        let header = |range: &Range<usize>| {
            let start = if range.is_empty() { range.start } else { range.start + 1 };
            format!("{start},{}", range.len())
        };
        let _ = writeln!(out, "@@ -{} +{} @@", header(&old_range), header(&new_range));
        let mut at = old_range.start;
        for change in changes {
            render_lines(old, at..change.old.start, ' ', out);
            render_lines(old, change.old.clone(), '-', out);
            render_lines(new, change.new.clone(), '+', out);
            at = change.old.end;
        }
        render_lines(old, at..old_range.end, ' ', out);
    }

    /// Returns the names of the sections in which lines differ, those of the new text first.
    pub fn sections(&self) -> Vec<String> {
        let new = self.changes.iter().flat_map(|change| change.new.clone()).map(|line| (self.new, line));
        let old = self.changes.iter().flat_map(|change| change.old.clone()).map(|line| (self.old, line));
        let sections = new.chain(old).filter_map(|(doc, line)| doc.section_at(doc.line_start(line)));
        let (mut seen, mut known) = (HashSet::new(), HashSet::new());
        let names = sections.filter(|section| seen.insert(*section)).map(SectionRef::name);
        names.filter(|name| known.insert(name.clone())).collect()
    }
}
