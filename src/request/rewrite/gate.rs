//! The gate: what a text must keep to be accepted in the place of another. It compares bullets, not counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::clauses::folded;
use super::kept::{Kept, Terms};
use super::loss::check_loss;
use super::omission::placeholder;
use super::rejection::{LostLine, Rejection};
use super::sayings::free_bullets;
use super::unmoved::Unmoved;
use crate::document::{BlockRef, BulletRef, MemoryDoc};
use crate::edit::{Draft, compose::Lists, guard};
use crate::text::{Content, Lines, Span, Tally, Timestamp, fold_name, is_blank, sort_by_key};

/// Returns the first reason not to accept a text: reserved sections, pinned bullets, IDs and slots, required sections,
/// placeholders, characters, loss and budget are looked at in this order.
pub(super) fn check(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let doc = draft.old;
    guard::check_reserved(draft)?;
    let unmoved = Unmoved::of(draft);
    check_pinned(draft, &unmoved, terms)?;
    check_names(doc, &draft.new)?;
    guard::check_ids(draft)?;
    check_slots(doc, &draft.new)?;
    guard::check_required(draft)?;
    check_omissions(draft)?;
    guard::check_text(draft)?;
    check_loss(draft, &unmoved, terms)?;
    match terms.budget.exceeded_by(&draft.new, terms.scope_in(doc, &draft.new)) {
        Some(excess) => Err(Rejection::OverBudget(excess)),
        None => Ok(()),
    }
}

/// What a protected bullet says, verbatim, and what those say that it is nested in.
type Standing = (String, Vec<Above>);

/// What a bullet says that others are nested in, as a number, and its ties to them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Above {
    said: usize,
    /// A pinned one pins what is nested in it.
    is_pinned: bool,
    /// One that has expired may go.
    stays: bool,
}

/// Tells how bullets stand, in terms of what a new text says.
struct Standings<'a> {
    now: Timestamp,
    /// Numbers for what its bullets say.
    numbers: HashMap<String, usize>,
    /// What of that the bullets say that others are nested in.
    above: HashMap<BulletRef<'a>, Option<Above>>,
}

impl<'a> Standings<'a> {
    fn within(new: &'a MemoryDoc, now: Timestamp) -> Self {
        let mut numbers = HashMap::new();
        for bullet in free_bullets(new) {
            let next = numbers.len();
            numbers.entry(folded(&bullet.content())).or_insert(next);
        }
        Self { now, numbers, above: HashMap::new() }
    }

    /// Returns how a bullet stands; `None` if the new text lacks what it has to stay below. What has expired may go, and leaves the
    /// bullets nested in it where it stood: then no bullet says it any more.
    fn of(&mut self, bullet: BulletRef<'a>) -> Option<Standing> {
        let mut standing = Vec::new();
        for parent in bullet.ancestors().skip(1) {
            match self.above(parent) {
                Some(above) => standing.push(above),
                None if self.stays(parent) => return None,
                None => {}
            }
        }
        Some((bullet.wording(), standing))
    }

    fn above(&mut self, parent: BulletRef<'a>) -> Option<Above> {
        if let Some(known) = self.above.get(&parent) {
            return *known;
        }
        let said = self.numbers.get(&folded(&parent.content())).copied();
        let above = said.map(|said| Above { said, is_pinned: parent.is_pinned(), stays: self.stays(parent) });
        self.above.insert(parent, above);
        above
    }

    fn stays(&self, parent: BulletRef<'_>) -> bool {
        parent.is_pinned_with_parents() || !parent.is_expired(self.now)
    }
}

/// Returns the ID of the block that a bullet stands in.
fn block_of(bullet: BulletRef<'_>) -> Option<&str> {
    bullet.block().map(BlockRef::id)
}

/// Refuses a text in which a protected bullet is not there, verbatim and below the same parents, or another line that must stay
/// is not; or in which more is pinned than was.
fn check_pinned(draft: &Draft<'_>, unmoved: &Unmoved<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let (old, new) = (draft.old, &draft.new);
    let mut protected = free_bullets(old).filter(|bullet| terms.protects(*bullet));
    let mut lost = match protected.all(|bullet| unmoved.holds_in_place(bullet)) {
        true => Vec::new(),
        false => lost_bullets(old, new, terms),
    };
    lost.extend(lost_lines(new, terms.kept));
    sort_by_key(&mut lost, |lost| lost.line);
    lost.dedup();
    if lost.is_empty() { check_pins(draft, unmoved) } else { Err(Rejection::PinnedLost { lost }) }
}

