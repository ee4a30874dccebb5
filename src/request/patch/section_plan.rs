//! Section operations as parts of a patch: what one of them takes or changes, no other part may count on.

use std::borrow::Cow;

use super::super::Refusal;
use super::super::section::{SectionOp, Step, resolve};
use super::planner::Planner;
use super::reading::{is_plain, loses_space};
use crate::document::{SectionRef, heading};
use crate::locate::Leniency;
use crate::text::{Content, is_blank};

impl<'a> Planner<'a> {
    pub(super) fn section(&mut self, part: usize, op: &SectionOp) -> Result<(), Refusal> {
        let (op, healed) = if self.heals { as_written(op) } else { (Cow::Borrowed(op), Vec::new()) };
        let resolved = resolve(&op, &self.names, self.siblings(), &|section| self.sections.deletes(section))?;
        self.parts.push(resolved.part().with_healed(healed));
        let named = |name: &str| {
            let found = self.names.without_help(|| self.names.section(name, self.doc.span()));
            found.ok().map(|found| found.at)
        };
        let neighbor = op.neighbor().and_then(named);
        let (changed, needed) = match &resolved.step {
            // Where it is to be, or as it is to be called, it is already: no other part may change that.
            Step::Settled(_) => match &*op {
                SectionOp::Move { section, .. } | SectionOp::Rename { section, .. } => {
                    let section = named(section);
                    (None, [neighbor, section, section.and_then(SectionRef::parent)])
                }
                SectionOp::Add { .. } | SectionOp::Delete { .. } => (None, [neighbor, None, None]),
            },
            Step::Delete(section) => (Some(section.extent), [neighbor, None, None]),
            Step::Rename { section, parent, title } => {
                self.give_title(*parent, title)?;
                (Some(section.line), [neighbor, None, None])
            }
            Step::Add { title, spot, .. } => {
                self.give_title(spot.parent, title)?;
                (None, [neighbor, spot.parent, None])
            }
            Step::Move { section, spot } => {
                if spot.parent != section.parent() {
                    self.give_title(spot.parent, section.title())?;
                }
                (Some(section.extent), [neighbor, spot.parent, None])
            }
        };
        self.uses.changed.extend(changed.map(|span| (part, span)));
        self.uses.needed.extend(needed.into_iter().flatten().map(|section| (part, section.line)));
        self.sections.push(part, resolved.step);
        Ok(())
    }
}

/// Returns an operation with the lines of a new section as they are written: without the space that all of them begin with,
/// and as bullets if each is plain.
fn as_written(op: &SectionOp) -> (Cow<'_, SectionOp>, Vec<Leniency>) {
    let SectionOp::Add { title, lines, place } = op else { return (Cow::Borrowed(op), Vec::new()) };
    if !loses_space(lines.iter().map(Content::as_str)) {
        return (Cow::Borrowed(op), Vec::new());
    }
    let mut lines: Vec<Content> = lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line).into()).collect();
    let mut healed = vec![Leniency::Spaced];
    let mut full: Vec<&mut Content> = lines.iter_mut().filter(|line| !is_blank(line)).collect();
    if full.first().is_some_and(|line| heading(line).is_some()) {
        full.remove(0);
    }
    if full.iter().all(|line| is_plain(line)) {
        full.into_iter().for_each(|line| *line = format!("- {line}").into());
        healed.push(Leniency::BulletForm);
    }
    (Cow::Owned(SectionOp::Add { title: title.clone(), lines, place: place.clone() }), healed)
}
