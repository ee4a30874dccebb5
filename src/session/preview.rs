//! Previews of pending changes: numbered lines around each change, whole regions, counts, or a unified diff.

use std::fmt::Write as _;
use std::ops::Range;

use super::layout::characters;
use super::{ChangePlace, EditingConfig, PendingChange, PreviewMode, Session};
use crate::document::MemoryDoc;
use crate::edit::{Comparison, Preview, first_lines, line_changes};
use crate::memory::DocName;
use crate::text::{ChangedRange, Line, Span, excerpt, on_one_line, visible};

/// The line between two places of a preview.
const RULE: &str = "─────────────────────────";
/// The length of a line in a compact preview, in characters.
const LINE: usize = 160;
/// How many deleted lines, and how many written lines, of a change a compact preview shows.
const SHOWN: usize = 10;

impl Session {
    /// Renders the session for a model: the pending changes, a preview, and how to end it.
    pub fn render(&self, title: &str, mode: PreviewMode, config: &EditingConfig) -> String {
        let base: usize = self.documents().map(|(_, doc)| characters(doc.text())).sum();
        let mut out = format!("📝 {title}\nbase: {base} characters\n\npending changes:\n{}", self.listed());
        if !self.changes().is_empty() {
            let _ = write!(out, "\npreview:\n{}", self.preview(mode, config));
        }
        out.push_str("\n💡 memo_commit {\"summary\": \"…\"} writes them, memo_revert {\"reason\": \"…\"} drops them\n");
        out
    }

    /// Lists the pending changes, one on each line.
    pub fn listed(&self) -> String {
        let mut out = String::new();
        let is_one = self.documents.len() < 2;
        for (change, place) in self.changes().iter().zip(self.layout()) {
            let document = if is_one { String::new() } else { format!(" in `{}`", change.document) };
            let (line, others) = (place.line, others(&place));
            let _ = writeln!(
                out,
                "[{}] {}{document} ({others}line {line}, {})",
                place.letter,
                change.intent,
                delta(&place)
            );
        }
        if out.is_empty() { "(none)\n".to_owned() } else { out }
    }

    /// Renders a preview. A compact preview is cut at `preview_max_length` characters, any other at 20,000; a note says
    /// so.
    pub fn preview(&self, mode: PreviewMode, config: &EditingConfig) -> String {
        let context = config.preview_context_lines;
        let (text, limit, more) = match mode {
            PreviewMode::Compact => return self.compact(context, config.preview_max_length),
            PreviewMode::Full => (self.numbered(context, Form::Whole), Preview::MAX_CHARS, "memo_export_diff has all"),
            PreviewMode::Stats => (self.stats(), Preview::MAX_CHARS, ""),
            PreviewMode::Diff => (self.diff(|_| true), Preview::MAX_CHARS, "memo_export_diff has all"),
        };
        bounded(text, limit, more)
    }

    /// Renders some lines around each change. If the preview is too long, the change staged last follows after the cut.
    fn compact(&self, context: usize, limit: usize) -> String {
        let text = self.numbered(context, Form::Compact);
        if first_lines(&text, limit).is_none() {
            return text;
        }
        let last = self.changes().last().map(|last| format!("staged last, [{}]:\n", last.letter));
        let last = last.zip(self.previews(limit).pop()).map(|(title, preview)| title + &preview);
        bounded(text, limit, "memo_preview with format `full` shows more") + &last.unwrap_or_default()
    }

    /// Renders each pending change on its own, in the order of the letters, each cut at `limit` characters. Lines have
    /// their numbers in the texts before and after the change.
    pub fn previews(&self, limit: usize) -> Vec<String> {
        let preview = |change: &PendingChange| {
            let (old, new) = (&change.before, &change.after);
            let numbered = Numbered { old, new, context: 0, form: Form::Compact };
            let mut out = String::new();
            let changes = line_changes(old, new, &change.edit);
            changes.iter().for_each(|change| numbered.change(change, &mut out));
            bounded(out, limit, "memo_preview with format `full` shows more")
        };
        self.changes.iter().map(preview).collect()
    }

    /// Renders one unified diff of all documents, as `git apply` accepts it. A document that does not exist yet is
    /// a new file.
    pub fn diff(&self, exists: impl Fn(&DocName) -> bool) -> String {
        let diff = |(name, base): (&DocName, &MemoryDoc)| {
            let draft = self.draft(name).filter(|draft| draft.text() != base.text())?;
            let diff = Comparison::between(base, draft).unified(name.as_str());
            let header = Line::all(&diff).next().filter(|_| !exists(name));
            Some(match header {
                Some(header) => format!("--- /dev/null\n{}", Span::new(header.full.end(), diff.len()).of(&diff)),
                None => diff,
            })
        };
        self.documents().filter_map(diff).collect()
    }

