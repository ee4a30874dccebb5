//! Planning of section operations (SPEC § 7.5).

use super::super::Refusal;
use super::planner::{Planner, settled};
use super::{SectionOp, SectionPlace};
use crate::document::{MemoryDoc, SectionId, heading};
use crate::edit::compose::{Place, add_section, body_lines, delete_section, level_at, move_section, rename_section};
use crate::edit::{Overlap, Part, PartStatus};
use crate::locate::{Found, LocateError, Rung};
use crate::text::{Span, fold_white_space};

pub(super) fn plan(planner: &mut Planner<'_>, number: usize, op: &SectionOp) -> Result<(), Refusal> {
    match op {
        SectionOp::Add { title, lines, place } => add(planner, number, title, (lines, place.as_ref())),
        SectionOp::Delete { section } => delete(planner, number, section),
        SectionOp::Rename { section, title } => rename(planner, number, section, title),
        SectionOp::Move { section, place } => reorder(planner, number, section, place),
    }
}

fn find(planner: &Planner<'_>, name: &str) -> Result<Found<SectionId>, LocateError> {
    planner.names.section(name, planner.doc.span())
}

fn add(
    planner: &mut Planner<'_>,
    number: usize,
    title: &str,
    (lines, place): (&[String], Option<&SectionPlace>),
) -> Result<(), Refusal> {
    check_title(title)?;
    let doc = planner.doc;
    let (place, healed) = match place {
        Some(SectionPlace::Before(name)) => find(planner, name).map(|found| (Place::Before(found.at), found.healed))?,
        Some(SectionPlace::After(name)) => find(planner, name).map(|found| (Place::After(found.at), found.healed))?,
        Some(SectionPlace::First | SectionPlace::Last) | None => (Place::End, Vec::new()),
    };
    let (_, parent) = level_at(doc, place);
    if let Some(existing) = sibling_called(doc, parent, title, None) {
        let blanks = lines.iter().rev().take_while(|line| line.trim().is_empty()).count();
        let wanted = lines.iter().take(lines.len() - blanks).map(String::as_str);
        if !body_lines(doc, existing).into_iter().eq(wanted) {
            return Err(duplicate(doc, existing, title));
        }
        planner.begin(settled(PartStatus::AlreadyApplied, healed));
        return Ok(());
    }
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed));
    add_section(doc, title, lines, place, (&mut planner.edit, number));
    Ok(())
}

fn delete(planner: &mut Planner<'_>, number: usize, section: &str) -> Result<(), Refusal> {
    let found = find(planner, section)?;
    let doc = planner.doc;
    let Some(extent) = doc.outline().section(found.at).map(|section| section.extent) else { return Ok(()) };
    let pinned: Vec<_> = doc.outline().bullets_within(extent).filter(|id| doc.is_pinned(*id)).collect();
    if !pinned.is_empty() {
        let start = |id: &_| doc.outline().bullet(*id).map_or(0, |bullet| bullet.line.start());
        let lines = pinned.iter().map(|id| doc.line_number(start(id))).collect();
        return Err(Refusal::PinnedLost { lines });
    }
    planner.begin(Part::new(PartStatus::Applied).with_healed(found.healed));
    note_lines(planner, number, extent)?;
    delete_section(doc, found.at, &mut planner.edit);
    Ok(())
}

fn rename(planner: &mut Planner<'_>, number: usize, section: &str, title: &str) -> Result<(), Refusal> {
    check_title(title)?;
    let found = find(planner, section)?;
    let doc = planner.doc;
    let Some((line, parent)) = doc.outline().section(found.at).map(|section| (section.line, section.parent)) else {
        return Ok(());
    };
    if doc.section_title(found.at) == title {
        planner.begin(settled(PartStatus::NoChange, found.healed));
        return Ok(());
    }
    if let Some(other) = sibling_called(doc, parent, title, Some(found.at)) {
        return Err(duplicate(doc, other, title));
    }
    planner.begin(Part::new(PartStatus::Applied).with_healed(found.healed));
    note_lines(planner, number, line)?;
    rename_section(doc, found.at, title, &mut planner.edit);
    Ok(())
}

fn reorder(planner: &mut Planner<'_>, number: usize, section: &str, place: &SectionPlace) -> Result<(), Refusal> {
    let found = find(planner, section)?;
    let doc = planner.doc;
    let siblings = siblings(doc, doc.outline().section(found.at).and_then(|section| section.parent));
    let index = |id: SectionId| siblings.iter().position(|sibling| *sibling == id);
    let Some(from) = index(found.at) else { return Ok(()) };
    let mut healed: Vec<Rung> = found.healed;
    let mut beside = |name: &str| -> Result<usize, Refusal> {
        let other = find(planner, name)?;
        healed.extend(other.healed);
        index(other.at).ok_or_else(|| Refusal::NotASibling { section: section.to_owned(), other: name.to_owned() })
    };
    let to = match place {
        SectionPlace::First => 0,
        SectionPlace::Last => siblings.len() - 1,
        SectionPlace::Before(name) => beside(name).map(|other| if other > from { other - 1 } else { other })?,
        SectionPlace::After(name) => beside(name).map(|other| if other < from { other + 1 } else { other })?,
    };
    let to = to.min(siblings.len() - 1);
    if to == from {
        planner.begin(settled(PartStatus::NoChange, healed));
        return Ok(());
    }
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed));
    if let Some(section) = doc.outline().section(found.at) {
        note_lines(planner, number, section.extent)?;
    }
    move_section(doc, &siblings, from, to, &mut planner.edit);
    Ok(())
}

/// Notes that a part changes the lines of `span`, so that no hunk may count on them.
fn note_lines(planner: &mut Planner<'_>, number: usize, span: Span) -> Result<(), Refusal> {
    for line in planner.doc.lines().range(span) {
        if let Some(first) = planner.changed_by.insert(line, number).filter(|first| *first != number) {
            return Err(Overlap { first, second: number, span }.into());
        }
    }
    Ok(())
}

fn siblings(doc: &MemoryDoc, parent: Option<SectionId>) -> Vec<SectionId> {
    let has_parent = |id: &SectionId| doc.outline().section(*id).is_some_and(|section| section.parent == parent);
    doc.outline().section_ids().filter(has_parent).collect()
}

/// Returns the section of `parent`, other than `except`, that has this title.
fn sibling_called(
    doc: &MemoryDoc,
    parent: Option<SectionId>,
    title: &str,
    except: Option<SectionId>,
) -> Option<SectionId> {
    let is_called =
        |id: &SectionId| Some(*id) != except && fold_white_space(doc.section_title(*id)) == fold_white_space(title);
    siblings(doc, parent).into_iter().find(is_called)
}

fn duplicate(doc: &MemoryDoc, existing: SectionId, title: &str) -> Refusal {
    let line = doc.outline().section(existing).map_or(0, |section| section.line.start());
    Refusal::DuplicateSection { title: title.to_owned(), line: doc.line_number(line) }
}

/// Refuses a title that would not be read back as it is written.
fn check_title(title: &str) -> Result<(), Refusal> {
    let line = format!("# {title}");
    let is_read_back =
        heading(&line).is_some_and(|heading| line.get(heading.title) == Some(title) && heading.id.is_none());
    match is_read_back && !title.contains(['\n', '\r']) {
        true => Ok(()),
        false => Err(Refusal::InvalidTitle { title: title.to_owned() }),
    }
}
