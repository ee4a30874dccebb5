//! Where text that is appended to a part of a document goes, and how it becomes a bullet of the list there.

use super::content::below;
use super::lines::before_trailing_blanks;
use crate::document::{BulletId, MemoryDoc, bullet_start};
use crate::locate::Scope;
use crate::text::{Line, Span};

/// Returns where lines appended to `scope` go: behind a section's body but before its trailing blank lines and its first block,
/// behind a block's last bullet, behind a bullet with its children, before the end of the front matter, at the end of a
/// document.
pub(crate) fn append_point(doc: &MemoryDoc, scope: Scope) -> usize {
    let outline = doc.outline();
    match scope {
        Scope::Document => doc.text().len(),
        Scope::Section(id) => {
            let body = outline.section(id).map_or(doc.span(), |section| section.body);
            let own = outline.section(id).and_then(|section| section.block);
            let blocks = outline.block_ids().filter(|id| Some(*id) != own).filter_map(|id| outline.block(id));
            let first = blocks.map(|block| block.line.start()).find(|start| body.contains(*start));
            before_trailing_blanks(doc, Span::new(body.start(), first.unwrap_or(body.end())))
        }
        Scope::FrontMatter(span) => Line::holding(doc.text(), span.end().saturating_sub(1)).full.start(),
        Scope::Block(id) => {
            let last = outline
                .bullets_of_block(id)
                .filter_map(|id| outline.bullet(id))
                .map(|bullet| bullet.extent.end())
                .max();
            last.or(outline.block(id).map(|block| block.line.end())).unwrap_or(doc.text().len())
        }
        Scope::Bullet(_) | Scope::Slot(_) => scope.span(doc).end(),
        Scope::From(span) => before_trailing_blanks(doc, span),
    }
}

/// What stands before the contents of bullets that go on with a list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prefixes {
    /// They follow this bullet.
    After(BulletId),
    /// They are the first children of this bullet.
    Below(BulletId),
}

/// Returns how bullets that are appended to `scope` at `at` begin, if it ends in a list: as those of its outermost list; in the
/// scope of a bullet as its children.
pub(crate) fn bullets_at(doc: &MemoryDoc, scope: Scope, at: usize) -> Option<Prefixes> {
    let outline = doc.outline();
    if let Scope::Bullet(id) = scope {
        return Some(outline.children(id).last().map_or(Prefixes::Below(id), Prefixes::After));
    }
    let span = scope.span(doc);
    let mut found = outline.bullet_at(at.checked_sub(1)?)?;
    if outline.bullet(found).is_none_or(|bullet| bullet.extent.end() != at) {
        return None;
    }
    while let Some(parent) = outline.bullet(found).and_then(|bullet| bullet.parent) {
        found = parent;
    }
    outline.bullet(found).filter(|bullet| span.contains(bullet.line.start())).map(|_| Prefixes::After(found))
}

impl Prefixes {
    /// Returns what stands before the content of the `nth` bullet, from 1: indentation, marker, white space. Numbers count on.
    pub(crate) fn nth(self, doc: &MemoryDoc, nth: usize) -> String {
        match self {
            Self::After(bullet) => prefix_after(doc, bullet, nth),
            Self::Below(parent) => below(doc, parent).to_string(),
        }
    }
}

/// Returns what stands before the content of the `nth` bullet, from 1, that follows `bullet` in its list.
pub(crate) fn prefix_after(doc: &MemoryDoc, bullet: BulletId, nth: usize) -> String {
    let Some(bullet) = doc.outline().bullet(bullet) else { return "- ".to_owned() };
    let line = bullet.line.of(doc.text());
    let Some(start) = bullet_start(line.trim_end_matches(['\r', '\n'])) else { return "- ".to_owned() };
    let indentation = bullet.indentation().of(doc.text());
    let marker = bullet.marker.of(doc.text());
    let space = Span::new(start.marker.end, start.rest).of(line);
    let space = if space.is_empty() { " " } else { space };
    format!("{indentation}{}{space}", counted_on(marker, nth))
}

/// Returns the marker that stands `nth` places behind `marker`.
fn counted_on(marker: &str, nth: usize) -> String {
    let digits = marker.trim_end_matches(['.', ')']);
    match digits.parse::<usize>() {
        Ok(number) => format!("{}{}", number + nth, marker.get(digits.len()..).unwrap_or(".")),
        Err(_) => marker.to_owned(),
    }
}
