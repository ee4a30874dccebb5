//! The gate: what a text must keep to be accepted in the place of another (SPEC § 12.2). It compares bullets, not counts.

use std::collections::{HashMap, HashSet};

use super::budget::Budget;
use super::kept::Kept;
use super::omission::Placeholders;
use super::rejection::{Lost, Rejection};
use super::sayings::{Sayings, free_bullets};
use crate::document::{BulletId, MemoryDoc, share_of};
use crate::edit::{Draft, Edit, guard};
use crate::text::{Lines, Span, Timestamp, is_blank};

/// What the gate is told besides the two texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms<'a> {
    /// What is rewritten; the rest of the document is left alone.
    pub(super) scope: Span,
    pub(super) budget: Budget,
    /// What counts as pinned.
    pub(super) kept: &'a Kept,
    pub(super) now: Timestamp,
}

/// Returns the document that `edit` makes of `doc`, or the first reason not to accept it, in the order of SPEC § 12.2.
pub(super) fn check(doc: &MemoryDoc, edit: &Edit, terms: &Terms<'_>) -> Result<MemoryDoc, Rejection> {
    let draft = Draft::new(doc, edit);
    guard::check_reserved(&draft)?;
    check_pinned(doc, &draft.new, terms)?;
    check_names(doc, &draft.new)?;
    guard::check_ids(&draft)?;
    check_slots(doc, &draft.new)?;
    guard::check_required(&draft)?;
    check_omissions(doc, &draft.new)?;
    guard::check_text(&draft)?;
    check_loss(doc, &draft.new, terms)?;
    let outside = doc.text().len() - terms.scope.len();
    let scope = Span::new(terms.scope.start(), terms.scope.start() + draft.new.text().len().saturating_sub(outside));
    match terms.budget.exceeded_by(&draft.new, scope) {
        Some((unit, used, budget)) => Err(Rejection::OverBudget { unit, used, budget }),
        None => Ok(draft.new),
    }
}

impl Terms<'_> {
    /// Reports whether a bullet must stay as it is.
    pub(super) fn protects(&self, doc: &MemoryDoc, id: BulletId) -> bool {
        doc.is_pinned(id) || (!self.kept.wordings.is_empty() && self.kept.wordings.contains(&doc.wording(id)))
    }
}

/// Refuses a text in which a protected bullet is not there, verbatim, or another line that must stay is not.
fn check_pinned(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Result<(), Rejection> {
    let mut there: HashMap<String, usize> = HashMap::new();
    for id in free_bullets(new) {
        *there.entry(new.wording(id)).or_default() += 1;
    }
    let mut lost: Vec<Lost> = Vec::new();
    for id in free_bullets(old).filter(|id| terms.protects(old, *id)) {
        match there.get_mut(&old.wording(id)).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => lost.push(Lost::bullet(old, id)),
        }
    }
    lost.extend(moved_out(old, new, terms));
    lost.extend(lost_lines(new, terms.kept));
    lost.sort_by_key(|lost| lost.line);
    lost.dedup();
    if lost.is_empty() { Ok(()) } else { Err(Rejection::PinnedLost { lost }) }
}

