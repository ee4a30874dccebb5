//! The only place that knows what is forbidden. It looks at the result of an edit, so that no request can forget a rule
//! (SPEC §§ 4, 5.3).

mod limits;
mod reserved;
mod structure;

use super::authority::Authority;
use super::draft::Draft;
use super::error::{EditError, Flaw};
use super::splice::Origin;
use crate::text::{Irregularities, Span, irregularities};

/// Checks everything about a draft but its size and its required sections, which hold for what is committed as a whole.
///
/// What an inversion writes stood in the document before: of it, only reserved sections are checked.
pub(super) fn check_draft(draft: &Draft<'_>, authority: Authority) -> Result<(), EditError> {
    let is_inversion = draft.edit.origin() == Origin::Inversion;
    if authority == Authority::Agent {
        reserved::check_sections(draft)?;
        if !is_inversion {
            reserved::check_top(draft)?;
            reserved::check_look_alikes(draft)?;
        }
    }
    if is_inversion {
        return Ok(());
    }
    check_characters(draft)?;
    structure::check(draft)?;
    limits::check_ids(draft)
}

/// Checks the size and the required sections.
pub(super) fn check_result(draft: &Draft<'_>) -> Result<(), EditError> {
    limits::check_size(draft)?;
    limits::check_required(draft)
}

/// Refuses characters that no edit may add. Those that stood in the touched lines may stay and move.
fn check_characters(draft: &Draft<'_>) -> Result<(), EditError> {
    let collect = |text: &str, spans: Vec<Span>| {
        let mut found = Irregularities::default();
        spans.into_iter().for_each(|span| irregularities(text, span, &mut found));
        found
    };
    let after = collect(draft.new.text(), draft.new_lines());
    let before = collect(draft.old.text(), draft.old_lines());
    match after.added_since(&before) {
        Some(irregular) => {
            Err(EditError::InvalidText(Flaw::Character(irregular, draft.new.line_number(irregular.offset))))
        }
        None => Ok(()),
    }
}
