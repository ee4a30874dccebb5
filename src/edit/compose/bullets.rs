//! The changes that one request makes to bullets, collected, then written all at once: so that numbers, places and last
//! lines come out right whatever the order of its parts (SPEC §§ 5.2, 9).

use std::collections::{HashMap, HashSet};

use super::super::builder::EditBuilder;
use super::super::splice::{Overlap, Promise};
use super::content::{moved_lines, prefix_of, updating};
use super::item::{BulletPlace, Item, Prefix};
use super::lines::insert_lines;
use super::numbering::{Numbering, number_of};
use super::spot::Spot;
use super::{marks, tags};
use crate::document::{BlockId, BulletId, MemoryDoc, SectionId};
use crate::locate::LineLabel;
use crate::text::{Span, is_blank};

/// The changes to the bullets of one document. What is written is located in the document as it stands.
#[derive(Debug)]
pub(crate) struct BulletChanges<'a> {
    doc: &'a MemoryDoc,
    /// The part that changes each bullet that is changed.
    claims: HashMap<BulletId, usize>,
    removed: Vec<(usize, BulletId)>,
    inserted: Vec<(usize, Spot, Source)>,
    spliced: Vec<(usize, Span, String, Promise)>,
    /// Bullets whose content will be another, or be gone.
    changed: HashSet<BulletId>,
}

/// What is inserted.
#[derive(Debug)]
enum Source {
    New(Item),
    Moved(BulletId),
}

/// The bullets of one list: same parent, same section, same block.
type ListKey = (Option<BulletId>, Option<SectionId>, Option<BlockId>);

/// An ordered list that changes.
struct OrderedList {
    /// The part that changes it first.
    part: usize,
    /// Its bullets as they stand.
    siblings: Vec<BulletId>,
    /// Those of the result: where each stands, which insertion it is, if it is one, and the bullet that it is like.
    entries: Vec<(usize, usize, BulletId)>,
}

impl<'a> BulletChanges<'a> {
    pub(crate) fn new(doc: &'a MemoryDoc) -> Self {
        let (claims, changed) = (HashMap::new(), HashSet::new());
        Self { doc, claims, removed: Vec::new(), inserted: Vec::new(), spliced: Vec::new(), changed }
    }

    /// Notes that `part` changes a bullet.
    ///
    /// # Errors
    ///
    /// Another part changes it.
    pub(crate) fn claim(&mut self, part: usize, bullet: BulletId) -> Result<(), Overlap> {
        let first = *self.claims.entry(bullet).or_insert(part);
        if first == part {
            return Ok(());
        }
        let span = self.doc.outline().bullet(bullet).map_or(Span::at(0), |bullet| bullet.extent);
        Err(Overlap { first: first.min(part), second: first.max(part), span })
    }

    /// Reports whether the content of a bullet will be another, or be gone.
    pub(crate) fn changes_content(&self, bullet: BulletId) -> bool {
        self.changed.contains(&bullet)
    }

    /// Returns what a text that is written over a bullet is written for.
    pub(crate) fn place_of(&self, bullet: BulletId) -> BulletPlace {
        BulletPlace { marker: prefix_of(self.doc, bullet).marker, label: LineLabel::of_bullet(self.doc, bullet) }
    }

