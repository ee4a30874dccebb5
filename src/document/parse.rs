//! The parser: one pass over the lines, no recursion, no allocation per line, no errors.
//!
//! A line is the first of these that fits: front matter, fence, heading, bullet, block line, continuation, label,
//! prose.
//!
//! - A fence may open inside a bullet, on an indented line or right after the marker. As in CommonMark, it then ends
//!   with that bullet at the latest.
//! - A heading below a bullet may be indented by up to three spaces; it is a heading, not part of the bullet.
//! - A line of prose is a label if a bullet follows. That is known at the next line that is not blank.

use super::content::ItemText;
use super::front_matter;
use super::outline::{Block, Bullet, Fence, Label, Outline, Section};
use super::syntax::{self, BulletLine, FenceOpen};
use crate::text::{Line, Span, narrow};

/// Reads the structure of `text`.
pub(super) fn parse(text: &str) -> Outline {
    let mut parser = Parser { text, ..Parser::default() };
    // A guess that is enough for most memories, so that the vector seldom has to grow.
    parser.outline.bullets.reserve(text.len() / 64);
    let front = front_matter::front_matter(text);
    let start = front.as_ref().map_or_else(|| syntax::after_bom(text), |front| front.extent.end());
    parser.outline.body_start = start;
    parser.outline.front_matter = front.as_ref().map(|front| front.extent);
    parser.outline.slots = front.map(|front| front.slots).unwrap_or_default();
    parser.lines(Span::new(start, text.len()));
    parser.finish()
}

/// The parser: the nodes so far, and which of them are open, so that the next line may belong to them.
#[derive(Default)]
pub(super) struct Parser<'a> {
    text: &'a str,
    outline: Outline,
    /// The headings whose extent is still open, outermost first.
    sections: Vec<usize>,
    block: Option<usize>,
    /// The bullets that the next line may belong to, outermost first.
    bullets: Vec<OpenBullet>,
    /// Where the last line that belongs to an open bullet ends.
    bullets_end: usize,
    fence: Option<OpenFence>,
    /// The label that owns the next bullet.
    label: Option<usize>,
    /// The unindented line of prose above. It is a label if a bullet follows.
    prose: Option<Prose>,
}

/// An unindented line of prose.
#[derive(Clone, Copy)]
struct Prose {
    line: Line,
    is_underlined: bool,
    /// Where the next line starts.
    end: usize,
}

struct OpenBullet {
    index: usize,
    /// The white space before the marker.
    indentation: Span,
    columns: usize,
    content_columns: usize,
}

struct OpenFence {
    /// The line that opens it; `None` for a comment.
    open: Option<FenceOpen>,
    start: usize,
    is_in_bullet: bool,
}

impl<'a> Parser<'a> {
    /// Resumes after a heading. `outline` has the nodes up to this heading; `sections` are the sections that are open
    /// after it.
    pub(super) fn after_heading(text: &'a str, outline: Outline, sections: Vec<usize>) -> Self {
        let heading = outline.sections.last().map(|section| section.line);
        let is_block = outline.blocks.last().is_some_and(|block| Some(block.line) == heading);
        let block = outline.blocks.len().checked_sub(1).filter(|_| is_block);
        Self { text, outline, sections, block, ..Self::default() }
    }

    /// Reads the lines that start inside `span`.
    pub(super) fn lines(&mut self, span: Span) {
        for line in Line::all_within(self.text, span).filter(|line| !line.text.is_empty()) {
            self.line(line);
        }
    }

    /// Stops before a heading of `level` at `at`: closes all nodes that end there, and returns the nodes so far and the
    /// sections that stay open. `None` if a fence is open at `at`, so that the heading would be code.
    pub(super) fn until_heading(mut self, at: usize, level: u8) -> Option<(Outline, Vec<usize>)> {
        if self.fence.is_some() {
            return None;
        }
        self.close_to_section(at);
        self.close_sections(at, level);
        Some((self.outline, self.sections))
    }

    fn line(&mut self, line: Line) {
        let text = line.text.of(self.text);
        let (indent, columns) = syntax::indentation(text.as_bytes());
        if indent == text.len() || (self.fence.is_some() && self.in_fence(line, text, indent, columns)) {
            return;
        }
        self.close_bullets(Span::new(line.full.start(), line.full.start() + indent), columns);
        let prose = self.prose.take();
        // The first byte rules out most kinds. A bullet or heading with an ID is no block line, so that is tried last.
        let is_read = match text.as_bytes().get(indent) {
            Some(b'-' | b'*' | b'+' | b'0'..=b'9') => self.bullet(line, text, indent, columns, prose),
            Some(b'`' | b'~' | b'<') => self.fence_opening(line, text, indent, columns),
            Some(b'#') if columns <= 3 => self.heading(line, text),
            _ => false,
        };
        if is_read || indent == 0 && self.block_line(line, text) {
            return;
        }
        if !self.bullets.is_empty() {
            self.bullets_end = line.full.end();
        } else if indent == 0 {
            self.prose(line, text, prose);
        }
    }

