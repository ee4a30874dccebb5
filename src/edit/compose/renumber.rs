//! The numbers that the bullets of a changed document have: those of lists that count are given out anew.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};

use super::numbering::{Numbering, number_of};
use super::{Numbered, Spot};
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::text::Span;

/// The bullets of one list: same parent, same section, same block.
pub(super) type ListKey<'a> = (Option<BulletRef<'a>>, Option<SectionRef<'a>>, Option<BlockRef<'a>>);

/// The lists of one document, read when they are asked for.
#[derive(Debug)]
pub(crate) struct Lists<'a> {
    doc: &'a MemoryDoc,
    all: OnceCell<All<'a>>,
}

/// All lists of a document, and the index of that of each of its bullets.
#[derive(Debug, Default)]
struct All<'a> {
    lists: Vec<List<'a>>,
    list_of: Vec<usize>,
}

/// The bullets of a list, in document order, and their numbers, read once for all that come there.
#[derive(Debug, Default)]
struct List<'a> {
    bullets: Vec<BulletRef<'a>>,
    numbering: OnceCell<Numbering<'a>>,
}

impl<'a> List<'a> {
    fn numbering(&self) -> &Numbering<'a> {
        self.numbering.get_or_init(|| Numbering::new(&self.bullets))
    }
}

/// Returns a text with what stands before it, if anything.
pub(crate) fn behind<'t>(number: Option<&str>, text: Cow<'t, str>) -> Cow<'t, str> {
    match number {
        None => text,
        Some(number) => format!("{number} {text}").into(),
    }
}

