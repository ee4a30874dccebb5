//! Where text that is appended to a part of a document goes, and how it becomes a bullet of the list there.

use super::lines::{before_trailing_blanks, is_rule};
use super::prefix::{Prefix, below, prefix_of};
use crate::document::{BlockRef, BulletRef, MemoryDoc};
use crate::locate::{Scope, numbered};
use crate::text::{Line, Lines, Span, is_blank};

/// Returns where lines appended to `scope` go: behind a section's body but before its trailing blank lines and its first block,
/// behind the last bullet of a block or label, behind a bullet with its children, before the end of the front matter, at the end of a
/// document.
pub(crate) fn append_point(doc: &MemoryDoc, scope: Scope<'_>) -> usize {
    match scope {
        Scope::Document => doc.text().len(),
        Scope::Section(section) => {
            let body = section.body;
            let first = doc.blocks_within(body).next().map(|block| block.line.start());
            before_trailing_blanks(doc, Span::new(body.start(), first.unwrap_or(body.end())))
        }
        Scope::FrontMatter(span) => Line::holding(doc.text(), span.end().saturating_sub(1)).full.start(),
        Scope::Block(block) => {
            // Without bullets, behind an indented note: it would go on with a bullet above it.
            let is_heading = block.section().is_some_and(|section| section.line.start() == block.line.start());
            let note = if is_heading { behind_note(doc, block) } else { before_trailing_blanks(doc, block.extent) };
            block.bullets().map(|bullet| bullet.extent.end()).max().unwrap_or(note)
        }
        Scope::Label(label) => {
            let bullets = label.bullets().map(|bullet| bullet.extent.end());
            bullets.max().unwrap_or_else(|| before_trailing_blanks(doc, label.extent))
        }
        Scope::Bullet(_) | Scope::Slot(_) => scope.span(doc).end(),
        Scope::From(span) => before_trailing_blanks(doc, span),
    }
}

/// Returns where what `span` holds ends: before the blank lines and rules at its end.
pub(super) fn end_of_content(doc: &MemoryDoc, span: Span) -> usize {
    let (text, mut end) = (doc.text(), before_trailing_blanks(doc, span));
    while let Some(last) = end.checked_sub(1).filter(|last| *last >= span.start()) {
        let line = Line::holding(text, last);
        if !is_rule(line.text.of(text)) || doc.outline().is_fenced(last) {
            break;
        }
        end = before_trailing_blanks(doc, Span::new(span.start(), line.full.start()));
    }
    end
}

/// Returns where the indented lines end that stand right below the heading which a block is.
fn behind_note(doc: &MemoryDoc, block: BlockRef<'_>) -> usize {
    let below = Span::new(block.line.end(), block.extent.end());
    let note = Lines::within(doc.text(), below).take_while(|line| {
        let text = line.text.of(doc.text());
        is_blank(text) || text.starts_with([' ', '\t'])
    });
    let end = note.last().map_or(below.start(), |line| line.full.end());
    before_trailing_blanks(doc, Span::new(below.start(), end))
}

/// What stands before the contents of bullets that go on with a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prefixes<'a> {
    /// They follow this bullet.
    After(BulletRef<'a>),
    /// They are the first children of this bullet.
    Below(BulletRef<'a>),
}

/// Returns how bullets that are appended to `scope` at `at` begin, if it ends in a list: as those of its outermost list; in the
/// scope of a bullet as its children.
pub(crate) fn bullets_at<'a>(doc: &'a MemoryDoc, scope: Scope<'a>, at: usize) -> Option<Prefixes<'a>> {
    if let Scope::Bullet(parent) = scope {
        // The last bullet in it is the last child, or stands below that one.
        let last = doc.bullets_within(parent.extent).next_back();
        let child = last.and_then(|last| last.ancestors().find(|bullet| bullet.parent() == Some(parent)));
        return Some(child.map_or(Prefixes::Below(parent), Prefixes::After));
    }
    let last = doc.bullet_at(at.checked_sub(1)?).filter(|last| last.extent.end() == at)?.outermost();
    scope.span(doc).contains(last.line.start()).then_some(Prefixes::After(last))
}

impl Prefixes<'_> {
    /// Returns what stands before the content of the `nth` bullet, from 1: indentation, marker, white space. Numbers count on.
    pub(crate) fn nth(self, nth: usize) -> String {
        match self {
            Self::After(bullet) => Prefix { marker: counted_on(bullet.marker(), nth), ..prefix_of(bullet) }.to_string(),
            Self::Below(parent) => below(parent).to_string(),
        }
    }
}

/// Returns the marker that stands `nth` places behind `marker`.
fn counted_on(marker: &str, nth: usize) -> String {
    match numbered(marker) {
        Some((number, delimiter)) => format!("{}{delimiter}", number + nth),
        None => marker.to_owned(),
    }
}
