//! What a hunk writes stands inside of its anchor afterwards, too, whatever other parts write and remove around it.

use std::collections::HashMap;
use std::ops::Range;

use super::super::{Refusal, RequestError};
use crate::document::{BulletRef, MemoryDoc, bullet_start, columns, heading, is_block_line};
use crate::edit::Splice;
use crate::locate::{LineIndex, LocateError, Scope};
use crate::text::{Lines, Span};

/// A hunk that writes inside of an anchor.
pub(super) struct Anchored<'a> {
    pub(super) part: usize,
    pub(super) scope: Scope<'a>,
    /// The last line that it changes, or writes before.
    pub(super) last: usize,
}

impl Anchored<'_> {
    /// Returns the line that makes the scope, and what ends it; `None` for a scope that no line ends.
    fn head(&self) -> Option<(usize, usize)> {
        Some(match self.scope {
            Scope::Section(section) => (section.line.start(), usize::from(section.level)),
            Scope::Block(block) => (block.line.start(), BLOCK),
            Scope::Bullet(bullet) => (bullet.line.start(), BULLET + indentation(bullet)),
            _ => return None,
        })
    }
}

/// What ends a block and a bullet; what ends a section is its level. Each is ended by what is less, too.
const BLOCK: usize = 7;
const BULLET: usize = 8;

fn indentation(bullet: BulletRef<'_>) -> usize {
    columns(bullet.line_text())
}

/// Returns what a line ends.
fn ends(line: &str) -> Option<usize> {
    let level = heading(line).map(|heading| usize::from(heading.level));
    let block = || is_block_line(line).then_some(BLOCK);
    level.or_else(block).or_else(|| bullet_start(line).map(|_| BULLET + columns(line)))
}

/// Returns the fences of a text that are closed in it.
fn fenced(text: &str) -> Vec<Span> {
    if !text.contains("```") && !text.contains("~~~") {
        return Vec::new();
    }
    // Behind a blank line nothing is front matter.
    let doc = MemoryDoc::parse(["\n", text].concat());
    let closed = doc.outline().fences().iter().filter(|fence| fence.is_closed).map(|fence| fence.extent);
    closed.map(|extent| Span::new(extent.start().saturating_sub(1), extent.end().saturating_sub(1))).collect()
}

/// Reports whether a splice writes inside of a fence that is there, and leaves it one.
fn is_in_fence(doc: &MemoryDoc, splice: &Splice) -> bool {
    let fence = doc.outline().fence_at(splice.span.start());
    let is_inside = fence.is_some_and(|fence| {
        fence.is_closed && fence.extent.start() < splice.span.start() && splice.span.end() < fence.extent.end()
    });
    is_inside && !splice.text.contains("```") && !splice.text.contains("~~~")
}

/// Refuses hunks whose anchor loses its line to another part that writes none for it, or is ended by one above what they write.
///
/// # Errors
///
/// Two parts overlap so; or there are too many to compare.
pub(super) fn check(
    anchored: &[Anchored<'_>],
    removed: &[(Range<usize>, usize)],
    splices: &[Splice],
    (doc, index): (&MemoryDoc, &LineIndex<'_>),
) -> Result<(), RequestError> {
    if anchored.is_empty() {
        return Ok(());
    }
    let gone: HashMap<usize, usize> =
        removed.iter().flat_map(|(lines, part)| lines.clone().map(|line| (line, *part))).collect();
    let mut written: Vec<(usize, usize, usize)> = Vec::new();
    for splice in splices {
        if is_in_fence(doc, splice) {
            continue;
        }
        let fenced = fenced(&splice.text);
        let is_fenced = |at: usize| {
            fenced.get(fenced.partition_point(|fence| fence.end() <= at)).is_some_and(|fence| fence.contains(at))
        };
        let lines = Lines::of(&splice.text).map(|line| line.text);
        let lines = lines.filter(|line| !is_fenced(line.start()));
        let ends = lines.filter_map(|line| ends(line.of(&splice.text)));
        written.extend(ends.map(|ends| (splice.span.start(), splice.part, ends)));
    }
    written.sort_unstable();
    for hunk in anchored {
        let Some((head, own)) = hunk.head() else { continue };
        let refused = |other: usize, is_removed: bool| {
            let line = doc.line_number(head);
            RequestError::of(hunk.part, Refusal::OutOfAnchor { hunk: hunk.part, line, is_removed, other })
        };
        if let Some(other) = gone.get(&doc.lines().index_at(head)).filter(|other| **other != hunk.part) {
            return Err(refused(*other, true));
        }
        let last = doc.line_start(hunk.last);
        let [from, to] = [head + 1, last.max(head + 1)].map(|at| written.partition_point(|(start, ..)| *start < at));
        let between = written.get(from..to).unwrap_or_default();
        index.spend(between.len()).map_err(|error: LocateError| RequestError::of(hunk.part, error))?;
        if let Some((_, other, _)) = between.iter().find(|(_, part, ends)| *part != hunk.part && *ends <= own) {
            return Err(refused(*other, false));
        }
    }
    Ok(())
}
