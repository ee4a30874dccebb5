//! The lines that an edit wrote, as its reply shows them: what a model would otherwise read the memory again for.

use std::fmt;

use serde_json::{Map, Value, json};

use crate::edit::Commit;
use crate::text::{excerpt, on_one_line};

/// How many lines are shown.
const MAX_LINES: usize = 8;
/// How many characters of them.
const MAX_CHARS: usize = 600;

/// Returns the members that tell what a commit wrote: `lines` as they read now, how many more there are, and how many are gone.
pub(super) fn members(commit: &Commit) -> Map<String, Value> {
    let written = commit.written();
    let mut room = MAX_CHARS;
    let mut lines = Vec::new();
    for line in written.lines.iter().take(MAX_LINES) {
        let text = line.text.of(commit.doc.text());
        let is_long = text.chars().take(room + 1).count() > room;
        if is_long && !lines.is_empty() {
            break;
        }
        let shown = if is_long { excerpt(text, room) } else { text.to_owned() };
        room -= shown.chars().count().min(room);
        lines.push(json!({"line": line.number, "text": shown}));
    }
    let more = written.lines.len() - lines.len();
    let counts = [("removed_lines", written.removed), ("more_lines", more)];
    let mut members = Map::from_iter([("lines".to_owned(), Value::Array(lines))]);
    members.extend(
        counts.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count.into())),
    );
    members
}

/// Writes them as text: each line behind its number, so that none passes for a part of the reply.
pub(super) fn fmt_lines(members: &Map<String, Value>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let count = |name| members.get(name).and_then(Value::as_u64);
    for line in members.get("lines").and_then(Value::as_array).into_iter().flatten() {
        write!(f, "\n{}| {}", line["line"], on_one_line(line["text"].as_str().unwrap_or_default()))?;
    }
    if let Some(more) = count("more_lines") {
        write!(f, "\n… and {more} more lines")?;
    }
    match count("removed_lines") {
        Some(1) => f.write_str("\n1 line removed"),
        Some(removed) => write!(f, "\n{removed} lines removed"),
        None => Ok(()),
    }
}
