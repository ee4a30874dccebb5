//! Scopes: the part of a document that a request is limited to, and which bullets an index counts there.

use super::diagnostic::{Diagnostic, LocateError, Target};
use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef};
use crate::text::Span;

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
    /// From a line of prose to the end of its section's body.
    From(Span),
    /// The front matter.
    FrontMatter(Span),
    /// The line of a slot.
    Slot(Span),
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
            Self::From(span) | Self::FrontMatter(span) | Self::Slot(span) => span,
        }
    }

    /// Returns the scope that the line at `start` names: the node that it begins, or all from it to
    /// the end of its section.
    pub(crate) fn of_line(doc: &'a MemoryDoc, start: usize) -> Self {
        if let Some(front) = doc.outline().front_matter().filter(|front| front.contains(start)) {
            let slot = doc.outline().slots().iter().find(|slot| slot.line.start() == start);
            return slot.map_or(Self::FrontMatter(front), |slot| Self::Slot(slot.line));
        }
        let section = || doc.starting_at(start).map(Self::Section);
        let block = || doc.starting_at(start).map(Self::Block);
        let label = || doc.starting_at(start).map(Self::Label);
        let bullet = || doc.starting_at(start).map(Self::Bullet);
        if let Some(scope) = section().or_else(block).or_else(label).or_else(bullet) {
            return scope;
        }
        let section = doc.section_at(start);
        // The preamble ends where the first section begins.
        let preamble_end = || doc.sections().next().map_or(doc.text().len(), |section| section.line.start());
        Self::From(Span::new(start, section.map_or_else(preamble_end, |section| section.body.end())))
    }
}

/// Which bullets of a list an index counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Those that are nested in no other.
    TopLevel,
    /// All.
    Nested,
}

/// An index that names no place of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutOfRange {
    /// It is below the policy's base.
    Below,
    /// It is beyond the last.
    Beyond,
}

/// Returns the bullets that an index in `scope` counts, in order: those of a section's body, or of
/// a block.
pub(crate) fn listed<'a>(doc: &'a MemoryDoc, scope: Scope<'a>, counting: Counting) -> Vec<BulletRef<'a>> {
    let mut listed: Vec<_> = match scope {
        Scope::Section(section) => section.bullets().collect(),
        Scope::Block(block) => block.bullets().collect(),
        _ => doc.bullets_within(scope.span(doc)).collect(),
    };
    listed.retain(|bullet| counting == Counting::Nested || bullet.depth() == 0);
    listed
}

/// Returns the place, from 0, that `index` names among `count` places.
pub(crate) fn place_of(doc: &MemoryDoc, index: i64, count: usize) -> Result<usize, OutOfRange> {
    let first = i64::try_from(doc.policy().index_base.first()).unwrap_or(0);
    let place = index.checked_sub(first).and_then(|place| usize::try_from(place).ok()).ok_or(OutOfRange::Below)?;
    if place < count { Ok(place) } else { Err(OutOfRange::Beyond) }
}

/// Returns what `index` names in a list; `None` if it is out of range.
pub(crate) fn at_index<T: Copy>(doc: &MemoryDoc, list: &[T], index: i64) -> Option<T> {
    list.get(place_of(doc, index, list.len()).ok()?).copied()
}

/// Returns the index of a place that counts from 0.
pub(crate) fn index_of(doc: &MemoryDoc, place: usize) -> i64 {
    i64::try_from(place + doc.policy().index_base.first()).unwrap_or(i64::MAX)
}

/// The error for an index beyond the last.
pub(crate) fn beyond_last(index: i64, count: usize) -> LocateError {
    LocateError::not_found(Target::Index { index, count }, Diagnostic::default())
}
