//! The changes that one request makes to bullets: collected, then each list that they touch is
//! rendered from its entries.
//!
//! An entry is a bullet that stays, one that comes, or one that moves. What differs between the
//! entries and the document is written: a bullet that stays as it is keeps its bytes, and a number
//! changes only in a list that counts.

use std::collections::{BTreeMap, BTreeSet};

use super::super::owners::Owners;
use super::super::{EditBuilder, PartStatus, Promise};
use super::item::{Prefix, below, moved_lines, prefix_of};
use super::list::Lists;
use super::tags::{Change, OwnText, Tags};
use super::{BulletPlace, Item, Mark, Numbers, Spot, are_siblings};
use crate::document::{BulletRef, MemoryDoc, heading, numbered};
use crate::locate::LineLabel;
use crate::text::{Line, Span, is_blank};

/// The changes to the bullets of one document. What is written is located in the document as it
/// stands.
#[derive(Debug)]
pub(crate) struct BulletChanges<'a> {
    doc: &'a MemoryDoc,
    lists: Lists<'a>,
    /// The bullets with another text, each with the first part that changes it.
    texts: BTreeMap<BulletRef<'a>, (usize, OwnText<'a>)>,
    leaving: BTreeMap<BulletRef<'a>, Leaving>,
    /// Sorted by place when they are written.
    arriving: Vec<Arrival<'a>>,
}

/// What becomes of the place of a bullet that is removed or moved, on behalf of a part.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    part: usize,
    /// Whether it stays in the list that it stands in.
    stays_in_list: bool,
}

/// A bullet that comes to a list.
#[derive(Debug)]
struct Arrival<'a> {
    part: usize,
    spot: Spot<'a>,
    bullet: Arriving<'a>,
}

#[derive(Debug)]
enum Arriving<'a> {
    New(Item),
    Moved(BulletRef<'a>),
}

impl<'a> Arrival<'a> {
    /// Returns where it is written, and its order among those that are written there: what goes
    /// below a bullet comes before what goes behind it, and the rest in the order of the request.
    fn order(&self, doc: &MemoryDoc) -> (usize, std::cmp::Reverse<usize>, usize) {
        (self.spot.offset(doc), std::cmp::Reverse(self.spot.depth()), self.part)
    }
}

