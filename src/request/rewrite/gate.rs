//! The gate: checks whether a new text may replace an old one. A refusal names the lines that the new text lacks, so that
//! its author can put them back.

use std::borrow::Cow;
use std::collections::HashSet;

use super::entries::folded_content;
use super::ledger::{Account, BulletOutcome, Ledger};
use super::placeholder::placeholder;
use super::rejection::{LostLine, NAMED, Rejection, named, plural, quoted};
use super::terms::{PinnedLines, Terms};
use crate::document::{Block, BlockRef, BulletRef, Excess, MemoryDoc, Section, SectionRef, is_key_line, share_of};
use crate::edit::{Draft, LineMap, compose::Lists, guard};
use crate::locate::{Code, Names};
use crate::text::{Line, Span, Tally, excerpt, fold_name, is_blank, visible};

/// Returns the first reason not to accept a text. The checks are made in this order: reserved sections, pinned bullets, IDs
/// and slots, required sections, placeholders, characters, a preface, loss, budget.
pub(super) fn check(draft: &Draft<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let (doc, new) = (draft.old, &draft.new);
    guard::check_reserved(draft)?;
    let ledger = Ledger::of(doc, new, terms.now);
    check_pinned(draft, &ledger, terms)?;
    check_names(doc, new)?;
    guard::check_ids(draft)?;
    check_slots(doc, new)?;
    guard::check_required(draft)?;
    let written = LineMap::of(draft).rewrites.into_iter().map(|rewrite| new.lines().span(&rewrite.lines.new));
    check_omissions(doc, new, written)?;
    guard::check_text(draft)?;
    check_preface(doc, new, &ledger)?;
    ledger.check_loss(terms)?;
    let excess = terms.budget.exceeded_by(new, terms.scope_in(doc, new));
    let Some(Excess { used, limit, unit, .. }) = excess else { return Ok(()) };
    Err(Rejection::unfit(Code::OverBudget, format!("the new text has {used} {unit}, the budget is {limit}")))
}

/// Refuses a text that lacks a protected bullet, verbatim and below the same parents and label, or another line that must
/// stay. Refuses a new bullet that is pinned.
fn check_pinned(draft: &Draft<'_>, ledger: &Ledger<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let lists = Lists::new(draft.old);
    let is_lost = |account: &&Account<'_>| {
        let stays = matches!(account.outcome, BulletOutcome::Kept | BulletOutcome::Moved);
        let is_verbatim = || account.now.is_some_and(|now| now.wording() == account.bullet.wording());
        terms.protects(account.bullet) && !(stays && is_verbatim())
    };
    let lost = ledger.accounts.iter().filter(is_lost).map(|account| account.bullet);
    let mut lost: Vec<LostLine> = lost.map(|bullet| LostLine::pinned(bullet, lists.own_number(bullet))).collect();
    lost.extend(lost_lines(&draft.new, &terms.pinned));
    if !lost.is_empty() {
        lost.sort_by_key(|lost| lost.line);
        return Err(Rejection::PinnedLost { lost });
    }
    let pinned = ledger.added.iter().find(|bullet| bullet.is_pinned_with_parents());
    let Some(bullet) = pinned else { return Ok(()) };
    Err(Rejection::of_line(Code::PinnedLost, &LostLine::bullet(*bullet), "pins what was not pinned"))
}

/// Refuses new prose above the first heading of a document that had headings. Models write such a preface, for example
/// `Here is the new text:`.
fn check_preface(old: &MemoryDoc, new: &MemoryDoc, ledger: &Ledger<'_>) -> Result<(), Rejection> {
    let Some(first) = new.sections().next().filter(|_| old.sections().next().is_some()) else { return Ok(()) };
    let above = Span::new(new.outline().body_start.min(first.line.start()), first.line.start());
    let is_prose = |line: &&Span| {
        let start = line.start();
        above.contains(start) && new.block_at(start).is_none_or(|block| block.line.start() != start)
    };
    let Some(line) = ledger.lines_added.iter().find(is_prose) else { return Ok(()) };
    let what = "is new and stands above the first heading";
    Err(Rejection::of_line(Code::InvalidText, &LostLine::line(new, *line), what))
}

/// Returns the lines outside of bullets that must stay and that the new text lacks.
fn lost_lines(new: &MemoryDoc, pinned: &PinnedLines) -> Vec<LostLine> {
    if pinned.lines.is_empty() {
        return Vec::new();
    }
    let mut there: Tally<&str> = Line::texts(new.text()).collect();
    let lost = pinned.lines.iter().filter(|(_, text)| !there.take(&text.as_str()));
    lost.map(|(line, text)| LostLine { line: *line, text: text.trim().into(), under: None }).collect()
}

