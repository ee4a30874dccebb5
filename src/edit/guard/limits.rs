//! Size, required sections, and IDs: an edit may not make worse what it finds.

use std::collections::HashMap;

use super::super::{Draft, EditError};
use crate::document::{BlockRef, MemoryDoc};
use crate::text::{Span, Unit, fold_name};

/// How many times what it may hold a document may have to grow to before that is not even tried.
const FAR: usize = 4;
/// Refuses to write so many bytes more that the document would be far too large: before they are
/// written.
pub(crate) fn check_growth(doc: &MemoryDoc, more: usize) -> Result<(), EditError> {
    let (is, limit) = (doc.text().len(), doc.policy().max_bytes.min(Span::LARGEST));
    let would_be = is.saturating_add(more);
    match would_be > limit.max(is).saturating_mul(FAR).min(Span::LARGEST) {
        true => Err(EditError::TooLarge { unit: Unit::Bytes, is, would_be, limit }),
        false => Ok(()),
    }
}

pub(super) fn check_size(draft: &Draft<'_>) -> Result<(), EditError> {
    let policy = draft.old.policy();
    let (is, would_be, limit) = (draft.old.text().len(), draft.new.text().len(), policy.max_bytes.min(Span::LARGEST));
    if would_be > limit && would_be > is {
        return Err(EditError::TooLarge { unit: Unit::Bytes, is, would_be, limit });
    }
    if let Some(limit) = policy.max_tokens {
        let would_be = draft.new.tokens();
        if would_be > limit && would_be > draft.old.tokens() {
            return Err(EditError::TooLarge { unit: Unit::Tokens, is: draft.old.tokens(), would_be, limit });
        }
    }
    Ok(())
}

pub(crate) fn check_required(draft: &Draft<'_>) -> Result<(), EditError> {
    let has = |doc: &MemoryDoc, name: &str| doc.sections().any(|own| fold_name(own.title()) == fold_name(name));
    let is_lost = |name: &&String| has(draft.old, name) && !has(&draft.new, name);
    match draft.old.policy().required_sections.iter().find(is_lost) {
        Some(section) => Err(EditError::MissingSection { section: section.clone() }),
        None => Ok(()),
    }
}

pub(crate) fn check_ids(draft: &Draft<'_>) -> Result<(), EditError> {
    if draft.old.blocks().map(BlockRef::id).eq(draft.new.blocks().map(BlockRef::id)) {
        return Ok(());
    }
    let (before, after) = (blocks_by_id(draft.old), blocks_by_id(&draft.new));
    let known = |id: &str| before.get(id).map_or(0, Vec::len);
    let more = after.iter().filter(|(id, starts)| starts.len() > 1 && starts.len() > known(id));
    match more.min_by_key(|(_, starts)| starts.first().copied()) {
        Some((id, starts)) => {
            let line = |start: Option<&usize>| draft.new.line_number(start.copied().unwrap_or(0));
            Err(EditError::DuplicateId { id: (*id).into(), first: line(starts.first()), second: line(starts.get(1)) })
        }
        None => Ok(()),
    }
}

/// Returns where the blocks of each ID start.
fn blocks_by_id(doc: &MemoryDoc) -> HashMap<&str, Vec<usize>> {
    let mut starts: HashMap<&str, Vec<usize>> = HashMap::new();
    for block in doc.blocks() {
        starts.entry(block.id()).or_default().push(block.line.start());
    }
    starts
}
