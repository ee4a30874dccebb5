//! What a line belongs to, and whether lines that others have written keep it.

use std::borrow::Cow;

use super::carry::Carry;
use super::splice::Edit;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::{Lines, Span, is_blank};

/// How many of the bullets that a line is nested in tell what it belongs to, innermost first.
const PARENTS: usize = 4;

/// The section, the block and the bullet that a line is in; a line that begins one of them is not in it, but in the next above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owners<'a> {
    section: Option<SectionRef<'a>>,
    block: Option<BlockRef<'a>>,
    bullet: Option<BulletRef<'a>>,
}

/// What the owners of a line are called.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OwnerNames<'a> {
    section: Option<String>,
    block: Option<&'a str>,
    bullets: Vec<Cow<'a, str>>,
}

impl<'a> Owners<'a> {
    /// Returns those of the line that starts at `at`.
    pub(crate) fn of(doc: &'a MemoryDoc, at: usize) -> Self {
        let section = doc.section_at(at);
        let bullet = doc.bullet_at(at);
        Self {
            section: section.filter(|own| own.line.start() != at).or_else(|| section.and_then(SectionRef::parent)),
            block: doc.block_at(at).filter(|own| own.line.start() != at),
            bullet: bullet.filter(|own| own.line.start() != at).or_else(|| bullet.and_then(BulletRef::parent)),
        }
    }

    /// Returns what they are called.
    pub(crate) fn names(self) -> OwnerNames<'a> {
        let bullets = self.bullet.into_iter().flat_map(BulletRef::ancestors).take(PARENTS);
        OwnerNames {
            section: self.section.map(SectionRef::path),
            block: self.block.map(BlockRef::id),
            bullets: bullets.map(BulletRef::content).collect(),
        }
    }

    /// Returns what the nearest say.
    fn labels(self) -> (Option<&'a str>, Option<&'a str>, Option<Cow<'a, str>>) {
        (self.section.map(SectionRef::title), self.block.map(BlockRef::title), self.bullet.map(BulletRef::content))
    }

    /// Returns where they begin.
    fn starts(self) -> [Option<usize>; 3] {
        [
            self.section.map(|section| section.line.start()),
            self.block.map(|block| block.line.start()),
            self.bullet.map(|bullet| bullet.marker.start()),
        ]
    }
}

/// Finds a line of `now` that was not yet there in `seen`, and that `edit`, which makes `result` of `now`, leaves where it is, but
/// takes away from its section, its block or its bullet, or below which it calls one of them something else: what the line says
/// would be said of another thing.
pub(crate) fn displaced(seen: &MemoryDoc, now: &MemoryDoc, edit: &Edit, result: &MemoryDoc) -> Option<Span> {
    let (text, carry) = (now.text(), Carry::new(edit));
    let since = Edit::between(seen, now).result_spans();
    let mut written = since.into_iter().flat_map(|span| Lines::within(text, span)).map(|line| line.text);
    written.find(|line| {
        let line = Span::new(line.end() - line.of(text).trim_start().len(), line.end());
        let Some(start) = carry.survivor(line.start()).filter(|_| !is_blank(line.of(text))) else { return false };
        let line_start = |doc: &MemoryDoc, at: usize| doc.lines().start(doc.lines().index_at(at));
        let before = Owners::of(now, line_start(now, line.start()));
        let after = Owners::of(result, line_start(result, start));
        let mut starts = before.starts().into_iter().zip(after.starts());
        before.labels() != after.labels() || starts.any(|(before, after)| !is_same(edit, &carry, before, after))
    })
}

/// Reports whether an owner is the one that it was: it stands there still, or what replaces it does.
fn is_same(edit: &Edit, carry: &Carry<'_>, before: Option<usize>, after: Option<usize>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return before == after };
    if let Some(start) = carry.survivor(before) {
        return start == after;
    }
    let mut replaced = edit.splices().iter().zip(edit.result_spans());
    replaced.any(|(splice, written)| splice.span.contains(before) && written.contains(after))
}
