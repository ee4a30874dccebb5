//! Views of a document for a model: the plain text, lines with numbers, with bullets' keys or with dates, or the
//! outline.

use super::doc::MemoryDoc;
use super::node::{BulletRef, SectionRef};
use crate::text::{Line, Span, Timestamp, on_one_line};

/// A way to show a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextView<'a> {
    /// The text, byte for byte.
    #[default]
    Text,
    /// Each line with its number: `12| line`. Characters that are invisible, or at which other programs end a line, are
    /// shown as code points.
    Numbered,
    /// Each line with the key of the bullet that begins there: `k7f3a2| - text`. If none begins there: `| text`.
    /// Invisible characters are shown as in the numbered view.
    Keyed,
    /// Each line with the day on which the bullet that begins there last changed: `2026-11-21| - text`. If none begins
    /// there: `| text`. The value is the time of each bullet of the document, in document order.
    Dated(&'a [Option<Timestamp>]),
    /// The headings, each with its line number, and the number of bullets and bytes from there to the next heading:
    /// `3| ## Facts (2 bullets, 40 bytes)`.
    Outline,
}

impl TextView<'_> {
    /// Returns the prefix of line `number`, on which `bullet` begins.
    fn prefix(self, number: usize, bullet: Option<BulletRef<'_>>) -> String {
        match (self, bullet) {
            (Self::Numbered, _) => number.to_string(),
            (Self::Keyed, Some(bullet)) => bullet.key().to_string(),
            (Self::Dated(times), Some(bullet)) => {
                times.get(bullet.index()).copied().flatten().map(|time| time.date()).unwrap_or_default()
            }
            _ => String::new(),
        }
    }
}

impl MemoryDoc {
    /// Shows the part of the document under `span`, which begins at the start of a line.
    pub fn render(&self, span: Span, view: TextView<'_>) -> String {
        match view {
            TextView::Text => return span.of(self.text()).to_owned(),
            TextView::Outline => return self.headings(span),
            _ => {}
        }
        let mut shown = String::with_capacity(2 * span.len());
        let mut bullets = self.bullets_within(span).peekable();
        for (number, line) in (self.line_number(span.start())..).zip(Line::all_within(self.text(), span)) {
            let text = self.without_bom(line.text).of(self.text());
            let bullet = bullets.next_if(|bullet| bullet.line.start() < line.full.end());
            // Every line gets a prefix, also an empty one. Otherwise the text of a line could be taken for a prefix.
            shown.push_str(&format!("{}| {}", view.prefix(number, bullet), on_one_line(text)));
            shown.push_str(Span::new(line.text.end(), line.full.end()).of(self.text()));
        }
        shown
    }

    /// Returns the part of `span` that begins with line number `from`, which counts from 1, and has at most `limit`
    /// lines.
    pub fn lines_from(&self, span: Span, from: usize, limit: usize) -> Span {
        let first = self.line_number(span.start()).max(from).saturating_sub(1);
        let start = self.lines().start(first).clamp(span.start(), span.end());
        Span::new(start, self.lines().start(first.saturating_add(limit)).clamp(start, span.end()))
    }

    fn headings(&self, span: Span) -> String {
        let sections = self.sections().filter(|section| span.covers(section.line));
        let row = |section: SectionRef<'_>| {
            let own = Span::new(section.line.start(), section.body.end());
            let (line, heading) = (section.line_number(), on_one_line(section.line_text()));
            format!("{line}| {heading} ({} bullets, {} bytes)\n", self.bullets_within(own).count(), own.len())
        };
        sections.map(row).collect()
    }
}
