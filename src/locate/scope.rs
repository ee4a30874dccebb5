//! Scopes: the part of a document that a request is limited to.

use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef};
use crate::text::{Line, Lines, Span, is_blank};

/// The part of a document in which something is looked for. It begins at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope<'a> {
    /// The whole document.
    Document,
    /// A section's extent, subsections included.
    Section(SectionRef<'a>),
    /// A block, header included.
    Block(BlockRef<'a>),
    /// A label with what it owns.
    Label(LabelRef<'a>),
    /// A bullet with its children.
    Bullet(BulletRef<'a>),
    /// The line of a slot.
    Slot(Span),
    /// The front matter, both `---` lines included.
    FrontMatter(Span),
    /// From a line of prose to the end of its section's body.
    From(Span),
}

impl<'a> Scope<'a> {
    /// Returns the bytes of the scope.
    pub(crate) fn span(self, doc: &MemoryDoc) -> Span {
        match self {
            Self::Document => doc.span(),
            Self::Section(section) => section.extent,
            Self::Block(block) => block.extent,
            Self::Label(label) => label.extent,
            Self::Bullet(bullet) => bullet.extent,
            Self::Slot(span) | Self::FrontMatter(span) | Self::From(span) => span,
        }
    }

    /// Returns the part of the scope that lies in `within`, in which it starts.
    pub(crate) fn clipped(self, doc: &MemoryDoc, within: Span) -> Self {
        let span = self.span(doc);
        if within.covers(span) { self } else { Self::From(Span::new(span.start(), span.end().min(within.end()))) }
    }

    /// Returns the scope that the line at `start` names: the node that it begins, or all from it to
    /// the end of its section.
    pub(crate) fn of_line(doc: &'a MemoryDoc, start: usize) -> Self {
        let section = doc.section_at(start);
        if let Some(section) = section.filter(|section| section.line.start() == start) {
            return Self::Section(section);
        }
        if let Some(block) = doc.block_at(start).filter(|block| block.line.start() == start) {
            return Self::Block(block);
        }
        if let Some(label) = doc.label_at(start).filter(|label| label.line.start() == start) {
            return Self::Label(label);
        }
        if let Some(bullet) = doc.bullet_at(start).filter(|bullet| bullet.line.start() == start) {
            return Self::Bullet(bullet);
        }
        // The preamble ends where the first section begins.
        let preamble_end = || doc.sections().next().map_or(doc.text().len(), |section| section.line.start());
        Self::From(Span::new(start, section.map_or_else(preamble_end, |section| section.body.end())))
    }
}

/// Reports whether the lines of `scope` before `at` end in `lines`, those of them that are blank at
/// their end behind it.
pub(crate) fn end_in(text: &str, scope: Span, at: usize, lines: &[String]) -> bool {
    let blanks = lines.iter().rev().take_while(|line| is_blank(line)).count();
    let (above, below) = lines.split_at(lines.len() - blanks);
    let there = Lines::within(text, Span::new(at, scope.end().max(at))).map(|line| line.text.of(text));
    let stand_below = there.take(blanks).eq(below.iter().map(String::as_str));
    let scope = Span::new(scope.start(), at);
    ends_with(text, scope, lines) || (stand_below && ends_with(text, scope, above))
}

/// Reports whether the lines of `span` end in `lines`. A byte order mark is no part of the first
/// line.
fn ends_with(text: &str, span: Span, lines: &[String]) -> bool {
    let mark = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut end = span.end();
    for line in lines.iter().rev() {
        let Some(before) = end.checked_sub(1).filter(|before| *before >= span.start().max(mark)) else { return false };
        let there = Line::holding(text, before);
        let start = there.text.start().max(mark);
        if Span::new(start, there.text.end().max(start)).of(text) != line {
            return false;
        }
        end = start;
    }
    true
}
