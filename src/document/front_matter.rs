//! Front matter: `key: value` lines between two rules at the beginning of a text.
//!
//! The text has front matter only if the first line is `---`, the next line that is not blank is `key:`, a later line
//! is `---` or `...`, and no line between them is a heading of level 2 to 6. Otherwise the `---` is prose.

use super::doc::MemoryDoc;
use super::outline::Slot;
use super::syntax::{after_bom, bullet_line, heading, is_key_line};
use crate::text::{Line, Span, is_blank};

/// Front matter: its extent and its slots.
pub(super) struct FrontMatter {
    pub(super) extent: Span,
    pub(super) slots: Vec<Slot>,
}

/// Reads the front matter that `text` begins with, if there is one.
pub(super) fn front_matter(text: &str) -> Option<FrontMatter> {
    let start = after_bom(text);
    let mut lines = Line::all_within(text, Span::new(start, text.len()));
    lines.next().filter(|_| opens(text))?;
    let is_key = |line: Line| is_key_line(line.text.of(text));
    lines.clone().find(|line| !is_blank(line.text.of(text))).filter(|line| is_key(*line))?;
    let mut slots: Vec<Slot> = Vec::new();
    // Whether the next line may continue the last slot. Blank lines and comments between them do not matter.
    let mut is_open = false;
    for line in lines {
        let content = line.text.of(text);
        if closes(content) {
            return Some(FrontMatter { extent: Span::new(start, line.full.end()), slots });
        }
        if heading(content).is_some_and(|heading| heading.level > 1) {
            return None;
        }
        if is_blank(content) || content.starts_with('#') {
            continue;
        }
        let is_empty = |slot: &Slot| matches!(slot.value.of(text).as_bytes(), [] | [b'#', ..]);
        let is_nested = content.starts_with([' ', '\t'])
            || (bullet_line(content).is_some_and(|item| item.marker == "-") && slots.last().is_some_and(is_empty));
        // A value that continues on indented lines or as a list is nested YAML, and its key is no slot.
        if is_nested && is_open {
            slots.pop();
        }
        let slot = read_slot(text, line).filter(|_| !is_nested);
        is_open = slot.is_some();
        slots.extend(slot);
    }
    None
}

/// Reports whether the first line of a text, after a BOM, can begin front matter.
pub(super) fn opens(text: &str) -> bool {
    Line::starting_at(text, after_bom(text)).text.of(text).trim_end_matches([' ', '\t']) == "---"
}

impl MemoryDoc {
    /// Reports whether the text begins like front matter, with `---` and a key, but no line closes it.
    pub(crate) fn has_unclosed_front_matter(&self) -> bool {
        let mut below = Line::texts_within(self.text(), self.without_bom(self.span())).skip(1);
        opens(self.text()) && below.find(|line| !is_blank(line)).is_some_and(is_key_line) && !below.any(closes)
    }
}

/// Reports whether a line can end front matter.
fn closes(line: &str) -> bool {
    matches!(line.trim_end_matches([' ', '\t']), "---" | "...")
}

fn read_slot(text: &str, line: Line) -> Option<Slot> {
    let content = line.text.of(text);
    let (name, value) = content.split_once(':').filter(|_| is_key_line(content))?;
    if name.trim() != name || name.starts_with(['"', '\'', '[', '{', '?', '&', '*']) {
        return None;
    }
    let (start, value) =
        (line.text.end() - value.trim_start_matches([' ', '\t']).len(), value.trim_matches([' ', '\t']));
    let name = Span::new(line.text.start(), line.text.start() + name.len());
    Some(Slot { line: line.full, name, value: Span::new(start, start + value.len()) })
}
