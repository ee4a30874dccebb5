//! How a document is shown to a model: as it is, with line numbers, or with the keys of its bullets.

use super::doc::MemoryDoc;
use crate::text::{Lines, Span};

/// A way to show a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextView {
    /// The text, byte for byte.
    #[default]
    Text,
    /// Each line with its number: `12| line`.
    Numbered,
    /// Each bullet with its key: `k7f3a2| - text`; other lines as they are, but for those that would read so, which have `| `
    /// before them.
    Keyed,
}

impl MemoryDoc {
    /// Shows the part of the document under `span`, which begins at the start of a line.
    pub fn render(&self, span: Span, view: TextView) -> String {
        if view == TextView::Text {
            return span.of(self.text()).to_owned();
        }
        let mut shown = String::with_capacity(2 * span.len());
        let mut bullets = self.bullets_within(span).peekable();
        for (number, line) in (self.line_number(span.start())..).zip(Lines::within(self.text(), span)) {
            let starts_here = bullets.next_if(|bullet| bullet.line.start() == line.full.start());
            match (view, starts_here) {
                (TextView::Numbered, _) => shown.push_str(&format!("{number}| ")),
                (TextView::Keyed, Some(bullet)) => shown.push_str(&format!("{}| ", bullet.key())),
                (TextView::Keyed, None) if reads_as_keyed(line.full.of(self.text())) => shown.push_str("| "),
                _ => {}
            }
            shown.push_str(line.full.of(self.text()));
        }
        shown
    }
}

/// Reports whether a line begins as one with a key before it does.
fn reads_as_keyed(line: &str) -> bool {
    let Some((key, _)) = line.split_once('|') else { return false };
    let (digits, ordinal) = key.split_once('#').unwrap_or((key, ""));
    matches!(digits.len(), 6 | 8)
        && digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ordinal.bytes().all(|byte| byte.is_ascii_digit())
}