/// Returns the bullets just written to a block that another block has got, or none: the call said whom they are about.
fn moved_out(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Vec<Lost> {
    let placed = |doc: &MemoryDoc, id: BulletId| {
        let block = doc.outline().bullet(id).and_then(|bullet| bullet.block);
        block.map(|block| (doc.block_id(block).to_owned(), doc.wording(id)))
    };
    let just_written = |id: &BulletId| terms.kept.wordings.contains(&old.wording(*id));
    if terms.kept.wordings.is_empty() {
        return Vec::new();
    }
    let there: HashSet<_> = free_bullets(new).filter_map(|id| placed(new, id)).collect();
    let is_gone = |id: &BulletId| placed(old, *id).is_some_and(|place| !there.contains(&place));
    free_bullets(old).filter(just_written).filter(is_gone).map(|id| Lost::bullet(old, id)).collect()
}

/// Returns the lines that must stay and that the new text lacks; those of bullets are told with the bullets.
fn lost_lines(new: &MemoryDoc, kept: &Kept) -> Vec<Lost> {
    if kept.lines.is_empty() {
        return Vec::new();
    }
    let mut there: HashMap<&str, usize> = HashMap::new();
    for line in Lines::of(new.text()) {
        *there.entry(line.text.of(new.text())).or_default() += 1;
    }
    let mut lost = kept.in_order();
    lost.retain(|(_, text)| match there.get_mut(text).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
    lost.into_iter().map(|(line, text)| Lost { line, text: text.trim().to_owned() }).collect()
}

/// Refuses a text that lacks the ID of a block, or a line of the front matter. How a slot's line is spaced is free.
fn check_names(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let ids: HashSet<_> = new.outline().block_ids().map(|id| new.block_id(id)).collect();
    let mut blocks: Vec<_> = old.outline().block_ids().map(|id| old.block_id(id).to_owned()).collect();
    blocks.retain(|id| !ids.contains(id.as_str()));
    blocks.dedup();
    let mut there: HashMap<_, usize> = HashMap::new();
    for entry in front_matter(new) {
        *there.entry(entry).or_default() += 1;
    }
    let mut slots = front_matter(old);
    slots.retain(|entry| match there.get_mut(entry).filter(|count| **count > 0) {
        Some(count) => {
            *count -= 1;
            false
        }
        None => true,
    });
    let slots: Vec<_> = slots.into_iter().map(|(entry, _)| entry).collect();
    if blocks.is_empty() && slots.is_empty() { Ok(()) } else { Err(Rejection::LostIds { blocks, slots }) }
}

/// Refuses a text in which a slot is there twice that was not.
fn check_slots(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let (before, mut there) = (slots_by_name(old), HashMap::new());
    for slot in new.outline().slots() {
        let name = slot.name.of(new.text());
        let lines: &mut Vec<usize> = there.entry(name).or_default();
        lines.push(new.line_number(slot.line.start()));
        if let [first, .., second] = *lines.as_slice()
            && lines.len() > before.get(name).copied().unwrap_or(0)
        {
            return Err(Rejection::DuplicateSlot { name: name.to_owned(), first, second });
        }
    }
    Ok(())
}

fn slots_by_name(doc: &MemoryDoc) -> HashMap<&str, usize> {
    let mut count = HashMap::new();
    for slot in doc.outline().slots() {
        *count.entry(slot.name.of(doc.text())).or_default() += 1;
    }
    count
}

/// Returns the lines of the front matter, slots as `name: value`, and of each whether it is a slot: one with a line nested below
/// it is none.
fn front_matter(doc: &MemoryDoc) -> Vec<(String, bool)> {
    let Some(span) = doc.outline().front_matter() else { return Vec::new() };
    let text = doc.text();
    let mut slots = doc.outline().slots().iter().peekable();
    let mut entries = Vec::new();
    for line in Lines::within(text, span) {
        match slots.next_if(|slot| slot.line.start() == line.full.start()) {
            Some(slot) => entries.push((format!("{}: {}", slot.name.of(text), slot.value.of(text)), true)),
            None if is_blank(line.text.of(text)) => {}
            None => entries.push((line.text.of(text).trim_end().to_owned(), false)),
        }
    }
    // The lines around it are not part of it.
    let inner = entries.len().saturating_sub(1);
    entries.truncate(inner);
    entries.drain(..entries.len().min(1));
    entries
}

/// Refuses a text with a placeholder that the old one did not have, whatever stands around it.
fn check_omissions(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let words = Placeholders::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for (placeholder, _) in placeholders(&words, old) {
        *known.entry(placeholder).or_default() += 1;
    }
    for (placeholder, line) in placeholders(&words, new) {
        match known.get_mut(&placeholder).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => {
                let Lost { line, text } = Lost::line(new, line);
                return Err(Rejection::Omission { line, text });
            }
        }
    }
    Ok(())
}

/// Iterates over the placeholders of a text, each with its line.
fn placeholders<'a>(words: &'a Placeholders, doc: &'a MemoryDoc) -> impl Iterator<Item = (String, Span)> + 'a {
    Lines::of(doc.text()).filter_map(|line| Some((words.first_in(line.text.of(doc.text()))?, line.text)))
}

/// Refuses a text in which too many of the bullets of what is rewritten that are neither protected nor expired are no longer
/// said. Counted in the whole document, a small section could lose them all.
fn check_loss(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Result<(), Rejection> {
    let sayings = Sayings::of(new);
    let mut of = 0;
    let mut gone: Vec<BulletId> = Vec::new();
    let is_rewritten =
        |id: &BulletId| old.outline().bullet(*id).is_some_and(|bullet| terms.scope.contains(bullet.line.start()));
    for id in free_bullets(old).filter(is_rewritten) {
        let is_counted =
            !terms.protects(old, id) && !old.is_expired(id, terms.now) && !old.content(id).trim().is_empty();
        if is_counted {
            of += 1;
            if sayings.saying(old, id).is_none() {
                gone.push(id);
            }
        }
    }
    let allowed = share_of(of, old.policy().max_loss);
    match gone.len() <= allowed {
        true => Ok(()),
        false => {
            let lost = gone.iter().map(|id| Lost::bullet(old, *id)).collect();
            Err(Rejection::LossTooHigh { of, allowed, lost })
        }
    }
}
