//! Where a place of the text before an edit stands after it.

use std::borrow::Cow;

use super::{Draft, Edit};
use crate::document::MemoryDoc;
use crate::text::{Span, is_blank};

/// An edit, ready for many look-ups.
#[derive(Debug)]
pub(crate) struct Carry<'a> {
    edit: &'a Edit,
    written: Cow<'a, [Span]>,
}

impl<'a> Carry<'a> {
    pub(crate) fn new(edit: &'a Edit) -> Self {
        Self { edit, written: edit.result_spans().into() }
    }

    pub(crate) fn of(draft: &'a Draft<'_>) -> Self {
        Self { edit: draft.edit, written: Cow::Borrowed(&draft.written) }
    }

    /// Returns where the byte at `offset` stands after the edit; `None` if the edit removes it.
    pub(crate) fn survivor(&self, offset: usize) -> Option<usize> {
        let splices = self.edit.splices();
        let before = splices.partition_point(|splice| splice.span.end() <= offset);
        if splices.get(before).is_some_and(|splice| splice.span.contains(offset)) {
            return None;
        }
        let Some(last) = before.checked_sub(1) else { return Some(offset) };
        Some(self.written.get(last)?.end() + offset - splices.get(last)?.span.end())
    }

    /// Returns what the edit writes in the place of the byte at `offset`; `None` if it leaves it.
    pub(crate) fn replacement(&self, offset: usize) -> Option<Span> {
        let splices = self.edit.splices();
        let nth = splices.partition_point(|splice| splice.span.end() <= offset);
        splices.get(nth).filter(|splice| splice.span.contains(offset)).and_then(|_| self.written.get(nth).copied())
    }

    /// Reports whether the edit removes the byte at `offset`, and writes words in its place.
    fn is_written_over(&self, offset: usize) -> bool {
        let splices = self.edit.splices();
        let nth = splices.partition_point(|splice| splice.span.end() <= offset);
        splices.get(nth).is_some_and(|splice| splice.span.contains(offset) && !is_blank(&splice.text))
    }
}

/// Where the bullets of a text stand after edits of it, one after the other. It does not grow with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    // Invariant: ascending in both; a bullet whose line an edit began to remove is not in it.
    places: Vec<Place>,
}

/// Where a bullet's line starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    then: usize,
    now: usize,
}

impl Trail {
    /// Starts at `doc`, before any edit.
    pub fn of(doc: &MemoryDoc) -> Self {
        let starts = doc.outline().bullets().iter().map(|bullet| bullet.line.start());
        Self { places: starts.map(|start| Place { then: start, now: start }).collect() }
    }

    /// Follows an edit of the text that those before it made.
    pub fn follow(&mut self, edit: &Edit) {
        let carry = Carry::new(edit);
        self.places.retain_mut(|place| match carry.survivor(place.now) {
            Some(now) => {
                place.now = now;
                true
            }
            None => false,
        });
    }

    /// Iterates over where the lines of bullets started that an edit of the text now writes something else over.
    pub(crate) fn written_over(&self, edit: &Edit) -> impl Iterator<Item = usize> {
        let carry = Carry::new(edit);
        self.places.iter().filter(move |place| carry.is_written_over(place.now)).map(|place| place.then)
    }

    /// Returns where the line of a bullet of the text now starts that started at `start`; `None` if an edit removed it.
    pub(crate) fn survivor(&self, start: usize) -> Option<usize> {
        let at = self.places.binary_search_by_key(&start, |place| place.then).ok()?;
        self.places.get(at).map(|place| place.now)
    }
}
