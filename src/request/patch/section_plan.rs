//! Planning of section operations (SPEC § 7.5).

use super::super::Refusal;
use super::planner::{Planner, settled};
use super::{SectionOp, SectionPlace};
use crate::document::{MemoryDoc, SectionId, heading};
use crate::edit::compose::{Place, body_lines, rename_section};
use crate::edit::{EditError, Flaw, Part, PartStatus};
use crate::locate::{Found, LocateError, Rung};

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
    let (level, parent) = planner.siblings.level_at(doc, place);
    // A title that passes for a reserved one is the guard's business.
    let is_reserved = doc.rules().reserved_name(title).is_some();
    let existing =
        planner.siblings.called(parent, title, None).filter(|id| !is_reserved && !planner.sections.deletes(*id));
    if let Some(existing) = existing {
        let blanks = lines.iter().rev().take_while(|line| line.trim().is_empty()).count();
        let wanted = lines.iter().take(lines.len() - blanks).map(String::as_str);
        let is_same = doc.section_title(existing) == title && body_lines(doc, existing).into_iter().eq(wanted);
        if !is_same {
            return Err(duplicate(doc, existing, title));
        }
        planner.begin(settled(PartStatus::AlreadyApplied, healed));
        return Ok(());
    }
    let at = doc.text().len().saturating_sub(1);
    if place == Place::End
        && doc.outline().is_fenced(at)
        && doc.outline().fences().last().is_some_and(|fence| !fence.is_closed)
    {
        let line = doc.outline().fences().last().map_or(0, |fence| fence.extent.start());
        return Err(EditError::InvalidText(Flaw::OpenFence(doc.line_number(line))).into());
    }
    claim(planner, parent, title)?;
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed));
    planner.sections.add(number, title, lines, (place, level));
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
    planner.take(number, extent)?;
    planner.sections.delete(number, found.at);
    Ok(())
}

fn rename(planner: &mut Planner<'_>, number: usize, section: &str, title: &str) -> Result<(), Refusal> {
    check_title(title)?;
    let found = find(planner, section)?;
    let doc = planner.doc;
    let section = doc.outline().section(found.at).map(|section| (section.line, section.parent));
    let Some((line, parent)) = section else { return Ok(()) };
    if doc.section_title(found.at) == title {
        planner.begin(settled(PartStatus::NoChange, found.healed));
        return Ok(());
    }
    let is_reserved = doc.rules().reserved_name(title).is_some();
    if let Some(other) = planner.siblings.called(parent, title, Some(found.at)).filter(|_| !is_reserved) {
        return Err(duplicate(doc, other, title));
    }
    claim(planner, parent, title)?;
    planner.begin(Part::new(PartStatus::Applied).with_healed(found.healed));
    planner.note_changed(number, line)?;
    rename_section(doc, found.at, title, &mut planner.edit);
    Ok(())
}

fn reorder(planner: &mut Planner<'_>, number: usize, section: &str, place: &SectionPlace) -> Result<(), Refusal> {
    let found = find(planner, section)?;
    let doc = planner.doc;
    let siblings = planner.siblings.of(doc.outline().section(found.at).and_then(|section| section.parent));
    let Some(from) = planner.siblings.place(found.at) else { return Ok(()) };
    let mut healed: Vec<Rung> = found.healed;
    let mut beside = |name: &str| -> Result<usize, Refusal> {
        let other = find(planner, name)?;
        healed.extend(other.healed);
        let place = planner.siblings.place(other.at).filter(|place| siblings.get(*place) == Some(&other.at));
        place.ok_or_else(|| Refusal::NotASibling { section: section.to_owned(), other: name.to_owned() })
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
    check_levels(doc, &siblings, (from, to), (section, place))?;
    if !planner.index.spend(16 * to.abs_diff(from)) {
        return Err(Refusal::TooCostly);
    }
    planner.begin(Part::new(PartStatus::Applied).with_healed(healed));
    if let Some(section) = doc.outline().section(found.at) {
        planner.take(number, section.extent)?;
    }
    planner.sections.reorder(number, siblings, (from, to));
    Ok(())
}

/// Refuses a place where the section would become part of another, or another of it: among sections of one parent, none may
/// stand below one of a lower level.
fn check_levels(
    doc: &MemoryDoc,
    siblings: &[SectionId],
    (from, to): (usize, usize),
    (section, place): (&str, &SectionPlace),
) -> Result<(), Refusal> {
    let level =
        |index: usize| siblings.get(index).and_then(|id| doc.outline().section(*id)).map_or(0, |section| section.level);
    let passed = if to < from { to..from } else { from + 1..to + 1 };
    let keeps_parents = passed.into_iter().all(|other| level(other) == level(from));
    let other = match place {
        SectionPlace::Before(name) | SectionPlace::After(name) => name.clone(),
        SectionPlace::First | SectionPlace::Last => {
            siblings.get(to).map(|id| doc.section_title(*id).to_owned()).unwrap_or_default()
        }
    };
    match keeps_parents {
        true => Ok(()),
        false => Err(Refusal::NotASibling { section: section.to_owned(), other }),
    }
}

/// Refuses a title that another part of the patch gives to a section of the same parent.
fn claim(planner: &mut Planner<'_>, parent: Option<SectionId>, title: &str) -> Result<(), Refusal> {
    match planner.siblings.claim(parent, title) {
        true => Ok(()),
        false => Err(Refusal::DuplicateTitle { title: title.to_owned() }),
    }
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
