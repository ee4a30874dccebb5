//! Reserved sections stay as they are, byte for byte, and nothing passes for them (SPEC § 4).
//!
//! The blank lines behind a reserved section are part of its extent, so that they stay too.

use std::collections::HashMap;

use super::super::draft::Draft;
use super::super::error::{EditError, ReservedBreach};
use super::super::splice::Promise;
use crate::document::{MemoryDoc, SectionId};
use crate::text::{Lines, Span, fold_name, is_blank};

/// Refuses an edit that changes a reserved section, or its place at the top.
pub(super) fn check_sections(draft: &Draft<'_>) -> Result<(), EditError> {
    let before = reserved_sections(draft.old);
    let after = reserved_sections(&draft.new);
    check_extents(draft, &before, &after)?;
    check_places(draft, &before, &after)
}

fn reserved_sections(doc: &MemoryDoc) -> Vec<(SectionId, Span)> {
    let ids = doc.outline().section_ids().filter(|id| doc.reserved_name_of(*id).is_some());
    ids.filter_map(|id| doc.outline().section(id).map(|section| (id, section.extent))).collect()
}

fn check_extents(
    draft: &Draft<'_>,
    before: &[(SectionId, Span)],
    after: &[(SectionId, Span)],
) -> Result<(), EditError> {
    let name = |doc: &MemoryDoc, id: SectionId| doc.reserved_name_of(id).unwrap_or_default().to_owned();
    if let Some((id, extent)) = after.iter().find(|_| after.len() > before.len()) {
        // Of several, the one that was not there is told by what it says.
        let is_new =
            |extent: &Span| !before.iter().any(|(_, old)| old.of(draft.old.text()) == extent.of(draft.new.text()));
        let (id, extent) = after.iter().find(|(_, extent)| is_new(extent)).unwrap_or(&(*id, *extent)).to_owned();
        let breach = ReservedBreach::Added(draft.new.line_number(extent.start()));
        return Err(EditError::ReservedSection { section: name(&draft.new, id), breach });
    }
    if let Some((id, _)) = before.first().filter(|_| after.len() < before.len()) {
        return Err(EditError::ReservedSection { section: name(draft.old, *id), breach: ReservedBreach::Removed });
    }
    for ((old_id, old), (_, new)) in before.iter().zip(after) {
        if old.of(draft.old.text()) != new.of(draft.new.text()) {
            let section = name(draft.old, *old_id);
            return Err(EditError::ReservedSection { section, breach: ReservedBreach::Changed });
        }
    }
    // A section that is taken out and put back elsewhere has the same bytes, but has been changed all the same.
    let removed = draft.splices().filter(|(_, _, promise)| *promise != Promise::Whole).map(|(removed, ..)| removed);
    let taken = |span: Span| before.iter().find(|(_, extent)| extent.overlaps(span));
    match removed.filter_map(taken).next() {
        Some((id, _)) => {
            Err(EditError::ReservedSection { section: name(draft.old, *id), breach: ReservedBreach::Changed })
        }
        None => Ok(()),
    }
}

/// Refuses a document written anew in which a reserved section stands below another heading, or on the other side of a section
/// that has stayed.
fn check_places(draft: &Draft<'_>, before: &[(SectionId, Span)], after: &[(SectionId, Span)]) -> Result<(), EditError> {
    if before.is_empty() || !draft.splices().any(|(_, _, promise)| promise == Promise::Whole) {
        return Ok(());
    }
    // A section has stayed if its path is that of one section before and after.
    let (olds, news) = (paths(draft.old), paths(&draft.new));
    let stayed = olds.iter().filter_map(|(path, old)| Some(((*old)?, (*news.get(path)?)?)));
    let mut stayed: Vec<_> = stayed.collect();
    stayed.sort_unstable();
    let parent = |doc: &MemoryDoc, id: SectionId| {
        doc.outline().section(id).and_then(|section| section.parent).map(|parent| doc.section_path(parent))
    };
    for ((old_id, old), (new_id, new)) in before.iter().zip(after) {
        let above = stayed.partition_point(|(start, _)| *start < old.start());
        let (above, below) = stayed.split_at(above);
        let keeps_place = above.iter().all(|(_, start)| *start < new.start())
            && below.iter().all(|(_, start)| *start >= new.start())
            && parent(draft.old, *old_id) == parent(&draft.new, *new_id);
        if !keeps_place {
            let section = draft.old.reserved_name_of(*old_id).unwrap_or_default().to_owned();
            return Err(EditError::ReservedSection { section, breach: ReservedBreach::Moved });
        }
    }
    Ok(())
}

