//! Bullets of a list that counts, written at another place than the one that their numbers name.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::document::{BulletRef, MemoryDoc};
use crate::edit::Edit;
use crate::edit::compose::are_siblings;
use crate::locate::numbered;
use crate::text::Span;

/// A document in which written bullets stand where their numbers say.
pub(super) struct Sorted {
    /// The lines, from 1, on which they stand now.
    pub(super) written: Vec<usize>,
    pub(super) text: String,
}

/// Returns `new`, which `edit` has made, with the bullets that it inserted at the places which their numbers name among the others,
/// all counted on. `None` if they stand there, if a number names no place, the first or that of two, or if more lists are `moved`.
pub(super) fn by_number(edit: &Edit, new: &MemoryDoc, moved: &[(BulletRef<'_>, usize)]) -> Option<Sorted> {
    let (first, _) = moved.first()?;
    if !moved.iter().all(|(bullet, _)| are_siblings(*bullet, *first)) {
        return None;
    }
    let list: Vec<_> = new.bullets().filter(|bullet| are_siblings(*bullet, *first)).collect();
    let inserted = inserted(edit, &list)?;
    let is_inserted: HashSet<_> = inserted.iter().collect();
    let mut kept: VecDeque<_> = list.iter().copied().filter(|bullet| !is_inserted.contains(bullet)).collect();
    let start = number_of(*kept.front()?).filter(|start| *start <= 1)?;
    if !kept.iter().zip(start..).all(|(bullet, number)| number_of(*bullet) == Some(number)) {
        return None;
    }
    let mut by_number = BTreeMap::new();
    for bullet in &inserted {
        // The first number tells no place: many write it before each item.
        let number = number_of(*bullet).filter(|number| (start + 1..start + list.len()).contains(number))?;
        if by_number.insert(number, *bullet).is_some() {
            return None;
        }
    }
    let places = (start..).take(list.len());
    let order: Vec<_> =
        places.filter_map(|number| by_number.remove(&number).or_else(|| kept.pop_front()).zip(Some(number))).collect();
    let is_sorted = order.iter().map(|(bullet, _)| bullet).eq(&list);
    let text = if is_sorted { None } else { written_as(new, &list, &order) };
    let lines = inserted.iter().map(|bullet| bullet.line_number()).collect();
    text.map(|text| Sorted { written: lines, text })
}

/// Returns the bullets of a list that an edit has inserted; `None` if it has changed others of them.
fn inserted<'n>(edit: &Edit, list: &[BulletRef<'n>]) -> Option<Vec<BulletRef<'n>>> {
    let mut inserted = Vec::new();
    for (splice, written) in edit.splices().iter().zip(edit.result_spans()) {
        // Bullets of one list stand one behind the other.
        let before = list.partition_point(|bullet| bullet.line.start() < written.start());
        let behind = list.iter().skip(before);
        inserted.extend(behind.take_while(|bullet| written.contains(bullet.line.start())).copied());
        let reached = list.partition_point(|bullet| bullet.extent.end() <= written.start());
        if !splice.span.is_empty() && list.get(reached).is_some_and(|bullet| bullet.extent.overlaps(written)) {
            return None;
        }
    }
    Some(inserted)
}

/// Writes a list in this order, each bullet with its number, in the places that its bullets have now.
fn written_as(doc: &MemoryDoc, list: &[BulletRef<'_>], order: &[(BulletRef<'_>, usize)]) -> Option<String> {
    let mut text = String::with_capacity(doc.text().len());
    let mut read = 0;
    for (place, (bullet, number)) in list.iter().zip(order) {
        let delimiter = bullet.marker().chars().next_back()?;
        let extent = bullet.extent;
        // A last line without an ending would run into the one behind it.
        Some(extent).filter(|extent| extent.of(doc.text()).ends_with('\n'))?;
        text.push_str(Span::new(read, place.extent.start()).of(doc.text()));
        text.push_str(Span::new(extent.start(), bullet.marker.start()).of(doc.text()));
        text.push_str(&format!("{number}{delimiter}"));
        text.push_str(Span::new(bullet.marker.end(), extent.end()).of(doc.text()));
        read = place.extent.end();
    }
    text.push_str(Span::new(read, doc.text().len()).of(doc.text()));
    Some(text)
}

/// Returns the number that a bullet is marked with.
pub(super) fn number_of(bullet: BulletRef<'_>) -> Option<usize> {
    numbered(bullet.marker()).map(|(number, _)| number)
}