    fn stats(&self) -> String {
        let mut out = String::new();
        for place in self.layout() {
            let section = place.section.as_deref().map(|name| format!(", section {name}")).unwrap_or_default();
            let ChangePlace { letter, document, line, added, removed, .. } = &place;
            let others = others(&place);
            let _ =
                writeln!(out, "[{letter}] +{added}/-{removed} characters, `{document}`, {others}line {line}{section}");
        }
        out
    }

    fn numbered(&self, context: usize, form: Form) -> String {
        let mut out = String::new();
        for (name, base) in self.documents() {
            let Some((edit, draft)) = self.edit(name).zip(self.draft(name)) else { continue };
            let changes = line_changes(base, draft, &edit);
            if self.documents.len() > 1 && !changes.is_empty() {
                let _ = writeln!(out, "`{name}`:");
            }
            Numbered { old: base, new: draft, context, form }.render(&changes, &mut out);
        }
        out
    }
}

/// How lines are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Long lines are cut, and of many lines that are deleted or written the first are shown.
    Compact,
    Whole,
}

/// Renders changed lines with line numbers. A deleted line has its number in the old text.
struct Numbered<'d> {
    old: &'d MemoryDoc,
    new: &'d MemoryDoc,
    context: usize,
    form: Form,
}

impl Numbered<'_> {
    fn render(&self, changes: &[ChangedRange], out: &mut String) {
        let gap = self.context.saturating_mul(2);
        for group in changes.chunk_by(|a, b| b.new.start.saturating_sub(a.new.end) <= gap) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let end = last.new.end.saturating_add(self.context).min(self.new.lines().len());
            let _ = writeln!(out, "{RULE}");
            let mut at = first.new.start.saturating_sub(self.context);
            for change in group {
                self.lines(self.new, at..change.new.start, ' ', out);
                self.change(change, out);
                at = change.new.end;
            }
            self.lines(self.new, at..end, ' ', out);
        }
        if !changes.is_empty() {
            let _ = writeln!(out, "{RULE}");
        }
    }

    fn change(&self, change: &ChangedRange, out: &mut String) {
        self.first_lines(self.old, change.old.clone(), '-', out);
        self.first_lines(self.new, change.new.clone(), '+', out);
    }

    /// Writes lines; in a compact preview only the first of them, and how many more there are.
    fn first_lines(&self, doc: &MemoryDoc, range: Range<usize>, sign: char, out: &mut String) {
        let end = if self.form == Form::Compact { range.end.min(range.start.saturating_add(SHOWN)) } else { range.end };
        let more = range.end - end;
        self.lines(doc, range.start..end, sign, out);
        if more > 0 {
            let _ = writeln!(out, "{}│{sign}… ({more} more)", self.number(end));
        }
    }

    fn lines(&self, doc: &MemoryDoc, range: Range<usize>, sign: char, out: &mut String) {
        for index in range {
            let text = doc.lines().line(doc.text(), index).text.of(doc.text());
            let shown = if self.form == Form::Compact { visible(&excerpt(text, LINE)) } else { on_one_line(text) };
            let _ = writeln!(out, "{}│{sign}{shown}", self.number(index));
        }
    }

    /// Returns the number of a line, padded to the width of the largest number.
    fn number(&self, index: usize) -> String {
        let most = self.old.lines().len().max(self.new.lines().len());
        format!("{:>width$}", index + 1, width = most.to_string().len())
    }
}

/// Says how many places a change has, if it has several.
fn others(place: &ChangePlace) -> String {
    match place.others {
        0 => String::new(),
        count => format!("{} places, the first on ", count + 1),
    }
}

/// Says by how much a change lengthens the text.
fn delta(place: &ChangePlace) -> String {
    let end = if matches!(place.delta(), 1 | -1) { "" } else { "s" };
    format!("{:+} character{end}", place.delta())
}

/// Cuts a text at a line, and says how much is missing. A text of one line more is not cut: saying so would be as long.
fn bounded(text: String, limit: usize, more: &str) -> String {
    match first_lines(&text, limit).filter(|(_, missing)| *missing > 1) {
        Some((kept, missing)) => format!("{kept}… ({missing} more lines are not shown; {more})\n"),
        None => text,
    }
}
