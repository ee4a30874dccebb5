//! The numbers that the bullets of a changed document have: those of lists that count are given out anew.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::numbering::{Numbered, Numbering, number_of};
use super::spot::Spot;
use crate::document::{BlockId, BulletId, MemoryDoc, SectionId};
use crate::text::Span;

/// The bullets of one list: same parent, same section, same block.
type ListKey = (Option<BulletId>, Option<SectionId>, Option<BlockId>);

/// The lists of one document, read when they are asked for.
#[derive(Debug)]
pub(super) struct Lists<'a> {
    doc: &'a MemoryDoc,
    siblings: OnceCell<HashMap<ListKey, Vec<BulletId>>>,
}

/// What changes in the lists.
pub(super) struct Moves<'m> {
    /// The bullets that leave their places, and the parts that say so.
    pub(super) removed: &'m [(usize, BulletId)],
    /// Where bullets come, the part that says so, and which one it is, if it stood elsewhere.
    pub(super) inserted: Vec<(usize, Spot, Option<BulletId>)>,
}

/// The numbers that are written.
#[derive(Default)]
pub(super) struct Renumbered {
    /// The marker of each insertion that has a number, or may have none.
    pub(super) markers: HashMap<usize, String>,
    /// Markers that change: the part that is the reason, and what is written over what.
    pub(super) rewritten: Vec<(usize, Span, String)>,
}

impl<'a> Lists<'a> {
    pub(super) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, siblings: OnceCell::new() }
    }

    /// Reports whether two bullets are siblings.
    pub(super) fn are_siblings(&self, one: BulletId, other: BulletId) -> bool {
        self.key(one) == self.key(other)
    }

    /// Returns what number a bullet gets that is written at `spot`.
    pub(super) fn numbered(&self, spot: Spot) -> Numbered {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return Numbered::Not };
        if number_of(self.doc, sibling).is_none() {
            return Numbered::Not;
        }
        let siblings = self.siblings(sibling);
        let numbering = Numbering::new(self.doc, siblings);
        if numbering.counts(sibling) {
            return Numbered::Counted;
        }
        let next = numbering.behind_last(self.doc, (sibling, siblings)).filter(|_| matches!(spot, Spot::After(_)));
        Numbered::Said { beside: self.marker(sibling).to_owned(), next }
    }

    /// Returns the marker of a bullet whose number is no count, and goes where the bullet goes.
    fn said_number(&self, id: BulletId) -> Option<&'a str> {
        number_of(self.doc, id)?;
        (!Numbering::new(self.doc, self.siblings(id)).counts(id)).then(|| self.marker(id))
    }

    /// Gives out the numbers of the lists that change.
    pub(super) fn renumbered(&self, moves: &Moves<'_>) -> Renumbered {
        let mut made = Renumbered::default();
        // The lists to number anew, each with the part that changes it first.
        let mut lists: BTreeMap<BulletId, usize> = BTreeMap::new();
        let mut touch = |id: BulletId, part: usize| {
            if let Some(first) = number_of(self.doc, id).and_then(|_| self.siblings(id).first().copied()) {
                lists.entry(first).or_insert(part);
            }
        };
        moves.removed.iter().for_each(|(part, id)| touch(*id, *part));
        // Which insertions go on with the counting, by the first bullet of their list.
        let mut counted: HashMap<BulletId, Vec<(usize, usize, BulletId)>> = HashMap::new();
        for (nth, (part, spot, moved)) in moves.inserted.iter().enumerate() {
            let numbered = self.numbered(*spot);
            match (moved.and_then(|id| self.said_number(id)), numbered) {
                (Some(own), _) => drop(made.markers.insert(nth, own.to_owned())),
                (None, Numbered::Not) => {}
                (None, Numbered::Said { next, .. }) => {
                    made.markers.insert(nth, next.unwrap_or_else(|| "-".to_owned()));
                }
                (None, Numbered::Counted) => {
                    let (Spot::Before(sibling) | Spot::After(sibling)) = *spot else { continue };
                    touch(sibling, *part);
                    if let Some(first) = self.siblings(sibling).first() {
                        counted.entry(*first).or_default().push((spot.offset(self.doc), nth, sibling));
                    }
                }
            }
        }
        let removed: HashSet<BulletId> = moves.removed.iter().map(|(_, id)| *id).collect();
        for (first, part) in lists {
            let come = counted.remove(&first).unwrap_or_default();
            self.number_list(part, first, (&removed, come), &mut made);
        }
        made
    }

    fn number_list(
        &self,
        part: usize,
        first: BulletId,
        (gone, come): (&HashSet<BulletId>, Vec<(usize, usize, BulletId)>),
        made: &mut Renumbered,
    ) {
        let siblings = self.siblings(first);
        let mut numbering = Numbering::new(self.doc, siblings);
        let stays = siblings.iter().filter(|id| !gone.contains(id));
        let mut entries: Vec<_> =
            stays.map(|id| (Spot::Before(*id).offset(self.doc), usize::MAX, *id)).chain(come).collect();
        // What is inserted somewhere comes before what stood there.
        entries.sort_unstable();
        for (_, nth, id) in entries {
            let Some(marker) = numbering.next_like(id) else { continue };
            if nth < usize::MAX {
                made.markers.insert(nth, marker);
            } else if let Some(bullet) = self.doc.outline().bullet(id)
                && self.marker(id).trim_start_matches('0') != marker.trim_start_matches('0')
            {
                made.rewritten.push((part, bullet.marker, marker));
            }
        }
    }

    fn marker(&self, id: BulletId) -> &'a str {
        self.doc.outline().bullet(id).map_or("", |bullet| bullet.marker.of(self.doc.text()))
    }

    fn siblings(&self, id: BulletId) -> &[BulletId] {
        let lists = self.siblings.get_or_init(|| {
            let mut lists: HashMap<ListKey, Vec<BulletId>> = HashMap::new();
            for id in self.doc.outline().bullets_within(self.doc.span()) {
                lists.entry(self.key(id)).or_default().push(id);
            }
            lists
        });
        lists.get(&self.key(id)).map_or(&[], Vec::as_slice)
    }

    fn key(&self, id: BulletId) -> ListKey {
        let bullet = self.doc.outline().bullet(id);
        bullet.map_or((None, None, None), |bullet| (bullet.parent, bullet.section, bullet.block))
    }
}
