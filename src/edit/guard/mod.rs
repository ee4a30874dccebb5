//! The only place that knows what is forbidden. It looks at the result of an edit, so that no
//! request can forget a rule.

mod limits;
mod ownership;
pub(super) mod pins;
mod promises;
mod reserved;

pub(crate) use limits::{check_growth, check_ids, check_required};
pub(crate) use reserved::{check as check_reserved, look_alike};

use super::commit::{Authority, Draft};
use super::error::{EditError, Flaw};
use super::splice::{Origin, Promise, Whose};
use crate::text::{Tally, irregular};

/// Checks everything about a draft but its size and its required sections, which hold for what is
/// committed as a whole.
///
/// What an inversion brings back stood in the document before. For the host, that is enough. An
/// agent may bring back the characters that it took out itself, and a structure as it was, but open
/// no fence among what was written since; reserved sections and pins are held to all that is asked
/// of any edit.
pub(super) fn check_draft(draft: &Draft<'_>, authority: Authority) -> Result<(), EditError> {
    let origin = draft.edit.origin();
    if authority == Authority::Host && origin != Origin::Request {
        return Ok(());
    }
    if authority == Authority::Agent {
        check_reserved(draft)?;
        pins::check(draft)?;
    }
    if !matches!(origin, Origin::Inversion(Whose::Own) | Origin::Carried(Whose::Own)) {
        check_characters(draft)?;
    }
    match origin {
        Origin::Inversion(_) => return Ok(()),
        Origin::Carried(_) => ownership::check_fences(draft).map_err(EditError::InvalidText)?,
        Origin::Request => check_structure(draft)?,
    }
    check_ids(draft)
}

/// Checks that what is written is clean, and keeps the structure that it promised to keep.
pub(crate) fn check_text(draft: &Draft<'_>) -> Result<(), EditError> {
    check_characters(draft)?;
    check_structure(draft)
}

/// Checks that every line keeps its owner, and that each splice keeps its promise. Who writes the
/// whole text names every line.
fn check_structure(draft: &Draft<'_>) -> Result<(), EditError> {
    let is_whole = draft.splices().any(|(_, _, promise)| promise == Promise::Whole);
    let checked = match is_whole {
        true => ownership::check_fences(draft),
        false => ownership::check(draft).and_then(|()| promises::check(draft)),
    };
    checked.map_err(EditError::InvalidText)
}

/// Checks the size and the required sections.
pub(super) fn check_result(draft: &Draft<'_>) -> Result<(), EditError> {
    limits::check_size(draft)?;
    check_required(draft)
}

/// Refuses characters that no edit may add. Those that stood in the touched lines may stay and
/// move.
fn check_characters(draft: &Draft<'_>) -> Result<(), EditError> {
    let before = draft.old_lines().into_iter().flat_map(|lines| irregular(draft.old.text(), lines));
    let mut before: Tally<char> = before.map(|irregular| irregular.character).collect();
    let mut after = draft.new_lines().into_iter().flat_map(|lines| irregular(draft.new.text(), lines));
    match after.find(|irregular| !before.take(&irregular.character)) {
        Some(irregular) => {
            Err(EditError::InvalidText(Flaw::Character(irregular, draft.new.line_number(irregular.offset))))
        }
        None => Ok(()),
    }
}
