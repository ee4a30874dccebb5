//! Where a place of the text before an edit stands after it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Draft, Edit};
use crate::document::{BlockRef, MemoryDoc};
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

    /// Returns where the byte of the result at `offset` stood before the edit; `None` if the edit writes it.
    pub(crate) fn origin(&self, offset: usize) -> Option<usize> {
        let before = self.written.partition_point(|written| written.end() <= offset);
        if self.written.get(before).is_some_and(|written| written.contains(offset)) {
            return None;
        }
        let Some(last) = before.checked_sub(1) else { return Some(offset) };
        Some(self.edit.splices().get(last)?.span.end() + offset - self.written.get(last)?.end())
    }

    /// Returns what the edit writes in the place of the byte at `offset`; `None` if it leaves it.
    pub(crate) fn replacement(&self, offset: usize) -> Option<Span> {
        self.replaced(offset).map(|(_, written)| written)
    }

    /// Returns what the edit removes together with the byte at `offset`, and what it writes in its place; `None` if it leaves it.
    pub(crate) fn replaced(&self, offset: usize) -> Option<(Span, Span)> {
        let splices = self.edit.splices();
        let nth = splices.partition_point(|splice| splice.span.end() <= offset);
        let gone = splices.get(nth).map(|splice| splice.span).filter(|gone| gone.contains(offset))?;
        Some((gone, *self.written.get(nth)?))
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
    // Invariant: ascending in `then`; a bullet whose line an edit began to remove is not in it, unless that was moved.
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

    /// Follows an edit of the text that those before it made. What it takes away and writes elsewhere it has removed.
    pub fn follow(&mut self, edit: &Edit) {
        self.go_on(edit, &HashMap::new());
    }

    /// Follows an edit of the text before it, and each bullet that it numbers anew, or takes away and writes elsewhere in the same block.
    pub(crate) fn follow_moves(&mut self, edit: &Edit, texts: [&MemoryDoc; 2]) {
        self.go_on(edit, &moved(edit, texts));
    }

    fn go_on(&mut self, edit: &Edit, moved: &HashMap<usize, usize>) {
        let carry = Carry::new(edit);
        self.places.retain_mut(|place| match carry.survivor(place.now).or_else(|| moved.get(&place.now).copied()) {
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

/// Returns where the lines of bullets started that an edit numbers anew, or takes away, and where those now start: of what is taken away,
/// those that say the same in the same block. Of several that say the same the first is the first, if as many are written.
fn moved(edit: &Edit, [before, after]: [&MemoryDoc; 2]) -> HashMap<usize, usize> {
    let marked = |doc: &MemoryDoc, span: Span| {
        let bullet = doc.bullet_at(span.start()).filter(|bullet| bullet.marker.covers(span));
        bullet.map(|bullet| bullet.line.start())
    };
    let renumbered = |(gone, come): (Span, Span)| marked(before, gone).zip(marked(after, come));
    let written = edit.result_spans();
    let spans = edit.splices().iter().map(|splice| splice.span).zip(written.iter().copied());
    let mut moved: HashMap<_, _> = spans.clone().filter_map(renumbered).collect();
    let rest = spans.filter(|spans| renumbered(*spans).is_none());
    let removed = starts(before, rest.clone().map(|(gone, _)| gone));
    let written = starts(after, rest.map(|(_, come)| come));
    let pairs = removed.iter().filter_map(|(said, from)| Some((from, written.get(said)?)));
    let pairs = pairs.filter(|(from, to)| from.len() == to.len());
    moved.extend(pairs.flat_map(|(from, to)| from.iter().copied().zip(to.iter().copied())));
    moved
}

/// Returns where the lines of the bullets of blocks start under some spans, by block and by what they say.
fn starts(doc: &MemoryDoc, spans: impl IntoIterator<Item = Span>) -> HashMap<(&str, Cow<'_, str>), Vec<usize>> {
    let mut starts: HashMap<_, Vec<usize>> = HashMap::new();
    for bullet in spans.into_iter().flat_map(|span| doc.bullets_within(span)) {
        if let Some(block) = bullet.block().map(BlockRef::id) {
            starts.entry((block, bullet.folded_content())).or_default().push(bullet.line.start());
        }
    }
    starts
}
