//! The gate: what a text must keep to be accepted in the place of another. It compares bullets, not counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::budget::Budget;
use super::clauses::folded;
use super::kept::Kept;
use super::omission::placeholder;
use super::rejection::{LossUnit, LostLine, Rejection};
use super::sayings::{Sayings, free_bullets};
use crate::document::{BlockRef, BulletRef, MemoryDoc, share_of};
use crate::edit::{Draft, Edit, guard};
use crate::text::{Content, Lines, Span, Tally, Timestamp, fold_name, is_blank};

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

/// Returns the document that `edit` makes of `doc`, or the first reason not to accept it: reserved sections, pinned bullets, IDs
/// and slots, required sections, placeholders, characters, loss and budget are looked at in this order.
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
        Some(excess) => Err(Rejection::OverBudget(excess)),
        None => Ok(draft.new),
    }
}

impl Terms<'_> {
    /// Reports whether a bullet must stay as it is: one that is pinned, or nested in one, or just written.
    pub(super) fn protects(&self, bullet: BulletRef<'_>) -> bool {
        bullet.ancestors().any(BulletRef::is_pinned)
            || (!self.kept.wordings.is_empty() && self.kept.wordings.contains(bullet.wording().as_str()))
    }
}

/// What a protected bullet says, verbatim, and what those say that it is nested in, each as a number.
type Standing = (String, Vec<usize>);

/// Tells how bullets of two texts stand.
struct Standings<'a> {
    now: Timestamp,
    /// Numbers for what is said, and what each bullet says that others are nested in; `None` if it may go.
    numbers: HashMap<String, usize>,
    said: HashMap<BulletRef<'a>, Option<usize>>,
}

impl<'a> Standings<'a> {
    fn at(now: Timestamp) -> Self {
        Self { now, numbers: HashMap::new(), said: HashMap::new() }
    }

    /// Returns how a bullet stands. What has expired may go, and leaves the bullets nested in it where it stood.
    fn of(&mut self, bullet: BulletRef<'a>) -> Standing {
        (bullet.wording(), bullet.ancestors().skip(1).filter_map(|above| self.number(above)).collect())
    }

    fn number(&mut self, above: BulletRef<'a>) -> Option<usize> {
        let Self { now, numbers, said } = self;
        *said.entry(above).or_insert_with(|| {
            let next = numbers.len();
            let stays = above.is_pinned() || !above.is_expired(*now);
            stays.then(|| *numbers.entry(folded(&above.content())).or_insert(next))
        })
    }
}

/// Returns the ID of the block that a bullet stands in.
fn block_of(bullet: BulletRef<'_>) -> Option<&str> {
    bullet.block().map(BlockRef::id)
}

