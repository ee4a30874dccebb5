//! The changes that one request makes to bullets, collected, then written all at once: so that numbers, places and last
//! lines come out right whatever the order of its parts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::super::{EditBuilder, PartStatus, Promise};
use super::content::{moved_lines, updating};
use super::numbering::number_of;
use super::prefix::{Prefix, below, prefix_of};
use super::renumber::{Lists, Moves};
use super::rework::{Change, reworked, with_changes};
use super::{BulletPlace, Item, Mark, Numbered, Spot, are_siblings};
use crate::document::{BulletRef, MemoryDoc};
use crate::locate::LineLabel;
use crate::text::{Span, is_blank};

/// The changes to the bullets of one document. What is written is located in the document as it stands.
#[derive(Debug)]
pub(crate) struct BulletChanges<'a> {
    doc: &'a MemoryDoc,
    lists: Lists<'a>,
    removed: Vec<(usize, BulletRef<'a>)>,
    inserted: Vec<Insertion<'a>>,
    /// What becomes of the own text of each bullet that is changed, and the part that says so first.
    changes: HashMap<BulletRef<'a>, (usize, Vec<Change>)>,
    /// Bullets whose content will be another, or be gone.
    changed: HashSet<BulletRef<'a>>,
    /// The marks that parts have asked for, in their order.
    marks: BTreeMap<BulletRef<'a>, Vec<(usize, Mark)>>,
}

/// What became of a mark.
#[derive(Debug)]
pub(crate) struct Marked {
    /// The part that asked for it.
    pub(crate) part: usize,
    pub(crate) mark: Mark,
    pub(crate) status: PartStatus,
    /// The tag that it leaves alone at the beginning, where it reads as a checkbox.
    pub(crate) checkbox: Option<String>,
}

#[derive(Debug)]
struct Insertion<'a> {
    part: usize,
    spot: Spot<'a>,
    source: Source<'a>,
}

/// What is inserted.
#[derive(Debug)]
enum Source<'a> {
    /// A new bullet; with a marker, if the list gives it none.
    New(Item, Option<String>),
    Moved(BulletRef<'a>),
}

impl Insertion<'_> {
    /// Returns what it is sorted by among those at one place: what goes below a bullet comes before what goes behind it, a child that takes
    /// the place of its parent before others, and the rest in the order of the request.
    fn order(&self) -> (Reverse<usize>, bool, usize) {
        let takes_place = matches!((&self.source, self.spot), (Source::Moved(child), Spot::After(parent)) if child.parent() == Some(parent));
        (Reverse(self.spot.depth()), !takes_place, self.part)
    }
}

