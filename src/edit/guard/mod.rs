//! The checks of an edit: the only place that knows what is forbidden. They look at the result of an edit, so that a
//! rule holds for every kind of request.

mod ownership;
mod reserved;

pub(crate) use reserved::{check as check_reserved, look_alike};

use std::collections::{HashMap, HashSet};

use super::commit::{Authority, Draft};
use super::compose::Lists;
use super::error::{EditError, Flaw, Node};
use super::owners::Owners;
use super::splice::{Origin, Promise, Splice, Whose};
use crate::document::{Block, BlockRef, BulletRef, Fence, Kind, MemoryDoc, NodeRef, Paths, Pins, Section, Unit};
use crate::text::{Line, Span, Tally, excerpt, fold_name, irregular, is_blank};

/// Checks everything about a draft but its size and its required sections, which are checked for a commit as a whole.
///
/// An inversion undoes a commit and restores text that was in the document before. If the host makes it, nothing is
/// checked. If an agent makes it, reserved sections and pins are checked as for any edit, but structure is restored as
/// it was, and so are characters that the agent removed itself. If the inversion was carried over later edits, it must
/// not open a fence over their text.
pub(super) fn check_draft(draft: &Draft<'_>, authority: Authority) -> Result<(), EditError> {
    let origin = draft.edit.origin;
    if authority == Authority::Host && origin != Origin::Request {
        return Ok(());
    }
    if authority == Authority::Agent {
        check_reserved(draft)?;
        check_pins(draft)?;
    }
    if !matches!(origin, Origin::Inversion(Whose::Own) | Origin::Carried(Whose::Own)) {
        check_characters(draft, authority)?;
    }
    match origin {
        Origin::Inversion(_) => return Ok(()),
        Origin::Carried(_) => ownership::check_fences(draft).map_err(EditError::InvalidText)?,
        Origin::Request => check_structure(draft)?,
    }
    check_ids(draft)
}

/// Checks the characters that an edit writes, and that it changes the structure only as it promises.
pub(crate) fn check_text(draft: &Draft<'_>) -> Result<(), EditError> {
    check_characters(draft, Authority::Agent)?;
    check_structure(draft)
}

/// Checks that no line gets directly below a bullet, so that Markdown would show it as part of the bullet, unless it
/// was directly below that bullet before.
pub(crate) fn check_prose(draft: &Draft<'_>) -> Result<(), EditError> {
    let mut before: Tally<_> = below_bullets(draft.old).map(|(_, texts)| texts).collect();
    match below_bullets(&draft.new).find(|(_, texts)| !before.take(texts)) {
        Some((line, _)) => Err(EditError::InvalidText(Flaw::BelowBullet(line + 1))),
        None => Ok(()),
    }
}

/// Iterates over the lines of prose directly below a bullet, which Markdown shows as part of it. Each comes with the
/// text of the line above and its own.
fn below_bullets(doc: &MemoryDoc) -> impl Iterator<Item = (usize, [&str; 2])> {
    let owners = Owners::of(doc);
    let lines = (1..owners.len()).filter(move |line| owners.is_below_bullet(*line));
    lines.map(|line| (line, with_line_above(doc, line)))
}

/// Returns the text of the line above a line, and the text of the line.
fn with_line_above(doc: &MemoryDoc, line: usize) -> [&str; 2] {
    [line.saturating_sub(1), line].map(|line| doc.line_text(line).trim())
}

/// Checks that every line keeps its owner, and that each splice keeps its promise. An edit that replaces the whole text
/// may change owners: there, only fences are checked.
fn check_structure(draft: &Draft<'_>) -> Result<(), EditError> {
    let checked = match draft.edit.has_promise(Promise::Whole) {
        true => ownership::check_fences(draft),
        false => ownership::check(draft).and_then(|()| check_promises(draft)),
    };
    checked.map_err(EditError::InvalidText)
}

/// Checks the size and the required sections.
pub(super) fn check_result(draft: &Draft<'_>) -> Result<(), EditError> {
    check_size(draft)?;
    check_required(draft)
}

/// Refuses characters that no edit may add. Characters of the touched lines may stay and move inside these lines. A
/// text that the host writes, or that an undo restores, may begin with a BOM.
fn check_characters(draft: &Draft<'_>, authority: Authority) -> Result<(), EditError> {
    let may_have_bom = authority == Authority::Host || draft.edit.origin != Origin::Request;
    let without_bom = |lines| if may_have_bom { draft.new.without_bom(lines) } else { lines };
    let before = draft.old_lines().into_iter().flat_map(|lines| irregular(draft.old.text(), lines));
    let mut before: Tally<char> = before.map(|irregular| irregular.character).collect();
    let mut after = draft.new_lines().into_iter().flat_map(|lines| irregular(draft.new.text(), without_bom(lines)));
    let added = after.find(|irregular| !before.take(&irregular.character));
    let flaw = added.map(|irregular| Flaw::Character(irregular, draft.new.line_number(irregular.offset)));
    flaw.map_or(Ok(()), |flaw| Err(EditError::InvalidText(flaw)))
}

/// An edit that would make a document larger than this many times its limit is refused before it is planned.
const FAR: usize = 4;

/// Refuses to add `more` bytes if the document would be far too large. It is checked before the text is composed, to
/// save memory and time.
pub(crate) fn check_growth(doc: &MemoryDoc, more: usize) -> Result<(), EditError> {
    let (is, limit) = (doc.text().len(), doc.policy().max_bytes.min(Span::LARGEST));
    let would_be = is.saturating_add(more);
    match would_be > limit.max(is).saturating_mul(FAR).min(Span::LARGEST) {
        true => Err(EditError::TooLarge { unit: Unit::Bytes, is, would_be, limit }),
        false => Ok(()),
    }
}

