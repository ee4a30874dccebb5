//! [`Lines`]: the lines that an edit wrote, as its reply shows them: what a model would otherwise read the memory again for.

use serde::Serialize;

use crate::document::MemoryDoc;
use crate::edit::{Commit, WrittenLine};
use crate::text::{excerpt, visible};

/// How many lines are shown.
const MAX_LINES: usize = 8;
/// How many characters of them.
const MAX_CHARS: usize = 600;
/// How many removed lines are shown.
const MAX_REMOVED: usize = 3;
/// How many characters of each.
const REMOVED_CHARS: usize = 100;

/// The lines that were written or moved, as they read now.
#[derive(Clone, Serialize)]
pub(crate) struct Lines {
    lines: Vec<LineRow>,
    /// How many more were written.
    #[serde(skip_serializing_if = "is_zero")]
    more_lines: usize,
    /// How many are gone, with none in their place.
    #[serde(skip_serializing_if = "is_zero")]
    removed_lines: usize,
    // The first of them, as they read and were numbered before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    removed: Vec<LineRow>,
    /// How many are gone that are not shown.
    #[serde(skip_serializing_if = "is_zero")]
    more_removed: usize,
}

#[derive(Clone, Serialize)]
struct LineRow {
    // Its number, from 1.
    line: usize,
    // The block that it stands in; of a heading, the section.
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    text: String,
}

impl LineRow {
    fn of(doc: &MemoryDoc, line: &WrittenLine, room: usize) -> Self {
        let start = line.text.start();
        let block = || doc.block_at(start).map(|block| format!("block {}", visible(&excerpt(block.id(), 40))));
        let parent = || {
            let section = doc.section_at(start).filter(|section| section.line.start() == start)?;
            section.parent().map(|parent| format!("section {}", visible(&excerpt(&parent.name(), 80))))
        };
        let text = line.text.of(doc.text());
        Self { line: line.number, place: block().or_else(parent), text: excerpt(text, room) }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Lines {
    /// Tells what a commit wrote.
    pub(crate) fn of(commit: &Commit) -> Self {
        let written = commit.written();
        let mut room = MAX_CHARS;
        let mut lines = Vec::new();
        for line in written.lines.iter().take(MAX_LINES) {
            let text = line.text.of(commit.doc.text());
            let is_long = text.chars().take(room + 1).count() > room;
            if is_long && !lines.is_empty() {
                break;
            }
            let row = LineRow::of(&commit.doc, line, room);
            room -= row.text.chars().count().min(room);
            lines.push(row);
        }
        let gone = written.gone.iter().take(MAX_REMOVED);
        let removed: Vec<_> = gone.map(|line| LineRow::of(commit.base(), line, REMOVED_CHARS)).collect();
        Self {
            more_lines: written.lines.len() - lines.len(),
            removed_lines: written.removed,
            more_removed: written.removed.saturating_sub(removed.len()),
            removed,
            lines,
        }
    }
}
