//! Pinned bullets, where only the host may change them.

use super::super::{Draft, EditError};
use crate::document::{BulletRef, Pins};
use crate::text::{Tally, excerpt};

/// How much of a bullet an error shows, in characters.
const EXCERPT: usize = 80;

/// Refuses to unpin, change or remove a pinned bullet, or one that is nested in it, where the policy leaves that to the host.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), EditError> {
    if draft.old.policy().pins == Pins::Agent {
        return Ok(());
    }
    match lost(draft).first() {
        None => Ok(()),
        Some(bullet) => Err(EditError::Pinned {
            line: draft.old.line_number(bullet.line.start()),
            text: excerpt(&bullet.content(), EXCERPT).into(),
        }),
    }
}

/// Returns the bullets that were pinned, or nested in one that was, and are not there as they were.
pub(crate) fn lost<'a>(draft: &'a Draft<'_>) -> Vec<BulletRef<'a>> {
    let touched = draft.old_lines();
    let is_touched = |bullet: &BulletRef<'_>| {
        let first = touched.partition_point(|span| span.end() <= bullet.extent.start());
        touched.get(first).is_some_and(|span| span.start() < bullet.extent.end())
    };
    let touched_bullets = draft.old.bullets_within(draft.parsed.old()).filter(is_touched);
    let mut lost: Vec<_> = touched_bullets.filter(is_held).collect();
    if !lost.is_empty() {
        let mut there: Tally<String> = draft.new.bullets().filter(is_held).map(BulletRef::wording).collect();
        for untouched in draft.old.bullets().filter(|bullet| is_held(bullet) && !is_touched(bullet)) {
            there.take(&untouched.wording());
        }
        lost.retain(|bullet| !there.take(&bullet.wording()));
    }
    lost
}

/// Reports whether a bullet is pinned, or nested in one that is.
fn is_held(bullet: &BulletRef<'_>) -> bool {
    bullet.ancestors().any(BulletRef::is_pinned)
}