impl<'a> BulletChanges<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        Self {
            doc,
            lists: Lists::new(doc),
            removed: Vec::new(),
            inserted: Vec::new(),
            changes: HashMap::new(),
            changed: HashSet::new(),
            marks: BTreeMap::new(),
        }
    }

    /// Returns the document as it stands.
    pub(crate) const fn doc(&self) -> &'a MemoryDoc {
        self.doc
    }

    /// Reports whether the content of a bullet will be another, or be gone.
    pub(crate) fn changes_content(&self, bullet: BulletRef<'a>) -> bool {
        self.changed.contains(&bullet)
    }

    /// Returns what `text` is written for that is written over a bullet.
    pub(crate) fn place_of(&self, bullet: BulletRef<'a>, text: &str) -> BulletPlace {
        BulletPlace {
            marker: prefix_of(bullet).marker,
            // The keys of all bullets are worked out for it: only for a text that may begin with one.
            label: text.contains('|').then(|| LineLabel::of_bullet(bullet)),
            is_said: matches!(self.numbered(Spot::Before(bullet)), Numbered::Said { .. }),
        }
    }

    /// Returns what a new bullet at `spot`, behind those that are inserted there already, is written for.
    pub(crate) fn place_at(&self, spot: Spot<'a>) -> BulletPlace {
        let marker = match spot {
            Spot::Into(_) => return BulletPlace::plain(),
            Spot::Under(parent) => below(parent).marker,
            Spot::Before(sibling) | Spot::After(sibling) => {
                let before = self.inserted.iter().filter(|other| other.spot == spot).count();
                let behind = usize::from(matches!(spot, Spot::After(_)));
                let is_counted = self.numbered(spot) == Numbered::Counted;
                match number_of(sibling).filter(|_| is_counted) {
                    Some((number, delimiter)) => format!("{}{delimiter}", number + before + behind),
                    None => prefix_of(sibling).marker,
                }
            }
        };
        BulletPlace { marker, ..BulletPlace::plain() }
    }

    /// Writes `item` over the content of a bullet, unless it reads so already.
    pub(crate) fn update(&mut self, part: usize, bullet: BulletRef<'a>, item: &Item) -> PartStatus {
        if item.folded_content() != bullet.folded_content() {
            self.changed.insert(bullet);
        }
        let is_changed = self.change(bullet, |bullet| (part, updating(bullet, item)));
        if is_changed { PartStatus::Applied } else { PartStatus::AlreadyApplied }
    }

    /// Reports whether a bullet reads as `item` does.
    pub(crate) fn reads_so(&self, bullet: BulletRef<'a>, item: &Item) -> bool {
        updating(bullet, item).is_empty()
    }

    /// Changes the marks of a bullet, once all have been asked for that are to be.
    pub(crate) fn mark(&mut self, part: usize, bullet: BulletRef<'a>, mark: Mark) {
        self.marks.entry(bullet).or_default().push((part, mark));
    }

    /// Makes the marks that have been asked for, in their order, and returns what became of each. Those of one kind are made at
    /// once: it takes no longer to make many on one bullet than its text and they are long.
    pub(crate) fn make_marks(&mut self) -> Vec<Marked> {
        let mut made = Vec::new();
        for (bullet, marks) in std::mem::take(&mut self.marks) {
            for run in marks.chunk_by(|(_, mark), (_, next)| mark.is_made_with(next)) {
                made.extend(self.make_run(bullet, run));
            }
        }
        made
    }

    fn make_run(&mut self, bullet: BulletRef<'a>, run: &[(usize, Mark)]) -> Vec<Marked> {
        let (parts, marks): (Vec<_>, Vec<_>) = run.iter().cloned().unzip();
        let had_checkbox = self.made_checkbox(bullet).is_some();
        let mut does = vec![false; run.len()];
        self.change(bullet, |bullet| {
            let splices;
            (splices, does) = Mark::splices_of(&marks, bullet);
            let first = parts.iter().zip(&does).find(|(_, does)| **does).map_or(usize::MAX, |(part, _)| *part);
            (first, splices.into_iter().map(|(span, text)| (span, text, Promise::Inline)).collect())
        });
        let mut checkbox = self.made_checkbox(bullet).filter(|_| !had_checkbox);
        let marked = |((part, mark), does): (&(usize, Mark), &bool)| Marked {
            part: *part,
            mark: mark.clone(),
            status: if *does { PartStatus::Applied } else { mark.status_of_nothing() },
            // The last that does anything has left it so.
            checkbox: checkbox.take_if(|_| *does),
        };
        run.iter().zip(&does).rev().map(marked).collect()
    }

    /// Changes the own text of a bullet, over what is changed there already, and reports whether there was anything to change.
    /// What it takes is told with the part that it is for.
    fn change(&mut self, bullet: BulletRef<'a>, make: impl FnOnce(BulletRef<'_>) -> (usize, Vec<Change>)) -> bool {
        let mut part = usize::MAX;
        let make = |bullet: BulletRef<'_>| {
            let changes;
            (part, changes) = make(bullet);
            changes
        };
        let (first, changes) = match self.changes.get(&bullet) {
            Some((first, before)) => (*first, reworked(bullet, before, make)),
            None => (usize::MAX, Some(make(bullet)).filter(|changes| !changes.is_empty())),
        };
        changes.map(|changes| self.changes.insert(bullet, (first.min(part), changes))).is_some()
    }

    /// Returns the checkbox that a bullet gets by the changes so far, if it has none.
    fn made_checkbox(&self, bullet: BulletRef<'a>) -> Option<String> {
        let (_, changes) = self.changes.get(&bullet).filter(|_| bullet.checkbox_span().is_none())?;
        // It would stand in the first line.
        let first: Vec<_> = changes.iter().filter(|(span, ..)| span.start() < bullet.line.end()).cloned().collect();
        let end = first.iter().map(|(span, ..)| span.end()).fold(bullet.line.end(), usize::max);
        let made = with_changes(self.doc, Span::new(bullet.extent.start(), end), &first)?;
        made.bullets().next()?.checkbox().map(str::to_owned)
    }

    /// Removes a bullet with all that belongs to it.
    pub(crate) fn remove(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.removed.push((part, bullet));
        self.changed.insert(bullet);
    }

    /// Removes a bullet; its children move up a level.
    pub(crate) fn remove_alone(&mut self, part: usize, bullet: BulletRef<'a>) {
        self.remove(part, bullet);
        let moved = |child| Insertion { part, spot: Spot::After(bullet), source: Source::Moved(child) };
        self.inserted.extend(bullet.children().map(moved));
    }

    /// Inserts a new bullet; with the marker that it brings, if the list gives it none.
    pub(crate) fn insert(&mut self, part: usize, spot: Spot<'a>, item: Item, marker: Option<String>) {
        self.inserted.push(Insertion { part, spot, source: Source::New(item, marker) });
    }

    /// Returns what number a bullet gets that is written at `spot`.
    pub(crate) fn numbered(&self, spot: Spot<'a>) -> Numbered {
        self.lists.numbered(spot, 0)
    }

    /// Moves a bullet with all that belongs to it, unless it stands there already.
    pub(crate) fn move_to(&mut self, part: usize, bullet: BulletRef<'a>, spot: Spot<'a>) -> PartStatus {
        if self.stands_at(bullet, spot) {
            return PartStatus::AlreadyApplied;
        }
        if !spot.is_beside(bullet) {
            // It is gone from the list that it stands in.
            self.changed.insert(bullet);
        }
        self.removed.push((part, bullet));
        self.inserted.push(Insertion { part, spot, source: Source::Moved(bullet) });
        PartStatus::Applied
    }

    pub(crate) fn stands_at(&self, bullet: BulletRef<'a>, spot: Spot<'a>) -> bool {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return false };
        let at = spot.offset(self.doc);
        let is_between_blanks = |from: usize, to: usize| is_blank(Span::new(from, to).of(self.doc.text()));
        sibling == bullet
            || (are_siblings(sibling, bullet)
                && ((at <= bullet.extent.start() && is_between_blanks(at, bullet.extent.start()))
                    || (at >= bullet.extent.end() && is_between_blanks(bullet.extent.end(), at))))
    }

    /// Writes everything into `edit`.
    pub(crate) fn compose(mut self, edit: &mut EditBuilder) {
        self.inserted.sort_by_key(Insertion::order);
        let mut markers = self.number(edit);
        let mut written = Vec::new();
        for (nth, Insertion { part, spot, source }) in std::mem::take(&mut self.inserted).into_iter().enumerate() {
            let prefix = self.prefix(spot, &source, markers.remove(&nth));
            let (lines, count) = match source {
                Source::New(item, _) => (item.bullet_lines(&prefix), 1),
                Source::Moved(bullet) => self.moved(bullet, &prefix),
            };
            written.push((part, spot.offset(self.doc), lines, count));
        }
        for (part, changes) in std::mem::take(&mut self.changes).into_values() {
            for (span, text, promise) in changes {
                edit.for_part(part).replace(span, text, promise);
            }
        }
        for (part, at, lines, count) in written {
            edit.for_part(part).insert_lines(self.doc, at, &lines, Promise::Bullets(count));
        }
        for (part, bullet) in &self.removed {
            edit.for_part(*part).replace(bullet.extent, "", Promise::Bullets(0));
        }
    }

    /// Renumbers the lists that change, and returns the markers of insertions that numbers decide.
    fn number(&self, edit: &mut EditBuilder) -> HashMap<usize, String> {
        let own = |source: &Source<'a>| match source {
            Source::New(_, marker) => marker.clone(),
            Source::Moved(bullet) => self.lists.said_number(*bullet).map(str::to_owned),
        };
        let inserted = self.inserted.iter().map(|new| (new.part, new.spot, own(&new.source))).collect();
        let made = self.lists.renumbered(&Moves { removed: &self.removed, inserted });
        for (part, span, marker) in made.rewritten {
            edit.for_part(part).replace(span, marker, Promise::Marker);
        }
        made.markers
    }

    /// Returns what stands before an inserted bullet: as in the list that it goes into.
    fn prefix(&self, spot: Spot<'a>, source: &Source<'a>, marker: Option<String>) -> Prefix {
        let own = match source {
            Source::New(..) => None,
            Source::Moved(bullet) => self.made_year(*bullet).filter(|_| marker.as_deref() == Some(bullet.marker())),
        };
        let mut prefix = match (spot, source) {
            (Spot::Into(_), _) => Prefix::plain(),
            (Spot::Under(parent), _) => below(parent),
            (Spot::Before(sibling) | Spot::After(sibling), Source::Moved(bullet))
                if marker.is_none() && are_siblings(*bullet, sibling) =>
            {
                // Its own marker, but as far in as its neighbor: siblings need not be so, and would become children.
                Prefix { indentation: prefix_of(sibling).indentation, ..prefix_of(*bullet) }
            }
            (Spot::Before(sibling) | Spot::After(sibling), _) => prefix_of(sibling),
        };
        prefix.marker = own.or(marker).unwrap_or(prefix.marker);
        prefix
    }

    /// Returns the year that a bullet gets in the place of its own.
    fn made_year(&self, bullet: BulletRef<'a>) -> Option<String> {
        let (_, changes) = self.changes.get(&bullet)?;
        changes.iter().find(|(_, _, promise)| *promise == Promise::Marker).map(|(_, text, _)| text.clone())
    }

    /// Returns the lines of a bullet with all that belongs to it as they read behind `prefix`, with what else is changed
    /// there, and how many bullets they are.
    fn moved(&mut self, bullet: BulletRef<'a>, prefix: &Prefix) -> (Vec<String>, usize) {
        let inside = self.doc.bullets_within(bullet.extent);
        let changes: Vec<_> =
            inside.clone().filter_map(|inner| self.changes.remove(&inner)).flat_map(|(_, changes)| changes).collect();
        let made = with_changes(self.doc, bullet.extent, &changes).filter(|_| !changes.is_empty());
        let first = made.as_ref().and_then(|made| made.bullets().next());
        (moved_lines(first.unwrap_or(bullet), prefix), inside.count())
    }
}