    /// Reads an unindented line of prose. `above` is the line above if that is such a line, too.
    fn prose(&mut self, line: Line, text: &str, above: Option<Prose>) {
        let start = line.full.start();
        self.close_label(start);
        if self.block.and_then(|index| self.outline.blocks.get(index)).is_some_and(|block| !block.is_section) {
            self.close_block(start);
        }
        let is_underlined = |above: &Prose| above.end == start && syntax::is_setext_underline(text);
        let title = above.filter(is_underlined).map(|above| above.line);
        self.prose = Some(Prose { line: title.unwrap_or(line), is_underlined: title.is_some(), end: line.full.end() });
    }

    /// Adds a label for the line of prose above the bullet at `start`, if that line can be a label.
    fn open_label(&mut self, prose: Prose, start: usize) {
        let text = prose.line.text.of(self.text);
        let Some(name) = syntax::label(text) else { return };
        if prose.end != start && !prose.is_underlined && !syntax::stands_apart(text) {
            return;
        }
        let line = prose.line.full;
        self.label = Some(self.outline.labels.len());
        let extent = Span::new(line.start(), self.text.len());
        self.outline.labels.push(Label { line, name: self.span(name), extent });
    }

    /// Returns the span of `part`, which is a slice of the text.
    fn span(&self, part: &str) -> Span {
        let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        Span::new(start, start + part.len())
    }

    /// Reads a line while a fence is open. Returns false if the line is outside of the bullet that the fence is in:
    /// then the fence ended before it.
    fn in_fence(&mut self, line: Line, text: &str, indent: usize, columns: usize) -> bool {
        let Some(fence) = &self.fence else { return false };
        let inside = !fence.is_in_bullet
            || self.bullets.last().is_some_and(|bullet| {
                is_deeper(self.text, bullet, Span::new(line.full.start(), line.full.start() + indent), columns)
            });
        if !inside {
            self.close_fence(None);
            return false;
        }
        let base = self.bullets.last().filter(|_| fence.is_in_bullet).map_or(0, |bullet| bullet.content_columns);
        let closes = match fence.open {
            Some(open) => columns <= base + 3 && syntax::fence_closes(text.get(indent..).unwrap_or_default(), open),
            None => text.contains(syntax::COMMENT_END),
        };
        if fence.is_in_bullet {
            self.bullets_end = line.full.end();
        }
        if closes {
            self.close_fence(Some(line.full.end()));
        }
        true
    }

    /// Reads a line that opens a fence or a comment. Returns false if the line is neither.
    fn fence_opening(&mut self, line: Line, text: &str, indent: usize, columns: usize) -> bool {
        let base = self.bullets.last().map_or(0, |bullet| bullet.content_columns);
        let text = text.get(indent..).unwrap_or_default();
        let open = syntax::fence_open(text);
        if columns > base + 3 || (open.is_none() && !text.starts_with(syntax::COMMENT_START)) {
            return false;
        }
        let is_in_bullet = !self.bullets.is_empty();
        if is_in_bullet {
            self.bullets_end = line.full.end();
        }
        self.fence = Some(OpenFence { open, start: line.full.start(), is_in_bullet });
        if open.is_none() && text.contains(syntax::COMMENT_END) {
            self.close_fence(Some(line.full.end()));
        }
        true
    }

    /// Closes the open fence at `closed`, the end of the line that closes it. Without such a line, the fence ends with
    /// its bullet or with the text.
    fn close_fence(&mut self, closed: Option<usize>) {
        let Some(fence) = self.fence.take() else { return };
        let end = if fence.is_in_bullet { self.bullets_end } else { self.text.len() };
        let extent = Span::new(fence.start, closed.unwrap_or(end));
        self.outline.fences.push(Fence { extent, is_closed: closed.is_some(), is_comment: fence.open.is_none() });
    }

    fn heading(&mut self, line: Line, text: &str) -> bool {
        let Some(heading) = syntax::heading(text) else { return false };
        let start = line.full.start();
        self.close_to_section(start);
        self.close_sections(start, heading.level);
        let parent = self.sections.last().copied();
        self.sections.push(self.outline.sections.len());
        self.outline.sections.push(Section {
            line: line.full,
            title: self.span(heading.title),
            body: Span::new(line.full.end(), self.text.len()),
            extent: Span::new(start, self.text.len()),
            level: heading.level,
            parent,
        });
        if let Some(id) = heading.id {
            self.open_block(line, heading.title, id);
        }
        true
    }

