//! Numbers of ordered lists that a patch puts out of sequence: they are written as they were sent, and told of.

use std::collections::{HashMap, HashSet};

use super::between;
use crate::document::{BlockRef, BulletRef, MemoryDoc, SectionRef};
use crate::edit::{Edit, Warning};
use crate::locate::is_ordered;
use crate::text::Span;

/// The longest patch that is offered to put numbers right, in characters.
const OFFERED: usize = 500;
/// How many lines it changes at most.
const MOST: usize = 40;

/// The bullets of one list: same parent, same section, same block.
type ListKey<'a> = (Option<BulletRef<'a>>, Option<SectionRef<'a>>, Option<BlockRef<'a>>);

/// Returns the warning of lists that counted on from 0 or 1 before `edit`, and do not afterwards.
pub(super) fn out_of_sequence(doc: &MemoryDoc, edit: &Edit) -> Option<Warning> {
    let removed = edit.splices().iter().map(|splice| splice.span).zip(edit.result_spans());
    let touches_list = |doc: &MemoryDoc, span: Span| lists_at(doc, span).next().is_some();
    if !removed.clone().any(|(span, _)| touches_list(doc, span)) {
        return None;
    }
    let new = MemoryDoc::with_rules(edit.apply_to(doc.text()), doc.rules().clone());
    let (before, after) = (Lists::of(doc), Lists::of(&new));
    let written = edit.result_spans();
    // A list that is new as a whole is as it was sent: years that move to another section are no count.
    let stays = |bullet: BulletRef<'_>| {
        let start = bullet.line.start();
        let at = written.partition_point(|span| span.end() <= start);
        written.get(at).is_none_or(|span| start < span.start())
    };
    let mut moved: Vec<(BulletRef<'_>, usize)> = Vec::new();
    let mut told: HashSet<ListKey<'_>> = HashSet::new();
    for (span, written) in removed {
        let old: HashSet<ListKey<'_>> = lists_at(doc, span).collect();
        let was_in_sequence = !old.is_empty() && old.iter().all(|key| before.misplaced(key).is_empty());
        let is_replaced = doc.bullets_within(span).any(|bullet| number_of(bullet).is_some());
        let lists: HashSet<ListKey<'_>> = lists_at(&new, written).filter(|_| was_in_sequence).collect();
        for key in lists.difference(&told).copied().collect::<Vec<_>>() {
            told.insert(key);
            if is_replaced || after.bullets(&key).iter().any(|(bullet, _)| stays(*bullet)) {
                moved.extend(after.misplaced(&key));
            }
        }
    }
    moved.sort_unstable();
    moved.dedup();
    let lines: Vec<usize> = moved.iter().map(|(bullet, _)| bullet.line_number()).collect();
    (!lines.is_empty())
        .then(|| Warning::Numbering { lines, patch: if moved.len() <= MOST { repaired(&new, &moved) } else { None } })
}

/// Returns the ordered lists that a splice touches: of bullets that begin inside it, or on the lines right before and behind.
fn lists_at(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = ListKey<'_>> {
    let table = doc.lines();
    let first = table.start(table.index_at(span.start().saturating_sub(1)));
    let last = table.start(table.index_at(span.end()) + 1);
    doc.bullets_within(Span::new(first, last)).filter(|bullet| number_of(*bullet).is_some()).map(key_of)
}

fn key_of(bullet: BulletRef<'_>) -> ListKey<'_> {
    (bullet.parent(), bullet.section(), bullet.block())
}

fn number_of(bullet: BulletRef<'_>) -> Option<usize> {
    Some(bullet.marker()).filter(|marker| is_ordered(marker))?.trim_end_matches(['.', ')']).parse().ok()
}

/// The ordered lists of a document, with the numbers of their bullets.
struct Lists<'a>(HashMap<ListKey<'a>, Vec<(BulletRef<'a>, usize)>>);

impl<'a> Lists<'a> {
    fn of(doc: &'a MemoryDoc) -> Self {
        let mut lists: HashMap<_, Vec<_>> = HashMap::new();
        for bullet in doc.bullets() {
            if let Some(number) = number_of(bullet) {
                lists.entry(key_of(bullet)).or_default().push((bullet, number));
            }
        }
        Self(lists)
    }

    fn bullets(&self, key: &ListKey<'a>) -> &[(BulletRef<'a>, usize)] {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns the bullets of a list whose numbers do not go on from the one before, nor begin with 0 or 1, each with the number
    /// that would. A list of one number throughout leaves the counting to its reader.
    fn misplaced(&self, key: &ListKey<'a>) -> Vec<(BulletRef<'a>, usize)> {
        let list = self.bullets(key);
        let first = list.first().map_or(1, |(_, number)| *number);
        let mut next = if first == 0 { 0 } else { 1 };
        let is_constant = first <= 1 && list.iter().all(|(_, number)| *number == first);
        let mut misplaced = Vec::new();
        for (bullet, number) in list.iter().filter(|_| !is_constant) {
            // A list may begin anew behind a paragraph.
            let restarts = *number <= 1 && misplaced.is_empty();
            if *number != next && !restarts {
                misplaced.push((*bullet, next));
            } else if restarts {
                next = *number;
            }
            next += 1;
        }
        misplaced
    }
}

/// Returns the patch that gives these bullets their numbers.
fn repaired(doc: &MemoryDoc, moved: &[(BulletRef<'_>, usize)]) -> Option<String> {
    let mut text = String::with_capacity(doc.text().len());
    let mut read = 0;
    for (bullet, number) in moved {
        let marker = bullet.marker;
        let delimiter = marker.of(doc.text()).chars().next_back()?;
        text.push_str(Span::new(read, marker.start()).of(doc.text()));
        text.push_str(&format!("{number}{delimiter}"));
        read = marker.end();
    }
    text.push_str(Span::new(read, doc.text().len()).of(doc.text()));
    between(doc.text(), &text).ok().filter(|patch| patch.chars().count() <= OFFERED)
}
