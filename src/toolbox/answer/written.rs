//! [`Lines`]: the lines that an edit wrote, as its reply shows them: what a model would otherwise read the memory again for.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::edit::Commit;
use crate::text::{excerpt, on_one_line};

/// How many lines are shown.
const MAX_LINES: usize = 8;
/// How many characters of them.
const MAX_CHARS: usize = 600;

/// The lines that were written or moved, as they read now.
#[derive(Clone, Serialize, JsonSchema)]
pub(in super::super) struct Lines {
    lines: Vec<LineRow>,
    /// How many lines more were written than are shown.
    #[serde(skip_serializing_if = "is_zero")]
    more_lines: usize,
    /// How many lines are gone, with none in their place.
    #[serde(skip_serializing_if = "is_zero")]
    removed_lines: usize,
}

#[derive(Clone, Serialize, JsonSchema)]
struct LineRow {
    /// Its number, from 1.
    line: usize,
    text: String,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Lines {
    /// Tells what a commit wrote.
    pub(in super::super) fn of(commit: &Commit) -> Self {
        let written = commit.written();
        let mut room = MAX_CHARS;
        let mut lines = Vec::new();
        for line in written.lines.iter().take(MAX_LINES) {
            let text = line.text.of(commit.doc.text());
            let is_long = text.chars().take(room + 1).count() > room;
            if is_long && !lines.is_empty() {
                break;
            }
            let text = if is_long { excerpt(text, room) } else { text.to_owned() };
            room -= text.chars().count().min(room);
            lines.push(LineRow { line: line.number, text });
        }
        Self { more_lines: written.lines.len() - lines.len(), removed_lines: written.removed, lines }
    }
}

impl fmt::Display for Lines {
    /// Writes each line behind its number, so that none passes for a part of the reply.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LineRow { line, text } in &self.lines {
            write!(f, "\n{line}| {}", on_one_line(text))?;
        }
        if self.more_lines > 0 {
            write!(f, "\n… and {} more lines", self.more_lines)?;
        }
        match self.removed_lines {
            0 => Ok(()),
            1 => f.write_str("\n1 line removed"),
            removed => write!(f, "\n{removed} lines removed"),
        }
    }
}