    /// Returns what a new bullet at `spot`, behind those that are inserted there already, is written for.
    pub(crate) fn place_at(&self, spot: Spot) -> BulletPlace {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return BulletPlace::plain() };
        let before = self.inserted.iter().filter(|(_, other, _)| *other == spot).count();
        let behind = matches!(spot, Spot::After(_));
        let marker = match number_of(self.doc, sibling) {
            Some((number, delimiter)) => format!("{}{delimiter}", number + before + usize::from(behind)),
            None => prefix_of(self.doc, sibling).marker,
        };
        BulletPlace { marker, label: None }
    }

    /// Writes `item` over the content of a bullet; `false` if it reads so already.
    pub(crate) fn update(&mut self, part: usize, bullet: BulletId, item: &Item) -> bool {
        let splices = updating(self.doc, bullet, item);
        if item.folded_content() != self.doc.folded_content(bullet) {
            self.changed.insert(bullet);
        }
        let is_changed = !splices.is_empty();
        self.spliced.extend(splices.into_iter().map(|(span, text, promise)| (part, span, text, promise)));
        is_changed
    }

    /// Adds tags; `false` if the bullet has them all.
    pub(crate) fn tag(&mut self, part: usize, bullet: BulletId, added: &[String]) -> bool {
        self.splice(part, tags::adding(self.doc, bullet, added))
    }

    /// Removes tags; `false` if the bullet has none of them.
    pub(crate) fn untag(&mut self, part: usize, bullet: BulletId, removed: &[String]) -> bool {
        self.splice(part, tags::removing(self.doc, bullet, removed))
    }

    /// Pins a bullet; `false` if it is pinned.
    pub(crate) fn pin(&mut self, part: usize, bullet: BulletId) -> bool {
        self.splice(part, marks::pinning(self.doc, bullet))
    }

    /// Unpins a bullet; `false` if it is not pinned.
    pub(crate) fn unpin(&mut self, part: usize, bullet: BulletId) -> bool {
        self.splice(part, marks::unpinning(self.doc, bullet))
    }

    /// Gives a bullet the lifetime that these tags say; `false` if its own tags say the same.
    pub(crate) fn keep_for(&mut self, part: usize, bullet: BulletId, lifetime: &[String]) -> bool {
        self.splice(part, marks::keeping(self.doc, bullet, lifetime))
    }

    /// Takes the lifetime of a bullet away; `false` if it has none.
    pub(crate) fn keep_forever(&mut self, part: usize, bullet: BulletId) -> bool {
        self.splice(part, marks::clearing(self.doc, bullet))
    }

    /// Makes splices inside one line; `false` if there are none.
    fn splice(&mut self, part: usize, splices: impl IntoIterator<Item = (Span, String)>) -> bool {
        let known = self.spliced.len();
        self.spliced.extend(splices.into_iter().map(|(span, text)| (part, span, text, Promise::Inline)));
        self.spliced.len() > known
    }

    /// Removes a bullet with all that belongs to it.
    pub(crate) fn remove(&mut self, part: usize, bullet: BulletId) {
        self.removed.push((part, bullet));
        self.changed.insert(bullet);
    }

    /// Removes a bullet; its children move up a level.
    pub(crate) fn remove_alone(&mut self, part: usize, bullet: BulletId) {
        self.remove(part, bullet);
        let children: Vec<_> = self.doc.outline().children(bullet).collect();
        self.inserted.extend(children.into_iter().map(|child| (part, Spot::After(bullet), Source::Moved(child))));
    }

    /// Inserts a new bullet.
    pub(crate) fn insert(&mut self, part: usize, spot: Spot, item: Item) {
        self.inserted.push((part, spot, Source::New(item)));
    }

    /// Moves a bullet with all that belongs to it; `false` if it stands there already.
    pub(crate) fn move_to(&mut self, part: usize, bullet: BulletId, spot: Spot) -> bool {
        if self.stands_at(bullet, spot) {
            return false;
        }
        self.removed.push((part, bullet));
        self.inserted.push((part, spot, Source::Moved(bullet)));
        true
    }

    /// Reports whether a spot lies inside a bullet, which cannot be moved there.
    pub(crate) fn is_inside(&self, spot: Spot, bullet: BulletId) -> bool {
        let extent = self.doc.outline().bullet(bullet).map_or(Span::at(0), |bullet| bullet.extent);
        let is_descendant = |id: BulletId| {
            id != bullet && self.doc.outline().bullet(id).is_some_and(|other| extent.contains(other.line.start()))
        };
        matches!(spot, Spot::Before(id) | Spot::After(id) if is_descendant(id))
    }

    fn stands_at(&self, bullet: BulletId, spot: Spot) -> bool {
        let Some(own) = self.doc.outline().bullet(bullet) else { return true };
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return false };
        let at = spot.offset(self.doc);
        let is_between_blanks = |from: usize, to: usize| is_blank(Span::new(from, to).of(self.doc.text()));
        sibling == bullet
            || (self.list_of(sibling) == self.list_of(bullet)
                && ((at <= own.extent.start() && is_between_blanks(at, own.extent.start()))
                    || (at >= own.extent.end() && is_between_blanks(own.extent.end(), at))))
    }

    fn list_of(&self, id: BulletId) -> Option<ListKey> {
        self.doc.outline().bullet(id).map(|bullet| (bullet.parent, bullet.section, bullet.block))
    }

    /// Writes everything into `edit`.
    pub(crate) fn compose(mut self, edit: &mut EditBuilder) {
        self.inserted.sort_by_key(|(part, ..)| *part);
        for (part, span, text, promise) in std::mem::take(&mut self.spliced) {
            edit.replace_for(part, span, text, promise);
        }
        let markers = self.number(edit);
        for (nth, (part, spot, source)) in self.inserted.iter().enumerate() {
            let prefix = self.prefix(*spot, source, markers.get(&nth));
            let (lines, count) = match source {
                Source::New(item) => (item.bullet_lines(&prefix), 1),
                Source::Moved(id) => (moved_lines(self.doc, *id, &prefix), self.subtree(*id)),
            };
            let at = spot.offset(self.doc);
            insert_lines(edit, *part, (self.doc.text(), at), &lines, Promise::Bullets(count));
        }
        for (part, bullet) in &self.removed {
            let extent = self.doc.outline().bullet(*bullet).map_or(Span::at(0), |bullet| bullet.extent);
            edit.replace_for(*part, extent, "", Promise::Bullets(0));
        }
    }

    /// Renumbers the lists that change, and returns the marker of each insertion into an ordered one.
    fn number(&self, edit: &mut EditBuilder) -> HashMap<usize, String> {
        let mut lists: Vec<OrderedList> = Vec::new();
        let mut known: HashMap<ListKey, usize> = HashMap::new();
        let mut touch = |id: BulletId, part: usize| {
            if let (true, Some(list)) = (number_of(self.doc, id).is_some(), self.list_of(id)) {
                known.entry(list).or_insert_with(|| {
                    lists.push(OrderedList { part, siblings: Vec::new(), entries: Vec::new() });
                    lists.len() - 1
                });
            }
        };
        self.removed.iter().for_each(|(part, id)| touch(*id, *part));
        for (part, spot, _) in &self.inserted {
            if let Spot::Before(id) | Spot::After(id) = spot {
                touch(*id, *part);
            }
        }
        let mut markers = HashMap::new();
        if lists.is_empty() {
            return markers;
        }
        let removed: HashSet<BulletId> = self.removed.iter().map(|(_, id)| *id).collect();
        let mut with_list = |id: BulletId, add: &dyn Fn(&mut OrderedList)| {
            let list = self.list_of(id).and_then(|list| known.get(&list));
            list.and_then(|list| lists.get_mut(*list)).into_iter().for_each(add);
        };
        for id in self.doc.outline().bullets_within(self.doc.span()) {
            with_list(id, &|list| {
                list.siblings.push(id);
                if !removed.contains(&id) {
                    list.entries.push((Spot::Before(id).offset(self.doc), usize::MAX, id));
                }
            });
        }
        for (nth, (_, spot, _)) in self.inserted.iter().enumerate() {
            if let Spot::Before(id) | Spot::After(id) = spot {
                with_list(*id, &|list| list.entries.push((spot.offset(self.doc), nth, *id)));
            }
        }
        for list in lists {
            self.number_list(list, edit, &mut markers);
        }
        markers
    }

    fn number_list(&self, mut list: OrderedList, edit: &mut EditBuilder, markers: &mut HashMap<usize, String>) {
        let mut numbering = Numbering::new(self.doc, &list.siblings);
        // What is inserted somewhere comes before what stood there.
        list.entries.sort_unstable();
        for (_, nth, id) in list.entries {
            let Some(marker) = numbering.next_like(id) else { continue };
            if nth < usize::MAX {
                markers.insert(nth, marker);
            } else if let Some(bullet) = self.doc.outline().bullet(id)
                && bullet.marker.of(self.doc.text()).trim_start_matches('0') != marker
            {
                edit.replace_for(list.part, bullet.marker, marker, Promise::Marker);
            }
        }
    }

    /// Returns what stands before an inserted bullet: as in the list that it goes into.
    fn prefix(&self, spot: Spot, source: &Source, marker: Option<&String>) -> Prefix {
        let (Spot::Before(sibling) | Spot::After(sibling)) = spot else { return Prefix::plain() };
        let mut prefix = prefix_of(self.doc, sibling);
        if let Some(marker) = marker {
            prefix.marker.clone_from(marker);
        } else if let Source::Moved(id) = source
            && self.list_of(*id) == self.list_of(sibling)
            && number_of(self.doc, *id).is_none()
        {
            prefix = prefix_of(self.doc, *id);
        }
        prefix
    }

    /// Counts a bullet and all that are nested in it.
    fn subtree(&self, id: BulletId) -> usize {
        let extent = self.doc.outline().bullet(id).map_or(Span::at(0), |bullet| bullet.extent);
        self.doc.outline().bullets_within(extent).count()
    }
}