/// Returns the protected bullets that are not there, verbatim and below the same parents.
fn lost_bullets(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Vec<LostLine> {
    let blocks: HashSet<&str> = new.blocks().map(BlockRef::id).collect();
    let mut standings = Standings::within(new, terms.now);
    // How often each stands there, by its block.
    let mut there: HashMap<Standing, BTreeMap<Option<&str>, usize>> = HashMap::new();
    for bullet in free_bullets(new) {
        if let Some(standing) = standings.of(bullet) {
            *there.entry(standing).or_default().entry(block_of(bullet)).or_default() += 1;
        }
    }
    let mut lost: Vec<LostLine> = Vec::new();
    let lists = Lists::new(old);
    let with_number = |number: &str, bullet: BulletRef<'_>| [number, &bullet.wording()].join(" ");
    let mut numbered: Tally<String> = free_bullets(new).map(|bullet| with_number(bullet.marker(), bullet)).collect();
    let protected = free_bullets(old).filter(|bullet| terms.protects(*bullet));
    // First those that must stay in their block: one that is missed is missed by itself.
    let stays_in_block = |bullet: &BulletRef<'_>| block_of(*bullet).is_some_and(|block| blocks.contains(block));
    let (bound, free): (Vec<_>, Vec<_>) = protected.partition(stays_in_block);
    for bullet in bound.into_iter().chain(free) {
        if let Some(number) = lists.said_number(bullet)
            && !numbered.take(&with_number(number, bullet))
        {
            lost.push(LostLine { text: with_number(number, bullet).into(), ..LostLine::bullet(bullet) });
            continue;
        }
        let standing = standings.of(bullet);
        let found = standing.and_then(|standing| there.get_mut(&standing)).and_then(|places| {
            let place = if stays_in_block(&bullet) { block_of(bullet) } else { *places.keys().next()? };
            places.get_mut(&place).map(|count| *count -= 1)?;
            places.retain(|_, count| *count > 0);
            Some(())
        });
        if found.is_none() {
            let block = block_of(bullet).filter(|_| stays_in_block(&bullet)).map(Content::from);
            lost.push(LostLine { block, ..LostLine::below(bullet, bullet.parent()) });
        }
    }
    lost
}

/// Refuses a text that pins what was not pinned: only who writes a bullet may pin it.
fn check_pins(draft: &Draft<'_>, unmoved: &Unmoved<'_>) -> Result<(), Rejection> {
    let (old, new) = (draft.old, &draft.new);
    let pinned = |doc| free_bullets(doc).filter(|bullet| bullet.is_pinned());
    if pinned(old).filter(|bullet| unmoved.holds(*bullet)).count() == pinned(new).count() {
        return Ok(());
    }
    let mut known: Tally<String> = pinned(old).map(BulletRef::wording).collect();
    match pinned(new).find(|bullet| !known.take(&bullet.wording())).map(LostLine::bullet) {
        Some(LostLine { line, text, .. }) => Err(Rejection::PinAdded { line, text }),
        None => Ok(()),
    }
}

/// Returns the lines that must stay and that the new text lacks; those of bullets are told with the bullets.
fn lost_lines(new: &MemoryDoc, kept: &Kept) -> Vec<LostLine> {
    if kept.lines.is_empty() {
        return Vec::new();
    }
    let mut there: Tally<&str> = Lines::of(new.text()).map(|line| line.text.of(new.text())).collect();
    let lost = kept.in_order().into_iter().filter(|(_, text)| !there.take(text));
    lost.map(|(line, text)| LostLine { line, text: text.trim().into(), under: None, block: None }).collect()
}

/// Refuses a text that lacks the ID of a block with its title, or a line of the front matter. How a slot's line is spaced is free.
fn check_names(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let named = |block: BlockRef<'_>| (block.id().to_owned(), fold_name(block.title()));
    let there: HashSet<_> = new.blocks().map(named).collect();
    let lacking = old.blocks().filter(|block| !there.contains(&named(*block)));
    let mut blocks: Vec<_> = lacking.map(|block| Content::from(block.line.of(old.text()).trim())).collect();
    blocks.dedup();
    let mut there: Tally<_> = front_matter(new).into_iter().collect();
    let slots = front_matter(old).into_iter().filter(|entry| !there.take(entry));
    let slots: Vec<_> = slots.map(|(entry, _)| Content::from(entry)).collect();
    if blocks.is_empty() && slots.is_empty() { Ok(()) } else { Err(Rejection::LostIds { blocks, slots }) }
}

/// Refuses a text in which a slot is there twice that was not.
fn check_slots(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let mut before: Tally<&str> = slots(old).map(|(name, _)| name).collect();
    let mut first: HashMap<&str, usize> = HashMap::new();
    for (name, line) in slots(new) {
        let (is_known, first) = (before.take(name), *first.entry(name).or_insert(line));
        if !is_known && first < line {
            return Err(Rejection::DuplicateSlot { name: name.into(), first, second: line });
        }
    }
    Ok(())
}

/// Iterates over the slots, each with its name and the number of its line.
fn slots(doc: &MemoryDoc) -> impl Iterator<Item = (&str, usize)> {
    doc.outline().slots().iter().map(|slot| (slot.name.of(doc.text()), doc.line_number(slot.line.start())))
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
fn check_omissions(draft: &Draft<'_>) -> Result<(), Rejection> {
    let (old, new) = (draft.old, &draft.new);
    // Lines that the edit does not touch stood in both.
    if draft.new_lines().into_iter().all(|lines| placeholders(new, lines).next().is_none()) {
        return Ok(());
    }
    let mut known: Tally<String> = placeholders(old, old.span()).map(|(placeholder, _)| placeholder).collect();
    match placeholders(new, new.span()).find(|(placeholder, _)| !known.take(placeholder)) {
        Some((_, line)) => {
            let LostLine { line, text, .. } = LostLine::line(new, line);
            Err(Rejection::Omission { line, text })
        }
        None => Ok(()),
    }
}

/// Iterates over the placeholders of the lines under `span`, each with its line.
fn placeholders(doc: &MemoryDoc, span: Span) -> impl Iterator<Item = (String, Span)> + '_ {
    Lines::within(doc.text(), span).filter_map(|line| Some((placeholder(line.text.of(doc.text()))?, line.text)))
}
