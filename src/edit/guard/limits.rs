//! Size, required sections, and IDs: an edit may not make worse what it finds.

use std::collections::HashMap;

use super::super::draft::Draft;
use super::super::error::EditError;
use crate::document::MemoryDoc;
use crate::text::fold_white_space;

pub(super) fn check_size(draft: &Draft<'_>) -> Result<(), EditError> {
    let policy = draft.old.policy();
    let (is, would_be, limit) = (draft.old.text().len(), draft.new.text().len(), policy.max_bytes);
    if would_be > limit && would_be > is {
        return Err(EditError::TooLarge { unit: "bytes", is, would_be, limit });
    }
    if let Some(limit) = policy.max_tokens {
        let would_be = draft.new.tokens();
        if would_be > limit && would_be > draft.old.tokens() {
            return Err(EditError::TooLarge { unit: "tokens", is: draft.old.tokens(), would_be, limit });
        }
    }
    Ok(())
}

pub(super) fn check_required(draft: &Draft<'_>) -> Result<(), EditError> {
    let has = |doc: &MemoryDoc, name: &str| {
        let mut ids = doc.outline().section_ids();
        ids.any(|id| fold_white_space(doc.section_title(id)) == fold_white_space(name))
    };
    let is_lost = |name: &&String| has(draft.old, name) && !has(&draft.new, name);
    match draft.old.policy().required_sections.iter().find(is_lost) {
        Some(section) => Err(EditError::MissingSection { section: section.clone() }),
        None => Ok(()),
    }
}

pub(super) fn check_ids(draft: &Draft<'_>) -> Result<(), EditError> {
    let before = counts(draft.old);
    let after = counts(&draft.new);
    let more =
        after.iter().filter(|(id, (count, _))| *count > 1 && *count > before.get(*id).map_or(0, |(count, _)| *count));
    match more.min_by_key(|(_, (_, line))| *line) {
        Some((id, (_, offset))) => {
            Err(EditError::DuplicateId { id: (*id).to_owned(), line: draft.new.line_number(*offset) })
        }
        None => Ok(()),
    }
}

/// Counts the blocks of each ID, and notes where the last of them starts.
fn counts(doc: &MemoryDoc) -> HashMap<&str, (usize, usize)> {
    let mut counts = HashMap::new();
    for id in doc.outline().block_ids() {
        let start = doc.outline().block(id).map_or(0, |block| block.line.start());
        let entry = counts.entry(doc.block_id(id)).or_insert((0, 0));
        *entry = (entry.0 + 1, start);
    }
    counts
}
