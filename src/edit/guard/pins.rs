//! Pinned bullets, where only the host may change them.

use super::super::draft::Draft;
use super::super::error::EditError;
use crate::document::{BulletRef, MemoryDoc, Pins};
use crate::text::{Tally, excerpt};

/// How much of a bullet an error shows, in characters.
const EXCERPT: usize = 80;

/// Refuses to unpin, change or remove a pinned bullet, or one that is nested in it, where the policy leaves that to the host.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), EditError> {
    if draft.old.policy().pins == Pins::Agent {
        return Ok(());
    }
    let mut there: Tally<String> = held(&draft.new).map(BulletRef::wording).collect();
    match held(draft.old).find(|bullet| !there.take(&bullet.wording())) {
        None => Ok(()),
        Some(bullet) => Err(EditError::Pinned {
            line: draft.old.line_number(bullet.line.start()),
            text: excerpt(&bullet.content(), EXCERPT).into(),
        }),
    }
}

/// Iterates over the bullets that are pinned, or nested in one that is.
fn held(doc: &MemoryDoc) -> impl Iterator<Item = BulletRef<'_>> {
    doc.bullets().filter(|bullet| bullet.ancestors().any(BulletRef::is_pinned))
}
