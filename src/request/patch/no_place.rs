//! What helps where a hunk of `+` lines has neither anchor nor context.

use std::collections::HashSet;

use super::HunkLine;
use super::planner::Planner;
use crate::document::{BulletRef, MemoryDoc, SectionRef, bullet_start};
use crate::locate::{Diagnostic, Fix, numbered};
use crate::text::{Content, Lines, is_blank};

/// How many sections are named.
const NAMED: usize = 5;

/// Names the sections that the lines could go to, and, where the first has a number, the line that it would follow.
pub(super) fn places(planner: &Planner<'_>, lines: &[HunkLine]) -> Diagnostic {
    let doc = planner.doc;
    if !planner.is_helping() {
        return Diagnostic::default();
    }
    // A title above other sections is the place of none of their lines.
    let is_title =
        |section: &SectionRef<'_>| section.body.end() < section.extent.end() && is_blank(section.body.of(doc.text()));
    let open =
        doc.sections().filter(|section| doc.reserved_section_at(section.line.start()).is_none() && !is_title(section));
    let known = open.filter_map(|section| section.asked_name()).take(NAMED).map(Content::from).collect();
    let fix = lines.first().and_then(|first| before(doc, &first.text)).map(|line| Fix::AddContext(vec![line]));
    Diagnostic { known, fix, ..Diagnostic::default() }
}

/// Returns the line that the only bullet ends with whose number is the one before, and behind which a list counts on.
fn before(doc: &MemoryDoc, text: &str) -> Option<Content> {
    let marker = text.get(bullet_start(text)?.marker)?;
    let (wanted, delimiter) = numbered(marker)?;
    let bullets = || doc.bullets().filter_map(|bullet| Some((bullet, numbered(bullet.marker())?.0)));
    let list = |bullet: BulletRef<'_>| {
        [bullet.parent().map(|own| own.line), bullet.section().map(|own| own.line), bullet.block().map(|own| own.line)]
    };
    let taken = bullets().filter(|(_, number)| *number == wanted);
    let goes_on: HashSet<_> = taken.map(|(bullet, _)| list(bullet)).collect();
    let is_next = |bullet: BulletRef<'_>| bullet.marker().ends_with(delimiter) && goes_on.contains(&list(bullet));
    let mut before = bullets().filter(|(bullet, number)| number + 1 == wanted && is_next(*bullet));
    let (Some((only, _)), None) = (before.next(), before.next()) else { return None };
    let end = doc.line_range(only.extent).next_back()?;
    let line = doc.lines().line(doc.text(), end).text.of(doc.text());
    let same = Lines::of(doc.text()).filter(|other| other.text.of(doc.text()) == line).count();
    (same == 1 && doc.reserved_section_at(only.line.start()).is_none()).then(|| line.into())
}
