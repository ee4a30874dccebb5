//! The rule for pinned bullets, and which of them an edit changes, moves, unpins or removes.

use std::collections::HashSet;

use crate::document::{BulletRef, NodeRef, Paths, Pins};
use crate::edit::{Draft, EditError, Promise, Splice, compose::Lists, splice::Origin};
use crate::text::{Tally, excerpt, fold_name};

/// How many characters of a bullet an error shows.
const EXCERPT: usize = 80;

/// Refuses to unpin, change, move or remove a pinned bullet, or one that is nested in it, if the policy allows that to the
/// host only.
pub(super) fn check(draft: &Draft<'_>) -> Result<(), EditError> {
    let is_of_host = draft.old.policy().pins == Pins::Host;
    let lost = is_of_host.then(|| lost_pins(draft).into_iter().next()).flatten();
    let Some(bullet) = lost else { return Ok(()) };
    Err(EditError::Pinned { line: bullet.line_number(), text: excerpt(&bullet.content(), EXCERPT).into() })
}

/// Returns the bullets that counted as pinned before the edit, also through a parent, and that are changed, moved,
/// unpinned or gone after it; in document order. A bullet is moved if it stands below other parents, another label or
/// block, or in another section; a section that was only renamed or moved is the same one.
///
/// An edit can unpin a bullet that no splice touches: it may put it into a fence, into front matter, or below another
/// parent. So all bullets in the parts that were parsed again are compared.
pub(crate) fn lost_pins<'a>(draft: &'a Draft<'_>) -> Vec<BulletRef<'a>> {
    let parts = || draft.restructured.iter();
    let is_pinned = |bullet: &BulletRef<'_>| bullet.is_pinned_with_parents();
    let mut pinned: Vec<_> = parts().flat_map(|part| draft.old.bullets_within(part.old)).filter(is_pinned).collect();
    if pinned.is_empty() {
        return pinned;
    }
    // Where the owners of lines are checked, a bullet that stays in place changes its section only if a heading is written or removed.
    let is_checked = draft.edit.origin == Origin::Request && !draft.edit.has_promise(Promise::Whole);
    let stays = |bullet: &BulletRef<'_>| draft.offsets.survivor(bullet.line.start()).is_some();
    let titles = |splice: &Splice| splice.text.contains('#') || splice.span.of(draft.old.text()).contains('#');
    let [before, after] = [draft.old, &draft.new].map(|doc| doc.outline().sections.len());
    let moves = !is_checked || before != after || !pinned.iter().all(stays) || draft.edit.splices().iter().any(titles);
    let mut paths = Paths::new(|title| fold_name(title).into());
    let [old, new] =
        [draft.old, &draft.new].map(|doc| (Lists::new(doc), if moves { paths.of(doc) } else { Vec::new() }));
    let there: HashSet<_> = new.1.iter().collect();
    let both: HashSet<_> = old.1.iter().filter(|path| there.contains(path)).collect();
    let pin = |(lists, paths): &(Lists<'a>, Vec<usize>), bullet: BulletRef<'a>| {
        let path = |section| paths.get(NodeRef::index(section)).filter(|path| both.contains(path)).copied();
        (bullet.section().map(path), with_owners(lists, bullet))
    };
    let still = parts().flat_map(|part| draft.new.bullets_within(part.new)).filter(is_pinned);
    let mut still: Tally<_> = still.map(|bullet| pin(&new, bullet)).collect();
    // If some of several equal bullets are lost, those that a splice touched are the lost ones.
    pinned.sort_by_key(|bullet| {
        let [start, last] = [bullet.extent.start(), bullet.extent.end() - 1].map(|at| draft.offsets.survivor(at));
        start.zip(last).is_none_or(|(start, last)| last - start + 1 != bullet.extent.len())
    });
    pinned.retain(|bullet| !still.take(&pin(&old, *bullet)));
    pinned.sort_unstable();
    pinned
}

/// Returns the block and the label of a bullet, and its text and that of its parents as they are written; with its
/// number, if that is content.
fn with_owners<'a>(lists: &Lists<'a>, bullet: BulletRef<'a>) -> Vec<Option<String>> {
    let label = bullet.label().map(|label| fold_name(label.name()).to_string());
    let owners = [bullet.block().map(|block| block.id().into()), label, lists.own_number(bullet).map(Into::into)];
    owners.into_iter().chain(bullet.ancestors().map(|bullet| Some(bullet.wording()))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::document::MemoryDoc;
    use crate::edit::Edit;

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
            let said = |bullet: BulletRef<'_>| bullet.ancestors().map(BulletRef::wording).collect::<Vec<_>>();
            let held = |doc: &'_ MemoryDoc| doc.bullets().filter(|bullet| bullet.is_pinned_with_parents()).map(said).collect::<Vec<_>>();
            let mut there: Tally<Vec<String>> = held(&new).into_iter().collect();
            let mut gone: Vec<_> = held(&old).into_iter().filter(|said| !there.take(said)).collect();
            let draft = Draft::between(&old, &edit, new);
            let mut found: Vec<_> = lost_pins(&draft).into_iter().map(said).collect();
            gone.sort();
            found.sort();
            prop_assert_eq!(found, gone);
        }
    }
}
