//! [`Scope`]: the part of a document to which a request is limited; and the bullets that an index counts in it.

use super::diagnostic::{Diagnostic, LocateError, Target};
use crate::document::{BlockRef, BulletRef, LabelRef, MemoryDoc, SectionRef};
use crate::text::Span;

/// A part of a document in which to search. It begins at the start of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope<'a> {
    /// The whole document.
    Document,
    /// A section's extent, subsections included.
    Section(SectionRef<'a>),
    /// A block, header included.
    Block(BlockRef<'a>),
    /// A label with the lines that it owns.
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
    /// Returns the span of the scope.
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

    /// Returns the scope that the line at `start` stands for as an anchor: the node that begins there, or else
    /// everything from the line to the end of its section's body.
    pub(crate) fn of_line(doc: &'a MemoryDoc, start: usize) -> Self {
        if let Some(front) = doc.outline().front_matter.filter(|front| front.contains(start)) {
            let slot = doc.outline().slots.iter().find(|slot| slot.line.start() == start);
            return slot.map_or(Self::FrontMatter(front), |slot| Self::Slot(slot.line));
        }
        let nodes = [
            doc.starting_at(start).map(Self::Section),
            doc.starting_at(start).map(Self::Block),
            doc.starting_at(start).map(Self::Label),
            doc.starting_at(start).map(Self::Bullet),
        ];
        let body = doc.section_at(start).map_or_else(|| doc.preamble(), |section| section.body);
        nodes.into_iter().flatten().next().unwrap_or(Self::From(Span::new(start, body.end())))
    }
}

/// Returns the bullets that an index in `scope` counts, in order: the top-level bullets of a section's body, of a
/// block, or of another scope.
pub(crate) fn indexed_bullets<'a>(doc: &'a MemoryDoc, scope: Scope<'a>) -> Vec<BulletRef<'a>> {
    let mut bullets: Vec<_> = match scope {
        Scope::Section(section) => section.bullets().collect(),
        Scope::Block(block) => block.bullets().collect(),
        _ => doc.bullets_within(scope.span(doc)).collect(),
    };
    bullets.retain(|bullet| bullet.depth() == 0);
    bullets
}

/// Converts `index`, which counts from the policy's base, to a place that counts from 0 and is below `places`. `count`
/// is the number of bullets in the list, for the error.
pub(crate) fn place_of(doc: &MemoryDoc, index: i64, places: usize, count: usize) -> Result<usize, LocateError> {
    let base = i64::try_from(doc.policy().index_base).ok();
    let place = base.and_then(|base| usize::try_from(index.checked_sub(base)?).ok());
    place.filter(|place| *place < places).ok_or_else(|| beyond_last(index, count))
}

/// Returns the item of a list that `index` names.
pub(crate) fn at_index<T: Copy>(doc: &MemoryDoc, list: &[T], index: i64) -> Result<T, LocateError> {
    let place = place_of(doc, index, list.len(), list.len())?;
    list.get(place).copied().ok_or_else(|| beyond_last(index, list.len()))
}

/// Converts a place that counts from 0 to an index, which counts from the policy's base.
pub(crate) fn index_of(doc: &MemoryDoc, place: usize) -> i64 {
    i64::try_from(place + doc.policy().index_base).unwrap_or(i64::MAX)
}

fn beyond_last(index: i64, count: usize) -> LocateError {
    LocateError::not_found(Target::Index { index, count }, Diagnostic::default())
}