impl<'a> BulletChanges<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let (texts, leaving) = (BTreeMap::new(), BTreeMap::new());
        Self { doc, lists: Lists::new(doc), texts, leaving, arriving: Vec::new() }
    }

    /// Returns true if a bullet will have another text, or be gone from its list.
    pub(crate) fn changes_content(&self, bullet: BulletRef<'a>) -> bool {
        let is_gone = self.leaving.get(&bullet).is_some_and(|leaving| !leaving.stays_in_list);
        is_gone || self.texts.get(&bullet).is_some_and(|(_, text)| text.changes_content())
    }

    /// Returns the place for which a text is read that replaces the content of a bullet.
    pub(crate) fn place_of(&self, bullet: BulletRef<'a>, text: &str) -> BulletPlace {
        BulletPlace {
            marker: bullet.marker().to_owned(),
            // The keys of all bullets are worked out for it: only for a text that may begin with
            // one.
            label: text.contains('|').then(|| LineLabel::of_line(bullet.doc(), bullet.line_number() - 1)),
            has_own_number: self.lists.numbers(bullet) == Numbers::Own,
        }
    }

    /// Returns the place for which a new bullet at `spot` is read, after those that are already inserted there.
    pub(crate) fn place_at(&self, spot: Spot<'a>) -> BulletPlace {
        let numbers = self.numbers_at(spot);
        let mut marker = prefix_at(spot).marker;
        if let Some((number, delimiter)) = numbered(&marker).filter(|_| numbers == Numbers::Counted) {
            let before = self.arriving.iter().filter(|other| other.spot == spot).count();
            let behind = usize::from(matches!(spot, Spot::After(_)));
            marker = format!("{}{delimiter}", number + before + behind);
        }
        BulletPlace { marker, label: None, has_own_number: numbers == Numbers::Own }
    }

    /// Returns what numbers mean in the list of `spot`.
    fn numbers_at(&self, spot: Spot<'a>) -> Numbers {
        spot.sibling().map_or(Numbers::None, |sibling| self.lists.numbers(sibling))
    }

    /// Writes `item` over the content of a bullet, unless it reads so already.
    pub(crate) fn update(&mut self, part: usize, bullet: BulletRef<'a>, item: &Item) -> PartStatus {
        let is_changed = self.change(part, bullet, |text| text.update(item));
        if is_changed { PartStatus::Applied } else { PartStatus::AlreadyApplied }
    }

    /// Changes the checkbox or the tags of a bullet.
    pub(crate) fn mark(&mut self, part: usize, bullet: BulletRef<'a>, mark: &Mark) -> PartStatus {
        match self.change(part, bullet, |text| text.mark(mark)) {
            true => PartStatus::Applied,
            false if matches!(mark, Mark::Add(_) | Mark::Checkbox(_)) => PartStatus::AlreadyApplied,
            // Nothing is left to take away.
            false => PartStatus::NoChange,
        }
    }

    /// Changes the own text of a bullet, and returns true if that differs from what it was before.
    fn change(&mut self, part: usize, bullet: BulletRef<'a>, change: impl FnOnce(&mut OwnText<'a>)) -> bool {
        let before = self.texts.get(&bullet).map_or_else(|| OwnText::of(bullet), |(_, text)| text.clone());
        let mut text = before.clone();
        change(&mut text);
        let is_changed = text != before;
        if is_changed {
            let (first, own) = self.texts.entry(bullet).or_insert_with(|| (part, before));
            (*first, *own) = ((*first).min(part), text);
        }
        is_changed
    }

    /// Returns the tags that a bullet has or gets.
    pub(crate) fn tags_of(&self, bullet: BulletRef<'a>) -> Tags {
        self.texts.get(&bullet).map_or_else(|| Tags::of(bullet), |(_, text)| text.tags.clone())
    }

    /// Returns the bullets that would not read back with the checkbox and the tags that they get,
    /// each with its part.
    pub(crate) fn unreadable(&self) -> Vec<(usize, BulletRef<'a>)> {
        let unreadable = self.texts.iter().filter(|(_, (_, text))| !text.reads_back());
        unreadable.map(|(bullet, (part, _))| (*part, *bullet)).collect()
    }

    /// Removes a bullet with all that belongs to it.
    pub(crate) fn remove(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.leaving.insert(bullet, Leaving { part, stays_in_list: false });
    }

    /// Removes a bullet; its children take its place.
    pub(crate) fn remove_alone(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.leaving.insert(bullet, Leaving { part, stays_in_list: false });
        let lifted = |child| Arrival { part, spot: Spot::Before(bullet), bullet: Arriving::Moved(child) };
        self.arriving.extend(bullet.children().map(lifted));
    }

    /// Inserts a new bullet.
    pub(crate) fn insert(&mut self, part: usize, spot: Spot<'a>, item: Item) {
        self.arriving.push(Arrival { part, spot, bullet: Arriving::New(item) });
    }

    /// Moves a bullet with all that belongs to it.
    pub(crate) fn move_to(&mut self, part: usize, bullet: BulletRef<'a>, spot: Spot<'a>) {
        let stays_in_list = spot.is_beside(bullet);
        self.leaving.insert(bullet, Leaving { part, stays_in_list });
        self.arriving.push(Arrival { part, spot, bullet: Arriving::Moved(bullet) });
    }

    /// Returns true if a bullet may move to `spot`: a number that is part of what it says goes only where all numbers are,
    /// and there each bullet must have one.
    pub(crate) fn may_come(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> bool {
        let [here, there] = [self.lists.numbers(bullet), self.numbers_at(spot)].map(|numbers| numbers == Numbers::Own);
        here == there || spot.sibling().is_none()
    }

    /// Returns true if nothing but blank lines stands between a bullet and `spot`, which is in its list.
    pub(crate) fn stands_at(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> bool {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return false };
        let at = spot.offset(self.doc);
        let own = if at <= bullet.extent.start() { bullet.extent.start() } else { bullet.extent.end() };
        sibling == bullet || are_siblings(sibling, bullet) && is_blank(Span::new(at, own).of(self.doc.text()))
    }

    /// Writes everything into `edit`.
    pub(crate) fn compose(mut self, edit: &mut EditBuilder) {
        let doc = self.doc;
        self.arriving.sort_by_key(|arrival| arrival.order(doc));
        let markers = self.number(edit);
        for (arrival, marker) in self.arriving.iter().zip(markers) {
            let prefix = self.prefix(arrival, marker);
            let (mut lines, count) = match &arrival.bullet {
                Arriving::New(item) => (item.bullet_lines(&prefix), 1),
                Arriving::Moved(bullet) => self.moved(*bullet, &prefix),
            };
            let at = arrival.spot.offset(doc);
            if matches!(arrival.spot, Spot::Into(_)) {
                if is_prose_above(doc, at) {
                    // It would be the label of the bullet.
                    lines.insert(0, String::new());
                }
                if is_prose_below(doc, at) {
                    // Markdown would show it as text of the bullet.
                    lines.push(String::new());
                }
            }
            edit.for_part(arrival.part).insert_lines(doc, at, &lines, Promise::Bullets(count));
        }
        for (bullet, leaving) in &self.leaving {
            edit.for_part(leaving.part).replace(bullet.extent, "", Promise::Bullets(0));
        }
        let staying = self.texts.iter().filter(|(bullet, _)| !self.leaving.contains_key(bullet));
        for (part, text) in staying.map(|(_, changed)| changed) {
            for (span, text, promise) in text.changes() {
                edit.for_part(*part).replace(span, text, promise);
            }
        }
    }

    /// Numbers the lists that count and change, and returns the number that each arriving bullet
    /// gets by its place.
    fn number(&self, edit: &mut EditBuilder) -> Vec<Option<String>> {
        let mut markers = vec![None; self.arriving.len()];
        // The arrivals of each list, by its first bullet, and the part that changes it first.
        let mut lists: BTreeMap<BulletRef<'a>, (usize, Vec<(usize, usize)>)> = BTreeMap::new();
        let mut touch = |bullet: BulletRef<'a>, part: usize, arrival: Option<(usize, usize)>| {
            let Some(first) = self.lists.siblings(bullet).first() else { return };
            let (of, arrivals) = lists.entry(*first).or_insert((part, Vec::new()));
            *of = part.min(*of);
            arrivals.extend(arrival);
        };
        for (bullet, leaving) in &self.leaving {
            touch(*bullet, leaving.part, None);
        }
        for (nth, arrival) in self.arriving.iter().enumerate() {
            if let Spot::Before(sibling) | Spot::After(sibling) = arrival.spot {
                touch(sibling, arrival.part, Some((arrival.spot.offset(self.doc), nth)));
            }
        }
        for (first, (part, arrivals)) in lists {
            let Some((start, (_, delimiter))) = self.lists.start(first).zip(numbered(first.marker())) else { continue };
            let stays = self.lists.siblings(first).iter().filter(|bullet| !self.leaving.contains_key(bullet));
            let stays = stays.map(|bullet| (bullet.extent.start(), usize::MAX, Some(*bullet)));
            // What is inserted somewhere comes before what stood there.
            let entries: BTreeSet<_> = arrivals.into_iter().map(|(at, nth)| (at, nth, None)).chain(stays).collect();
            for (number, (_, nth, bullet)) in (start..).zip(entries) {
                let marker = format!("{number}{delimiter}");
                match bullet {
                    None => markers.get_mut(nth).into_iter().for_each(|slot| *slot = Some(marker.clone())),
                    Some(bullet) if bullet.marker() == marker => {}
                    Some(bullet) => {
                        edit.for_part(part).replace(bullet.marker, marker, Promise::Marker);
                    }
                }
            }
        }
        markers
    }

    /// Returns what stands before a bullet that comes: as in the list that it comes to, with the
    /// number that its place or its text gives it.
    fn prefix(&self, arrival: &Arrival<'a>, counted: Option<String>) -> Prefix {
        let mut prefix = prefix_at(arrival.spot);
        let own = match &arrival.bullet {
            Arriving::New(item) => item.marker.clone(),
            Arriving::Moved(bullet) => {
                // It keeps its marker, but gets its neighbor's indentation: siblings may differ in theirs, and it
                // could become a child.
                let stays_alike = counted.is_none() && arrival.spot.is_beside(*bullet);
                if stays_alike {
                    prefix.space = prefix_of(*bullet).space;
                }
                let changed = self.texts.get(bullet).and_then(|(_, text)| text.marker.clone());
                let said = || self.lists.said_number(*bullet).map(str::to_owned);
                changed.or_else(said).or_else(|| stays_alike.then(|| bullet.marker().to_owned()))
            }
        };
        if let Some(marker) = counted.or(own) {
            prefix.marker = marker;
        }
        prefix
    }

    /// Returns the lines of a bullet with all that belongs to it, with its other text, behind
    /// `prefix`, and how many bullets they are.
    fn moved(&self, bullet: BulletRef<'a>, prefix: &Prefix) -> (Vec<String>, usize) {
        let count = self.doc.bullets_within(bullet.extent).count();
        let Some((_, text)) = self.texts.get(&bullet) else { return (moved_lines(bullet, prefix), count) };
        let changed = with_changes(bullet, text.changes());
        let first = changed.bullets().next();
        (first.map_or_else(|| moved_lines(bullet, prefix), |first| moved_lines(first, prefix)), count)
    }
}

