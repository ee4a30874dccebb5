//! How much of what a text says is gone in another.

use std::collections::HashSet;

use super::ledger::{Fate, Ledger};
use super::rejection::{LostLine, Rejection, counted, named};
use super::terms::{Measure, Terms};
use crate::document::{MemoryDoc, share_of};
use crate::locate::Code;
use crate::text::{Lines, Span, is_blank};

/// What of a text may go, and what of it is gone.
#[derive(Default)]
struct Loss {
    bullets: usize,
    bytes: usize,
    gone_bytes: usize,
    gone: Vec<LostLine>,
    gone_lines: Vec<LostLine>,
}

/// Refuses a text in which too much of the old one is gone: of its bullets that are neither protected, expired nor released,
/// or of their bytes and those of the other lines that say something.
pub(super) fn check_loss(measure: Measure<'_>, ledger: &Ledger<'_>, terms: &Terms<'_>) -> Result<(), Rejection> {
    let Measure { doc: old, scope } = measure;
    let released = terms.released(old);
    let mut loss = Loss::default();
    for account in &ledger.accounts {
        let (bullet, content) = (account.bullet, account.bullet.content());
        let start = bullet.line.start();
        let is_free = released.iter().any(|span| span.contains(start)) || content.trim().is_empty();
        if !scope.contains(start) || is_free || terms.protects(bullet) || bullet.is_expired(terms.now) {
            continue;
        }
        loss.bullets += 1;
        loss.bytes += content.trim().len();
        if matches!(account.fate, Fate::Gone) {
            loss.gone_bytes += content.trim().len();
            loss.gone.push(LostLine::bullet(bullet));
        }
    }
    let gone: HashSet<Span> = ledger.lines_gone.iter().copied().collect();
    for line in prose(old).filter(|line| scope.contains(line.start())) {
        let length = line.of(old.text()).trim().len();
        loss.bytes += length;
        if gone.contains(&line) {
            loss.gone_bytes += length;
            loss.gone_lines.push(LostLine::line(old, line));
        }
    }
    let is_earlier = terms.earlier.is_some_and(|earlier| std::ptr::eq(earlier.doc, old));
    let since = if is_earlier { " of the text before the first rewrite of the last 24 hours" } else { "" };
    loss.check(old.policy().max_loss, since)
}

impl Loss {
    /// Refuses it if more is gone than this share.
    fn check(self, max_loss: f64, since: &str) -> Result<(), Rejection> {
        let (allowed, allowed_bytes) = (share_of(self.bullets, max_loss), share_of(self.bytes, max_loss));
        let (of, gone, allowed, lost) = if self.gone.len() > allowed {
            (counted(self.bullets, "unpinned bullet"), self.gone.len(), allowed, self.gone)
        } else if self.gone_bytes > allowed_bytes {
            let of = format!("{} of unpinned text", counted(self.bytes, "byte"));
            (of, self.gone_bytes, allowed_bytes, [self.gone_lines, self.gone].concat())
        } else {
            return Ok(());
        };
        let message = format!("{gone} of {of}{since} would be gone, {allowed} at most may go: {}", named(&lost));
        Err(Rejection::unfit(Code::LossTooHigh, message))
    }
}

/// Iterates over the lines of prose and code: those outside reserved sections and the front matter that are neither blank nor
/// heading nor the header of a block, and belong to no bullet.
fn prose(doc: &MemoryDoc) -> impl Iterator<Item = Span> + '_ {
    let outline = doc.outline();
    let mut headers: Vec<usize> = outline.sections().iter().map(|section| section.line.start()).collect();
    headers.extend(outline.blocks().iter().map(|block| block.line.start()));
    headers.sort_unstable();
    let below = Span::new(outline.body_start(), doc.text().len());
    let is_prose = move |line: &Span| {
        let start = line.start();
        !is_blank(line.of(doc.text()))
            && headers.binary_search(&start).is_err()
            && doc.bullet_at(start).is_none()
            && doc.reserved_section_at(start).is_none()
    };
    Lines::within(doc.text(), below).map(|line| line.text).filter(is_prose)
}
