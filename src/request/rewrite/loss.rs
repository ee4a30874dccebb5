//! How much of what a text says is gone in another.

use super::kept::Terms;
use super::rejection::{LossUnit, LostLine, Rejection};
use super::sayings::{Sayings, free_bullets};
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
    /// What is gone is told by `is_said`.
    fn of(draft: &Draft<'_>, terms: &Terms<'_>, is_said: impl Fn(BulletRef<'_>) -> bool) -> Self {
        let (old, new, mut loss) = (draft.old, &draft.new, Self::default());
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
pub(super) fn check_loss(draft: &Draft<'_>, unmoved: &Unmoved<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    // If all that is not where it was may be gone, it need not be looked for.
    let at_most = Loss::of(draft, terms, |bullet| unmoved.holds(bullet));
    if at_most.check(draft.old.policy().max_loss).is_ok() {
        return Ok(());
    }
    let sayings = Sayings::of(&draft.new);
    let loss = Loss::of(draft, terms, |bullet| unmoved.holds(bullet) || sayings.saying(bullet).is_some());
    loss.check(draft.old.policy().max_loss)
}