/// What changes in the lists.
pub(super) struct Moves<'m, 'a> {
    /// The bullets that leave their places, and the parts that say so.
    pub(super) removed: &'m [(usize, BulletRef<'a>)],
    /// Where bullets come, the part that says so, and the number that each brings, if that is no count.
    pub(super) inserted: Vec<(usize, Spot<'a>, Option<String>)>,
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
    pub(crate) const fn new(doc: &'a MemoryDoc) -> Self {
        Self { doc, all: OnceCell::new() }
    }

    /// Returns the marker of a bullet whose number says something, such as a year, as it is no count.
    pub(crate) fn said_number(&self, bullet: BulletRef<'a>) -> Option<&'a str> {
        let is_counted = || self.list(bullet).is_some_and(|list| list.numbering().counts());
        (number_of(bullet).is_some() && !is_counted()).then(|| bullet.marker())
    }

    /// Returns the content of a bullet, behind its number if that says something.
    pub(crate) fn said(&self, bullet: BulletRef<'a>) -> Cow<'a, str> {
        behind(self.said_number(bullet), bullet.content())
    }

    /// Returns what number a bullet gets that is written at `spot`, behind so many others that come there.
    pub(super) fn numbered(&self, spot: Spot<'a>, others: usize) -> Numbered {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return Numbered::Not };
        if number_of(sibling).is_none() {
            return Numbered::Not;
        }
        let Some(list) = self.list(sibling) else { return Numbered::Not };
        if list.numbering().counts() {
            return Numbered::Counted;
        }
        let is_behind = matches!(spot, Spot::After(_));
        let next = list.numbering().behind_last(sibling, &list.bullets, others).filter(|_| is_behind);
        Numbered::Said { beside: sibling.marker().to_owned(), next }
    }

    /// Gives out the numbers of the lists that change.
    pub(super) fn renumbered(&self, moves: &Moves<'_, 'a>) -> Renumbered {
        let mut made = Renumbered::default();
        // The lists to number anew, each with the part that changes it first.
        let mut lists: BTreeMap<BulletRef<'a>, usize> = BTreeMap::new();
        let mut touch = |bullet: BulletRef<'a>, part: usize| {
            if let Some(first) = number_of(bullet).and_then(|_| self.siblings(bullet).first().copied()) {
                lists.entry(first).or_insert(part);
            }
        };
        moves.removed.iter().for_each(|(part, bullet)| touch(*bullet, *part));
        // Which insertions go on with the counting, by the first bullet of their list.
        let mut counted: HashMap<BulletRef<'a>, Vec<(usize, usize, BulletRef<'a>)>> = HashMap::new();
        // How many come behind a bullet.
        let mut behind: HashMap<BulletRef<'a>, usize> = HashMap::new();
        for (nth, (part, spot, own)) in moves.inserted.iter().enumerate() {
            if let Some(marker) = own {
                made.markers.insert(nth, marker.clone());
                continue;
            }
            let (Spot::Before(sibling) | Spot::After(sibling)) = *spot else { continue };
            let others = behind.entry(sibling).or_default();
            match self.numbered(*spot, *others) {
                // What is no count may become one.
                Numbered::Said { next, .. } => drop(made.markers.insert(nth, next.unwrap_or_else(|| "-".to_owned()))),
                Numbered::Not | Numbered::Counted => touch(sibling, *part),
            }
            *others += usize::from(matches!(spot, Spot::After(_)));
            if let Some(first) = self.siblings(sibling).first() {
                counted.entry(*first).or_default().push((spot.offset(self.doc), nth, sibling));
            }
        }
        let mut removed: Vec<BulletRef<'a>> = moves.removed.iter().map(|(_, bullet)| *bullet).collect();
        removed.sort_unstable();
        for (first, part) in lists {
            let come = counted.remove(&first).unwrap_or_default();
            self.number_list(first, &removed, come, |bullet, nth, marker| match nth {
                Some(nth) => drop(made.markers.insert(nth, marker)),
                None => made.rewritten.push((part, bullet.marker, marker)),
            });
        }
        made
    }

    /// Numbers the list of `first` without those that are `gone`, in document order; tells `write` each marker that an insertion gets, by its index,
    /// and each that changes.
    fn number_list(
        &self,
        first: BulletRef<'a>,
        gone: &[BulletRef<'a>],
        come: Vec<(usize, usize, BulletRef<'a>)>,
        mut write: impl FnMut(BulletRef<'a>, Option<usize>, String),
    ) {
        let siblings = self.siblings(first);
        let mut numbering = Numbering::new(siblings);
        let stays = siblings.iter().filter(|bullet| gone.binary_search(bullet).is_err());
        let mut entries: Vec<_> =
            stays.map(|bullet| (bullet.extent.start(), usize::MAX, *bullet)).chain(come).collect();
        // What is inserted somewhere comes before what stood there.
        entries.sort_unstable();
        for (_, nth, bullet) in entries {
            let Some(marker) = numbering.next_like(bullet) else { continue };
            if nth < usize::MAX {
                write(bullet, Some(nth), marker);
            } else if bullet.marker().trim_start_matches('0') != marker.trim_start_matches('0') {
                write(bullet, None, marker);
            }
        }
    }

    /// Returns the bullets of the list that a bullet stands in, in document order.
    pub(super) fn siblings(&self, bullet: BulletRef<'a>) -> &[BulletRef<'a>] {
        self.list(bullet).map_or(&[], |list| &list.bullets)
    }

    fn list(&self, bullet: BulletRef<'a>) -> Option<&List<'a>> {
        let all = self.all.get_or_init(|| All::of(self.doc));
        all.lists.get(*all.list_of.get(bullet.index())?)
    }
}

impl<'a> All<'a> {
    fn of(doc: &'a MemoryDoc) -> Self {
        let mut all = Self::default();
        let mut known: HashMap<ListKey<'a>, usize> = HashMap::new();
        // Most bullets stand behind one of their list.
        let mut last = None;
        for bullet in doc.bullets() {
            let (key, next) = (list_key(bullet), all.lists.len());
            let nth = match last {
                Some((of_last, nth)) if of_last == key => nth,
                _ => *known.entry(key).or_insert(next),
            };
            if nth == next {
                all.lists.push(List::default());
            }
            all.lists.get_mut(nth).into_iter().for_each(|list| list.bullets.push(bullet));
            all.list_of.push(nth);
            last = Some((key, nth));
        }
        all
    }
}

/// Returns the list that a bullet stands in.
pub(super) fn list_key(bullet: BulletRef<'_>) -> ListKey<'_> {
    (bullet.parent(), bullet.section(), bullet.block())
}
