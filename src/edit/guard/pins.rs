//! Pinned bullets, where only the host may change them.

use super::super::compose::Lists;
use super::super::{Draft, EditError};
use crate::document::{BulletRef, Pins};
use crate::text::{Tally, excerpt};

/// How much of a bullet an error shows, in characters.
const EXCERPT: usize = 80;

/// Refuses to unpin, change or remove a pinned bullet, or one that is nested in it, where the
/// policy leaves that to the host.
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

/// Returns the bullets that were pinned, or nested in one that was, and are not there as they were,
/// in document order.
///
/// A fence, front matter or another parent takes a pin away from lines that no splice touches: all
/// is compared whose structure may differ.
pub(crate) fn lost<'a>(draft: &'a Draft<'_>) -> Vec<BulletRef<'a>> {
    let mut held: Vec<_> = draft.old.bullets_within(draft.restructured.old).filter(is_held).collect();
    if held.is_empty() {
        return held;
    }
    let (old, new) = (Lists::new(draft.old), Lists::new(&draft.new));
    let there = draft.new.bullets_within(draft.restructured.new).filter(is_held);
    let mut there: Tally<String> = there.map(|bullet| wording(&new, bullet)).collect();
    // Of equal ones, those in which nothing was replaced are the ones that are there.
    held.sort_by_key(|bullet| {
        let [start, last] = [bullet.extent.start(), bullet.extent.end() - 1].map(|at| draft.offsets.survivor(at));
        start.zip(last).is_none_or(|(start, last)| last - start + 1 != bullet.extent.len())
    });
    held.retain(|bullet| !there.take(&wording(&old, *bullet)));
    held.sort_unstable();
    held
}

/// Returns what a bullet says, verbatim; with its number, where that is a part of it.
fn wording<'a>(lists: &Lists<'a>, bullet: BulletRef<'a>) -> String {
    [lists.said_number(bullet).unwrap_or_default(), &bullet.wording()].join(" ")
}

/// Reports whether a bullet is pinned, or nested in one that is.
fn is_held(bullet: &BulletRef<'_>) -> bool {
    bullet.is_pinned_with_parents()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::super::super::Edit;
    use super::*;
    use crate::document::MemoryDoc;

    const LINES: [&str; 8] = ["- [pinned] a", "- [pinned] b", "  1 March", "  2 March", "  - c", "- d", "", "```"];

    proptest! {
        #[test]
        fn what_is_lost_is_what_is_said_less_often(
            start in prop::collection::vec(select(&LINES[..]), 0..5),
            [old, new] in [0, 1].map(|_| prop::collection::vec(select(&LINES[..]), 0..4)),
            end in prop::collection::vec(select(&LINES[..]), 0..5),
        ) {
            let doc = |middle: &[&str]| MemoryDoc::parse([&*start, middle, &*end].concat().join("\n"));
            let (old, new) = (doc(&old), doc(&new));
            let edit = Edit::between(&old, &new);
            let held = |doc: &'_ MemoryDoc| doc.bullets().filter(is_held).map(BulletRef::wording).collect::<Vec<_>>();
            let mut there: Tally<String> = held(&new).into_iter().collect();
            let mut gone: Vec<_> = held(&old).into_iter().filter(|said| !there.take(said)).collect();
            let draft = Draft::between(&old, &edit, new);
            let mut found: Vec<_> = lost(&draft).into_iter().map(BulletRef::wording).collect();
            gone.sort();
            found.sort();
            prop_assert_eq!(found, gone);
        }
    }
}
