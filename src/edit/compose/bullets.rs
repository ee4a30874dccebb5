//! [`BulletChanges`]: collects the changes that one request makes to bullets (new texts, removals, insertions, moves),
//! and writes them as splices.
//!
//! A bullet that does not change keeps its bytes. In a list that counts, the numbers of the bullets that stay are
//! updated.

use litemap::LiteMap;

use super::item::moved_lines;
use super::own_text::{OwnText, TextChange};
use super::{BulletPlace, Item, Lists, Mark, Numbers, Prefix, Spot, are_siblings, prefix_of};
use crate::document::{BulletRef, COLONS, MemoryDoc, heading, numbered};
use crate::edit::{EditBuilder, PartStatus, Promise, owners::Owners};
use crate::locate::ViewPrefixes;
use crate::text::{Line, Span, is_blank};

/// The changes to the bullets of one document. All places are places in the document before the changes.
pub(crate) struct BulletChanges<'a> {
    doc: &'a MemoryDoc,
    lists: Lists<'a>,
    /// The bullets that get another text, each with the first part of the request that changes it.
    texts: LiteMap<BulletRef<'a>, (usize, OwnText<'a>)>,
    /// The bullets that are removed or moved away.
    departures: LiteMap<BulletRef<'a>, Departure>,
    /// The bullets that are inserted, or moved to a place. They are sorted by place when they are written.
    arrivals: Vec<Arrival<'a>>,
}

/// A bullet that is removed from its place, or moved to another one.
#[derive(Clone, Copy, Debug)]
struct Departure {
    part: usize,
    /// Whether it only moves inside its list.
    stays_in_list: bool,
}

/// A bullet that is inserted at, or moved to, a place.
struct Arrival<'a> {
    part: usize,
    spot: Spot<'a>,
    bullet: ArrivingBullet<'a>,
    /// Its marker in a list that counts, once the lists are numbered.
    marker: Option<String>,
}

enum ArrivingBullet<'a> {
    New(Item),
    Moved(BulletRef<'a>),
}

/// A list that bullets leave or come to.
struct ChangedList<'m, 'a> {
    /// The first part of the request that changes it.
    part: usize,
    /// Its bullets as it comes out, each with an offset that says where.
    items: Vec<(usize, ListItem<'m, 'a>)>,
}