/// Refuses a text in which a protected bullet is not there, verbatim and below the same parents, or another line that must stay
/// is not; or in which more is pinned than was.
fn check_pinned(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Result<(), Rejection> {
    let blocks: HashSet<&str> = new.blocks().map(BlockRef::id).collect();
    let mut standings = Standings::at(terms.now);
    // How often each stands there, by its block.
    let mut there: HashMap<Standing, BTreeMap<Option<&str>, usize>> = HashMap::new();
    for bullet in free_bullets(new) {
        *there.entry(standings.of(bullet)).or_default().entry(block_of(bullet)).or_default() += 1;
    }
    let mut lost: Vec<LostLine> = Vec::new();
    let protected = free_bullets(old).filter(|bullet| terms.protects(*bullet));
    // First those that must stay in their block: one that is missed is missed by itself.
    let stays_in_block = |bullet: &BulletRef<'_>| block_of(*bullet).is_some_and(|block| blocks.contains(block));
    let (bound, free): (Vec<_>, Vec<_>) = protected.partition(stays_in_block);
    for bullet in bound.into_iter().chain(free) {
        let places = there.entry(standings.of(bullet)).or_default();
        let place = if stays_in_block(&bullet) { Some(block_of(bullet)) } else { places.keys().next().copied() };
        match place.and_then(|place| places.get_mut(&place).map(|count| (place, count))) {
            Some((place, 1)) => drop(places.remove(&place)),
            Some((_, count)) => *count -= 1,
            None => lost.push(LostLine::bullet(bullet)),
        }
    }
    lost.extend(lost_lines(new, terms.kept));
    lost.sort_by_key(|lost| lost.line);
    lost.dedup();
    if lost.is_empty() { check_pins(old, new) } else { Err(Rejection::PinnedLost { lost }) }
}

/// Refuses a text that pins what was not pinned: only who writes a bullet may pin it.
fn check_pins(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let pinned = |doc| free_bullets(doc).filter(|bullet| bullet.is_pinned());
    let mut known: Tally<String> = pinned(old).map(BulletRef::wording).collect();
    match pinned(new).find(|bullet| !known.take(&bullet.wording())).map(LostLine::bullet) {
        Some(LostLine { line, text }) => Err(Rejection::PinAdded { line, text }),
        None => Ok(()),
    }
}

/// Returns the lines that must stay and that the new text lacks; those of bullets are told with the bullets.
fn lost_lines(new: &MemoryDoc, kept: &Kept) -> Vec<LostLine> {
    let mut there: Tally<&str> = Lines::of(new.text()).map(|line| line.text.of(new.text())).collect();
    let lost = kept.in_order().into_iter().filter(|(_, text)| !there.take(text));
    lost.map(|(line, text)| LostLine { line, text: text.trim().into() }).collect()
}

/// Refuses a text that lacks the ID of a block with its title, or a line of the front matter. How a slot's line is spaced is free.
fn check_names(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let named = |block: BlockRef<'_>| (block.id().to_owned(), fold_name(block.title()));
    let there: HashSet<_> = new.blocks().map(named).collect();
    let lacking = old.blocks().filter(|block| !there.contains(&named(*block)));
    let mut blocks: Vec<_> = lacking.map(|block| Content::from(block.id())).collect();
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
fn check_omissions(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let mut known: Tally<String> = placeholders(old).map(|(placeholder, _)| placeholder).collect();
    match placeholders(new).find(|(placeholder, _)| !known.take(placeholder)) {
        Some((_, line)) => {
            let LostLine { line, text } = LostLine::line(new, line);
            Err(Rejection::Omission { line, text })
        }
        None => Ok(()),
    }
}

/// Iterates over the placeholders of a text, each with its line.
fn placeholders(doc: &MemoryDoc) -> impl Iterator<Item = (String, Span)> + '_ {
    Lines::of(doc.text()).filter_map(|line| Some((placeholder(line.text.of(doc.text()))?, line.text)))
}

/// What of a text may go, and what of it is gone.
#[derive(Default)]
struct Loss {
    bullets: usize,
    bytes: usize,
    gone_bytes: usize,
    gone: Vec<LostLine>,
    gone_lines: Vec<LostLine>,
}

impl Loss {
    /// Counts the bullets of what is rewritten that are neither protected nor expired, and the other lines that say something.
    fn of(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Self {
        let (mut loss, sayings) = (Self::default(), Sayings::of(new));
        let is_rewritten = |start: usize| terms.scope.contains(start);
        for bullet in free_bullets(old).filter(|bullet| is_rewritten(bullet.line.start())) {
            let content = bullet.content();
            if terms.protects(bullet) || bullet.is_expired(terms.now) || content.trim().is_empty() {
                continue;
            }
            loss.bullets += 1;
            loss.bytes += content.trim().len();
            if sayings.saying(bullet).is_none() {
                loss.gone_bytes += content.trim().len();
                loss.gone.push(LostLine::bullet(bullet));
            }
        }
        let mut there: Tally<&str> = prose(new).map(|line| line.of(new.text()).trim()).collect();
        for line in prose(old).filter(|line| is_rewritten(line.start())) {
            let text = line.of(old.text()).trim();
            loss.bytes += text.len();
            if !there.take(text) {
                loss.gone_bytes += text.len();
                loss.gone_lines.push(LostLine::line(old, line));
            }
        }
        loss
    }
}

/// Iterates over the lines of prose and code: those outside reserved sections and the front matter that are neither blank nor
/// heading nor the header of a block, and belong to no bullet.
fn prose(doc: &MemoryDoc) -> impl Iterator<Item = Span> + '_ {
    let (outline, text) = (doc.outline(), doc.text());
    let body = Span::new(outline.body_start().min(text.len()), text.len());
    let is_header = |line: Span| {
        let starts = |own: Span| own.start() == line.start();
        let (section, block) = (doc.section_at(line.start()), doc.block_at(line.start()));
        section.is_some_and(|section| starts(section.line)) || block.is_some_and(|block| starts(block.line))
    };
    let lines = Lines::within(text, body).map(|line| line.text).filter(|line| !is_blank(line.of(text)));
    lines.filter(move |line| {
        doc.bullet_at(line.start()).is_none() && !is_header(*line) && doc.reserved_section_at(line.start()).is_none()
    })
}

/// Refuses a text in which too much of what is rewritten is no longer said: of its bullets, or of the bytes of all its text.
/// Counted in the whole document, a small section could lose them all.
fn check_loss(old: &MemoryDoc, new: &MemoryDoc, terms: &Terms<'_>) -> Result<(), Rejection> {
    let loss = Loss::of(old, new, terms);
    let max_loss = old.policy().max_loss;
    let (allowed, allowed_bytes) = (share_of(loss.bullets, max_loss), share_of(loss.bytes, max_loss));
    if loss.gone.len() > allowed {
        return Err(Rejection::LossTooHigh {
            unit: LossUnit::Bullets,
            of: loss.bullets,
            gone: loss.gone.len(),
            allowed,
            lost: loss.gone,
        });
    }
    if loss.gone_bytes > allowed_bytes {
        let (unit, of, gone) = (LossUnit::Bytes, loss.bytes, loss.gone_bytes);
        let lost = [loss.gone_lines, loss.gone].concat();
        return Err(Rejection::LossTooHigh { unit, of, gone, allowed: allowed_bytes, lost });
    }
    Ok(())
}
