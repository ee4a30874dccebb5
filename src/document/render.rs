//! How a document is shown to a model: as it is, with line numbers, or with the keys of its
//! bullets.

use super::doc::MemoryDoc;
use crate::text::{Lines, Span, on_one_line};

/// A way to show a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextView {
    /// The text, byte for byte.
    #[default]
    Text,
    /// Each line with its number: `12| line`. What would hide in it, or end it for other programs,
    /// is shown as its code point.
    Numbered,
    /// Each line with the key of the bullet that begins there: `k7f3a2| - text`; with none, `|
    /// text`. What would hide is shown as in the numbered view.
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
            // A mark of byte order belongs to no node.
            let text = line.text.of(self.text());
            let text = text.strip_prefix('\u{FEFF}').filter(|_| line.full.start() == 0).unwrap_or(text);
            let starts_here = bullets.next_if(|bullet| bullet.line.start() < line.full.end());
            // Every line has a prefix: were some bare, their text could pass for that of another.
            match (view, starts_here) {
                (TextView::Numbered, _) => shown.push_str(&format!("{number}| ")),
                (TextView::Keyed, Some(bullet)) => shown.push_str(&format!("{}| ", bullet.key())),
                _ => shown.push_str("| "),
            }
            shown.push_str(&on_one_line(text));
            shown.push_str(Span::new(line.text.end(), line.full.end()).of(self.text()));
        }
        shown
    }
}