enum ListItem<'m, 'a> {
    Arriving(&'m mut Arrival<'a>),
    Staying(BulletRef<'a>),
}

impl<'a> Arrival<'a> {
    /// Returns the sort key: the offset, then the depth, deepest first, so that a new child comes before a new sibling
    /// of its parent; then the order of the request.
    fn order(&self, doc: &MemoryDoc) -> (usize, std::cmp::Reverse<usize>, usize) {
        (self.spot.offset(doc), std::cmp::Reverse(self.spot.depth()), self.part)
    }
}

impl<'a> BulletChanges<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let (texts, departures) = (LiteMap::new(), LiteMap::new());
        Self { doc, lists: Lists::new(doc), texts, departures, arrivals: Vec::new() }
    }

    /// Returns true if a bullet gets another text, or leaves its list.
    pub(crate) fn changes_content(&self, bullet: BulletRef<'a>) -> bool {
        let is_gone = self.departures.get(&bullet).is_some_and(|departure| !departure.stays_in_list);
        is_gone || self.texts.get(&bullet).is_some_and(|(_, text)| text.changes_content())
    }

    /// Returns what is needed to read `text` as the new content of a bullet.
    pub(crate) fn place_of(&self, bullet: BulletRef<'a>, text: &str) -> BulletPlace {
        BulletPlace {
            marker: bullet.marker().to_owned(),
            // The prefixes need the keys of all bullets, so they are computed only if the text may begin with one.
            prefixes: text.contains('|').then(|| ViewPrefixes::of_line(bullet.doc(), bullet.line_index())),
            has_own_number: self.lists.numbers(bullet) == Numbers::Own,
        }
    }

    /// Returns what is needed to read the text of a new bullet at `spot`, after the bullets that are already inserted
    /// there.
    pub(crate) fn place_at(&self, spot: Spot<'a>) -> BulletPlace {
        let numbers = self.numbers_at(spot);
        let mut marker = spot.prefix().marker;
        if let Some((number, delimiter)) = numbered(&marker).filter(|_| numbers == Numbers::Counted) {
            let before = self.arrivals.iter().filter(|other| other.spot == spot).count();
            let is_after = usize::from(matches!(spot, Spot::After(_)));
            marker = format!("{}{delimiter}", number + before + is_after);
        }
        BulletPlace { marker, prefixes: None, has_own_number: numbers == Numbers::Own }
    }

    /// Returns what numbers mean in the list of `spot`.
    fn numbers_at(&self, spot: Spot<'a>) -> Numbers {
        spot.sibling().map_or(Numbers::None, |sibling| self.lists.numbers(sibling))
    }

    /// Replaces the content of a bullet by `item`, unless it is the same already.
    pub(crate) fn update(&mut self, part: usize, bullet: BulletRef<'a>, item: &Item) -> PartStatus {
        let is_changed = self.change(part, bullet, |text| text.update(item));
        if is_changed { PartStatus::Applied } else { PartStatus::AlreadyApplied }
    }

    /// Changes the checkbox or the tags of a bullet.
    pub(crate) fn mark(&mut self, part: usize, bullet: BulletRef<'a>, mark: &Mark) -> PartStatus {
        match self.change(part, bullet, |text| text.mark(mark)) {
            true => PartStatus::Applied,
            false if matches!(mark, Mark::Add(_) | Mark::Checkbox(_)) => PartStatus::AlreadyApplied,
            // The tag or pin to remove is not there.
            false => PartStatus::NoChange,
        }
    }

    /// Applies `change` to the text of a bullet, and returns true if the text differs afterwards.
    fn change(&mut self, part: usize, bullet: BulletRef<'a>, change: impl FnOnce(&mut OwnText<'a>)) -> bool {
        let before = self.text_of(bullet);
        let mut text = before.clone();
        change(&mut text);
        let is_changed = text != before;
        if is_changed {
            let (first, own) = self.texts.entry(bullet).or_insert_with(|| (part, before));
            (*first, *own) = ((*first).min(part), text);
        }
        is_changed
    }

    /// Returns the text that a bullet has after the changes so far.
    pub(crate) fn text_of(&self, bullet: BulletRef<'a>) -> OwnText<'a> {
        self.texts.get(&bullet).map_or_else(|| OwnText::of(bullet), |(_, text)| text.clone())
    }

    /// Returns the bullets whose new text would be parsed with another checkbox or other tags than were meant, each
    /// with its part of the request.
    pub(crate) fn unreadable(&self) -> Vec<(usize, BulletRef<'a>)> {
        let unreadable = self.texts.iter().filter(|(_, (_, text))| !text.reads_back());
        unreadable.map(|(bullet, (part, _))| (*part, *bullet)).collect()
    }

    /// Removes a bullet with all that belongs to it.
    pub(crate) fn remove(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.departures.insert(bullet, Departure { part, stays_in_list: false });
    }

    /// Removes a bullet; its children take its place.
    pub(crate) fn remove_alone(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.remove(part, bullet);
        let lifted =
            |child| Arrival { part, spot: Spot::Before(bullet), bullet: ArrivingBullet::Moved(child), marker: None };
        self.arrivals.extend(bullet.children().map(lifted));
    }

    /// Inserts a new bullet.
    pub(crate) fn insert(&mut self, part: usize, spot: Spot<'a>, item: Item) {
        self.arrivals.push(Arrival { part, spot, bullet: ArrivingBullet::New(item), marker: None });
    }

    /// Moves a bullet with all that belongs to it.
    pub(crate) fn move_to(&mut self, part: usize, bullet: BulletRef<'a>, spot: Spot<'a>) {
        let stays_in_list = spot.is_beside(bullet);
        self.departures.insert(bullet, Departure { part, stays_in_list });
        self.arrivals.push(Arrival { part, spot, bullet: ArrivingBullet::Moved(bullet), marker: None });
    }

    /// Returns true if a bullet may move to `spot`. In a list whose numbers are content, each bullet needs a number of
    /// its own; in any other list, no bullet may have one.
    pub(crate) fn may_move(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> bool {
        let [here, there] = [self.lists.numbers(bullet), self.numbers_at(spot)].map(|numbers| numbers == Numbers::Own);
        here == there || spot.sibling().is_none()
    }

    /// Returns true if a bullet is at `spot` already: `spot` is in its list, with only blank lines between them.
    pub(crate) fn is_at(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> bool {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return false };
        let at = spot.offset(self.doc);
        let own = if at <= bullet.extent.start() { bullet.extent.start() } else { bullet.extent.end() };
        sibling == bullet || are_siblings(sibling, bullet) && is_blank(Span::new(at, own).of(self.doc.text()))
    }

    /// Writes all changes into `edit`. Returns the parts whose text begins with a number that is that of the bullet
    /// either as the list was, or as it comes out.
    pub(crate) fn compose(mut self, edit: &mut EditBuilder) -> Vec<usize> {
        let doc = self.doc;
        self.arrivals.sort_by_key(|arrival| arrival.order(doc));
        let misread = self.number(edit);
        for (nth, arrival) in self.arrivals.iter().enumerate() {
            let prefix = self.prefix(arrival);
            let (mut lines, count) = match &arrival.bullet {
                ArrivingBullet::New(item) => (item.bullet_lines(&prefix), 1),
                ArrivingBullet::Moved(bullet) => self.moved(*bullet, &prefix),
            };
            let at = arrival.spot.offset(doc);
            // Bullets that arrive together in a scope without bullets are one list: only its ends are set apart.
            let before = nth.checked_sub(1).and_then(|before| self.arrivals.get(before));
            let is_beside = |other: Option<&Arrival<'a>>| other.is_some_and(|other| other.spot == arrival.spot);
            let is_in_new_list = matches!(arrival.spot, Spot::Into(_));
            if is_in_new_list && !is_beside(before) && is_prose_above(doc, at) {
                // Without a blank line, this prose would become the label of the bullet.
                lines.insert(0, String::new());
            }
            if is_in_new_list && !is_beside(self.arrivals.get(nth + 1)) && is_prose_below(doc, at) {
                // Without a blank line, Markdown would show this prose as text of the bullet.
                lines.push(String::new());
            }
            edit.for_part(arrival.part).insert_lines(doc, at, &lines, Promise::Bullets(count));
        }
        for (bullet, departure) in &self.departures {
            edit.for_part(departure.part).replace(bullet.extent, "", Promise::Bullets(0));
        }
        for (_, (part, text)) in self.texts.iter().filter(|(bullet, _)| !self.departures.contains_key(bullet)) {
            for (span, text, promise) in text.changes() {
                edit.for_part(*part).replace(span, text, promise);
            }
        }
        misread
    }

    /// Numbers each changed list that counts, as it comes out: renumbers the bullets that stay, and sets the markers of
    /// those that arrive. Returns the same as [`compose`](Self::compose).
    fn number(&mut self, edit: &mut EditBuilder) -> Vec<usize> {
        let (lists, departures, mut misread) = (&self.lists, &self.departures, Vec::new());
        // The changed lists, by their first bullets. Of their items, only those that arrive are in them at first.
        let mut changed: LiteMap<BulletRef<'a>, ChangedList<'_, 'a>> = LiteMap::new();
        let mut touch = |bullet: BulletRef<'a>, part: usize, arriving| {
            let Some(first) = lists.siblings(bullet).first() else { return };
            let list = changed.entry(*first).or_insert(ChangedList { part, items: Vec::new() });
            list.part = part.min(list.part);
            list.items.extend(arriving);
        };
        departures.iter().for_each(|(bullet, departure)| touch(*bullet, departure.part, None));
        for arrival in &mut self.arrivals {
            if let Some(sibling) = arrival.spot.sibling() {
                touch(sibling, arrival.part, Some((arrival.spot.offset(self.doc), ListItem::Arriving(arrival))));
            }
        }
        for (first, ChangedList { part, mut items }) in changed {
            let Some((start, (_, delimiter))) = lists.start(first).zip(numbered(first.marker())) else { continue };
            let stays = lists.siblings(first).iter().filter(|bullet| !departures.contains_key(bullet));
            items.extend(stays.map(|bullet| (bullet.extent.start(), ListItem::Staying(*bullet))));
            // The sort is stable: arrivals come before the bullet that was at their offset.
            items.sort_by_key(|(at, _)| *at);
            for (number, (_, item)) in (start..).zip(items) {
                let marker = format!("{number}{delimiter}");
                let misread_update = |bullet: BulletRef<'a>| {
                    let (part, text) = self.texts.get(&bullet)?;
                    (text.number == Some(number) && bullet.marker() != marker).then_some(*part)
                };
                match item {
                    ListItem::Arriving(arrival) => {
                        misread.extend(match &arrival.bullet {
                            ArrivingBullet::New(item) => item.misreads(number).then_some(arrival.part),
                            ArrivingBullet::Moved(bullet) => misread_update(*bullet),
                        });
                        arrival.marker = Some(marker);
                    }
                    ListItem::Staying(bullet) => {
                        misread.extend(misread_update(bullet));
                        if bullet.marker() != marker {
                            edit.for_part(part).replace(bullet.marker, marker, Promise::Marker);
                        }
                    }
                }
            }
        }
        misread
    }

    /// Returns the prefix of an arriving bullet: that of the list it comes to, with the number of its place or its own
    /// number.
    fn prefix(&self, arrival: &Arrival<'a>) -> Prefix {
        let mut prefix = arrival.spot.prefix();
        let own = match &arrival.bullet {
            ArrivingBullet::New(item) => item.marker.clone(),
            ArrivingBullet::Moved(bullet) => {
                // A bullet that moves inside its list keeps its marker. It gets the indentation of its new neighbor:
                // siblings may be indented differently, and with its own indentation it could become a child.
                let stays_alike = arrival.marker.is_none() && arrival.spot.is_beside(*bullet);
                if stays_alike {
                    prefix.space = prefix_of(*bullet).space;
                }
                let changed = self.texts.get(bullet).and_then(|(_, text)| text.marker.clone());
                let own_number = || self.lists.own_number(*bullet).map(str::to_owned);
                changed.or_else(own_number).or_else(|| stays_alike.then(|| bullet.marker().to_owned()))
            }
        };
        if let Some(marker) = arrival.marker.clone().or(own) {
            prefix.marker = marker;
        }
        prefix
    }

    /// Returns the lines of a moved bullet, with its new text and with its children, after `prefix`; and how many
    /// bullets they are.
    fn moved(&self, bullet: BulletRef<'a>, prefix: &Prefix) -> (Vec<String>, usize) {
        let count = self.doc.bullets_within(bullet.extent).count();
        let Some((_, text)) = self.texts.get(&bullet) else { return (moved_lines(bullet, prefix), count) };
        let changed = with_changes(bullet, text.changes());
        (moved_lines(changed.bullets().next().unwrap_or(bullet), prefix), count)
    }
}

/// Returns true if the line above `at` is unindented prose that does not end in a colon.
fn is_prose_above(doc: &MemoryDoc, at: usize) -> bool {
    let Some(above) = at.checked_sub(1).map(|above| doc.line_index(above)) else { return false };
    let text = doc.line_text(above);
    let may_be_label = !text.starts_with([' ', '\t']) && !text.trim_end().ends_with(COLONS);
    may_be_label && Owners::around(doc, [doc.line_span(above)]).is_prose(above)
}

/// Returns true if the line at `at` is prose or the line of a label or block.
fn is_prose_below(doc: &MemoryDoc, at: usize) -> bool {
    let text = doc.text();
    let line = Line::holding(text, at).text.of(text);
    at < text.len() && !is_blank(line) && heading(line).is_none() && doc.bullet_at(at).is_none()
}

/// Returns a document that consists of a bullet only, with these changes made.
fn with_changes(bullet: BulletRef<'_>, changes: Vec<TextChange>) -> MemoryDoc {
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
