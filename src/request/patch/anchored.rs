//! What a hunk writes stands inside of its anchor afterwards, too, whatever other parts write and remove around it.

use std::collections::HashMap;
use std::ops::Range;

use super::super::{Refusal, RequestError};
use crate::document::{BulletRef, MemoryDoc, bullet_start, columns, heading, is_block_line};
use crate::edit::Splice;
use crate::locate::{LineIndex, LocateError, Scope};
use crate::text::{Line, Lines, Span, is_blank};

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
            Scope::Label(label) => (label.line.start(), BLOCK),
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
    let bullet = || bullet_start(line).map(|_| BULLET + columns(line));
    // Prose that is not indented goes on with no bullet, and ends a block as another block line does.
    let is_flush = || !is_blank(line) && columns(line) == 0;
    level.or_else(bullet).or_else(|| (is_block_line(line) || is_flush()).then_some(BLOCK))
}

/// Reports whether one of the lines of a text ends a block above it.
pub(super) fn ends_block(text: &str) -> bool {
    ending(text).any(|(_, ends)| ends <= BLOCK)
}

/// Iterates over the lines of a text that are not code, and over what they end.
fn ending(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let fenced = fenced(text);
    let is_fenced = move |at: usize| {
        fenced.get(fenced.partition_point(|fence| fence.end() <= at)).is_some_and(|fence| fence.contains(at))
    };
    let lines = Lines::of(text).map(|line| line.text).filter(move |line| !is_fenced(line.start()));
    lines.map(|line| line.of(text)).filter_map(|line| Some((line, ends(line)?)))
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
    let mut splices: Vec<_> = splices.iter().collect();
    splices.sort_by_key(|splice| (splice.span.start(), splice.span.end()));
    let mut written: Vec<(usize, usize, usize)> = Vec::new();
    for splice in &splices {
        if !is_in_fence(doc, splice) {
            written.extend(ending(&splice.text).map(|(_, ends)| (splice.span.start(), splice.part, ends)));
        }
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
        // Of several lines that are written over that of the anchor the last is the one above the hunk.
        let over = splices.get(splices.partition_point(|splice| splice.span.end() <= head));
        if let Some(over) = over.filter(|over| over.span.contains(head) && over.part != hunk.part) {
            index.spend(over.text.len()).map_err(|error: LocateError| RequestError::of(hunk.part, error))?;
            let heads: Vec<_> = ending(&over.text).filter(|(_, ends)| *ends <= own).map(|(line, _)| line).collect();
            let line = Line::starting_at(doc.text(), head).text.of(doc.text());
            if heads.len() > 1 && heads.last() != Some(&line) {
                return Err(refused(over.part, false));
            }
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
