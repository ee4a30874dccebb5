//! How much of what a text says is gone in another.

use super::holders::{Holders, Texts};
use super::kept::Terms;
use super::places::Places;
use super::rejection::{LossUnit, LostLine, Rejection};
use super::sayings::{Sayings, free_bullets};
use super::twins::Twins;
use super::unmoved::Unmoved;
use crate::document::{BulletRef, MemoryDoc, share_of};
use crate::edit::Draft;
use crate::text::{Lines, Span, Tally, is_blank};

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
    /// What is not gone is told by `is_said` and, of those lines, by `is_there`.
    fn of<'d>(
        old: &'d MemoryDoc,
        terms: &Terms<'_>,
        is_said: impl Fn(BulletRef<'d>) -> bool,
        mut is_there: impl FnMut(Span) -> bool,
    ) -> Self {
        let mut loss = Self::default();
        let is_rewritten = |start: usize| terms.scope.contains(start);
        for bullet in free_bullets(old).filter(|bullet| is_rewritten(bullet.line.start())) {
            let content = bullet.content();
            if terms.protects(bullet) || bullet.is_expired(terms.now) || content.trim().is_empty() {
                continue;
            }
            loss.bullets += 1;
            loss.bytes += content.trim().len();
            if !is_said(bullet) {
                loss.gone_bytes += content.trim().len();
                loss.gone.push(LostLine::bullet(bullet));
            }
        }
        for line in prose(old).filter(|line| is_rewritten(line.start())) {
            let length = line.of(old.text()).trim().len();
            loss.bytes += length;
            if !is_there(line) {
                loss.gone_bytes += length;
                loss.gone_lines.push(LostLine::line(old, line));
            }
        }
        loss
    }

    /// Refuses it if more is gone than this share.
    fn check(self, max_loss: f64) -> Result<(), Rejection> {
        let (allowed, allowed_bytes) = (share_of(self.bullets, max_loss), share_of(self.bytes, max_loss));
        if self.gone.len() > allowed {
            let (unit, of, gone) = (LossUnit::Bullets, self.bullets, self.gone.len());
            return Err(Rejection::LossTooHigh { unit, of, gone, allowed, lost: self.gone });
        }
        if self.gone_bytes > allowed_bytes {
            let (unit, of, gone) = (LossUnit::Bytes, self.bytes, self.gone_bytes);
            let lost = [self.gone_lines, self.gone].concat();
            return Err(Rejection::LossTooHigh { unit, of, gone, allowed: allowed_bytes, lost });
        }
        Ok(())
    }
}

/// Iterates over the lines of prose and code: those outside reserved sections and the front matter that are neither blank nor
/// heading nor the header of a block, and belong to no bullet.
fn prose(doc: &MemoryDoc) -> impl Iterator<Item = Span> + '_ {
    let (outline, text) = (doc.outline(), doc.text());
    let is_header = |line: Span| {
        let starts = |own: Span| own.start() == line.start();
        let (section, block) = (doc.section_at(line.start()), doc.block_at(line.start()));
        section.is_some_and(|section| starts(section.line)) || block.is_some_and(|block| starts(block.line))
    };
    let mut bullets = outline.bullets().iter().filter(|bullet| bullet.depth() == 0).peekable();
    let mut next = outline.body_start();
    let lines = std::iter::from_fn(move || {
        // The lines of a bullet are passed over, with those of all that is nested in it.
        while let Some(bullet) = bullets.next_if(|bullet| bullet.extent.start() == next) {
            next = bullet.extent.end();
        }
        let line = Lines::within(text, Span::new(next.min(text.len()), text.len())).next()?;
        next = line.full.end();
        Some(line.text)
    });
    let lines = lines.filter(|line| !is_blank(line.of(text)));
    lines.filter(move |line| !is_header(*line) && doc.reserved_section_at(line.start()).is_none())
}

/// Returns what a line of prose or code says: in code, how far in it stands, too.
fn said(doc: &MemoryDoc, line: Span) -> &str {
    let text = line.of(doc.text());
    if doc.outline().is_fenced(line.start()) { text.trim_end() } else { text.trim() }
}

/// Refuses a text in which too much of what is rewritten is no longer said: of its bullets, or of the bytes of all its text.
/// Counted in the whole document, a small section could lose them all; and what stands outside of it has been there before.
pub(super) fn check_loss<'d>(draft: &'d Draft<'_>, unmoved: &Unmoved<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let (old, new) = (draft.old, &draft.new);
    // If all that is not where it was may be gone, it need not be looked for.
    let mut there = prose(new).peekable();
    let mut stays = |line: Span| {
        let start = unmoved.survivor(line.start())?;
        while there.next_if(|new| new.start() < start).is_some() {}
        there.next_if(|new| new.start() == start && said(&draft.new, *new) == said(old, line))
    };
    let at_most = Loss::of(old, terms, |bullet| unmoved.holds(bullet), |line| stays(line).is_some());
    if at_most.check(old.policy().max_loss).is_ok() {
        return Ok(());
    }
    let scope = terms.scope_in(old, new);
    let is_rewritten = |bullet: &BulletRef<'_>| terms.scope.contains(bullet.line.start());
    let stays = |bullet: &BulletRef<'_>| terms.protects(*bullet) || !bullet.is_expired(terms.now);
    let texts = Texts {
        sayings: &Sayings::of(free_bullets(new).filter(|bullet| scope.contains(bullet.line.start())), old),
        places: &Places::of([old, new]),
        twins: &Twins::among(old, free_bullets(old)),
    };
    let holders = Holders::of(&texts, free_bullets(old).filter(is_rewritten).filter(stays), |_| None);
    let there = prose(new).filter(|line| scope.contains(line.start()));
    let mut there: Tally<&str> = there.map(|line| said(new, line)).collect();
    let is_said = |bullet: BulletRef<'d>| holders.holder(bullet).is_some();
    Loss::of(old, terms, is_said, |line| there.take(said(old, line))).check(old.policy().max_loss)
}