/// Refuses a text that lacks the header of a block, with ID and title, or a slot with the lines below it.
fn check_names(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let named = |block: BlockRef<'_>| (block.id().to_owned(), fold_name(block.title()));
    let there: HashSet<_> = new.blocks().map(named).collect();
    let blocks = old.blocks().filter(|block| !there.contains(&named(*block)));
    let blocks = blocks.map(|block| block.line.of(old.text()).trim().to_owned());
    let mut there: Tally<_> = front_matter(new).into_iter().collect();
    let slots = front_matter(old).into_iter().filter(|slot| !there.take(slot));
    let mut lacking: Vec<String> = blocks.chain(slots).collect();
    lacking.dedup();
    if lacking.is_empty() {
        return Ok(());
    }
    let lines: Vec<_> = lacking.iter().take(NAMED).map(|line| quoted(line)).collect();
    let (count, lines) = (lacking.len(), lines.join(", "));
    let message = format!("the new text lacks {count} of the slots, with all below them, and block lines: {lines}");
    Err(Rejection::unfit(Code::LostIds, message))
}

/// Refuses a text that has a slot twice, unless the old text had it twice too.
fn check_slots(old: &MemoryDoc, new: &MemoryDoc) -> Result<(), Rejection> {
    let names = |doc: &MemoryDoc| -> Vec<String> {
        doc.outline().slots.iter().map(|slot| fold_name(slot.name.of(doc.text()))).collect()
    };
    let (mut known, mut seen): (Tally<String>, _) = (names(old).into_iter().collect(), HashSet::new());
    let twice = names(new).into_iter().find(|name| {
        let (is_known, is_first) = (known.take(name), seen.insert(name.clone()));
        !is_known && !is_first
    });
    let Some(name) = twice else { return Ok(()) };
    let message = format!("slot `{}` would stand twice", visible(&excerpt(&name, 80)));
    Err(Rejection::unfit(Code::DuplicateId, message))
}

/// Returns the pieces of the front matter: each key with the lines below it, up to the next key.
fn front_matter(doc: &MemoryDoc) -> Vec<String> {
    let lines = Line::texts_within(doc.text(), doc.outline().front_matter.unwrap_or_default());
    let lines: Vec<_> = lines.map(str::trim_end).filter(|line| !is_blank(line)).collect();
    let [_, inner @ .., _] = lines.as_slice() else { return Vec::new() };
    inner.chunk_by(|_, below| !is_key_line(below)).map(|lines| lines.join("\n")).collect()
}

/// Refuses a text with a placeholder that the old text did not have, on any line. `written` are the spans of the new text
/// that are new.
pub(crate) fn check_omissions(
    old: &MemoryDoc,
    new: &MemoryDoc,
    written: impl IntoIterator<Item = Span>,
) -> Result<(), Rejection> {
    let mut lines = written.into_iter().flat_map(|span| Line::texts_within(new.text(), span));
    if !lines.any(|line| placeholder(line).is_some()) {
        return Ok(());
    }
    let mut known: Tally<String> = placeholders(old).map(|(placeholder, _)| placeholder).collect();
    let found = placeholders(new).find(|(placeholder, _)| !known.take(placeholder));
    let Some((_, line)) = found else { return Ok(()) };
    let what = "is a placeholder for text that is left out";
    Err(Rejection::of_line(Code::OmissionPlaceholder, &LostLine::line(new, line), what))
}

/// Iterates over the placeholders of a document, each with its line.
fn placeholders(doc: &MemoryDoc) -> impl Iterator<Item = (String, Span)> + '_ {
    Line::all(doc.text()).filter_map(|line| Some((placeholder(line.text.of(doc.text()))?, line.text)))
}

