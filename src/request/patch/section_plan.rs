//! Section operations as parts of a patch: what one of them takes or changes, no other part may count on.

use std::borrow::Cow;

use super::super::Refusal;
use super::super::section::{SectionOp, Step, resolve};
use super::planner::Planner;
use super::reading::{NumberMarker, is_plain, loses_space};
use super::uses::Use;
use crate::document::{SectionRef, heading};
use crate::locate::Leniency;
use crate::text::{Content, is_blank};

pub(super) fn plan<'a>(planner: &mut Planner<'a>, number: usize, op: &SectionOp) -> Result<(), Refusal> {
    let (op, healed) = as_written(op, planner.heals);
    let op = op.as_ref();
    let resolved = resolve(op, &planner.names, planner.siblings(), &|id| planner.sections.deletes(id))?;
    planner.parts.push(resolved.part().with_healed(healed));
    let named = |planner: &Planner<'a>, name: &str| {
        let found = planner.names.without_help(|| planner.names.section(name, planner.doc.span()));
        found.ok().map(|found| found.at)
    };
    if let Some(neighbor) = op.neighbor().and_then(|name| named(planner, name)) {
        uses(planner, number, Some(neighbor), Use::Needs);
    }
    match &resolved.step {
        Step::Settled(_) => {
            // Where it is to be, or as it is to be called, it is already: no other part may change that.
            if let SectionOp::Move { section, .. } | SectionOp::Rename { section, .. } = op {
                let section = named(planner, section);
                uses(planner, number, section, Use::Needs);
                uses(planner, number, section.and_then(SectionRef::parent), Use::Needs);
            }
        }
        Step::Delete(section) => takes(planner, number, *section),
        Step::Rename { section, parent, title } => {
            planner.give_title(*parent, title)?;
            uses(planner, number, Some(*section), Use::Changes);
        }
        Step::Add { title, spot, .. } => {
            planner.give_title(spot.parent, title)?;
            uses(planner, number, spot.parent, Use::Needs);
        }
        Step::Move { section, spot } => {
            if spot.parent != section.parent() {
                planner.give_title(spot.parent, section.title())?;
            }
            takes(planner, number, *section);
            uses(planner, number, spot.parent, Use::Needs);
        }
    }
    planner.sections.push(number, resolved.step);
    Ok(())
}

/// Returns an operation with the lines of a new section as they are written: without the space that all of them begin with,
/// and as bullets if each is plain.
fn as_written(op: &SectionOp, heals: bool) -> (Cow<'_, SectionOp>, Vec<Leniency>) {
    let SectionOp::Add { title, lines, place } = op else { return (Cow::Borrowed(op), Vec::new()) };
    if !heals || !loses_space(lines.iter().map(Content::as_str)) {
        return (Cow::Borrowed(op), Vec::new());
    }
    let mut lines: Vec<Content> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).into()).collect();
    let mut healed = vec![Leniency::Spaced];
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or_default();
    let is_heading = lines.get(first).is_some_and(|line| heading(line).is_some());
    let body = lines.get_mut(first + usize::from(is_heading)..).unwrap_or_default();
    let is_plain_list = body.iter().filter(|line| !is_blank(line)).all(|line| is_plain(line, NumberMarker::None));
    if is_plain_list {
        for line in body.iter_mut().filter(|line| !is_blank(line)) {
            *line = format!("- {line}").into();
        }
        healed.push(Leniency::BulletForm);
    }
    (Cow::Owned(SectionOp::Add { title: title.clone(), lines, place: place.clone() }), healed)
}

/// Notes what a part does with the heading of a section.
fn uses(planner: &mut Planner<'_>, number: usize, section: Option<SectionRef<'_>>, kind: Use) {
    if let Some(section) = section {
        planner.uses.add(number, planner.doc.line_range(section.line), kind);
    }
}

/// Notes that a part removes a section, or moves it away.
fn takes(planner: &mut Planner<'_>, number: usize, section: SectionRef<'_>) {
    planner.uses.add(number, planner.doc.line_range(section.extent), Use::Changes);
}
