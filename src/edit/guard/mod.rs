//! The checks of an edit: the only place that knows what is forbidden. They look at the result of an edit, so that a
//! rule holds for every kind of request.

mod ownership;
pub(crate) mod pins;
mod reserved;

pub(crate) use reserved::{check as check_reserved, look_alike};

use std::collections::HashMap;

use super::{Authority, Draft, EditError, Flaw, Promise, Whose, owners::Owners, splice::Origin};
use crate::document::{Block, BlockRef, Fence, Kind, MemoryDoc, Section, Unit};
use crate::text::{Line, Span, Tally, fold_name, irregular, is_blank};

/// Checks everything about a draft but its size and its required sections, which are checked for a commit as a whole.
///
/// An inversion undoes a commit and restores text that was in the document before. If the host makes it, nothing is
/// checked. If an agent makes it, reserved sections and pins are checked as for any edit, but structure is restored as
/// it was, and so are characters that the agent removed itself. If the inversion was carried over later edits, it must
/// not open a fence over their text.
pub(crate) fn check_draft(draft: &Draft<'_>, authority: Authority) -> Result<(), EditError> {
    let origin = draft.edit.origin;
    if authority == Authority::Host && origin != Origin::Request {
        return Ok(());
    }
    if authority == Authority::Agent {
        check_reserved(draft)?;
        pins::check(draft)?;
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
    let joined = below_bullets(&draft.new).find(|(_, texts)| !before.take(texts));
    joined.map_or(Ok(()), |(line, _)| Err(EditError::InvalidText(Flaw::BelowBullet(line + 1))))
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
    let is_far = would_be > limit.max(is).saturating_mul(FAR).min(Span::LARGEST);
    if is_far { Err(EditError::TooLarge { unit: Unit::Bytes, is, would_be, limit }) } else { Ok(()) }
}

/// Refuses a document that grows over its hard limit.
pub(super) fn check_size(draft: &Draft<'_>) -> Result<(), EditError> {
    let (old, new, policy) = (draft.old, &draft.new, draft.old.policy());
    let check = |unit, limit: usize, [is, would_be]: [usize; 2]| match would_be > limit.max(is) {
        true => Err(EditError::TooLarge { unit, is, would_be, limit }),
        false => Ok(()),
    };
    check(Unit::Bytes, policy.max_bytes.min(Span::LARGEST), [old.text().len(), new.text().len()])?;
    policy.max_tokens.map_or(Ok(()), |limit| check(Unit::Tokens, limit, [old.tokens(), new.tokens()]))
}

/// Refuses an edit that removes a required section.
pub(crate) fn check_required(draft: &Draft<'_>) -> Result<(), EditError> {
    let has = |doc: &MemoryDoc, name: &str| doc.sections().any(|own| fold_name(own.title()) == fold_name(name));
    let is_lost = |name: &&String| has(draft.old, name) && !has(&draft.new, name);
    let lost = draft.old.policy().required_sections.iter().find(is_lost);
    lost.map_or(Ok(()), |section| Err(EditError::MissingSection { section: section.clone() }))
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
    splices.try_for_each(|(splice, written)| check_promise(&draft.new, written, splice.promise, removed))
}

fn check_promise(new: &MemoryDoc, written: Span, promise: Promise, removed_fences: usize) -> Result<(), Flaw> {
    let promised = match promise {
        Promise::Text => 0,
        Promise::Marker => 1,
        Promise::Bullets(promised) => promised,
        Promise::Lines | Promise::Below(_) | Promise::Note | Promise::Whole => return Ok(()),
    };
    let outline = new.outline();
    let inside = |start: usize| written.contains(start);
    let heading = Section::within(outline, written).first().map(|node| node.line.start());
    let block = Block::within(outline, written).first().map(|node| node.line.start());
    let fence = gained_fence(new, written, promise, removed_fences);
    let gained = [("heading", heading), ("block header", block), ("code fence", fence)];
    if let Some((kind, start)) = gained.into_iter().find_map(|(kind, start)| start.map(|start| (kind, start))) {
        return Err(Flaw::Gained(kind, new.line_number(start)));
    }
    let first = outline.bullets.partition_point(|bullet| bullet.marker.start() < written.start());
    let found = outline.bullets.iter().skip(first).take_while(|bullet| inside(bullet.marker.start())).count();
    if found != promised {
        return Err(Flaw::Bullets { promised, found });
    }
    if promise == Promise::Text {
        // Text of several lines must all belong to the bullet that it begins in.
        let bullet = new.bullet_at(written.start().saturating_sub(1));
        let is_inside = bullet.is_some_and(|bullet| bullet.extent.end() >= written.end());
        let stays_in_bullet = is_inside || !written.of(new.text()).contains('\n');
        let last = written.end().saturating_sub(1);
        return if stays_in_bullet { Ok(()) } else { Err(Flaw::Prose(new.line_number(last))) };
    }
    // Every written line must belong to a written bullet.
    let mut lines = Line::all_within(new.text(), written).filter(|line| !is_blank(line.text.of(new.text())));
    let is_of_bullet = |start: usize| new.bullet_at(start).is_some_and(|bullet| inside(bullet.marker.start()));
    let prose = lines.find(|line| !is_of_bullet(line.full.start()));
    prose.map_or(Ok(()), |line| Err(Flaw::Prose(new.line_number(line.full.start()))))
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