/// Returns where the section of each path starts; `None` for a path that several have.
fn paths(doc: &MemoryDoc) -> HashMap<String, Option<usize>> {
    let mut paths = HashMap::new();
    for id in doc.outline().section_ids() {
        let start = doc.outline().section(id).map(|section| section.line.start());
        paths.entry(fold_name(&doc.section_path(id))).and_modify(|place| *place = None).or_insert(start);
    }
    paths
}

/// Refuses text above a reserved section that stood at the top. Of an inversion that text stood there before.
pub(super) fn check_top(draft: &Draft<'_>) -> Result<(), EditError> {
    let (before, after) = (reserved_sections(draft.old), reserved_sections(&draft.new));
    let stands_at_top = |doc: &MemoryDoc, extent: Span| {
        is_blank(Span::new(doc.outline().body_start().min(extent.start()), extent.start()).of(doc.text()))
    };
    match (before.first(), after.first()) {
        (Some((id, old)), Some((_, new))) if stands_at_top(draft.old, *old) && !stands_at_top(&draft.new, *new) => {
            let section = draft.old.reserved_name_of(*id).unwrap_or_default().to_owned();
            Err(EditError::ReservedSection { section, breach: ReservedBreach::Above })
        }
        _ => Ok(()),
    }
}

/// Refuses an edit that makes a line which passes for a reserved heading.
pub(super) fn check_look_alikes(draft: &Draft<'_>) -> Result<(), EditError> {
    let (before, after) = if fences_may_change(draft) {
        (draft.old.look_alikes().to_vec(), draft.new.look_alikes().to_vec())
    } else {
        (look_alikes(draft.old, draft.old_lines()), look_alikes(&draft.new, draft.new_lines()))
    };
    // A line may become the first of a text with a byte order mark, or cease to be it.
    fn without_mark(line: &str) -> &str {
        line.strip_prefix('\u{FEFF}').unwrap_or(line)
    }
    let mut known: HashMap<&str, usize> = HashMap::new();
    for line in before {
        *known.entry(without_mark(line.of(draft.old.text()))).or_default() += 1;
    }
    for line in after {
        let text = without_mark(line.of(draft.new.text()));
        match known.get_mut(text).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => {
                let section = draft.new.rules().reserved_name(text).unwrap_or_default().to_owned();
                let breach = ReservedBreach::LookAlike(draft.new.line_number(line.start()));
                return Err(EditError::ReservedSection { section, breach });
            }
        }
    }
    Ok(())
}

/// Reports whether the edit may bring text into or out of a fence that it does not write itself.
fn fences_may_change(draft: &Draft<'_>) -> bool {
    let touches = |doc: &MemoryDoc, span: Span| {
        let fences = doc.outline().fences();
        let first = fences.partition_point(|fence| fence.extent.end() < span.start());
        fences.get(first).is_some_and(|fence| fence.extent.start() <= span.end())
    };
    draft.splices().any(|(removed, written, promise)| {
        promise == Promise::Whole || touches(draft.old, removed) || touches(&draft.new, written)
    })
}

fn look_alikes(doc: &MemoryDoc, spans: Vec<Span>) -> Vec<Span> {
    let lines = spans.into_iter().flat_map(|span| Lines::within(doc.text(), span)).map(|line| line.text);
    let passes = |line: &Span| doc.rules().reserved_name(line.of(doc.text())).is_some();
    lines.filter(|line| passes(line) && !doc.outline().is_fenced(line.start())).collect()
}