    fn block_line(&mut self, line: Line, text: &str) -> bool {
        let Some((title, id)) = syntax::block_line(text) else { return false };
        self.close_to_section(line.full.start());
        self.open_block(line, title, id);
        true
    }

    fn open_block(&mut self, line: Line, title: &str, id: &str) {
        self.block = Some(self.outline.blocks.len());
        self.outline.blocks.push(Block {
            line: line.full,
            title: self.span(title),
            id: self.span(id),
            extent: Span::new(line.full.start(), self.text.len()),
            is_section: self.outline.sections.last().is_some_and(|section| section.line == line.full),
        });
    }

    fn bullet(&mut self, line: Line, text: &str, indent: usize, columns: usize, above: Option<Prose>) -> bool {
        let Some(BulletLine { marker, space, rest }) = syntax::bullet_line_at(text, indent) else { return false };
        let base = line.full.start();
        if let Some(prose) = above {
            self.open_label(prose, base);
        }
        let index = self.outline.bullets.len();
        let (marker, space) = (self.span(marker), space.len());
        self.outline.bullets.push(Bullet {
            extent: line.full,
            line: line.full,
            marker,
            content_offset: narrow(self.span(ItemText::of(rest).content).start() - base),
            depth: narrow(self.bullets.len()),
            parent_distance: self.bullets.last().map_or(0, |parent| narrow(index - parent.index)),
        });
        self.bullets.push(OpenBullet {
            index,
            indentation: Span::new(base, marker.start()),
            columns,
            // As in CommonMark: five or more spaces after a marker count as one space and indented code.
            content_columns: columns + marker.len() + if (1..=4).contains(&space) { space } else { 1 },
        });
        self.bullets_end = line.full.end();
        if let Some(open) = syntax::fence_open(rest) {
            self.fence = Some(OpenFence { open: Some(open), start: base, is_in_bullet: true });
        }
        true
    }

    /// Closes the open bullets to which a line with this indentation does not belong.
    fn close_bullets(&mut self, indentation: Span, columns: usize) {
        let belongs = |bullet: &OpenBullet| is_deeper(self.text, bullet, indentation, columns);
        let count = self.bullets.iter().rposition(belongs).map_or(0, |last| last + 1);
        while self.bullets.len() > count {
            self.close_bullet();
        }
    }

    fn close_bullet(&mut self) {
        let Some(open) = self.bullets.pop() else { return };
        if let Some(bullet) = self.outline.bullets.get_mut(open.index) {
            bullet.extent = Span::new(bullet.line.start(), self.bullets_end);
        }
    }

    /// Closes all open nodes but sections and fences.
    fn close_to_section(&mut self, end: usize) {
        while !self.bullets.is_empty() {
            self.close_bullet();
        }
        self.close_label(end);
        self.close_block(end);
    }

    fn close_label(&mut self, end: usize) {
        if let Some(label) = self.label.take().and_then(|index| self.outline.labels.get_mut(index)) {
            label.extent = Span::new(label.line.start(), end);
        }
    }

    fn close_block(&mut self, end: usize) {
        if let Some(block) = self.block.take().and_then(|index| self.outline.blocks.get_mut(index)) {
            block.extent = Span::new(block.line.start(), end);
        }
    }

    /// Ends the body of the last section, and the extent of all open sections of `level` or deeper.
    fn close_sections(&mut self, end: usize, level: u8) {
        if let Some(last) = self.outline.sections.last_mut() {
            last.body = Span::new(last.line.end(), end);
        }
        while let Some(index) = self.sections.last().copied() {
            let Some(section) = self.outline.sections.get_mut(index).filter(|section| section.level >= level) else {
                return;
            };
            section.extent = Span::new(section.line.start(), end);
            self.sections.pop();
        }
    }

    /// Closes all open nodes at the end of the text, and returns the outline.
    pub(super) fn finish(mut self) -> Outline {
        let end = self.text.len();
        self.close_fence(None);
        self.close_to_section(end);
        self.close_sections(end, 0);
        self.outline
    }
}

/// Reports whether a line with this indentation is at least two columns, or one tab, deeper than the bullet's marker.
fn is_deeper(text: &str, bullet: &OpenBullet, indentation: Span, columns: usize) -> bool {
    if columns >= bullet.columns + 2 {
        return true;
    }
    // A tab may be less than two columns wide.
    columns > bullet.columns
        && indentation.of(text).strip_prefix(bullet.indentation.of(text)).is_some_and(|more| more.starts_with('\t'))
}
