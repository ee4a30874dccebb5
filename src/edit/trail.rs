//! Where the bullets of a text stand after edits of it, one after the other.

use std::collections::{HashMap, HashSet};

use super::Edit;
use super::carry::Carry;
use crate::document::{BlockRef, BulletRef, MemoryDoc};
use crate::text::{Difference, Span};

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

    /// Returns it for a text of which a part is `renewed`: in its place stands what now stands at `part` of `doc`. Where a line elsewhere
    /// now stands is told by `moved`.
    pub(crate) fn with_part(
        &self,
        renewed: Difference,
        (doc, part): (&MemoryDoc, Span),
        moved: impl Fn(usize) -> Option<usize>,
    ) -> Self {
        let (gone, start) = (renewed.old(), renewed.old().start());
        let elsewhere = |place: &Place| Some(Place { now: moved(place.now)?, ..*place });
        let before = self.places.iter().take_while(|place| place.then < start).filter_map(elsewhere);
        let behind = self.places.iter().filter(|place| place.then >= gone.end()).filter_map(elsewhere);
        let behind = behind.map(|place| Place { then: renewed.behind(place.then), ..place });
        let own = doc.bullets_within(part).map(|bullet| bullet.line.start());
        let own = own.map(|now| Place { then: now - part.start() + start, now });
        Self { places: before.chain(own).chain(behind).collect() }
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
/// those that say the same in the same block, by their children, tags and checkboxes first. Of several that say the same the first is
/// the first, if as many are written.
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
    let mut removed = in_blocks(before, rest.clone().map(|(gone, _)| gone));
    let mut written = in_blocks(after, rest.map(|(_, come)| come));
    let ways: [fn(BulletRef<'_>) -> String; 3] =
        [whole, |bullet| bullet.wording(), |bullet| bullet.folded_content().into_owned()];
    // One alone is not taken for another.
    let is_alone = removed.len().max(written.len()) == 1;
    for says in ways.into_iter().skip(if is_alone { 2 } else { 0 }) {
        if removed.is_empty() || written.is_empty() {
            break;
        }
        let [from, to] = [&removed, &written].map(|bullets| by_words(bullets, says));
        let pairs = from.iter().filter_map(|(said, from)| Some((from, to.get(said)?)));
        let pairs = pairs.filter(|(from, to)| from.len() == to.len());
        let pairs: Vec<_> = pairs.flat_map(|(from, to)| from.iter().copied().zip(to.iter().copied())).collect();
        let taken: HashSet<usize> = pairs.iter().map(|(_, to)| *to).collect();
        moved.extend(pairs);
        removed.retain(|bullet| !moved.contains_key(&bullet.line.start()));
        written.retain(|bullet| !taken.contains(&bullet.line.start()));
    }
    moved
}

/// Returns what a bullet says, and what is nested in it, where it is nested in none.
fn whole(bullet: BulletRef<'_>) -> String {
    match bullet.depth() {
        0 => Span::new(bullet.marker.end(), bullet.extent.end()).of(bullet.doc().text()).trim_end().to_owned(),
        _ => bullet.wording(),
    }
}

/// Returns the bullets of blocks under some spans.
fn in_blocks(doc: &MemoryDoc, spans: impl Iterator<Item = Span>) -> Vec<BulletRef<'_>> {
    spans.flat_map(|span| doc.bullets_within(span)).filter(|bullet| bullet.block().is_some()).collect()
}

/// Returns where the lines of bullets start, by their blocks and by what they say.
fn by_words<'d>(
    bullets: &[BulletRef<'d>],
    says: impl Fn(BulletRef<'d>) -> String,
) -> HashMap<(Option<&'d str>, String), Vec<usize>> {
    let mut starts: HashMap<_, Vec<usize>> = HashMap::new();
    for bullet in bullets {
        let block = bullet.block().map(BlockRef::id);
        starts.entry((block, says(*bullet))).or_default().push(bullet.line.start());
    }
    starts
}
