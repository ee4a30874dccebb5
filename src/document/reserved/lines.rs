//! The lines of a document that pass for a reserved heading.

use super::super::doc::MemoryDoc;
use super::super::syntax::{bullet_start, heading, is_block_line, is_setext_underline};
use super::reader::Place;
use crate::text::{Line, Lines, Span, is_blank};

/// How many neighboring lines are read as one heading.
const JOINED: usize = 3;

impl MemoryDoc {
    /// Returns the lines outside fences that pass for a reserved heading, true headings included; two or three that do so
    /// together as one.
    pub(crate) fn look_alikes(&self) -> &[Span] {
        self.derived().look_alikes.get_or_init(|| look_alikes(self, self.span()))
    }

    /// Returns those of them that stand under `span`, whole lines.
    pub(crate) fn look_alikes_within(&self, span: Span) -> Vec<Span> {
        look_alikes(self, span)
    }
}

/// Returns the lines under `span` that pass for a reserved heading, true ones included; each two or three that do so together
/// as one, and with the line below that underlines them. Lines in fences do not.
fn look_alikes(doc: &MemoryDoc, span: Span) -> Vec<Span> {
    let (text, outline) = (doc.text(), doc.outline());
    let front = outline.front_matter().unwrap_or(Span::at(0));
    let names = doc.rules().reserved_names();
    let mut found = Vec::new();
    let mut lines = Lines::within(text, span);
    while let Some(line) = lines.next() {
        let own = without_mark(text, line.text);
        if is_blank(own.of(text)) || outline.is_code(own.start()) {
            continue;
        }
        if front.contains(own.start()) {
            found.extend(names.matching(own.of(text), Place::FrontMatter).map(|_| own));
            continue;
        }
        let goes_on = |line: &Line| goes_on(line.text.of(text)) && !outline.is_code(line.text.start());
        let most = if heading(own.of(text)).is_some() { 0 } else { JOINED - 1 };
        let below = lines.clone().take(most).take_while(goes_on).map(|line| line.text);
        let passing = names.passing(own.of(text), below.clone().map(|line| line.of(text)));
        let Some(count) = passing else { continue };
        let underline = lines.clone().nth(count - 1).filter(|line| most > 0 && is_underline(doc, line.text));
        let last = underline.map(|line| line.text).or_else(|| [own].into_iter().chain(below).nth(count - 1));
        found.extend(last.map(|last| Span::new(own.start(), last.end())));
    }
    found
}

/// Reports whether a line makes a heading of those above it.
fn is_underline(doc: &MemoryDoc, line: Span) -> bool {
    is_setext_underline(line.of(doc.text())) && !doc.outline().is_code(line.start())
}

/// Reports whether a renderer may show a line together with the one above it.
fn goes_on(line: &str) -> bool {
    !is_blank(line) && heading(line).is_none() && bullet_start(line).is_none() && !is_block_line(line)
}

/// Returns the line without the mark of byte order that the first one may begin with.
fn without_mark(text: &str, line: Span) -> Span {
    match line.of(text).strip_prefix('\u{FEFF}') {
        Some(rest) => Span::new(line.end() - rest.len(), line.end()),
        None => line,
    }
}