fn check_size(draft: &Draft<'_>) -> Result<(), EditError> {
    let (old, new, policy) = (draft.old, &draft.new, draft.old.policy());
    let check = |unit, limit: usize, [is, would_be]: [usize; 2]| match would_be > limit.max(is) {
        true => Err(EditError::TooLarge { unit, is, would_be, limit }),
        false => Ok(()),
    };
    check(Unit::Bytes, policy.max_bytes.min(Span::LARGEST), [old.text().len(), new.text().len()])?;
    policy.max_tokens.map_or(Ok(()), |limit| check(Unit::Tokens, limit, [old.tokens(), new.tokens()]))
}

pub(crate) fn check_required(draft: &Draft<'_>) -> Result<(), EditError> {
    let has = |doc: &MemoryDoc, name: &str| doc.sections().any(|own| fold_name(own.title()) == fold_name(name));
    let is_lost = |name: &&String| has(draft.old, name) && !has(&draft.new, name);
    match draft.old.policy().required_sections.iter().find(is_lost) {
        Some(section) => Err(EditError::MissingSection { section: section.clone() }),
        None => Ok(()),
    }
}

/// Refuses an edit after which more blocks have the same ID than before.
pub(crate) fn check_ids(draft: &Draft<'_>) -> Result<(), EditError> {
    if draft.old.blocks().map(BlockRef::id).eq(draft.new.blocks().map(BlockRef::id)) {
        return Ok(());
    }
    let mut before: Tally<&str> = draft.old.blocks().map(BlockRef::id).collect();
    let mut blocks: HashMap<&str, BlockRef<'_>> = HashMap::new();
    for block in draft.new.blocks() {
        let is_more = !before.take(block.id());
        let first = *blocks.entry(block.id()).or_insert(block);
        if is_more && first != block {
            let (first, second) = (first.line_number(), block.line_number());
            return Err(EditError::DuplicateId { id: block.id().into(), first, second });
        }
    }
    Ok(())
}

/// Checks that each splice keeps its promise: how many bullets it writes, and that it creates no other node.
fn check_promises(draft: &Draft<'_>) -> Result<(), Flaw> {
    let removed = draft.edit.splices().iter().map(|splice| Fence::within(draft.old.outline(), splice.span).len());
    let removed = removed.sum();
    let mut splices = draft.edit.splices_in_result();
    let flaw = splices.find_map(|(splice, written)| broken_promise(&draft.new, written, splice.promise, removed));
    flaw.map_or(Ok(()), Err)
}

fn broken_promise(new: &MemoryDoc, written: Span, promise: Promise, removed_fences: usize) -> Option<Flaw> {
    let promised = match promise {
        Promise::Text => 0,
        Promise::Marker => 1,
        Promise::Bullets(promised) => promised,
        Promise::Lines | Promise::Below(_) | Promise::Note | Promise::Whole => return None,
    };
    let outline = new.outline();
    let inside = |start: usize| written.contains(start);
    let heading = Section::within(outline, written).first().map(|node| node.line.start());
    let block = Block::within(outline, written).first().map(|node| node.line.start());
    let fence = gained_fence(new, written, promise, removed_fences);
    let gained = [(Node::Heading, heading), (Node::Block, block), (Node::Fence, fence)];
    if let Some((kind, start)) = gained.into_iter().find_map(|(kind, start)| start.map(|start| (kind, start))) {
        return Some(Flaw::Gained(kind, new.line_number(start)));
    }
    let first = outline.bullets.partition_point(|bullet| bullet.marker.start() < written.start());
    let found = outline.bullets.iter().skip(first).take_while(|bullet| inside(bullet.marker.start())).count();
    if found != promised {
        return Some(Flaw::Bullets { promised, found });
    }
    if promise == Promise::Text {
        // Text of several lines must all belong to the bullet that it begins in.
        let bullet = new.bullet_at(written.start().saturating_sub(1));
        let is_inside = bullet.is_some_and(|bullet| bullet.extent.end() >= written.end());
        let leaves_bullet = !is_inside && written.of(new.text()).contains('\n');
        return leaves_bullet.then(|| Flaw::Prose(new.line_number(written.end().saturating_sub(1))));
    }
    // Every written line must belong to a written bullet.
    let mut lines = Line::all_within(new.text(), written).filter(|line| !is_blank(line.text.of(new.text())));
    let is_of_bullet = |start: usize| new.bullet_at(start).is_some_and(|bullet| inside(bullet.marker.start()));
    let prose = lines.find(|line| !is_of_bullet(line.full.start()));
    prose.map(|line| Flaw::Prose(new.line_number(line.full.start())))
}

/// Returns where the first new fence in `written` starts. A fence that moves with its bullet is not new.
fn gained_fence(new: &MemoryDoc, written: Span, promise: Promise, removed_fences: usize) -> Option<usize> {
    let moves_along = |fence: &Fence| {
        let bullet = new.bullet_at(fence.extent.start());
        fence.is_closed && bullet.is_some_and(|bullet| written.covers(bullet.extent))
    };
    let fences = Fence::within(new.outline(), written);
    let may_move = matches!(promise, Promise::Bullets(_)) && fences.len() <= removed_fences;
    let gained = fences.iter().find(|fence| !(may_move && moves_along(fence)));
    gained.map(|fence| fence.extent.start())
}

/// How many characters of a bullet an error shows.
const EXCERPT: usize = 80;

/// Refuses to unpin, change, move or remove a pinned bullet, or one that is nested in it, if the policy allows that to the
/// host only.
fn check_pins(draft: &Draft<'_>) -> Result<(), EditError> {
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

    use super::super::Edit;
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
