//! Numbers of ordered lists that a patch puts out of sequence: they are written as they were sent, and told of.

use std::collections::{HashMap, HashSet};

use super::{DocumentPatch, Hunk, HunkLine, LineOp, Patch, PatchPart, plan};
use crate::document::{BlockId, BulletId, MemoryDoc, SectionId};
use crate::edit::{Edit, Warning};
use crate::locate::is_ordered;
use crate::text::{Lines, Span};

/// The longest patch that is offered to put numbers right, in characters.
const OFFERED: usize = 500;
/// How many lines it changes at most.
const MOST: usize = 40;
/// How many lines before the first one are shown, where the lines that change do not tell the place.
const CONTEXT: usize = 3;

/// The bullets of one list: same parent, same section, same block.
type ListKey = (Option<BulletId>, Option<SectionId>, Option<BlockId>);

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
    let stays = |id: BulletId| {
        let start = new.outline().bullet(id).map_or(0, |bullet| bullet.line.start());
        let at = written.partition_point(|span| span.end() <= start);
        written.get(at).is_none_or(|span| start < span.start())
    };
    let mut moved: Vec<(BulletId, usize)> = Vec::new();
    let mut told: HashSet<ListKey> = HashSet::new();
    for (span, written) in removed {
        let old: HashSet<ListKey> = lists_at(doc, span).collect();
        let was_in_sequence = !old.is_empty() && old.iter().all(|key| before.misplaced(key).is_empty());
        let is_replaced = doc.outline().bullets_within(span).any(|id| number_of(doc, id).is_some());
        let lists: HashSet<ListKey> = lists_at(&new, written).filter(|_| was_in_sequence).collect();
        for key in lists.difference(&told).copied().collect::<Vec<_>>() {
            told.insert(key);
            if is_replaced || after.bullets(&key).iter().any(|(id, _)| stays(*id)) {
                moved.extend(after.misplaced(&key));
            }
        }
    }
    moved.sort_unstable();
    moved.dedup();
    let lines: Vec<usize> = moved.iter().filter_map(|(id, _)| line_of(&new, *id)).collect();
    (!lines.is_empty()).then(|| Warning::Numbering {
        lines,
        patch: if moved.len() <= MOST { repaired(&new, &moved).map(Into::into) } else { None },
    })
}

fn line_of(doc: &MemoryDoc, id: BulletId) -> Option<usize> {
    doc.outline().bullet(id).map(|bullet| doc.line_number(bullet.line.start()))
}

/// Returns the ordered lists that a splice touches: of bullets that begin inside it, or on the lines right before and behind.
fn lists_at(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = ListKey> + '_ {
    let table = doc.lines();
    let first = table.start(table.index_at(span.start().saturating_sub(1)));
    let last = table.start(table.index_at(span.end()) + 1);
    let around = doc.outline().bullets_within(Span::new(first, last));
    around.filter(|id| number_of(doc, *id).is_some()).filter_map(|id| key_of(doc, id))
}

fn key_of(doc: &MemoryDoc, id: BulletId) -> Option<ListKey> {
    doc.outline().bullet(id).map(|bullet| (bullet.parent, bullet.section, bullet.block))
}

fn number_of(doc: &MemoryDoc, id: BulletId) -> Option<usize> {
    let marker = doc.outline().bullet(id)?.marker.of(doc.text());
    Some(marker).filter(|marker| is_ordered(marker))?.trim_end_matches(['.', ')']).parse().ok()
}

/// The ordered lists of a document, with the numbers of their bullets.
struct Lists(HashMap<ListKey, Vec<(BulletId, usize)>>);

impl Lists {
    fn of(doc: &MemoryDoc) -> Self {
        let mut lists: HashMap<_, Vec<_>> = HashMap::new();
        for id in doc.outline().bullets_within(doc.span()) {
            if let (Some(key), Some(number)) = (key_of(doc, id), number_of(doc, id)) {
                lists.entry(key).or_default().push((id, number));
            }
        }
        Self(lists)
    }

    fn bullets(&self, key: &ListKey) -> &[(BulletId, usize)] {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns the bullets of a list whose numbers do not go on from the one before, nor begin with 0 or 1, each with the number
    /// that would. A list of one number throughout leaves the counting to its reader.
    fn misplaced(&self, key: &ListKey) -> Vec<(BulletId, usize)> {
        let list = self.bullets(key);
        let first = list.first().map_or(1, |(_, number)| *number);
        let mut next = if first == 0 { 0 } else { 1 };
        let is_constant = first <= 1 && list.iter().all(|(_, number)| *number == first);
        let mut misplaced = Vec::new();
        for (id, number) in list.iter().filter(|_| !is_constant) {
            // A list may begin anew behind a paragraph.
            let restarts = *number <= 1 && misplaced.is_empty();
            if *number != next && !restarts {
                misplaced.push((*id, next));
            } else if restarts {
                next = *number;
            }
            next += 1;
        }
        misplaced
    }
}

/// Returns the patch that gives these bullets their numbers.
fn repaired(doc: &MemoryDoc, moved: &[(BulletId, usize)]) -> Option<String> {
    let mut text = String::with_capacity(doc.text().len());
    let mut read = 0;
    for (id, number) in moved {
        let marker = doc.outline().bullet(*id)?.marker;
        let delimiter = marker.of(doc.text()).chars().next_back()?;
        text.push_str(Span::new(read, marker.start()).of(doc.text()));
        text.push_str(&format!("{number}{delimiter}"));
        read = marker.end();
    }
    text.push_str(Span::new(read, doc.text().len()).of(doc.text()));
    let lines = Lines::of(doc.text()).zip(Lines::of(&text));
    let pairs: Vec<Pair<'_>> = lines.map(|(old, new)| (old.text.of(doc.text()), new.text.of(&text))).collect();
    let is_changed = |(old, new): &Pair<'_>| old != new;
    let apart =
        pairs.chunk_by(|a, b| is_changed(a) == is_changed(b)).filter(|run| run.iter().all(is_changed)).collect();
    let first = pairs.iter().position(is_changed)?.saturating_sub(CONTEXT);
    let together = pairs.get(first..=pairs.iter().rposition(is_changed)?)?;
    [apart, vec![together]].into_iter().map(patch_of).find_map(|patch| {
        let reached = plan::plan(patch.documents.first()?, doc).ok()?.apply_to(doc.text());
        Some(patch.to_string()).filter(|patch| reached == text && patch.chars().count() <= OFFERED)
    })
}

/// A line as it is, and as it is to be.
type Pair<'a> = (&'a str, &'a str);

/// Returns the patch with a hunk for each of these runs of lines.
fn patch_of(runs: Vec<&[Pair<'_>]>) -> Patch {
    let line = |op, text: &str| HunkLine { op, text: text.into() };
    let hunk = |run: &[Pair<'_>]| {
        let lines = run.iter().flat_map(|(old, new)| match old == new {
            true => vec![line(LineOp::Context, old)],
            false => vec![line(LineOp::Delete, old), line(LineOp::Add, new)],
        });
        PatchPart::Hunk(Hunk { lines: lines.collect(), ..Hunk::default() })
    };
    let parts = runs.into_iter().map(hunk).collect();
    Patch { documents: vec![DocumentPatch { parts, ..DocumentPatch::default() }], healed: Vec::new() }
}