impl Ledger<'_> {
    /// Refuses a text that loses too much of the old one, or of the text before the first rewrite of the last 24 hours.
    pub(super) fn check_loss(&self, terms: &Terms<'_>) -> Result<(), Rejection> {
        self.measure(terms.scope, &mut std::iter::empty().collect(), terms)?;
        let Some(earlier) = terms.earlier else { return Ok(()) };
        let since_then = Ledger::of(earlier, self.new, terms.now);
        for scope in terms.section.map_or_else(|| vec![earlier.span()], |own| origins(own, self, earlier)) {
            // A bullet that was moved to another section since then is not lost.
            let mut moved: Tally<Cow<'_, str>> =
                since_then.added.iter().map(|bullet| folded_content(*bullet)).collect();
            since_then.measure(scope, &mut moved, terms)?;
        }
        Ok(())
    }

    /// Refuses a text that loses too much of `scope` in the old text. Two shares are measured: that of the bullets that are not
    /// protected, expired or released, and that of the bytes of these bullets and of prose. Bullets in `moved` are not lost.
    fn measure(&self, scope: Span, moved: &mut Tally<Cow<'_, str>>, terms: &Terms<'_>) -> Result<(), Rejection> {
        let old = self.old;
        let released = terms.released(old);
        let (mut bullets, mut bytes, mut gone_bytes) = (0, 0, 0);
        let (mut gone, mut gone_lines) = (Vec::new(), Vec::new());
        for account in &self.accounts {
            let (bullet, start) = (account.bullet, account.bullet.line.start());
            let is_free = released.iter().any(|span| span.contains(start));
            if !scope.contains(start) || is_free || terms.protects(bullet) || bullet.is_expired(terms.now) {
                continue;
            }
            let length = bullet.content().trim().len();
            bullets += usize::from(length > 0);
            bytes += length;
            if length > 0 && account.outcome == BulletOutcome::Gone && !moved.take(&*folded_content(bullet)) {
                gone_bytes += length;
                gone.push(LostLine::bullet(bullet));
            }
        }
        let lines_gone: HashSet<Span> = self.lines_gone.iter().copied().collect();
        for line in prose(old).filter(|line| scope.contains(line.start())) {
            let length = line.of(old.text()).trim().len();
            bytes += length;
            if lines_gone.contains(&line) {
                gone_bytes += length;
                gone_lines.push(LostLine::line(old, line));
            }
        }
        let is_earlier = terms.earlier.is_some_and(|earlier| std::ptr::eq(earlier, old));
        let since = if is_earlier { " of the text before the first rewrite of the last 24 hours" } else { "" };
        let max_loss = old.policy().max_loss;
        let (allowed, allowed_bytes) = (share_of(bullets, max_loss), share_of(bytes, max_loss));
        let (of, count, allowed, lost) = if gone.len() > allowed {
            (plural(bullets, "unpinned bullet"), gone.len(), allowed, gone)
        } else if gone_bytes > allowed_bytes {
            let of = format!("{} of unpinned text", plural(bytes, "byte"));
            (of, gone_bytes, allowed_bytes, [gone_lines, gone].concat())
        } else {
            return Ok(());
        };
        let message = format!("{count} of {of}{since} would be gone, {allowed} at most may go: {}", named(&lost));
        Err(Rejection::unfit(Code::LossTooHigh, message))
    }
}

/// Returns the extents in an earlier text of a section, and of other sections that had bullets which the section now
/// loses. If there are none, returns the whole text.
fn origins(section: SectionRef<'_>, ledger: &Ledger<'_>, earlier: &MemoryDoc) -> Vec<Span> {
    let gone = ledger.accounts.iter().filter(|account| account.outcome == BulletOutcome::Gone);
    let gone: HashSet<Cow<'_, str>> = gone.map(|account| folded_content(account.bullet)).collect();
    let of_gone = earlier.bullets().filter(|bullet| gone.contains(&*folded_content(*bullet)));
    let around = |bullet: BulletRef<'_>| {
        let around = bullet.section()?.ancestors().take_while(|around| around.level >= section.level).last();
        around.map(|around| around.extent)
    };
    let own = Names::new(earlier).section(&section.path(), earlier.span()).ok().map(|found| found.at.extent);
    let others = of_gone.filter_map(around);
    let mut origins: Vec<Span> = own.into_iter().chain(others).collect();
    origins.sort_unstable_by_key(|span| span.start());
    origins.dedup();
    if origins.is_empty() { vec![earlier.span()] } else { origins }
}

/// Iterates over the lines of prose and code. These are the lines outside of reserved sections, front matter and bullets
/// that are not blank, no heading and no header of a block.
fn prose(doc: &MemoryDoc) -> impl Iterator<Item = Span> + '_ {
    let below = Span::new(doc.outline().body_start, doc.text().len());
    let is_prose = move |line: &Span| {
        let start = line.start();
        !is_blank(line.of(doc.text()))
            && doc.bullet_at(start).is_none()
            && doc.starting_at::<Section>(start).is_none()
            && doc.starting_at::<Block>(start).is_none()
            && doc.reserved_section_at(start).is_none()
    };
    Line::all_within(doc.text(), below).map(|line| line.text).filter(is_prose)
}