/// Returns what stands before a bullet at a spot, but for the number that its place gives it.
fn prefix_at(spot: Spot<'_>) -> Prefix {
    match spot {
        Spot::Into(_) => Prefix::plain(),
        Spot::Under(parent) => below(parent),
        Spot::Before(sibling) | Spot::After(sibling) => prefix_of(sibling),
    }
}

/// Returns true if an unindented line of prose that ends in no colon stands right above a line.
fn is_prose_above(doc: &MemoryDoc, at: usize) -> bool {
    let Some(above) = at.checked_sub(1).map(|above| doc.lines().index_at(above)) else { return false };
    let text = doc.line_text(above);
    let may_be_label = !text.starts_with([' ', '\t']) && !text.trim_end().ends_with(':');
    may_be_label && Owners::around(doc, [doc.line_span(above)]).is_prose(above)
}

/// Returns true if the line at `at` is prose or the line of a label or block.
fn is_prose_below(doc: &MemoryDoc, at: usize) -> bool {
    let text = doc.text();
    let line = Line::holding(text, at).text.of(text);
    at < text.len() && !is_blank(line) && heading(line).is_none() && doc.bullet_at(at).is_none()
}

/// Returns a document of a bullet alone, with these changes made.
fn with_changes(bullet: BulletRef<'_>, changes: Vec<Change>) -> MemoryDoc {
    let text = bullet.doc().text();
    let (mut changed, mut read) = (String::new(), bullet.extent.start());
    for (span, written, _) in changes {
        changed.push_str(Span::new(read, span.start()).of(text));
        changed.push_str(&written);
        read = span.end();
    }
    changed.push_str(Span::new(read, bullet.extent.end()).of(text));
    MemoryDoc::parse(changed)
}
